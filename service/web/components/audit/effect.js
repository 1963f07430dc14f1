/** What something would change, old beside new: the lines of the score sheet that differ, the end, and who wins. */

import { SEATS } from "../../game/seats.js";
import { amount, t } from "../../text/index.js";
import * as say from "../../text/say.js";
import { html } from "../html.js";
import { gain, lineName, Outcome, sitter, winners } from "./spoken.js";

const alike = (one, other) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
const told = ({ outcome, contract, caller, trumps, conceded, shortfall }) => [outcome, contract, caller, trumps, conceded, shortfall];

/** Old, an arrow, new; or the one value where they are the same. */
const Both = ({ old, now, show = amount }) =>
  alike(old, now)
    ? html`<span class="stays">${now === undefined || now === null ? "–" : show(now)}</span>`
    : html`<span class="both"><del>${old === undefined || old === null ? "–" : show(old)}</del><span class="arrows" aria-label=${t("audit.becomes")} role="img">→</span><ins>${now === undefined || now === null ? "–" : show(now)}</ins></span>`;

/**
 * `lines` are the service's `[{line, old, new}]`; `ends` is `{old: {final, winners}, new: {final, winners}}` of the
 * evening as it was and would be divided, where that is told.
 */
export function Effect({ state, lines, ends }) {
  if (!lines.length && (!ends || alike(ends.old.final, ends.new.final))) return html`<p class="prompt" role="status">${t("audit.nothing")}</p>`;
  return html`
    <div class="scroll" tabindex="0" role="region" aria-label=${t("audit.oldnew")}><table class="score effect">
      <caption>${t("audit.oldnew")}</caption>
      <thead><tr><th scope="col" class="left">${t("sheet.deal")}</th>${SEATS.map((seat) => html`<th scope="col" key=${seat}>${sitter(state, seat)}</th>`)}<th scope="col">${t("pool")}</th></tr></thead>
      <tbody>${lines.map((pair) => html`<${Line} key=${pair.line} state=${state} pair=${pair} />`)}</tbody>
      ${ends && html`<tfoot><tr><td class="left">${t("audit.divided")}</td>${SEATS.map((seat) => html`<td key=${seat}><${Both} old=${ends.old.final?.[seat]} now=${ends.new.final?.[seat]} /></td>`)}<td></td></tr></tfoot>`}
    </table></div>
    ${ends && html`<p class="prompt">${alike(ends.old.winners, ends.new.winners) ? t("audit.winner.stays", { names: winners(state, ends.new.winners) }) : t("audit.winner.changes", { old: winners(state, ends.old.winners), names: winners(state, ends.new.winners) })}</p>`}
  `;
}

function Line({ state, pair: { line, old, new: now } }) {
  const row = now ?? old;
  const anew = old && now && !alike(told(old), told(now));
  return html`<tr>
    <td class="left"><b>${lineName({ counts: row.counts, number: state.rows[line - 1]?.number }, line)}</b>${anew ? html`<br /><del><${Outcome} state=${state} row=${old} /></del><br /><ins><${Outcome} state=${state} row=${now} /></ins>` : html`<br /><small><${Outcome} state=${state} row=${row} /></small>`}</td>
    ${SEATS.map((seat) => html`<td key=${seat}><${Both} old=${old?.balances[seat]} now=${now?.balances[seat]} />${alike(old?.deltas, now?.deltas) ? "" : html`<br /><small><${Both} old=${old?.deltas?.[seat] ?? 0} now=${now?.deltas?.[seat] ?? 0} show=${gain} /></small>`}</td>`)}
    <td><${Both} old=${old?.pool} now=${now?.pool} show=${say.pool} /></td>
  </tr>`;
}
