/** The time machine: the table and the score sheet as they were recorded then, beside the same as corrected now. */

import { useEffect, useState } from "../../vendor/hooks.js";
import { SEATS } from "../../game/seats.js";
import { ask, whole } from "../../store/api.js";
import { flat } from "../../store/audit.js";
import { traces } from "../../store/roles.js";
import { amount, t } from "../../text/index.js";
import * as say from "../../text/say.js";
import { Button } from "../button.js";
import { html } from "../html.js";
import { useLoaded } from "../loaded.js";
import { Card } from "../suit.js";
import { Effect } from "./effect.js";
import { gain, lineName, moment, Outcome, reported, sitter, spoken } from "./spoken.js";

const REST = 250;

export function Compare({ id, state }) {
  const [when, put] = useState({ at: state.version });
  const [asked, settle] = useState(when);
  // A finger that drags the slider asks once, when it rests.
  useEffect(() => {
    const timer = setTimeout(() => settle(when), REST);
    return () => clearTimeout(timer);
  }, [JSON.stringify(when)]);
  const told = useLoaded(() => ask("GET", `/api/sessions/${id}/compare?${new URLSearchParams(asked)}`), [id, JSON.stringify(asked), state.version]);
  const items = useLoaded(() => (traces() ? whole(`/api/sessions/${id}/timeline`) : []), [id, state.version]);
  const at = when.at ?? told.value?.then.version ?? state.version;
  const last = items.value?.findLast(({ version }) => version && version <= at);
  const move = (to) => put({ at: Math.min(Math.max(to, 1), state.version) });
  return html`
    <p>${t("audit.time.about")}</p>
    <div class="when"><label class="field">${t("audit.time.pick")}<input type="datetime-local" name="at_time" step="1" onChange=${(event) => event.target.value && put({ at_time: new Date(event.target.value).toISOString() })} /></label>
      <div class="stepper"><${Button} name="time-first" aria-label=${t("replay.first")} onTap=${() => move(1)}>|◀<//><button type="button" class="button" aria-label=${t("replay.back")} data-key="time-back" onClick=${() => move(at - 1)}>◀</button>
        <input type="range" name="at" min="1" max=${state.version} value=${at} aria-label=${t("audit.time.slider")} aria-valuetext=${said(state, at, last)} onInput=${(event) => move(Number(event.target.value))} />
        <button type="button" class="button" aria-label=${t("replay.next")} data-key="time-next" onClick=${() => move(at + 1)}>▶</button><${Button} name="time-last" aria-label=${t("replay.last")} onTap=${() => move(state.version)}>▶|<//></div></div>
    <p class="standing" role="status">${said(state, at, last)}</p>
    ${told.failed && html`<p class="refusal" role="alert">${told.failed.status === 404 ? t("audit.time.before") : say.failure(told.failed)}</p>`}
    ${told.value && html`<${Sides} told=${told.value} />`}
  `;
}

/** A version in words: its place, its time, and the entry that led to it. */
const said = (state, at, item) => [t("audit.time.version", { at, of: state.version }), item && moment(item.at), item?.entry && reported(spoken(state), item.entry)].filter(Boolean).join(" · ");

function Sides({ told: { then, now, lines } }) {
  const was = rowsOf(then);
  const is = rowsOf(now);
  // What came later is no difference: only lines that were there then are held beside those of now.
  const pairs = lines.filter((pair) => pair.then && JSON.stringify(pair.then) !== JSON.stringify(pair.now)).map((pair) => ({ line: pair.line, old: pair.then, new: pair.now }));
  const changed = new Set(pairs.map(({ line }) => line));
  const title = t("audit.time.then");
  return html`
    <div class="sidebyside">
      <${Side} title=${title} name="then" state=${then} rows=${was} changed=${changed} />
      <${Side} title=${t("audit.time.now")} name="now" state=${now} rows=${is.slice(0, Math.max(was.length, 1))} changed=${changed} />
    </div>
    <h2>${t("audit.time.differences")}</h2>
    <${Effect} state=${{ ...now, rows: is }} lines=${pairs} />
  `;
}

const rowsOf = (state) => (state.rows ?? []).map(flat);

/** One of the two states: where the table is, what lies on it, and the score sheet. */
function Side({ title, name, state, rows, changed }) {
  const game = spoken(state);
  return html`<section class="side" data-side=${name} aria-label=${title}><h2>${title}</h2>
    <p>${t(`audit.phase.${state.phase}`)}${state.turn ? ` · ${t("play.plays", { name: sitter(state, state.turn) })}` : ""}${state.contract?.caller ? ` · ${say.contract(game, { ...state.contract, partout: false })}` : ""}</p>
    ${state.trick?.plays.length > 0 && html`<p class="lasttrick">${state.trick.plays.map((play) => html`<${Card} key=${play.seat} card=${play.card} odd=${play.irregular} />`)}</p>`}
    <div class="scroll" tabindex="0" role="region" aria-label=${`${t("scoresheet")}: ${title}`}><table class="score">
      <thead><tr><th scope="col" class="left">${t("sheet.deal")}</th>${SEATS.map((seat) => html`<th scope="col" key=${seat}>${sitter(state, seat)}</th>`)}<th scope="col">${t("pool")}</th></tr></thead>
      <tbody>${rows.map((row, place) => html`<tr key=${place} class=${changed.has(place + 1) ? "altered" : ""}>
        <td class="left"><b>${lineName(row, place + 1)}</b>${changed.has(place + 1) ? html` <span class="mark">${t("audit.time.differs")}</span>` : ""}<br /><small><${Outcome} state=${state} row=${row} /></small></td>
        ${SEATS.map((seat) => html`<td key=${seat}>${amount(row.balances[seat])}${row.deltas?.[seat] ? html`<br /><small>${gain(row.deltas[seat])}</small>` : ""}</td>`)}<td>${say.pool(row.pool)}</td></tr>`)}</tbody>
      <tfoot><tr><td class="left">${t(state.final ? "sheet.final" : "audit.time.balance")}</td>${SEATS.map((seat) => html`<td key=${seat}>${state.winners?.includes(seat) ? "★ " : ""}${state.balances ? amount(state.balances[seat]) : "–"}</td>`)}<td>${state.pool ? say.pool(state.pool) : ""}</td></tr></tfoot>
    </table></div></section>`;
}
