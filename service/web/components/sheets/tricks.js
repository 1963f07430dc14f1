/** Tricks by seat: when the recorder lost track, or to enter the result alone. Two rows of taps, no typing. */

import { signal } from "../../vendor/signals.js";
import { LADDER, numeric, tricksIn } from "../../game/ladder.js";
import { SEATS, sum } from "../../game/seats.js";
import { wonNow } from "../../game/table.js";
import { record } from "../../store/evening.js";
import { contractShort, t } from "../../text/index.js";
import * as say from "../../text/say.js";
import { Button } from "../button.js";
import { html } from "../html.js";
import { Suit } from "../suit.js";
import { Sheet, closeSheet, openSheet } from "./sheet.js";

const totals = signal({});

/** The totals so far: what was tapped, nothing less than what was already won; the last one is what is left over. */
function filled(game, most) {
  const won = wonNow(game);
  const given = Object.fromEntries(SEATS.filter((seat) => totals.value[seat] !== undefined).map((seat) => [seat, totals.value[seat]]));
  const open = SEATS.filter((seat) => given[seat] === undefined);
  const rest = most - Object.values(given).reduce((all, value) => all + value, 0);
  if (open.length === 1 && rest >= won[open[0]]) given[open[0]] = rest;
  return given;
}

export function TricksSheet({ game }) {
  const most = game.deal?.partout ? 13 : tricksIn(game.deal?.contract);
  const won = wonNow(game);
  const given = filled(game, most);
  const whole = SEATS.every((seat) => given[seat] !== undefined);
  const done = () => {
    if (!record(() => ({ entry: "tricks", tricks: given }))) {
      totals.value = {};
      closeSheet();
    }
  };
  return html`
    <${Sheet} title=${t("tricks.title")}>
      <p>${t("tricks.about", { n: most })}</p>
      ${SEATS.map((seat) => html`<div class="counter" key=${seat} role="group" aria-label=${say.player(game, seat)}>
        <span class="name">${say.player(game, seat)}</span>
        ${Array.from({ length: most + 1 }, (_, n) => html`<button type="button" key=${n} class=${`count${given[seat] === n ? " picked" : ""}`} data-count=${`${seat}${n}`} disabled=${n < won[seat]}
          aria-pressed=${String(given[seat] === n)} onClick=${() => (totals.value = { ...totals.value, [seat]: n })}>${n}</button>`)}
      </div>`)}
      <div class="keys"><${Button} kind="main" name="tricks-done" data-key="tricks-done" disabled=${!whole} onTap=${done}>${whole ? t("tricks.done", { n: sum(given) }) : t("tricks.missing")}<//></div>
    <//>
  `;
}

const result = signal({});

/** The contract without its auction; the tricks follow on their own sheet, or three "I pay". */
export function ResultSheet({ game }) {
  const { caller, contract, trumps } = result.value;
  const put = (changes) => (result.value = { ...result.value, ...changes });
  const partout = contract === "partout";
  const ready = partout || (caller && contract && (trumps || !numeric(contract)));
  const done = (after) => {
    const entry = partout ? { entry: "contract", contract } : { entry: "contract", caller, contract, ...(numeric(contract) ? { trumps } : {}) };
    const refusal = record(() => entry);
    if (refusal) return;
    result.value = {};
    after();
  };
  return html`
    <${Sheet} title=${t("more.result")}>
      <div class="keys four">${SEATS.map((seat) => html`<${Button} key=${seat} kind=${caller === seat ? "main" : "plain"} name=${`caller-${seat}`} data-key=${`caller-${seat}`} disabled=${partout} onTap=${() => put({ caller: seat })}>${say.player(game, seat)}<//>`)}</div>
      <div class="rungs">${LADDER.map((rung) => html`<button type="button" key=${rung} class=${`call${contract === rung ? " picked" : ""}`} data-rung=${rung} aria-pressed=${String(contract === rung)} onClick=${() => put({ contract: rung })}>${contractShort(rung)}</button>`)}
        <button type="button" class=${`call wide${partout ? " picked" : ""}`} data-rung="partout" aria-pressed=${String(partout)} onClick=${() => put({ contract: "partout" })}>${t("allpassed")}</button></div>
      ${numeric(contract) && html`<div class="keys four">${["S", "H", "D", "C"].map((suit) => html`<button type="button" key=${suit} class=${`button suitkey${trumps === suit ? " picked" : ""}`} data-result-trumps=${suit} aria-pressed=${String(trumps === suit)} onClick=${() => put({ trumps: suit })}><${Suit} suit=${suit} /></button>`)}</div>`}
      <div class="keys two">
        <${Button} kind="main" name="result-tricks" data-key="result-tricks" disabled=${!ready} onTap=${() => done(() => openSheet("tricks"))}>${t("result.tricks")}<//>
        <${Button} name="result-play" data-key="result-play" disabled=${!ready} onTap=${() => done(closeSheet)}>${t("result.play")}<//>
      </div>
    <//>
  `;
}
