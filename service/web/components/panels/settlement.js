/** Who pays whom, in words and arrows; the pool before and after; the rule behind it. Never a bare signed number. */

import { payments } from "../../game/payments.js";
import { total } from "../../game/pool.js";
import { SEATS, sum } from "../../game/seats.js";
import { ruleOf } from "../../game/settlement.js";
import { amount, t } from "../../text/index.js";
import * as say from "../../text/say.js";
import { html } from "../html.js";

/**
 * A settled line of the score sheet. `name` gives the player on a chair; `fine` is `{seat, amount}` or nothing;
 * `contribution` what everyone puts into an empty pool after it.
 */
export function Settlement({ row, rules, name, title, fine = null, contribution = 0 }) {
  const steps = payments(row, fine);
  const after = total(row.pool, rules.cap);
  const before = after + sum(row.deltas) - (fine?.amount ?? 0);
  const party = (who) => (who === "pool" ? t("pool") : name(who));
  return html`
    <section class="settlement" aria-label=${t("settle.title")}>
      <h2>${title && html`<small>${title}</small> `}${say.outcome(row, name)}</h2>
      ${steps.length === 0 && html`<p>${t("settle.nothing")}</p>`}
      <ul class="payments">
        ${steps.map((step) => html`<li key=${`${step.from}-${step.to}`} aria-label=${say.payment(step, name)}>
          <span class="payer">${party(step.from)}</span>
          <span class="arrow" aria-hidden="true"><b>${amount(step.amount)}</b></span>
          <span class="payee">${party(step.to)}</span>
        </li>`)}
      </ul>
      <p class="why">${t(poolWhy(row), { before: amount(before), after: amount(after) })}
        ${contribution ? ` ${t("settle.contribution", { each: amount(contribution) })}` : ""} ${t("settle.rule", { rule: ruleOf(row) })}</p>
    </section>
  `;
}

function poolWhy(row) {
  if (row.outcome === "misere_partout") return "pool.untouched";
  if (sum(row.deltas) > 0) return "pool.won";
  if (sum(row.deltas) < 0) return "pool.doubled";
  return row.conceded ? "pool.saved" : "pool.kept";
}

/** Four balances and the pool. */
export const Balances = ({ balances, pool, name }) => html`
  <dl class="balances">
    ${SEATS.map((seat) => html`<div key=${seat}><dt>${name(seat)}</dt><dd>${amount(balances[seat])}</dd></div>`)}
    <div class="poolbox"><dt>${t("pool")}</dt><dd>${say.pool(pool)}</dd></div>
  </dl>
`;

/** The end of the evening: the division, and who won (rule 46). */
export function Final({ game }) {
  const name = (seat) => say.player(game, seat);
  const winners = game.winners?.map(name).join(", ");
  return html`
    <section class="settlement">
      <h2>${t(game.phase === "abandoned" ? "final.abandoned" : "final.winner", { names: winners, n: game.winners?.length ?? 0 })}</h2>
      ${game.final && html`<p class="why">${t("final.division", { each: amount(game.share) })} ${t("settle.rule", { rule: 46 })}</p>`}
      <${Balances} balances=${game.balances} pool=${game.pool} name=${name} />
    </section>
  `;
}
