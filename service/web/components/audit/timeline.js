/** Who did what, when, from which device, and why; what was taken back stays readable, struck through. */

import { useEffect, useRef, useState } from "../../vendor/hooks.js";
import { timeline, timelineCsv } from "../../store/audit.js";
import { has, t } from "../../text/index.js";
import * as say from "../../text/say.js";
import { Button } from "../button.js";
import { html } from "../html.js";
import { clock, lineName, reported, spoken, STRUCK } from "./spoken.js";

const PAGE = 100;
const MINUTE = 60_000;
const KINDS = ["call", "play", "tricks", "undo", "withdraw", "cancel", "reseat", "dispute", "resolve", "acknowledge", "sign", "transfer", "correct", "taken_over"];

/** What an item says in one line. A takeover is no entry of the record. */
function words(game, item) {
  if (item.kind === "taken_over") return t("audit.takenover", { device: item.device ?? item.key_name ?? "" });
  return item.entry ? reported(game, item.entry) : has(`entry.${item.kind}`) ? t(`entry.${item.kind}`) : item.kind;
}

/** What the fields hold, as the service is asked for it: times by the clock here, and all of the last minute too. */
const wanted = ({ from, to, ...rest }) => ({
  ...rest,
  from: from && new Date(from).toISOString(),
  to: to && new Date(new Date(to).getTime() + MINUTE - 1).toISOString(),
});

export function Timeline({ id, state, line: only = null }) {
  const [asked, ask] = useState({ line: only, kind: null, key: null, device: null, from: null, to: null });
  const [found, put] = useState({ items: [], next: null, failed: null, done: false });
  const [known, learn] = useState({ keys: new Map(), devices: new Set() });
  const current = useRef(null);
  const load = async (cursor, before) => {
    const here = (current.current = {});
    try {
      const page = await timeline(id, { ...wanted(asked), cursor, limit: PAGE });
      // Something else was chosen meanwhile.
      if (current.current !== here) return;
      learn(({ keys, devices }) => ({
        keys: new Map([...keys, ...page.items.filter((item) => item.key).map((item) => [item.key, item.key_name ?? item.key])]),
        devices: new Set([...devices, ...page.items.map((item) => item.device).filter(Boolean)]),
      }));
      put({ items: [...before, ...page.items], next: page.next, failed: null, done: true });
    } catch (error) {
      if (current.current === here) put({ items: before, next: null, failed: say.failure(error), done: true });
    }
  };
  useEffect(() => void load(null, []), [id, state.version, JSON.stringify(asked)]);
  const game = spoken(state);
  const choice = (name, values) => html`<label class="field">${t(`audit.by.${name}`)}<select name=${name} onChange=${(event) => ask({ ...asked, [name]: event.target.value || null })}>
    <option value="" selected=${!asked[name]}>${t("stat.all")}</option>${values.map(([value, text]) => html`<option key=${value} value=${value} selected=${String(asked[name]) === String(value)}>${text}</option>`)}</select></label>`;
  const time = (name) => html`<label class="field">${t(`audit.by.${name}`)}<input type="datetime-local" name=${name} onChange=${(event) => ask({ ...asked, [name]: event.target.value || null })} /></label>`;
  return html`
    <div class="keys three">
      ${only === null && choice("line", state.rows.map((row, place) => [place + 1, lineName(row, place + 1)]))}
      ${choice("kind", KINDS.map((kind) => [kind, t(`audit.kind.${kind}`)]))}
      ${choice("key", [...known.keys])}
      ${choice("device", [...known.devices].map((device) => [device, device]))}
    </div>
    <div class="keys two">${time("from")}${time("to")}</div>
    <p class="asof"><span>${t("audit.timeline.about")}</span><a class="button small" href=${timelineCsv(id, wanted(asked))} download>${t("stat.csv")}</a></p>
    ${found.failed && html`<p class="refusal" role="alert">${found.failed}</p>`}
    ${found.done && !found.items.length && !found.failed && html`<p>${t("audit.timeline.none")}</p>`}
    <ol class="timeline" tabindex="0" aria-label=${t("audit.tab.timeline")}>${found.items.map((item, place) => html`<${Item} key=${`${item.kind}-${item.number ?? place}-${item.version ?? item.at}`} game=${game} state=${state} only=${only} item=${item} />`)}</ol>
    ${found.next && html`<div class="keys"><${Button} name="more-items" data-key="more-items" onTap=${() => load(found.next, found.items)}>${t("stat.more")}<//></div>`}
  `;
}

function Item({ game, state, only, item }) {
  const of = only === null && item.line ? lineName(state.rows[item.line - 1], item.line) : null;
  const who = [item.key_name, item.role && t(`role.${item.role}`), item.device, of].filter((part, place, all) => part && all.indexOf(part) === place).join(" · ");
  const told = words(game, item);
  const reason = told.includes(item.reason ?? "") ? null : item.reason;
  return html`<li class=${`item ${item.kind}`}>
    <span class="number">${item.number ?? ""}</span>
    <time datetime=${item.at}>${clock(item.at)}</time>
    <span class="said"><span class=${STRUCK.includes(item.state) ? "struck" : ""}>${told}</span>${item.state && item.state !== "in_force" && item.state !== "aside" ? html` <span class="mark">${t(`audit.state.${item.state}`)}</span>` : ""}${reason ? html`<br /><small>${t("audit.because", { reason })}</small>` : ""}</span>
    <span class="by">${who}${item.second ? html`<br /><small>${t("audit.with", { name: item.second_name ?? item.second })}</small>` : ""}</span>
  </li>`;
}
