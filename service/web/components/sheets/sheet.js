/** A sheet over the working area, beside the grid and never over it. One is open at a time. */

import { signal } from "../../vendor/signals.js";
import { t } from "../../text/index.js";
import { Button } from "../button.js";
import { html } from "../html.js";

/** The name of the open sheet, or `null`. */
export const sheet = signal(null);

export const openSheet = (name) => (sheet.value = name);
export const closeSheet = () => (sheet.value = null);

export function Sheet({ title, children }) {
  return html`
    <section class="sheet" role="dialog" aria-label=${title}>
      <header><h2>${title}</h2><${Button} kind="quiet" name="sheet-close" data-key="close" onTap=${closeSheet}>${t("back")}<//></header>
      <div class="sheet-body">${children}</div>
    </section>
  `;
}
