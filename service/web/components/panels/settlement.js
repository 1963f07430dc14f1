/** Who pays whom, in words and arrows; the pool before and after; the rule behind it. Never a bare signed number. */

import { payments } from "../../game/payments.js";
import { total } from "../../game/pool.js";
import { SEATS } from "../../game/seats.js";
import { amount, t } from "../../text/index.js";
import * as say from "../../text/say.js";
import { html } from "../html.js";

/** What happened in a deal, as one sentence. */
export function outcome(game, row) {
  const facts = { name: row.caller ? say.player(game, row.caller) : "", contract: row.contract ? say.call(row.contract) : "", n: row.shortfall };
  if (row.conceded) return t("outcome.conceded", facts);
  if (row.outcome === "failed" && row.shortfall) return t("outcome.short", facts);
  return t(`outcome.${row.outcome}`, facts);
}

/** The last settlement of the evening; `turned` for the reader on the other side of the table. */
export function Settlement({ game }) {
  const { settlement, before, fine, contribution } = game.last;
  const row = game.rows.at(-1);
  const cap = game.rules.cap;
  const steps = payments(settlement, before.deal, fine);
  return html`
    <section class="settlement" aria-label=${t("settle.title")}>
      <h2>${outcome(game, row)}</h2>
      ${steps.length === 0 && html`<p>${t("settle.nothing")}</p>`}
      <ul class="payments">
        ${steps.map((step) => html`<li key=${`${step.from}-${step.to}`} aria-label=${say.payment(game, step)}>
          <span class="payer">${party(game, step.from)}</span>
          <span class="arrow" aria-hidden="true"><b>${amount(step.amount)}</b></span>
          <span class="payee">${party(game, step.to)}</span>
        </li>`)}
      </ul>
      <p class="why">${t(poolWhy(settlement, row), { before: amount(total(before.pool, cap)), after: amount(total(row.pool, cap)) })}
        ${contribution ? ` ${t("settle.contribution", { each: amount(contribution) })}` : ""} ${t("settle.rule", { rule: settlement.rule })}</p>
      <${Balances} game=${game} />
    </section>
  `;
}

const party = (game, who) => (who === "pool" ? t("pool") : say.player(game, who));

function poolWhy(settlement, row) {
  if (row.outcome === "misere_partout") return "pool.untouched";
  if (settlement.poolPaid < 0) return "pool.won";
  if (settlement.poolPaid > 0) return "pool.doubled";
  return row.conceded ? "pool.saved" : "pool.kept";
}

/** The four balances and the pool as they are now. */
export const Balances = ({ game }) => html`
  <dl class="balances">
    ${SEATS.map((seat) => html`<div key=${seat}><dt>${say.player(game, seat)}</dt><dd>${amount(game.balances[seat])}</dd></div>`)}
    <div class="poolbox"><dt>${t("pool")}</dt><dd>${say.pool(game.pool)}</dd></div>
  </dl>
`;

/** The end of the evening: the division, and who won (rule 46). */
export function Final({ game }) {
  const winners = game.winners?.map((seat) => say.player(game, seat)).join(", ");
  return html`
    <section class="settlement">
      <h2>${t(game.phase === "abandoned" ? "final.abandoned" : "final.winner", { names: winners, n: game.winners?.length ?? 0 })}</h2>
      ${game.final && html`<p class="why">${t("final.division", { each: amount(game.share) })} ${t("settle.rule", { rule: 46 })}</p>`}
      <${Balances} game=${game} />
    </section>
  `;
}
