/** The auction pad: the ladder as it stands in the rules, only what is legal is live, the pass apart from it. */

import { GLYPHS } from "../../game/cards.js";
import { suitsOf } from "../../game/deal.js";
import { LADDER, numeric } from "../../game/ladder.js";
import { clockwise } from "../../game/seats.js";
import { standing } from "../../game/auction.js";
import { callsNow, turn } from "../../game/table.js";
import { record } from "../../store/evening.js";
import { contractName, contractShort, t } from "../../text/index.js";
import * as say from "../../text/say.js";
import { Button } from "../button.js";
import { html } from "../html.js";
import { tap } from "../tap.js";

const LEVELS = [
  { level: "", key: "bare" },
  { level: "/2", key: "second" },
  { level: "/1", key: "first" },
];

/** `game` is the one that the call is for: the present one, or an earlier one while a call is mended. */
export function AuctionPanel({ game, onCall, mending = false }) {
  const legal = new Set(callsNow(game));
  const seat = turn(game);
  const high = standing(game.deal.calls);
  const suits = suitsOf(game);
  const passing = passesLeft(game);
  return html`
    <div class="auction">
      <div class="auction-head">
        <h2>${t("auction.turn", { name: say.player(game, seat) })}</h2>
        <p class="standing">${high ? t("auction.standing", { name: say.player(game, high.seat), call: say.call(game.deal.calls.findLast(({ call }) => call !== "pass").call, suits) }) : t("auction.none")}</p>
      </div>
      <div class="ladder" role="group" aria-label=${t("ladder")}>
        ${LEVELS.map(({ level, key }) => html`
          <span class="level" key=${key}>${key === "bare" ? "" : suits[key] ? html`<span class=${`suit suit-${suits[key]}`}>${GLYPHS[suits[key]]}</span>` : t(`level.${key}`)}</span>
          ${LADDER.map((contract) => !level || numeric(contract)
            ? html`<${Call} key=${contract + level} text=${contract + level} suits=${suits} live=${legal.has(contract + level)} onCall=${onCall} />`
            : html`<span key=${contract + level}></span>`)}
        `)}
      </div>
      <${Legend} />
      <div class="keys passes">
        <${Button} kind="strong" name="pass" data-key="pass" onTap=${() => onCall("pass")}>${t("pass.name", { name: say.player(game, seat) })}<//>
        ${!mending && passing.length > 1 && html`<${Button} name="pass-all" data-key="pass-all" onTap=${() => record(passAll)}>${t(high ? "pass.others" : "pass.everyone")}<//>`}
      </div>
    </div>
  `;
}

/** What the letters on the keys of misères and spreads stand for. */
export const Legend = () => html`<p class="legend">${LADDER.filter((contract) => !numeric(contract)).map((contract) => html`<span key=${contract}><b>${contractShort(contract)}</b> ${contractName(contract)}</span>`)}</p>`;

function Call({ text, suits, live, onCall }) {
  const [contract] = text.split("/");
  return html`<button type="button" class="call" data-call=${text} disabled=${!live} aria-label=${`${contractShort(contract)} ${say.call(text, suits)}`}
    title=${contractName(contract)} onClick=${tap(`call:${text}`, () => onCall(text))}>${contractShort(contract)}</button>`;
}

/** The passes that would end the auction from here: everyone but the one whose call stands. */
export function passesLeft(game) {
  const calls = game.deal.calls;
  const high = standing(calls);
  const made = high ? calls.length - 1 - calls.findLastIndex(({ call }) => call !== "pass") : calls.length;
  return clockwise(turn(game)).slice(0, (high ? 3 : 4) - made);
}

const passAll = ({ game }) => passesLeft(game).map((seat) => ({ entry: "call", seat, call: "pass" }));
