/** In words, always: what is saved where. */

import { saving } from "../store/sync.js";
import { insecure } from "../store/wake.js";
import { openSheet } from "./sheets/sheet.js";
import { t } from "../text/index.js";
import { html } from "./html.js";

export function Banner({ whole = true }) {
  const { state, waiting, recorded, stored, elsewhere, abroad } = saving.value;
  return html`
    <div class=${`banner ${state}`} role="status">
      <strong>${t(`banner.${state}`, { n: waiting })}</strong>
      ${whole && html` <span>${t("banner.counts", { recorded, stored })}</span>`}
      ${elsewhere > 0 && html` <span>${t("banner.elsewhere", { n: elsewhere })}</span>`}
      ${abroad > 0 && html` <span>${t("banner.abroad", { n: abroad })}</span>`}
      ${insecure && html` <span>${t("banner.insecure")}</span>`}
      ${state === "trouble" && html` <button type="button" class="button danger small" data-key="mend" onClick=${() => openSheet("trouble")}>${t("banner.mend")}</button>`}
    </div>
  `;
}
