/** A receipt of a deal to take along: big enough for a camera across the table, and as a file. */

import { ask } from "../../store/api.js";
import { useLoaded } from "../../store/audit.js";
import { t } from "../../text/index.js";
import { html } from "../html.js";
import { grouped } from "./proof.js";

export function Receipt({ id, line }) {
  const path = `/api/sessions/${id}/lines/${line}/receipt`;
  const { value, failed } = useLoaded(() => ask("GET", path), [path]);
  if (failed) return html`<p class="refusal" role="alert">${t(failed === "offline" ? "failed.offline" : "audit.receipt.none")}</p>`;
  if (!value) return html`<p role="status">${t("loading")}</p>`;
  return html`<section class="receipt"><p>${t("audit.receipt.about")}</p>
    <img class="qr" src=${`${path}?format=svg`} alt=${t("audit.receipt.qr", { line })} />
    <p><code>${grouped(value.hash ?? value.line_hash)}</code></p>
    <div class="keys two"><a class="button main" href=${path} download=${`receipt-${line}.json`} data-key="receipt-save">${t("audit.receipt.save")}</a>
      <a class="button" href="/verify.html" target="_blank" rel="noopener">${t("audit.verifier")}</a></div></section>`;
}
