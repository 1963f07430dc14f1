/** Who deals first: by lot, by cards cut (ace low, lowest deals), or named (rule 5). */

import { computed, signal } from "../../vendor/signals.js";
import { rankOf } from "../../game/cards.js";
import { SEATS } from "../../game/seats.js";
import { record } from "../../store/evening.js";
import { seatLetter, t } from "../../text/index.js";
import * as say from "../../text/say.js";
import { Button } from "../button.js";
import { html } from "../html.js";
import { Card } from "../suit.js";

/** The cards cut so far, seat by seat, or `null` while nobody cuts. */
export const cutting = signal(null);
export const cutsNext = computed(() => (cutting.value ? (SEATS.find((seat) => !cutting.value[seat]) ?? null) : null));

const low = (card) => (rankOf(card) + 1) % 13;

/** Puts a cut card to the next seat; four of them name the dealer, unless the lowest are tied and cut again. */
export function cutCard(card) {
  if (Object.values(cutting.value).includes(card)) return;
  const cards = { ...cutting.value, [cutsNext.value]: card };
  cutting.value = cards;
  if (SEATS.some((seat) => !cards[seat])) return;
  const lowest = Math.min(...SEATS.map((seat) => low(cards[seat])));
  const dealers = SEATS.filter((seat) => low(cards[seat]) === lowest);
  if (dealers.length > 1) {
    cutting.value = {};
    return;
  }
  cutting.value = null;
  record(() => ({ entry: "first_dealer", seat: dealers[0], cards }));
}

/** A lot drawn by this tablet, each seat as likely as any other. */
function drawLot() {
  const [number] = crypto.getRandomValues(new Uint32Array(1));
  record(() => ({ entry: "first_dealer", seat: SEATS[number % 4] }));
}

export function OpeningPanel({ game }) {
  const cards = cutting.value;
  if (cards)
    return html`
      <h2>${t("cut.title")}</h2>
      <p class="prompt">${t("cut.prompt", { name: say.player(game, cutsNext.value) })}</p>
      <ul class="plainlist">${SEATS.filter((seat) => cards[seat]).map((seat) => html`<li>${say.player(game, seat)} <${Card} card=${cards[seat]} /></li>`)}</ul>
      <${Button} kind="quiet" name="cut-stop" onTap=${() => (cutting.value = null)}>${t("back")}<//>
    `;
  return html`
    <h2>${t("first_dealer.title")}</h2>
    <div class="keys two">
      ${SEATS.map((seat) => html`<${Button} key=${seat} name=${`dealer-${seat}`} data-key=${`dealer-${seat}`}
        onTap=${() => record(() => ({ entry: "first_dealer", seat }))}>${seatLetter(seat)} · ${say.player(game, seat)}<//>`)}
    </div>
    <div class="keys two">
      <${Button} kind="quiet" name="lot" onTap=${drawLot}>${t("first_dealer.lot")}<//>
      <${Button} kind="quiet" name="cut" onTap=${() => (cutting.value = {})}>${t("first_dealer.cut")}<//>
    </div>
  `;
}
