/** The table in true positions: who sits where, who deals, whose turn it is, the trick, tricks won and what is played. */

import { clockwise, left, opposite, right } from "../game/seats.js";
import { tricksNow, turn, wonNow } from "../game/table.js";
import { suitsOf } from "../game/deal.js";
import { device } from "../store/device.js";
import { amount, contractShort, seatLetter, t } from "../text/index.js";
import * as say from "../text/say.js";
import { html } from "./html.js";
import { Card, Suit } from "./suit.js";

const places = (bottom) => ({ bottom, left: left(bottom), top: opposite(bottom), right: right(bottom) });

/** `acting` is the seat that the next tap is for; `onSeat` is called with a seat that was tapped, if it may be. */
export function Table({ game, acting, onSeat, label }) {
  const at = places(device.value.bottom);
  const { current } = tricksNow(game);
  return html`
    <section class="table" aria-label=${t("table")}>
      ${Object.entries(at).map(([place, seat]) => html`<${Place} key=${seat} game=${game} seat=${seat} place=${place} acting=${acting} onSeat=${onSeat} />`)}
      <div class="cloth">
        ${Object.entries(at).map(([place, seat]) => html`<${Lying} key=${seat} place=${place} trick=${current} seat=${seat} game=${game} />`)}
        <${Middle} game=${game} label=${label} />
      </div>
    </section>
  `;
}

function Place({ game, seat, place, acting, onSeat }) {
  const { deal } = game;
  const won = wonNow(game)[seat];
  const marks = [
    game.dealer === seat && !game.final && html`<span class="mark dealer" title=${t("dealer")}>${t("dealer.short")}</span>`,
    deal?.caller === seat && html`<span class="mark caller">${t("caller")}</span>`,
    deal?.conceded.includes(seat) && html`<span class="mark">${t("conceded")}</span>`,
    deal && seat in deal.discards && game.phase === "discards" && html`<span class="mark">${t("discarded")}</span>`,
  ];
  const inPlay = game.phase === "play";
  const call = game.phase === "auction" ? game.deal.calls.findLast((made) => made.seat === seat)?.call : null;
  return html`
    <button type="button" class=${`place ${place}${acting === seat ? " acting" : ""}`} data-seat=${seat} disabled=${!onSeat} onClick=${() => onSeat?.(seat)}>
      <span class="who"><span class="chair" aria-hidden="true">${seatLetter(seat)}</span><span class="name">${say.player(game, seat)}</span></span>
      <span class="state">${marks}
        ${inPlay ? html`<span class="won">${t("tricks.n", { n: won })}</span>` : call ? html`<span class="said">${say.call(call, suitsOf(game))}</span>` : html`<span class="balance">${amount(game.balances[seat])}</span>`}
      </span>
    </button>
  `;
}

/** The card that a seat has put to the trick on the table. */
function Lying({ place, trick, seat, game }) {
  const play = trick?.plays.find((one) => one.seat === seat);
  const waits = game.phase === "play" && turn(game) === seat;
  return html`<span class=${`lying ${place}${waits ? " due" : ""}`}>${play && html`<${Card} card=${play.card} odd=${play.irregular} />`}</span>`;
}

function Middle({ game, label }) {
  const { deal } = game;
  if (label) return html`<span class="middle">${label}</span>`;
  if (!deal) return html`<span class="middle"></span>`;
  if (deal.partout) return html`<span class="middle"><b>${t("partout")}</b></span>`;
  if (deal.contract)
    return html`<span class="middle"><b class="contract">${contractShort(deal.contract)}${deal.trumps && html` <${Suit} suit=${deal.trumps} />`}</b></span>`;
  const { first, second } = suitsOf(game);
  return html`<span class="middle">${first && html`<span>1 <${Suit} suit=${first} /></span>`}${second && html`<span>2 <${Suit} suit=${second} /></span>`}</span>`;
}

/** The seats in order of play from the dealer's left: the order in which panels list them. */
export const inOrder = (game) => clockwise(game.dealer ? left(game.dealer) : "N");
