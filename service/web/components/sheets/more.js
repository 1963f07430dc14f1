/** The rarer things that happen at a table, each behind its own sheet. */

import { SEATS } from "../../game/seats.js";
import { signal } from "../../vendor/signals.js";
import { record } from "../../store/evening.js";
import { t } from "../../text/index.js";
import { Button } from "../button.js";
import { html } from "../html.js";
import { Sheet, closeSheet, openSheet } from "./sheet.js";

const DEALING = ["dealing", "auction", "trumps", "discards", "exposing", "play"];
const unplayed = ({ deal }) => !deal.tricks[0]?.plays.length;

/** What each line needs to be offered. */
const LINES = [
  ["entries", ({ phase }) => phase !== "opening"],
  ["tricks", ({ phase, deal }) => ["discards", "exposing", "play"].includes(phase) || (phase === "trumps" && deal.reported)],
  ["result", ({ phase, deal }) => ["between_deals", "dealing"].includes(phase) || (phase === "auction" && !deal.calls.length)],
  ["misdeal", (game) => DEALING.includes(game.phase) && game.deal && unplayed(game)],
  ["cancel", ({ deal, last }) => Boolean(deal || last)],
  ["revoke", ({ phase, deal, last, rules }) => rules.revoke_fine !== null && ((phase === "play" && deal.caller) || (last?.settlement && last.before.deal.caller && !last.fine))],
  ["reseat", () => true],
  ["end", ({ phase, counted, deal }) => counted > 0 && (phase === "between_deals" || phase === "dealing" || (phase === "auction" && !deal.calls.length))],
  ["abandon", () => true],
];

const KINDS = { cancel: "danger", abandon: "danger", end: "danger" };

export function MoreSheet({ game }) {
  return html`
    <${Sheet} title=${t("more")}>
      <div class="keys two">
        ${LINES.filter(([, may]) => may(game)).map(([name]) => html`<${Button} key=${name} kind=${KINDS[name] ?? "plain"} name=${`more-${name}`} data-key=${`more-${name}`}
          onTap=${() => openSheet(name)}>${t(`more.${name}`)}<//>`)}
      </div>
    <//>
  `;
}

const chosen = signal(null);

/** What each act with a reason enters, given the reason. */
const ACTS = {
  misdeal: (reason) => ({ entry: "misdeal", reason }),
  cancel: (reason) => ({ entry: "cancel", agreed: SEATS, reason }),
  end: (reason) => ({ entry: "end", reason }),
  abandon: (reason) => ({ entry: "abandon", reason }),
};

/** A reason is one tap on a common one, or typed; then one tap does it. */
export function ReasonSheet({ act }) {
  const reasons = t(`reasons.${act}`).split("|");
  const done = () => {
    const reason = (chosen.value ?? "").trim();
    if (!reason) return;
    chosen.value = null;
    if (!record(() => ACTS[act](reason))) closeSheet();
  };
  return html`
    <${Sheet} title=${t(`more.${act}`)}>
      <p>${t(`about.${act}`)}</p>
      <div class="keys two">${reasons.map((reason) => html`<${Button} key=${reason} kind=${chosen.value === reason ? "main" : "plain"} name=${`reason-${reason}`} data-reason=${reason}
        onTap=${() => (chosen.value = reason)}>${reason}<//>`)}</div>
      <label class="field">${t("reason.other")}<input name="reason" maxlength="200" value=${reasons.includes(chosen.value) ? "" : (chosen.value ?? "")} onInput=${(event) => (chosen.value = event.target.value)} /></label>
      <div class="keys"><${Button} kind="danger" name=${`do-${act}`} data-key=${`do-${act}`} disabled=${!chosen.value?.trim()} onTap=${done}>${t(`do.${act}`)}<//></div>
    <//>
  `;
}
