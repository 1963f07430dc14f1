/** The deal's entries; a tap on one mends it: change, insert before, take out, or take back all from there on. */

import { signal } from "../../vendor/signals.js";
import { dealEntries, mending } from "../../game/mending.js";
import { evening, record } from "../../store/evening.js";
import { t } from "../../text/index.js";
import * as say from "../../text/say.js";
import { Button } from "../button.js";
import { html } from "../html.js";
import { Sheet, closeSheet } from "./sheet.js";

/** What is being mended: `{number, how, kind}`, waiting for the right card or call; `null` otherwise. */
export const mends = signal(null);
/** The entry whose choices are open. */
const chosen = signal(null);
/** Later entries that no longer fitted after the last mending, to be told to the recorder. */
export const dropped = signal([]);

/** Mends with the right entry, in one batch. */
export function mendWith(entry) {
  const { number, how } = mends.value;
  finish(number, how, entry);
}

function finish(number, how, entry) {
  const found = mending(evening.value.session, number, how, entry);
  if (!found.entries.length) {
    record(() => [{ entry: "withdraw", from: number }, entry].filter(Boolean));
    return;
  }
  mends.value = null;
  chosen.value = null;
  dropped.value = found.dropped;
  record(() => found.entries);
  closeSheet();
}

const startMending = (number, how, kind) => {
  mends.value = { number, how, kind };
  chosen.value = null;
  closeSheet();
};

const MENDABLE = ["call", "play", "trumps"];

export function EntriesSheet({ game }) {
  const steps = dealEntries(evening.value.session);
  return html`
    <${Sheet} title=${t("entries.title")}>
      <p>${t("entries.about")}</p>
      <ol class="entries">${steps.toReversed().map(({ number, entry }) => html`<li key=${number}>
        <button type="button" class="entryline" data-entry=${number} aria-expanded=${String(chosen.value === number)} onClick=${() => (chosen.value = chosen.value === number ? null : number)}>
          <span class="number">${number}</span> ${say.entry(game, entry)}</button>
        ${chosen.value === number && html`<div class="keys four">
          ${MENDABLE.includes(entry.entry) && html`<${Button} kind="main" name="mend-change" data-key="mend-change" onTap=${() => startMending(number, "change", entry.entry)}>${t("mend.change")}<//>`}
          ${["call", "play"].includes(entry.entry) && html`<${Button} name="mend-insert" data-key="mend-insert" onTap=${() => startMending(number, "insert", entry.entry)}>${t("mend.insert")}<//>`}
          ${["call", "play", "concede", "discard"].includes(entry.entry) && html`<${Button} name="mend-remove" data-key="mend-remove" onTap=${() => finish(number, "remove", null)}>${t("mend.remove")}<//>`}
          <${Button} kind="danger" name="mend-back" data-key="mend-back" onTap=${() => { chosen.value = null; record(() => ({ entry: "withdraw", from: number })); closeSheet(); }}>${t("mend.back")}<//>
        </div>`}
      </li>`)}</ol>
    <//>
  `;
}
