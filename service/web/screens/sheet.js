/** The score sheet: the evening's deals as a club keeps them, running balances, pools; one A4 page on paper. */

import { SEATS } from "../game/seats.js";
import { nameOf } from "../store/players.js";
import { amount, day, t } from "../text/index.js";
import * as say from "../text/say.js";
import { Chart } from "../components/chart.js";
import { html } from "../components/html.js";
import { Suit } from "../components/suit.js";
import { useEvening } from "./watching.js";

export const sitting = (state, seat) => state.seats[seat]?.name ?? nameOf(state.seats[seat]?.player_id);

export default function SheetScreen({ id }) {
  const { state, failed, fresh } = useEvening(id);
  if (failed) return html`<main class="page"><h1>${t("failed.title")}</h1><p>${t(`failed.${failed}`)}</p><a class="button" href="#/">${t("home")}</a></main>`;
  if (!state) return html`<main class="page" aria-busy="true"><h1>${t("loading")}</h1></main>`;
  const counted = state.rows.filter((row) => row.counts);
  const values = (seat) => [state.start ?? state.rules?.start ?? null, ...counted.map((row) => row.balances[seat])];
  return html`
    <main class="page">
      <header class="pagehead"><a class="button quiet noprint" href="#/">${t("home")}</a>
        <h1>${t("scoresheet")}: ${state.date ? day(state.date) : ""}${state.table ? ` · ${state.table}` : ""}</h1></header>
      <p>${SEATS.map((seat) => sitting(state, seat)).join(" · ")} — ${t(`ruleset.${state.ruleset}`)}${fresh ? "" : ` — ${t("sheet.here")}`}</p>
      ${state.rows.length ? html`<${Rows} id=${id} state=${state} />` : html`<p>${t("sheet.none")}</p>`}
      ${counted.length > 1 && html`<h2>${t("sheet.balances")}</h2><${Chart} x=${[0, ...counted.map((_, place) => place + 1)]} label=${t("sheet.balances")}
        series=${SEATS.map((seat) => ({ label: sitting(state, seat), values: values(seat) }))} />`}
      <div class="keys three noprint"><button type="button" class="button" onClick=${() => print()}>${t("print")}</button><a class="button" href=${`#/live/${id}`}>${t("live")}</a></div>
    </main>
  `;
}

function Rows({ id, state }) {
  return html`
    <div class="scroll" tabindex="0" role="region" aria-label=${t("scoresheet")}><table class="score">
      <thead><tr><th scope="col">${t("sheet.deal")}</th><th scope="col" class="left">${t("sheet.what")}</th>
        ${SEATS.map((seat) => html`<th scope="col" key=${seat}>${sitting(state, seat)}</th>`)}<th scope="col">${t("pool")}</th></tr></thead>
      <tbody>${state.rows.map((row, place) => html`<tr key=${place} class=${row.counts ? "" : "uncounted"}>
        <td>${row.counts ? html`<a href=${`#/replay/${id}?deal=${place + 1}`} aria-label=${t("sheet.replay", { number: row.number })}>${row.number}</a>` : "–"}</td>
        <td class="left">${what(state, row)}</td>
        ${SEATS.map((seat) => html`<td key=${seat}>${row.deltas?.[seat] ? html`<small>${gain(row.deltas[seat])}</small> ` : ""}${amount(row.balances[seat])}</td>`)}
        <td>${say.pool(row.pool)}</td></tr>`)}</tbody>
      ${state.final && html`<tfoot><tr><td></td><td class="left">${t("sheet.final")}</td>${SEATS.map((seat) => html`<td key=${seat}>${state.winners?.includes(seat) ? "★ " : ""}${amount(state.final[seat])}</td>`)}<td>0</td></tr></tfoot>`}
    </table></div>
  `;
}

/** What a seat got or paid, with an arrow and not a bare sign. */
const gain = (value) => (value > 0 ? `▲${amount(value)}` : `▼${amount(-value)}`);

export function what(state, row) {
  const facts = { name: row.caller ? sitting(state, row.caller) : "", contract: row.contract ? say.call(row.contract) : "", n: row.shortfall };
  const key = row.conceded ? "outcome.conceded" : row.outcome === "failed" && row.shortfall ? "outcome.short" : `outcome.${row.outcome}`;
  return html`${t(key, facts)} ${row.trumps && html`<${Suit} suit=${row.trumps} />`}`;
}
