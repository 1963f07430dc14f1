/** What the record proves against itself, with its entries; a director acknowledges it, and it does not come back. */

import { useState } from "../../vendor/hooks.js";
import { enter } from "../../store/audit.js";
import { learns, rules } from "../../store/roles.js";
import { device } from "../../store/device.js";
import { has, t } from "../../text/index.js";
import * as say from "../../text/say.js";
import { Button } from "../button.js";
import { html } from "../html.js";
import { Act } from "./act.js";
import { party, spoken } from "./spoken.js";

/** A finding in this tablet's words where it has them, else in the service's. */
export function found(state, { kind, seat, cards = [], text, rule, entries = [] }) {
  const key = `audit.finding.${kind}`;
  const facts = { name: seat ? party(state, seat) : "", cards: cards.map(say.shortCard).join(" "), entries: entries.join(", ") };
  const own = has(key) ? t(key, facts) : device.value.language === "en" ? text : t("audit.finding.other", { text });
  return rule ? t("refused.rule", { text: own, rule }) : own;
}

/** `findings` are those that the service tells; `onDone` is called after one was acknowledged. */
export function Findings({ id, state, findings, onDone }) {
  const [open, put] = useState(null);
  const [publish, show] = useState(false);
  if (!findings.length) return html`<p>${t(learns() ? "audit.findings.none" : "audit.findings.unpublished")}</p>`;
  const done = ({ state: standing }) => standing === "acknowledged";
  return html`<ul class="cards">${findings.map((one, place) => html`<li class=${`finding${done(one) ? " done" : ""}`} key=${`${one.kind}-${one.entries.join("-")}`}>
    <p><b>${found(state, one)}</b></p>
    <p class="names">${one.entries.length ? t("audit.finding.entries", { entries: one.entries.join(", ") }) : ""}${done(one) ? ` ${t("audit.finding.acknowledged")}` : ""}${one.published ? ` ${t("audit.finding.published")}` : ""}</p>
    <div class="besides">${one.line ? html`<a class="button" href=${`#/director/${id}/line/${one.line}`}>${t("audit.open.deal")}</a>` : ""}
      ${rules() && !done(one) && open !== place && html`<${Button} name=${`acknowledge-${place}`} data-key=${`acknowledge-${place}`} onTap=${() => put(place)}>${t("audit.acknowledge")}<//>`}</div>
    ${open === place && html`<div><${Button} kind=${publish ? "main" : "plain"} name="publish" data-key="publish" aria-pressed=${String(publish)} onTap=${() => show(!publish)}>${t("audit.publish")}<//></div><${Act} name="do-acknowledge" does=${t("audit.acknowledge.do")} reasons=${t("reasons.acknowledge").split("|")} game=${spoken(state)} onCancel=${() => put(null)}
      onDo=${async ({ reason }) => { await enter(id, [{ entry: "acknowledge", kind: one.kind, entries: one.entries, reason, ...(publish ? { publish } : {}) }]); put(null); onDone(); }} />`}
  </li>`)}</ul>`;
}
