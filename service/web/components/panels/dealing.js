/** Before the first call: the card that shows the preference suit is tapped on the grid, and the deal is on. */

import { record } from "../../store/evening.js";
import { t } from "../../text/index.js";
import * as say from "../../text/say.js";
import { Button } from "../button.js";
import { html } from "../html.js";

/** Is a preference card still to be turned at this dealing? (rule 8, and the session-long suits) */
export const wantsCard = (game) =>
  game.rules.preferences === "each_deal" ? !game.deal?.opened : !(game.senior && game.junior) && !game.deal?.opened;

/** One tap: the card turned, and the cards dealt. */
export const turned = (card) => [{ entry: "preference", card }, { entry: "deal" }];

export function DealingPanel({ game }) {
  const wants = wantsCard(game);
  return html`
    <h2>${t("deal.title", { number: game.counted + 1, deals: game.rules.deals })}</h2>
    <p class="prompt">${t(wants ? "deal.turn" : "deal.ready", { name: say.player(game, game.dealer) })}</p>
    <div class="keys">
      <${Button} kind=${wants ? "quiet" : "main"} name="dealt" data-key="dealt" onTap=${() => record(() => ({ entry: "deal" }))}>
        ${t(wants ? "deal.without" : "deal.dealt")}
      <//>
    </div>
  `;
}
