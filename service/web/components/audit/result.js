/** A deal's result as keys that start from given values: who played what in which suit, and the tricks of each seat. */

import { HAND, LADDER, numeric, tricksIn } from "../../game/ladder.js";
import { SEATS, sum } from "../../game/seats.js";
import { contractName, contractShort, seatName, suitName, t } from "../../text/index.js";
import * as say from "../../text/say.js";
import { Button } from "../button.js";
import { html } from "../html.js";
import { Legend } from "../panels/auction.js";
import { Suit } from "../suit.js";

const PREFERENCES = [null, "second", "first"];

/** `value` is `{caller, contract, preference, trumps}`; misère partout has none but the contract `partout`. */
export function ContractKeys({ game, value, onChange }) {
  const { caller, contract, preference, trumps } = value;
  const partout = contract === "partout";
  const put = (changes) => onChange({ ...value, ...changes });
  return html`
    <h2 class="asks">${t("audit.result.caller")}</h2>
    <div class="keys four">${SEATS.map((seat) => html`<${Button} key=${seat} kind=${caller === seat && !partout ? "main" : "plain"} name=${`result-caller-${seat}`} data-key=${`result-caller-${seat}`} aria-pressed=${String(caller === seat)} disabled=${partout} onTap=${() => put({ caller: seat })}>${say.player(game, seat)}<//>`)}</div>
    <h2 class="asks">${t("audit.result.contract")}</h2>
    <div class="rungs">${LADDER.map((rung) => html`<button type="button" key=${rung} class=${`call${contract === rung ? " picked" : ""}`} data-result=${rung} aria-pressed=${String(contract === rung)} aria-label=${`${contractShort(rung)} ${contractName(rung)}`} onClick=${() => put({ contract: rung })}>${contractShort(rung)}</button>`)}
      <button type="button" class=${`call wide${partout ? " picked" : ""}`} data-result="partout" aria-pressed=${String(partout)} onClick=${() => put({ contract: "partout" })}>${t("allpassed")}</button></div>
    <${Legend} />
    ${numeric(contract) && html`<div class="keys four">${["S", "H", "D", "C"].map((suit) => html`<button type="button" key=${suit} class=${`button suitkey${trumps === suit ? " picked" : ""}`} data-result-suit=${suit} aria-pressed=${String(trumps === suit)} onClick=${() => put({ trumps: suit })}><${Suit} suit=${suit} /><small>${suitName(suit)}</small></button>`)}</div>
      <div class="keys reasons">${PREFERENCES.map((one) => html`<${Button} key=${one ?? "bare"} kind=${(preference ?? null) === one ? "main" : "plain"} name=${`preference-${one}`} aria-pressed=${String((preference ?? null) === one)} onTap=${() => put({ preference: one })}>${t(`audit.preference.${one ?? "bare"}`)}<//>`)}</div>`}
  `;
}

/** `value` is `{N, E, S, W}`, a seat without its number left out; the sum is told beside what it has to be. */
export function TrickKeys({ game, contract, value, onChange }) {
  const most = contract && contract !== "partout" ? tricksIn(contract) : HAND;
  const whole = SEATS.every((seat) => value?.[seat] !== undefined);
  const given = whole ? sum(value) : SEATS.reduce((all, seat) => all + (value?.[seat] ?? 0), 0);
  return html`
    <h2 class="asks">${t("tricks.title")}</h2>
    ${SEATS.map((seat) => html`<div class="counter" key=${seat} role="group" aria-label=${`${t("tricks.title")}: ${say.player(game, seat)}`}><span class="name">${say.player(game, seat)} <small>${seatName(seat)}</small></span>
      ${Array.from({ length: most + 1 }, (_, n) => html`<button type="button" key=${n} class=${`count${value?.[seat] === n ? " picked" : ""}`} data-tricks=${`${seat}${n}`} aria-pressed=${String(value?.[seat] === n)} onClick=${() => onChange({ ...value, [seat]: n })}>${n}</button>`)}</div>`)}
    <p class=${given === most ? "standing" : "standing short"} role="status">${t("audit.result.sum", { given, most })}</p>
  `;
}
