/** What every correction and ruling changed, for whom, old beside new; and the way to undo a correction. */

import { useState } from "../../vendor/hooks.js";
import { enter } from "../../store/audit.js";
import { rules } from "../../store/roles.js";
import { t } from "../../text/index.js";
import { Button } from "../button.js";
import { html } from "../html.js";
import { Act, useSecondKey } from "./act.js";
import { Effect } from "./effect.js";
import { moment, spoken, STRUCK } from "./spoken.js";


export function Changes({ id, state, changes, onDone }) {
  const [open, put] = useState(null);
  if (!changes.length) return html`<p>${t("audit.changes.none")}</p>`;
  const game = spoken(state);
  return html`<div class="changes">${changes.toReversed().map((one) => html`<article key=${one.entry} class="change" aria-label=${t("audit.change", { number: one.entry })}>
    <h2>${t(one.kind === "redo" ? "audit.change.redone" : one.undoes ? "audit.change.undoes" : one.kind === "transfer" ? "audit.change.transfer" : "audit.change", { number: one.entry, undoes: one.undoes ?? "" })}</h2>
    <p>${one.reason ? t("audit.because", { reason: one.reason }) : ""}${one.law ? ` · ${t("audit.bylaw", { law: one.law })}` : ""}</p>
    <p class="names">${[moment(one.at), one.by_name, one.second_name && t("audit.with", { name: one.second_name })].filter(Boolean).join(" · ")}</p>
    <${Effect} state=${state} lines=${one.lines}
      ends=${{ old: { final: one.final_old, winners: one.winners_old }, new: { final: one.final_new, winners: one.winners_new } }} />
    ${STRUCK.includes(one.state) && html`<p><span class="mark">${t("audit.state.undone")}</span></p>`}
    ${rules() && one.kind === "correct" && one.state === "in_force" && open !== one.entry && html`<div><${Button} name=${`undo-${one.entry}`} data-key=${`undo-${one.entry}`} onTap=${() => put(one.entry)}>${t("audit.undo")}<//></div>`}
    ${open === one.entry && html`<${Undo} id=${id} state=${state} undoes=${one.entry} game=${game} onCancel=${() => put(null)} onDone=${() => { put(null); onDone(); }} />`}
  </article>`)}</div>`;
}

function Undo({ id, state, undoes, game, onCancel, onDone }) {
  const undo = { entry: "correct", undoes, reason: "–" };
  const second = useSecondKey(id, [undo], state.version);
  return html`<${Act} name="do-undo" does=${t("audit.undo.do")} reasons=${t("reasons.undo").split("|")} law=${true} secondKey=${second} game=${game} onCancel=${onCancel}
    onDo=${async ({ reason, law, secondKey }) => { await enter(id, [{ ...undo, reason, ...(law ? { law } : {}) }], { version: state.version, secondKey }); onDone(); }} />`;
}
