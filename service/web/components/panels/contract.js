/** Between the auction and the lead: trumps named, cards laid aside, a spread laid down (rules 24 and 28). */

import { SEATS } from "../../game/seats.js";
import { trumpsNow } from "../../game/table.js";
import { tricksIn } from "../../game/ladder.js";
import { record } from "../../store/evening.js";
import { suitName, t } from "../../text/index.js";
import * as say from "../../text/say.js";
import { Button } from "../button.js";
import { html } from "../html.js";
import { Suit } from "../suit.js";
import { inOrder } from "../table.js";
import { tap } from "../tap.js";

export function TrumpsPanel({ game }) {
  const may = trumpsNow(game);
  return html`
    <h2>${t("trumps.title", { name: say.player(game, game.deal.caller) })}</h2>
    <p class="prompt">${say.contract(game)}</p>
    <div class="keys four">
      ${["S", "H", "D", "C"].map((suit) => html`<button type="button" key=${suit} class="button suitkey" data-trumps=${suit} disabled=${!may.includes(suit)}
        onClick=${tap(`trumps:${suit}`, () => record(() => ({ entry: "trumps", suit })))}><${Suit} suit=${suit} /><small>${suitName(suit)}</small></button>`)}
    </div>
  `;
}

export function DiscardsPanel({ game }) {
  const left = inOrder(game).filter((seat) => !(seat in game.deal.discards));
  return html`
    <h2>${t("discards.title")}</h2>
    <p class="prompt">${t("discards.prompt", { n: left.length })}</p>
    <div class="keys"><${Button} kind="main" name="discard-all" data-key="discard-all" onTap=${() => record(discardAll)}>${t(left.length === 4 ? "discards.all" : "discards.rest")}<//></div>
    <div class="keys four">
      ${SEATS.map((seat) => html`<${Button} key=${seat} name=${`discard-${seat}`} data-key=${`discard-${seat}`} disabled=${!left.includes(seat)}
        onTap=${() => record(() => ({ entry: "discard", seat }))}>${say.player(game, seat)}<//>`)}
    </div>
  `;
}

const discardAll = ({ game }) =>
  SEATS.filter((seat) => !(seat in game.deal.discards)).map((seat) => ({ entry: "discard", seat }));

/** `picked` are the cards tapped so far; the lead waits for the whole hand. */
export function SpreadPanel({ game, picked, onDone }) {
  const wanted = tricksIn(game.deal.contract);
  return html`
    <h2>${t("spread.title", { name: say.player(game, game.deal.caller) })}</h2>
    <p class="prompt">${t("spread.prompt", { n: wanted, picked: picked.size })}</p>
    <div class="keys"><${Button} kind="main" name="spread" data-key="spread" disabled=${picked.size !== wanted} onTap=${onDone}>${t("spread.done")}<//></div>
  `;
}
