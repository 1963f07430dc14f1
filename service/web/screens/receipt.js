/** A deal's receipt, for everybody who sat there: `#/receipt/ID/N`. */

import { t } from "../text/index.js";
import { html } from "../components/html.js";
import { Receipt } from "../components/audit/receipt.js";

export default function ReceiptScreen({ rest: [id, line] }) {
  return html`<main class="page narrow"><header class="pagehead"><a class="button quiet" href=${`#/sheet/${id}`}>${t("scoresheet")}</a><h1>${t("audit.receipt.title", { line })}</h1></header>
    <${Receipt} key=${line} id=${id} line=${Number(line)} /></main>`;
}
