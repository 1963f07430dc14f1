/**
 * The end of every act of a director: why, by which law, with which second key where one is needed, and the one key
 * that records it. Until that key is tapped nothing is recorded, and cancelling changes nothing.
 */

import { useState } from "../../vendor/hooks.js";
import { ask } from "../../store/api.js";
import { t } from "../../text/index.js";
import * as say from "../../text/say.js";
import { Button } from "../button.js";
import { html } from "../html.js";
import { useLoaded } from "../loaded.js";

const SECOND_KEY = "second_key_needed";

const asksForKey = (error) => error.code === SECOND_KEY || error.body?.problems?.some(({ code }) => code === SECOND_KEY);

/** Will the service want a second key for these acts? Found out by a dry run, which records nothing. */
export function useSecondKey(id, entries, version) {
  const wants = async () => entries.length > 0 && (await ask("POST", `/api/sessions/${id}/entries`, { entries, dry_run: true })).second_key_needed;
  return Boolean(useLoaded(wants, [id, JSON.stringify(entries), version]).value);
}

/**
 * `reasons` are common ones, by one tap; `law` and `secondKey` say whether these are asked for; a second key is also
 * asked for when the service wants one after all. `onDo({reason, law,
 * secondKey})` records, and may throw what `ask` throws.
 */
export function Act({ does, reasons = [], law = false, needsLaw = false, secondKey = false, disabled = false, kind = "main", name = "act", game, onDo, onCancel, cancel = t("audit.cancel") }) {
  const [said, put] = useState({ reason: "", law: "", key: "" });
  const [state, set] = useState({ failed: null, asked: false, busy: false });
  const change = (changes) => put({ ...said, ...changes });
  const asked = secondKey || state.asked;
  const ready = !disabled && !state.busy && said.reason.trim() && (!needsLaw || said.law.trim()) && (!asked || said.key.trim());
  const record = async () => {
    set({ ...state, busy: true, failed: null });
    try {
      await onDo({ reason: said.reason.trim(), law: said.law.trim() || null, secondKey: asked ? said.key.trim() : null });
    } catch (error) {
      const failed = say.failure(error, game);
      const needs = asksForKey(error);
      set({ busy: false, asked: state.asked || needs, failed: needs && !asked ? null : failed });
    }
  };
  return html`
    <section class="act" aria-label=${t("audit.why")}>
      <h2 class="asks">${t("audit.why")}</h2>
      ${reasons.length > 0 && html`<div class="keys reasons">${reasons.map((reason) => html`<${Button} key=${reason} kind=${said.reason === reason ? "main" : "plain"} name=${`reason-${reason}`} data-reason=${reason}
        onTap=${() => change({ reason })}>${reason}<//>`)}</div>`}
      <div class="actfields">
        <label class="field">${t("audit.reason")}<input name="reason" maxlength="300" value=${said.reason} onInput=${(event) => change({ reason: event.target.value })} /></label>
        ${law && html`<label class="field">${t(needsLaw ? "audit.law" : "audit.law.optional")}<input name="law" maxlength="200" value=${said.law} onInput=${(event) => change({ law: event.target.value })} /></label>`}
      </div>
      ${asked && html`<div class="second"><p role="status">${t("audit.second.about")}</p>
        <label class="field">${t("audit.second")}<input name="second_key" type="password" autocomplete="off" spellcheck="false" value=${said.key} onInput=${(event) => change({ key: event.target.value })} /></label></div>`}
      ${state.failed && html`<p class="refusal" role="alert">${state.failed}</p>`}
      <div class="keys two"><${Button} kind=${kind} name=${name} data-key=${name} disabled=${!ready} onTap=${record}>${does}<//>
        ${onCancel && html`<${Button} kind="quiet" name="act-cancel" data-key="act-cancel" onTap=${onCancel}>${cancel}<//>`}</div>
    </section>
  `;
}
