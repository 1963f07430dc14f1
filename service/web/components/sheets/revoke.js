/** A revoke is ruled, where the rule set has a price for it: who, and in which trick. */

import { signal } from "../../vendor/signals.js";
import { SEATS } from "../../game/seats.js";
import { record } from "../../store/evening.js";
import { t } from "../../text/index.js";
import * as say from "../../text/say.js";
import { Button } from "../button.js";
import { html } from "../html.js";
import { Sheet, closeSheet } from "./sheet.js";

const seat = signal(null);
const trick = signal(null);

export function RevokeSheet({ game }) {
  const done = () => {
    if (record(() => ({ entry: "revoke", seat: seat.value, trick: trick.value }))) return;
    seat.value = trick.value = null;
    closeSheet();
  };
  return html`
    <${Sheet} title=${t("more.revoke")}>
      <p>${t("about.revoke")}</p>
      <div class="keys four">${SEATS.map((chair) => html`<${Button} key=${chair} kind=${seat.value === chair ? "main" : "plain"} name=${`revoke-${chair}`} onTap=${() => (seat.value = chair)}>${say.player(game, chair)}<//>`)}</div>
      <div class="rungs">${Array.from({ length: 13 }, (_, place) => html`<button type="button" key=${place} class=${`call${trick.value === place + 1 ? " picked" : ""}`} aria-pressed=${String(trick.value === place + 1)} onClick=${() => (trick.value = place + 1)}>${place + 1}</button>`)}</div>
      <div class="keys"><${Button} kind="danger" name="do-revoke" disabled=${!seat.value || !trick.value} onTap=${done}>${t("do.revoke")}<//></div>
    <//>
  `;
}
