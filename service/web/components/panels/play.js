/** During the play: what is played, how it stands, the last trick, and the "I pay" keys while their window is open. */

import { concedersNow, tricksNow, turn, wonNow } from "../../game/table.js";
import { inHandOrder } from "../../game/cards.js";
import { numeric, wanted } from "../../game/ladder.js";
import { record } from "../../store/evening.js";
import { t } from "../../text/index.js";
import * as say from "../../text/say.js";
import { Button } from "../button.js";
import { html } from "../html.js";
import { Card } from "../suit.js";
import { remaining } from "../../game/tricks.js";

export function PlayPanel({ game, acting }) {
  const { last, number } = tricksNow(game);
  const seat = acting ?? turn(game);
  const leads = game.deal.tricks.at(-1).plays.length === 0;
  return html`
    <h2>${t(leads ? "play.leads" : "play.plays", { name: say.player(game, seat) })}</h2>
    <p class="standing">${say.contract(game)} · ${progress(game)} · ${t("play.trick", { number })}</p>
    ${last && html`<div class="lasttrick"><span>${t("play.last", { name: say.player(game, last.winner) })}</span>
      <ol>${last.plays.map((play) => html`<li key=${play.seat} class=${play.seat === last.winner ? "won" : ""}><${Card} card=${play.card} odd=${play.irregular} /><span>${say.player(game, play.seat)}</span></li>`)}</ol></div>`}
    ${game.deal.exposed && html`<${Laid} game=${game} />`}
    <${PayKeys} game=${game} />
  `;
}

/** How the caller stands against what he undertook. */
function progress(game) {
  const { deal } = game;
  if (deal.partout) return t("play.partout");
  const own = wonNow(game)[deal.caller];
  return numeric(deal.contract) ? t("play.of", { own, wanted: wanted(deal.contract) }) : t("play.none");
}

/** What is left of the hand that lies open on the table. */
const Laid = ({ game }) => html`
  <p class="laid" aria-label=${t("laid")}>${inHandOrder(remaining(game.deal, game.deal.caller) ?? []).map((card) => html`<${Card} key=${card} card=${card} />`)}</p>
`;

/** "I pay", one key a defender, only while it may be said (rules 40 and 41). */
export function PayKeys({ game }) {
  const may = concedersNow(game);
  if (!may.length) return null;
  return html`
    <div class="paykeys">
      <span>${t("concede.title")}</span>
      ${may.map((seat) => html`<${Button} key=${seat} kind="quiet" name=${`concede-${seat}`} data-key=${`concede-${seat}`}
        onTap=${() => record(() => ({ entry: "concede", seat }))}>${say.player(game, seat)}<//>`)}
    </div>
  `;
}
