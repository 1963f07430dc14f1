/**
 * The dialog by which a seat, on the recorder's tablet or on its own device, or the director disputes something of a
 * deal; and by which a dispute is withdrawn. A dispute never stands in the way of recording.
 *
 * `send(entry)` records the entry and gives a refusal or nothing; without it the service is asked at once.
 */

import { useState } from "../../vendor/hooks.js";
import { SEATS } from "../../game/seats.js";
import { me } from "../../store/api.js";
import { enter } from "../../store/audit.js";
import { plays, rules } from "../../store/roles.js";
import { t } from "../../text/index.js";
import * as say from "../../text/say.js";
import { Button } from "../button.js";
import { html } from "../html.js";
import { Dialog } from "./dialog.js";
import { disputed, sitter, spoken } from "./spoken.js";

const ABOUT = ["deal", "trick", "card", "call", "settlement"];
/** The kinds of entry that a dispute about a card or a call may name. */
const NAMED = { card: ["play", "discard", "expose"], call: ["call", "contract"] };

/** The disputes of a line, as the state lists them: `[{number, raised, state}]`. */
export const disputesOf = (state, line) => (state.docket?.disputes ?? []).filter(({ raised }) => raised.line === line);

/** Whose own device this is: the chair of the player who is signed in, `null` for everybody else. */
const ownSeat = (state) => (plays() ? (SEATS.find((seat) => state.seats?.[seat]?.player_id === me.value.player_id) ?? null) : null);

/** `entries` are the deal's, `[{number, entry}]`, where a card or a call is to be named; `onDone` is called after a change. */
export function DisputeDialog({ state, line, entries = [], send, onClose, onDone = onClose }) {
  const own = ownSeat(state);
  const [said, put] = useState({ by: own, about: null, target: null, reason: "" });
  const [failed, fail] = useState(null);
  const change = (changes) => put({ ...said, ...changes });
  const game = spoken(state);
  const record = async (entry) => {
    try {
      const refusal = await (send ? send(entry) : enter(state.session_id, [entry]).then(() => null));
      if (refusal) fail(say.refusal(refusal, game));
      else onDone();
    } catch (error) {
      fail(say.failure(error, game));
    }
  };
  const raise = () => {
    const { by, about, target, reason } = said;
    record({ entry: "dispute", line, by, about, ...(target === null ? {} : { target }), reason: reason.trim() });
  };
  const open = disputesOf(state, line).filter((one) => one.state === "open" && (rules() || one.raised.by === own));
  const named = NAMED[said.about] ? entries.filter(({ entry }) => NAMED[said.about].includes(entry.entry)) : [];
  const reasons = t("reasons.dispute").split("|");
  const bys = own ? [own] : rules() ? [...SEATS, "director"] : SEATS;
  return html`
    <${Dialog} title=${t("audit.dispute.title", { line })} onClose=${onClose}>
      ${open.map((one) => html`<${Withdraw} key=${one.number} state=${state} one=${one} onWithdraw=${record} />`)}
      <h3 class="asks">${t("audit.dispute.by")}</h3>
      <div class="keys three">${bys.map((by) => html`<${Button} key=${by} kind=${said.by === by ? "main" : "plain"} name=${`by-${by}`} data-key=${`by-${by}`} aria-pressed=${String(said.by === by)} onTap=${() => change({ by })}>${by === "director" ? t("role.director") : sitter(state, by)}<//>`)}</div>
      <h3 class="asks">${t("audit.dispute.about")}</h3>
      <div class="keys three">${ABOUT.map((about) => html`<${Button} key=${about} kind=${said.about === about ? "main" : "plain"} name=${`about-${about}`} data-key=${`about-${about}`} aria-pressed=${String(said.about === about)} onTap=${() => change({ about, target: null })}>${t(`audit.about.${about}`)}<//>`)}</div>
      ${said.about === "trick" && html`<div class="rungs" role="group" aria-label=${t("audit.about.trick")}>${Array.from({ length: 13 }, (_, place) => html`<button type="button" key=${place} class=${`call${said.target === place + 1 ? " picked" : ""}`} data-target=${place + 1} aria-pressed=${String(said.target === place + 1)} onClick=${() => change({ target: said.target === place + 1 ? null : place + 1 })}>${place + 1}</button>`)}</div>`}
      ${named.length > 0 && html`<label class="field">${t("audit.dispute.which")}<select name="target" onChange=${(event) => change({ target: Number(event.target.value) || null })}>
        <option value="">${t("audit.dispute.none")}</option>${named.map(({ number, entry }) => html`<option key=${number} value=${number}>${number} · ${say.entry(game, entry)}</option>`)}</select></label>`}
      <h3 class="asks">${t("audit.why")}</h3>
      <div class="keys reasons">${reasons.map((reason) => html`<${Button} key=${reason} kind=${said.reason === reason ? "main" : "plain"} name=${`dispute-${reason}`} data-reason=${reason} onTap=${() => change({ reason })}>${reason}<//>`)}</div>
      <label class="field">${t("audit.reason")}<input name="reason" maxlength="300" value=${said.reason} onInput=${(event) => change({ reason: event.target.value })} /></label>
      ${failed && html`<p class="refusal" role="alert">${failed}</p>`}
      <div class="keys two"><${Button} kind="main" name="do-dispute" data-key="do-dispute" disabled=${!said.by || !said.about || !said.reason.trim()} onTap=${raise}>${t("audit.dispute.do")}<//>
        <${Button} kind="quiet" name="no-dispute" data-key="no-dispute" onTap=${onClose}>${t("audit.cancel")}<//></div>
    <//>
  `;
}

function Withdraw({ state, one, onWithdraw }) {
  return html`<div class="notice"><p>${disputed(state, one.raised)}</p>
    <${Button} name=${`withdraw-${one.number}`} data-key=${`withdraw-${one.number}`} onTap=${() => onWithdraw({ entry: "resolve", dispute: one.number, outcome: "withdrawn", reason: t("audit.withdrawn") })}>${t("audit.withdraw")}<//></div>`;
}
