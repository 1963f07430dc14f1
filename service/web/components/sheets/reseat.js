/** Who really sits where: all four at once, from a deal on; the money stays where it was won (one act). */

import { signal } from "../../vendor/signals.js";
import { SEATS } from "../../game/seats.js";
import { seatsOf } from "../../game/session.js";
import { record } from "../../store/evening.js";
import { nameOf } from "../../store/players.js";
import { seatLetter, seatName, t } from "../../text/index.js";
import { Button } from "../button.js";
import { html } from "../html.js";
import { Sheet, closeSheet } from "./sheet.js";

const picked = signal(null);
const seats = signal(null);
const from = signal(1);

/** Two taps change two players' places. */
function touch(now, seat) {
  if (!picked.value || picked.value === seat) {
    picked.value = picked.value === seat ? null : seat;
    return;
  }
  seats.value = { ...now, [seat]: now[picked.value], [picked.value]: now[seat] };
  picked.value = null;
}

export function ReseatSheet({ game }) {
  const now = seats.value ?? seatsOf(game);
  const changed = SEATS.some((seat) => now[seat] !== seatsOf(game)[seat]);
  const done = () => {
    if (record(() => ({ entry: "reseat", seats: now, from_deal: from.value, reason: t("reseat.reason") }))) return;
    seats.value = null;
    closeSheet();
  };
  return html`
    <${Sheet} title=${t("more.reseat")}>
      <p>${t("reseat.about")}</p>
      <div class="keys two">${SEATS.map((seat) => html`<${Button} key=${seat} kind=${picked.value === seat ? "main" : "plain"} name=${`sit-${seat}`} data-key=${`sit-${seat}`} aria-label=${`${seatLetter(seat)} · ${nameOf(now[seat])} ${seatName(seat)}`}
        onTap=${() => touch(now, seat)}>${seatLetter(seat)} · ${nameOf(now[seat])}<//>`)}</div>
      <div class="keys two">${[...new Set([1, game.counted + 1])].map((deal) => html`<${Button} key=${deal} kind=${from.value === deal ? "main" : "plain"} name=${`from-${deal}`} onTap=${() => (from.value = deal)}>${t(deal === 1 ? "reseat.all" : "reseat.from", { deal })}<//>`)}</div>
      <div class="keys"><${Button} kind="danger" name="do-reseat" data-key="do-reseat" disabled=${!changed} onTap=${done}>${t("do.reseat")}<//></div>
    <//>
  `;
}
