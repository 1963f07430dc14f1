/** The live board: read-only, for a phone or a screen on the wall; finished deals, and what the club shows of an open one. */

import { SEATS } from "../game/seats.js";
import { signers } from "../store/signing.js";
import { amount, day, t } from "../text/index.js";
import * as say from "../text/say.js";
import { html } from "../components/html.js";
import { Settlement } from "../components/panels/settlement.js";
import { Card } from "../components/suit.js";
import { Outcome, sitter } from "../components/audit/spoken.js";
import { useEvening } from "./watching.js";

export default function LiveScreen({ id }) {
  const { state, failed, fresh } = useEvening(id);
  if (failed) return html`<main class="page"><h1>${t("failed.title")}</h1><p>${t(`failed.${failed}`)}</p><a class="button" href="#/">${t("home")}</a></main>`;
  if (!state) return html`<main class="page" aria-busy="true"><h1>${t("loading")}</h1></main>`;
  const last = state.rows.at(-1);
  // Whoever sits at the table and looks on his own device may agree there; the recorder turns his tablet to the seats.
  const own = signers(state);
  const asked = fresh && last?.deltas && own.length === 1 && !last.signed?.[own[0]]?.covers;
  const balances = state.final ?? state.balances;
  const leads = Math.max(...SEATS.map((seat) => balances[seat]));
  return html`
    <main class="page live">
      <header class="pagehead"><a class="button quiet noprint" href="#/">${t("home")}</a><h1>${state.date ? day(state.date) : ""}${state.table ? ` · ${state.table}` : ""}</h1></header>
      <p class="prompt" role="status">${standing(state)}</p>
      <div class="board">
        ${SEATS.map((seat) => html`<section class="tile" key=${seat}><span>${balances[seat] === leads ? "★ " : ""}${sitter(state, seat)}${state.dealer === seat && !state.final ? ` · ${t("dealer.short")}` : ""}</span><b>${amount(balances[seat])}</b></section>`)}
        <section class="tile"><span>${t("pool")}</span><b>${say.pool(state.pool)}</b></section>
      </div>
      ${last && html`<section class="tile"><h2>${t("live.last")}</h2>${last.deltas
        ? html`<${Settlement} row=${last} rules=${state.rules} name=${(seat) => sitter(state, seat)} title=${t("settle.deal", { number: last.number })} />`
        : html`<p class="prompt"><${Outcome} state=${state} row=${last} /></p>`}
        ${asked && html`<p><a class="button main noprint" href=${`#/settle/${id}?line=${state.rows.length}`} data-key="confirm">${t("sheet.confirm")}</a></p>`}</section>`}
      ${state.trick && html`<${Trick} title=${t("live.trick")} state=${state} trick=${state.trick} />`}
      ${state.last_trick && state.phase === "play" && html`<${Trick} title=${t("live.lasttrick")} state=${state} trick=${state.last_trick} />`}
      <p><a class="button noprint" href=${`#/sheet/${id}`}>${t("scoresheet")}</a></p>
    </main>
  `;
}

const Trick = ({ title, state, trick }) => html`
  <h2>${title}</h2>
  <ul class="plainlist">${trick.plays.map((play) => html`<li key=${play.seat}>${sitter(state, play.seat)} <${Card} card=${play.card} /></li>`)}</ul>
`;

function standing(state) {
  const played = state.rows.filter((row) => row.counts).length;
  if (state.final) return t("final.winner", { names: state.winners.map((seat) => sitter(state, seat)).join(", "), n: state.winners.length });
  return t("live.played", { n: played, deals: state.deals });
}
