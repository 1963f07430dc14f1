/** What every correction and ruling changed, for whom, old beside new; and the way to undo a correction. */

import { useState } from "../../vendor/hooks.js";
import { enter, flat, rules } from "../../store/audit.js";
import { t } from "../../text/index.js";
import { Button } from "../button.js";
import { html } from "../html.js";
import { Act } from "./act.js";
import { Effect } from "./effect.js";
import { moment, spoken } from "./spoken.js";

/** The numbers of the corrections that are undone by a later one, themselves undone or not. */
const undoneBy = (changes) => new Map(changes.filter(({ undoes }) => undoes).map(({ undoes, entry }) => [undoes, entry]));

export function Changes({ id, state, changes, onDone }) {
  const [open, put] = useState(null);
  if (!changes.length) return html`<p>${t("audit.changes.none")}</p>`;
  const game = spoken(state);
  const undone = undoneBy(changes);
  return html`<div class="changes">${changes.toReversed().map((one) => html`<article key=${one.entry} class="change" aria-label=${t("audit.change", { number: one.entry })}>
    <h3>${t(one.undoes ? "audit.change.undoes" : one.kind === "transfer" ? "audit.change.transfer" : "audit.change", { number: one.entry, undoes: one.undoes ?? "" })}</h3>
    <p>${t("audit.because", { reason: one.reason })}${one.law ? ` · ${t("audit.bylaw", { law: one.law })}` : ""}</p>
    <p class="names">${[moment(one.at), one.by, one.second && t("audit.with", { name: one.second })].filter(Boolean).join(" · ")}</p>
    <${Effect} state=${state} lines=${one.lines.map((pair) => ({ line: pair.line, old: flatten(pair.old), new: flatten(pair.new) }))}
      ends=${one.final_old && one.final_new ? { old: { final: one.final_old, winners: one.winners_old }, new: { final: one.final_new, winners: one.winners_new } } : null} />
    ${undone.has(one.entry) && html`<p class="names">${t("audit.change.undone", { number: undone.get(one.entry) })}</p>`}
    ${rules() && one.kind !== "transfer" && !undone.has(one.entry) && open !== one.entry && html`<div><${Button} name=${`undo-${one.entry}`} data-key=${`undo-${one.entry}`} onTap=${() => put(one.entry)}>${t("audit.undo")}<//></div>`}
    ${open === one.entry && html`<${Act} name="do-undo" does=${t("audit.undo.do")} reasons=${t("reasons.undo").split("|")} law=${true} game=${game} onCancel=${() => put(null)}
      onDo=${async ({ reason, law, secondKey }) => { await enter(id, [{ entry: "correct", undoes: one.entry, reason, ...(law ? { law } : {}) }], { version: state.version, secondKey }); put(null); onDone(); }} />`}
  </article>`)}</div>`;
}

const flatten = (row) => (row ? flat(row) : undefined);
