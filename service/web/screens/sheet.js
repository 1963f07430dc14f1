/**
 * The score sheet: the evening as a club keeps it, line by line as the money adds up; who agreed, what is disputed,
 * and beside what was corrected what the table had recorded. One A4 page on paper.
 */

import { useState } from "../vendor/hooks.js";
import { account } from "../game/account.js";
import { SEATS } from "../game/seats.js";
import { OVER } from "../game/session.js";
import { signers } from "../store/signing.js";
import { amount, clock, day, seatLetter, t } from "../text/index.js";
import * as say from "../text/say.js";
import { Chart } from "../components/chart.js";
import { html } from "../components/html.js";
import { DisputeDialog } from "../components/audit/dispute.js";
import { Sealed } from "../components/audit/proof.js";
import { Outcome, sitter } from "../components/audit/spoken.js";
import { useEvening } from "./watching.js";

export default function SheetScreen({ id }) {
  const { state, failed, fresh, again } = useEvening(id);
  const [disputing, dispute] = useState(null);
  if (failed) return html`<main class="page"><h1>${t("failed.title")}</h1><p>${t(`failed.${failed}`)}</p><a class="button" href="#/">${t("home")}</a></main>`;
  if (!state) return html`<main class="page" aria-busy="true"><h1>${t("loading")}</h1></main>`;
  const counted = state.rows.filter((row) => row.counts);
  const values = (seat) => [state.rules?.start ?? null, ...counted.map((row) => row.balances[seat])];
  const done = () => {
    dispute(null);
    again();
  };
  return html`
    <main class="page sheetpage">
      <header class="pagehead"><a class="button quiet noprint" href="#/">${t("home")}</a>
        <h1>${t("scoresheet")}: ${state.date ? day(state.date) : ""}${state.table ? ` · ${state.table}` : ""}</h1></header>
      <p>${SEATS.map((seat) => sitter(state, seat)).join(" · ")} — ${t(`ruleset.${state.ruleset}`)}${fresh ? "" : ` — ${t("sheet.here")}`}</p>
      ${state.rows.length ? html`<${Rows} id=${id} state=${state} fresh=${fresh} onDispute=${dispute} />` : html`<p>${t("sheet.none")}</p>`}
      ${counted.length > 1 && html`<h2>${t("sheet.balances")}</h2><${Chart} x=${[0, ...counted.map((_, place) => place + 1)]} label=${t("sheet.balances")}
        series=${SEATS.map((seat) => ({ label: sitter(state, seat), values: values(seat) }))} />`}
      <div class="keys three noprint"><button type="button" class="button" onClick=${() => print()}>${t("print")}</button><a class="button" href=${`#/live/${id}`}>${t("live")}</a>${fresh && html`<a class="button" href=${`#/director/${id}`} data-key="behind">${t("audit.behind")}</a>`}</div>
      ${fresh && html`<${Sealed} />`}
      ${disputing && html`<${DisputeDialog} state=${state} line=${disputing} onClose=${() => dispute(null)} onDone=${done} />`}
    </main>
  `;
}

function Rows({ id, state, fresh, onDispute }) {
  const lines = account(state.rules, state.rows, OVER.includes(state.phase) ? null : state);
  const marked = fresh && (signers(state).length > 0 || state.rows.some((row) => Object.keys(row.signed ?? {}).length > 0));
  const uncovered = state.rows.some((row) => SEATS.some((seat) => row.signed?.[seat] && !row.signed[seat].covers));
  const share = state.final && four((seat) => state.final[seat] - (lines.at(-1)?.balances[seat] ?? state.rules.start));
  const put = { id, state, marked, onDispute };
  return html`
    <div class="scroll" tabindex="0" role="region" aria-label=${t("scoresheet")}><table class="score account">
      <thead><tr><th scope="col">${t("sheet.deal")}</th><th scope="col" class="left">${t("sheet.what")}</th>
        ${SEATS.map((seat) => html`<th scope="col" class="who" key=${seat}>${sitter(state, seat)}</th>`)}<th scope="col">${t("pool")}</th>${marked && html`<th scope="col" class="left">${t("sheet.agreed")}</th>`}</tr></thead>
      ${lines.map((line, place) => (line.kind === "row" ? html`<${Row} key=${place} line=${line} ...${put} />` : html`<${Between} key=${place} line=${line} marked=${marked} />`))}
      ${state.final && html`<tfoot><tr><td></td><td class="left">${t("sheet.final")}</td>
        ${SEATS.map((seat) => html`<td key=${seat}><${Money} change=${share[seat]} balance=${state.final[seat]} star=${state.winners?.includes(seat)} /></td>`)}<td>0</td>${marked && html`<td></td>`}</tr></tfoot>`}
    </table></div>
    ${marked && html`<p class="asof"><span>✓ ${t("sheet.marks.agreed")}</span>${signers(state).length > 0 && html`<span class="noprint">⚑ ${t("sheet.marks.dispute")}</span>`}</p>`}
    ${uncovered && html`<p class="asof">${t("sign.uncovered")}</p>`}
  `;
}

const four = (of) => Object.fromEntries(SEATS.map((seat) => [seat, of(seat)]));

/** What was paid between two deals. */
const Between = ({ line, marked }) => html`<tbody><tr class="uncounted between"><td></td><td class="left">${t(`sheet.${line.kind}`)}</td>
  ${SEATS.map((seat) => html`<td key=${seat}><${Money} change=${line.change[seat]} balance=${line.balances[seat]} /></td>`)}<td>${say.pool(line.pool)}</td>${marked && html`<td></td>`}</tr></tbody>`;

/** A deal; above it, struck through, what the table had recorded, where a correction made it another. */
function Row({ line, id, state, marked, onDispute }) {
  const { row, place } = line;
  const number = place + 1;
  const open = (row.disputes ?? []).filter((one) => one.state === "open").length;
  const link = (seat) => `#/statistics?explain=${id}:${number}:${seat}`;
  return html`<tbody>
    ${row.was && html`<tr class="was"><td></td><td class="left"><s><${Outcome} state=${state} row=${row.was} /></s> <small>${t("sheet.was")}</small></td>
      ${SEATS.map((seat) => html`<td key=${seat}><s><${Money} change=${row.was.deltas?.[seat] ?? 0} balance=${row.was.balances[seat]} /></s></td>`)}<td><s>${say.pool(row.was.pool)}</s></td>${marked && html`<td></td>`}</tr>`}
    <tr class=${row.counts ? "" : "uncounted"}>
      <td>${row.counts ? html`<a href=${`#/replay/${id}?deal=${number}`} aria-label=${t("sheet.replay", { number: row.number })}>${row.number}</a>` : "–"}</td>
      <td class="left"><${Outcome} state=${state} row=${row} />${row.corrected ? html` <span class="mark">${t("sheet.corrected")}</span>` : ""}
        ${open > 0 && html` <span class="mark open">⚑ ${t("sheet.disputed", { n: open })}</span>`}</td>
      ${SEATS.map((seat) => html`<td key=${seat}><${Money} change=${line.change[seat]} balance=${row.balances[seat]} link=${row.hash && link(seat)} /></td>`)}
      <td>${say.pool(row.pool)}</td>
      ${marked && html`<td class="left acts"><${Marks} state=${state} row=${row} />
        ${row.deltas && signers(state).some((seat) => !row.signed?.[seat]?.covers) && html`<a class="button quiet small noprint" href=${`#/settle/${id}?line=${number}`} aria-label=${t("sheet.sign", { number: row.number })}>${t("sheet.confirm")}</a>`}
        ${signers(state).length > 0 && html`<button type="button" class="button quiet small noprint" data-dispute=${number} aria-label=${`⚑ ${t("sheet.dispute.of", { number: row.number })}`} onClick=${() => onDispute(number)}>⚑</button>`}</td>`}
    </tr></tbody>`;
}

/** The seats that agreed; struck through where the deal was changed after it. */
const Marks = ({ state, row }) => html`<span class="marks">${SEATS.filter((seat) => row.signed?.[seat]).map((seat) => {
  const { at, device, covers } = row.signed[seat];
  const said = t(`sign.on.${device}`, { name: sitter(state, seat), at: clock(at) });
  return html` <span key=${seat} class=${covers ? "" : "struck"} title=${covers ? said : `${said}. ${t("sign.uncovered")}`}>✓${seatLetter(seat)}</span>`;
})}</span>`;

/** What a seat got or paid, with an arrow and not a bare sign, and what it then had; with a link to why. */
function Money({ change, balance, link, star }) {
  const moved = change > 0 ? `▲${amount(change)}` : change < 0 ? `▼${amount(-change)}` : "";
  const both = html`<small>${moved}</small> <span>${star ? "★ " : ""}${amount(balance)}</span>`;
  return link && moved ? html`<a class="money" href=${link} title=${t(change > 0 ? "sheet.got" : "sheet.paid", { amount: amount(Math.abs(change)) })}>${both}</a>` : html`<span class="money">${both}</span>`;
}
