/**
 * A settled deal on one screen: who pays whom, turned to whichever seat reads it, and that seat's "I agree", with the
 * device it was given on. Without `?line=` it is the last deal.
 */

import { signal } from "../vendor/signals.js";
import { useEffect, useState } from "../vendor/hooks.js";
import { account, belonging } from "../game/account.js";
import { left, opposite, right, SEATS } from "../game/seats.js";
import { OVER } from "../game/session.js";
import { Offline } from "../store/api.js";
import { device } from "../store/device.js";
import { sitter } from "../store/players.js";
import { sign, signers } from "../store/signing.js";
import { stayAwake } from "../store/wake.js";
import { clock, t } from "../text/index.js";
import * as say from "../text/say.js";
import { Button } from "../components/button.js";
import { html } from "../components/html.js";
import { Balances, Settlement } from "../components/panels/settlement.js";
import { useEvening } from "./watching.js";

/** The seat that the screen is turned to. */
const reader = signal(null);

/** Where a seat sits, as the table is drawn on this device. */
function placeOf(seat) {
  const { bottom } = device.value;
  return { [bottom]: "bottom", [left(bottom)]: "left", [opposite(bottom)]: "top", [right(bottom)]: "right" }[seat];
}

export function SettleScreen({ id, query }) {
  const { state, failed, fresh, again } = useEvening(id);
  useEffect(() => {
    stayAwake(true);
    return () => {
      stayAwake(false);
      reader.value = null;
    };
  }, []);
  if (failed) return html`<main class="page"><h1>${t("failed.title")}</h1><p>${t(`failed.${failed}`)}</p><a class="button" href="#/">${t("home")}</a></main>`;
  if (!state) return html`<main class="page" aria-busy="true"><h1>${t("loading")}</h1></main>`;
  const line = Number(query.get("line")) || state.rows.findLastIndex((row) => row.deltas) + 1;
  const row = state.rows[line - 1];
  const back = query.get("line") ? `#/sheet/${id}` : `#/record/${id}`;
  if (!row?.deltas) return html`<main class="page"><h1>${t("settle.none")}</h1><a class="button" href=${back}>${t("back")}</a></main>`;
  const may = signers(state);
  const turning = may.length > 1;
  const seat = turning ? (reader.value ?? opposite(device.value.bottom)) : may[0];
  const name = (chair) => sitter(state, chair);
  const over = OVER.includes(state.phase);
  const { fine, contribution } = belonging(state.rules, account(state.rules, state.rows, over ? null : state), line - 1);
  return html`
    <main class="settle">
      <div class="facing" data-turn=${turning ? placeOf(seat) : "bottom"}><div class="turning">
        <h1>${t("deal.of", { number: row.number, deals: state.deals })}</h1>
        <${Settlement} row=${row} rules=${state.rules} name=${name} fine=${fine} contribution=${contribution} />
        <${Balances} balances=${row.balances} pool=${row.pool} name=${name} />
        <${Signatures} state=${state} row=${row} line=${line} seat=${seat} fresh=${fresh} again=${again} />
      </div></div>
      <div class="settlefoot">
        ${turning && html`<div class="turnkeys" role="group" aria-label=${t("settle.turn")}><span aria-hidden="true">${t("settle.turn")}</span>
          ${SEATS.map((chair) => html`<${Button} key=${chair} kind=${chair === seat ? "picked" : "plain"} name=${`turn-${chair}`} data-key=${`turn-${chair}`} aria-pressed=${String(chair === seat)} onTap=${() => (reader.value = chair)}>${stands(row, chair) ? "✓ " : ""}${name(chair)}<//>`)}</div>`}
        ${may.length > 0 && fresh && html`<a class="button quiet" href=${`#/receipt/${id}/${line}`} data-key="receipt">${t("audit.do.receipt")}</a>`}
        <a class="button main" href=${back} data-key="back-to-table">${t(query.get("line") ? "settle.tosheet" : "settle.back")}</a>
      </div>
    </main>
  `;
}

const stands = (row, seat) => row.signed?.[seat]?.covers;

/** Who has agreed, and the key of the seat that reads. */
function Signatures({ state, row, line, seat, fresh, again }) {
  const [busy, put] = useState(false);
  const [failed, fail] = useState(null);
  useEffect(() => fail(null), [seat, line]);
  const agree = async () => {
    put(true);
    fail(null);
    try {
      await sign(state.session_id, line, seat, row.hash);
      again();
    } catch (error) {
      fail(error instanceof Offline ? t("sign.waits") : say.failure(error));
      again();
    } finally {
      put(false);
    }
  };
  const given = SEATS.filter((chair) => row.signed?.[chair]);
  return html`
    <div class="signing">
      ${given.length > 0 && html`<ul class="signed">${given.map((chair) => html`<li key=${chair} class=${stands(row, chair) ? "" : "struck"}>${signature(state, row, chair)}</li>`)}</ul>`}
      ${given.some((chair) => !stands(row, chair)) && html`<p>${t("sign.uncovered")}</p>`}
      ${seat && !fresh && html`<p role="status">${t("sign.waits")}</p>`}
      ${seat && fresh && !stands(row, seat) && html`<${Button} kind="main" name=${`agree-${seat}`} data-key=${`agree-${seat}`} disabled=${busy} onTap=${agree}>${t("sign.agree", { name: sitter(state, seat) })}<//>`}
      ${failed && html`<p class="refusal" role="alert">${failed}</p>`}
    </div>
  `;
}

/** `Ann agreed at 21:43, on the recorder's device`. */
export const signature = (state, row, seat) =>
  t(`sign.on.${row.signed[seat].device}`, { name: sitter(state, seat), at: clock(row.signed[seat].at) });
