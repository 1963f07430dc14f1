/**
 * Would it matter? Every ruling that the rules know for a deal side by side: the money of each seat, the pool, the
 * deals after it, who wins the evening; open disputes of other deals in combination. One of them is then recorded by
 * exactly the entries that were compared. A correction that is drafted for the deal stands beside the others.
 */

import { useEffect, useRef, useState } from "../../vendor/hooks.js";
import { SEATS } from "../../game/seats.js";
import { enter, proposal, proposed, simulate } from "../../store/audit.js";
import { rules } from "../../store/roles.js";
import { amount, t } from "../../text/index.js";
import * as say from "../../text/say.js";
import { Button } from "../button.js";
import { html } from "../html.js";
import { useLoaded } from "../loaded.js";
import { Act, useSecondKey } from "./act.js";
import { Effect } from "./effect.js";
import { disputed, gain, lineName, sitter, spoken, winners } from "./spoken.js";

/** A ruling's name in this tablet's words; the names of a combination stand in the order of its lines. */
function ruling(state, name, lines) {
  const parts = name.split(" + ");
  return parts.map((part, place) => {
    const seat = part.match(/^revoke by ([NESW])$/)?.[1];
    const said = seat ? t("audit.ruling.revoke", { name: sitter(state, seat) }) : t(`audit.ruling.${part.startsWith("corrected") ? "corrected" : part}`);
    return parts.length > 1 ? `${lineName(state.rows[lines[place] - 1], lines[place])}: ${said}` : said;
  });
}

/** How a dispute ends by a ruling. */
const outcome = (part) => (part === "stands" || part === "cancelled" ? part : part.startsWith("corrected") ? "corrected" : "adjusted");

/** `open` are the evening's open disputes; `line` is the one looked at. */
export function Simulator({ id, state, line, told, open, onDone, onCancel }) {
  const [also, put] = useState([]);
  const [trick, choose] = useState(1);
  const [picked, pick] = useState(null);
  const others = [...new Set(open.map(({ raised }) => raised.line))].filter((other) => other !== line && other <= state.rows.length);
  const lines = [line, ...also];
  const drafted = proposed(id, line, told.hash);
  const asked = { lines: lines.map((one) => ({ line: one, trick: one === line ? trick : (open.find(({ raised }) => raised.line === one && raised.about === "trick")?.raised.target ?? 1) })), ...(drafted ? { corrections: [{ line, changes: drafted.changes }] } : {}) };
  const { value, failed } = useLoaded(() => simulate(id, asked), [id, state.version, JSON.stringify(asked)]);
  const game = spoken(state);
  const toggle = (other) => {
    pick(null);
    put(also.includes(other) ? also.filter((one) => one !== other) : [...also, other]);
  };
  const stands = value?.effects[0];
  const record = async (effect, { reason, law, secondKey }) => {
    const parts = effect.name.split(" + ");
    const about = open.filter(({ raised }) => lines.includes(raised.line));
    const entries = effect.entries.map((entry) => ({ ...entry, reason, ...(law ? { law } : {}), ...(about.length === 1 ? { dispute: about[0].number } : {}) }));
    const resolved = about.map(({ number, raised }) => ({ entry: "resolve", dispute: number, outcome: outcome(parts[lines.indexOf(raised.line)]), reason, ...(law ? { law } : {}) }));
    await enter(id, [...entries, ...resolved], { version: value.version, secondKey });
    proposal.value = null;
    onDone();
  };
  return html`
    <section class="simulator" aria-label=${t("audit.do.rulings")}>
      <p>${t("audit.rulings.about")}</p>
      ${others.length > 0 && html`<div><h2 class="asks">${t("audit.rulings.also")}</h2><div class="keys two">${others.map((other) => html`<${Button} key=${other} kind=${also.includes(other) ? "main" : "plain"} name=${`also-${other}`} data-key=${`also-${other}`} aria-pressed=${String(also.includes(other))} onTap=${() => toggle(other)}>${lineName(state.rows[other - 1], other)} · ${disputed(state, open.find(({ raised }) => raised.line === other).raised)}<//>`)}</div></div>`}
      ${state.rules?.revoke_fine !== null && html`<div><h2 class="asks">${t("audit.rulings.trick")}</h2><div class="rungs">${Array.from({ length: 13 }, (_, place) => html`<button type="button" key=${place} class=${`call${trick === place + 1 ? " picked" : ""}`} aria-pressed=${String(trick === place + 1)} onClick=${() => choose(place + 1)}>${place + 1}</button>`)}</div></div>`}
      ${failed && html`<p class="refusal" role="alert">${say.failure(failed, game)}</p>`}
      ${value && html`<div class="scroll" tabindex="0" role="region" aria-label=${t("audit.ruling")}><table class="score rulings">
        <thead><tr><th scope="col" class="left">${t("audit.ruling")}</th>${SEATS.map((seat) => html`<th scope="col" key=${seat}>${sitter(state, seat)}</th>`)}<th scope="col">${t("pool")}</th><th scope="col" class="left">${t("audit.rulings.deals")}</th><th scope="col" class="left">${t("audit.rulings.winner")}</th></tr></thead>
        <tbody>${value.effects.map((effect, place) => html`<${Ruling} key=${effect.name} state=${state} game=${game} effect=${effect} stands=${stands} lines=${lines} picked=${picked === place} onPick=${() => pick(picked === place ? null : place)} place=${place} />`)}</tbody></table></div>
        <p class="asof">${t("audit.rulings.choose")} ${t("audit.rulings.money")}</p>`}
      ${value?.effects[picked] && html`<${Chosen} key=${value.effects[picked].name} id=${id} state=${state} game=${game} effect=${value.effects[picked]} stands=${stands} lines=${lines} open=${open} onRecord=${record} onCancel=${() => pick(null)} />`}
      <div><${Button} kind="quiet" name="simulator-back" data-key="simulator-back" onTap=${onCancel}>${t("audit.rulings.leave")}<//></div>
    </section>
  `;
}

function Ruling({ state, game, effect, stands, lines, picked, onPick, place }) {
  const names = ruling(state, effect.name, lines);
  const name = html`${names.map((part, at) => html`${at ? html`<br />` : ""}${part}`)}`;
  if (effect.refused) return html`<tr class="uncounted"><td class="left"><b>${name}</b></td><td class="left" colspan="7">${t("audit.rulings.refused")} ${say.refusal(effect.refused, game)}</td></tr>`;
  return html`<tr class=${picked ? "chosen" : ""}>
    <td class="left"><${Button} kind=${picked ? "main" : "plain"} name=${`ruling-${place}`} data-key=${`ruling-${effect.name.replaceAll(" ", "-")}`} aria-pressed=${String(picked)} onTap=${onPick}><span>${name}</span><//></td>
    ${SEATS.map((seat) => html`<td key=${seat}>${amount(effect.final[seat])}${effect.final[seat] === stands.final[seat] ? "" : html`<br /><small>${gain(effect.final[seat] - stands.final[seat])}</small>`}</td>`)}
    <td>${say.pool(effect.pool)}</td>
    <td class="left">${effect.changed.length ? effect.changed.map((pair) => ((pair.new ?? pair.old).counts ? (state.rows[pair.line - 1]?.number ?? pair.line) : `(${pair.line})`)).join(", ") : "–"}</td>
    <td class="left">★ ${winners(state, effect.winners)}</td>
  </tr>`;
}

/** The chosen ruling line by line, and the key that records it. One that stands needs a dispute to be ruled on. */
function Chosen({ id, state, game, effect, stands, lines, open, onRecord, onCancel }) {
  const settles = open.filter(({ raised }) => lines.includes(raised.line));
  const second = useSecondKey(id, effect.entries, state.version);
  const empty = !effect.entries.length && !settles.length;
  const box = useRef(null);
  useEffect(() => box.current.scrollIntoView({ block: "start" }), []);
  return html`<section class="chosenruling" ref=${box}><h2>${ruling(state, effect.name, lines).join("; ")}</h2>
    <${Effect} state=${state} lines=${effect.changed} ends=${{ old: stands, new: effect }} />
    ${settles.length > 0 && html`<p>${t("audit.rulings.settles", { n: settles.length })}</p>`}
    ${empty && html`<p role="status">${t("audit.rulings.empty")}</p>`}
    ${rules() && !empty && html`<${Act} name="do-ruling" does=${t("audit.rulings.do")} reasons=${t("reasons.ruling").split("|")} law=${true} secondKey=${second} game=${game} onDo=${(said) => onRecord(effect, said)} onCancel=${onCancel} />`}</section>`;
}
