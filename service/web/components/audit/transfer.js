/**
 * A ruling that moves money besides a correction: who pays whom how much, in words; it always sums to zero. While the
 * evening goes on it is paid now; when its pools are divided already, it is put in behind the deal by a correction.
 */

import { useState } from "../../vendor/hooks.js";
import { lastOf } from "../../game/correcting.js";
import { SEATS, four } from "../../game/seats.js";
import { enter, simulate } from "../../store/audit.js";
import { amount, t } from "../../text/index.js";
import { Button } from "../button.js";
import { html } from "../html.js";
import { useLoaded } from "../loaded.js";
import { Act } from "./act.js";
import { Effect } from "./effect.js";
import { disputed, sitter, spoken } from "./spoken.js";

const SUMS = [10, 20, 40, 50, 100];

/** Each who pays gives each who gets the same sum. */
const deltasOf = ({ from, to, sum }) => four((seat) => (to.includes(seat) ? from.length * sum : 0) - (from.includes(seat) ? to.length * sum : 0));

const OVER = ["closed", "ended"];

/** What puts a payment in behind the deal of a line, before the evening's end. */
function behind(told, entry) {
  const { number, part = 0 } = told.entries[lastOf(told.entries)];
  return [{ at: number, ...(part ? { part } : {}), put: [entry], after: true }];
}

export function Transfer({ id, state, line, told, open, onDone, onCancel }) {
  const [said, put] = useState({ from: [], to: [], sum: 0, ruled: open[0]?.number ?? null });
  const toggle = (side, other, seat) => put({ ...said, [side]: said[side].includes(seat) ? said[side].filter((one) => one !== seat) : [...said[side], seat], [other]: said[other].filter((one) => one !== seat) });
  const deltas = deltasOf(said);
  const ready = said.from.length > 0 && said.to.length > 0 && Number.isInteger(said.sum) && said.sum > 0;
  const over = OVER.includes(state.phase);
  const tried = useLoaded(async () => (over && ready ? (await simulate(id, { corrections: [{ line, changes: behind(told, { entry: "transfer", deltas, law: "–", reason: "–" }) }] })).effects : null), [id, state.version, JSON.stringify(deltas)]);
  const seats = (side, other) => html`<div class="keys four">${SEATS.map((seat) => html`<${Button} key=${seat} kind=${said[side].includes(seat) ? "main" : "plain"} name=${`${side}-${seat}`} data-key=${`${side}-${seat}`} aria-pressed=${String(said[side].includes(seat))} onTap=${() => toggle(side, other, seat)}>${sitter(state, seat)}<//>`)}</div>`;
  const record = async ({ reason, law, secondKey }) => {
    const ruled = said.ruled ? { dispute: said.ruled } : {};
    const resolve = { entry: "resolve", dispute: said.ruled, outcome: "adjusted", law, reason };
    const paid = { entry: "transfer", deltas, law, reason, ...ruled };
    const entry = over ? { entry: "correct", changes: behind(told, paid), law, reason, ...ruled } : paid;
    await enter(id, [entry, ...(said.ruled ? [resolve] : [])], { version: state.version, secondKey });
    onDone();
  };
  return html`
    <section class="transfer" aria-label=${t("audit.do.transfer")}>
      <p>${t("audit.transfer.about")}</p>
      <h2 class="asks">${t("audit.transfer.from")}</h2>${seats("from", "to")}
      <h2 class="asks">${t("audit.transfer.to")}</h2>${seats("to", "from")}
      <h2 class="asks">${t("audit.transfer.sum")}</h2>
      <div class="keys sums">${SUMS.map((sum) => html`<${Button} key=${sum} kind=${said.sum === sum ? "main" : "plain"} name=${`sum-${sum}`} data-key=${`sum-${sum}`} onTap=${() => put({ ...said, sum })}>${sum}<//>`)}
        <input type="number" name="sum" min="1" max="100000" step="1" inputmode="numeric" placeholder=${t("audit.transfer.other")} aria-label=${t("audit.transfer.sum")} value=${said.sum || ""} onInput=${(event) => put({ ...said, sum: Number(event.target.value) })} /></div>
      ${ready && html`<ul class="plainlist" role="status">${SEATS.filter((seat) => deltas[seat]).map((seat) => html`<li key=${seat}>${t(deltas[seat] > 0 ? "audit.transfer.gets" : "audit.transfer.pays", { name: sitter(state, seat), amount: amount(Math.abs(deltas[seat])) })}${over ? "" : ` (${amount(state.balances[seat])} → ${amount(state.balances[seat] + deltas[seat])})`}</li>`)}</ul>`}
      ${ready && tried.value && html`<${Effect} state=${state} lines=${tried.value.at(-1).changed} ends=${{ old: tried.value[0], new: tried.value.at(-1) }} />`}
      ${open.length > 0 && html`<label class="field">${t("audit.correct.settles")}<select name="dispute" onChange=${(event) => put({ ...said, ruled: Number(event.target.value) || null })}><option value="" selected=${!said.ruled}>${t("audit.correct.settlesnone")}</option>${open.map((one) => html`<option key=${one.number} value=${one.number} selected=${said.ruled === one.number}>${disputed(state, one.raised)}</option>`)}</select></label>`}
      <${Act} name="do-transfer" does=${t("audit.transfer.do")} reasons=${t("reasons.transfer").split("|")} law=${true} needsLaw=${true} secondKey=${true} disabled=${!ready} game=${spoken(state)} onDo=${record} onCancel=${onCancel} />
    </section>
  `;
}
