/** A receipt of a deal to take along: big enough for a camera across the table, and as a file. */

import { useState } from "../../vendor/hooks.js";
import { t } from "../../text/index.js";
import { html } from "../html.js";
import { Checkpoint } from "./proof.js";

export function Receipt({ id, line }) {
  const path = `/api/sessions/${id}/lines/${line}/receipt`;
  const [failed, fail] = useState(false);
  if (failed) return html`<p class="refusal" role="alert">${t("audit.receipt.none")}</p>`;
  return html`<section class="receipt"><p>${t("audit.receipt.about")}</p>
    <img class="qr" src=${`${path}?format=svg`} alt=${t("audit.receipt.qr", { line })} onError=${() => fail(true)} />
    <div class="keys two"><a class="button main" href=${path} download=${`receipt-${line}.json`} data-key="receipt-save">${t("audit.receipt.save")}</a>
      <a class="button" href="/verify.html" target="_blank" rel="noopener">${t("audit.verifier")}</a></div></section>
    <${Checkpoint} />`;
}
