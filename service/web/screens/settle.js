/** The settlement on one screen, turned to the readers on the other side of the table. */

import { signal } from "../vendor/signals.js";
import { useEffect } from "../vendor/hooks.js";
import { evening, game, showEvening } from "../store/evening.js";
import { t } from "../text/index.js";
import { Button } from "../components/button.js";
import { html } from "../components/html.js";
import { Settlement } from "../components/panels/settlement.js";

const turnedRound = signal(true);

export function SettleScreen({ id }) {
  useEffect(() => void showEvening(id).catch(() => null), [id]);
  const now = evening.value?.id === id ? game.value : null;
  return html`
    <main class=${`page settle${turnedRound.value ? " turned" : ""}`}>
      ${now?.last?.settlement ? html`<div class="turning"><h1>${t("deal.of", { number: now.counted, deals: now.rules.deals })}</h1><${Settlement} game=${now} /></div>` : html`<h1>${t("settle.none")}</h1>`}
      <div class="keys two">
        <${Button} kind="quiet" name="turn" data-key="turn" onTap=${() => (turnedRound.value = !turnedRound.value)}>${t("settle.turn")}<//>
        <a class="button main" href=${`#/record/${id}`} data-key="back-to-table">${t("settle.back")}</a>
      </div>
    </main>
  `;
}
