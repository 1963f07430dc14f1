/** An evening as its director sees it: score sheet with marks, timeline, disputes, findings, changes, time machine, proof. */

import { SEATS } from "../game/seats.js";
import { ask } from "../store/api.js";
import { audits, rules, traces } from "../store/roles.js";
import { amount, t } from "../text/index.js";
import * as say from "../text/say.js";
import { html } from "../components/html.js";
import { useLoaded } from "../components/loaded.js";
import { Changes } from "../components/audit/changes.js";
import { Compare } from "../components/audit/compare.js";
import { disputesOf } from "../components/audit/dispute.js";
import { Findings } from "../components/audit/findings.js";
import { Proof } from "../components/audit/proof.js";
import { disputed, evening, gain, lineName, names, Outcome, sitter } from "../components/audit/spoken.js";
import { Timeline } from "../components/audit/timeline.js";
import { useEvening } from "./watching.js";

/** What there is to look at, and who may. */
const TABS = [
  ["sheet", () => true],
  ["timeline", traces],
  ["disputes", () => true],
  ["findings", () => true],
  ["changes", () => true],
  ["time", () => true],
  ["proof", () => true],
];

export function Evening({ id, query }) {
  const { state, failed, again } = useEvening(id);
  if (failed) return html`<main class="page"><h1>${t("failed.title")}</h1><p>${t(`failed.${failed}`)}</p><a class="button" href="#/director">${t("back")}</a></main>`;
  if (!state) return html`<main class="page" aria-busy="true"><h1>${t("loading")}</h1></main>`;
  const tabs = TABS.filter(([, may]) => may()).map(([name]) => name);
  const tab = tabs.includes(query.get("tab")) ? query.get("tab") : "sheet";
  const open = (state.docket?.disputes ?? []).filter((one) => one.state === "open").length;
  return html`
    <main class="page director">
      <header class="pagehead"><a class="button quiet" href=${audits() ? "#/director" : `#/sheet/${id}`}>${t("back")}</a>
        <h1>${evening(state)}</h1><p class="names">${names(state)} · ${t(`ruleset.${state.ruleset}`)}</p></header>
      <nav class="tabs" aria-label=${t("menu")}>${tabs.map((name) => html`<a key=${name} class=${`button${name === tab ? " picked" : ""}`} href=${`#/director/${id}?tab=${name}`} data-tab=${name} aria-current=${name === tab ? "page" : undefined}>${t(`audit.tab.${name}`)}${name === "disputes" && open ? ` (${open})` : ""}</a>`)}</nav>
      <${Tab} name=${tab} id=${id} state=${state} again=${again} />
    </main>
  `;
}

function Tab({ name, id, state, again }) {
  if (name === "timeline") return html`<${Timeline} id=${id} state=${state} />`;
  if (name === "disputes") return html`<${Disputes} id=${id} state=${state} />`;
  if (name === "findings") return html`<${AllFindings} id=${id} state=${state} again=${again} />`;
  if (name === "changes") return html`<${AllChanges} id=${id} state=${state} again=${again} />`;
  if (name === "time") return html`<${Compare} id=${id} state=${state} />`;
  if (name === "proof") return html`<${Proof} id=${id} />`;
  return html`<${Sheet} id=${id} state=${state} />`;
}

/** The score sheet with its marks: disputed, corrected, signed by whom; each line leads to its deal. */
function Sheet({ id, state }) {
  if (!state.rows.length) return html`<p>${t("sheet.none")}</p>`;
  return html`
    <div class="scroll" tabindex="0" role="region" aria-label=${t("scoresheet")}><table class="score">
      <thead><tr><th scope="col">${t("sheet.deal")}</th><th scope="col" class="left">${t("sheet.what")}</th>${SEATS.map((seat) => html`<th scope="col" key=${seat}>${sitter(state, seat)}</th>`)}<th scope="col">${t("pool")}</th></tr></thead>
      <tbody>${state.rows.map((row, place) => html`<tr key=${place} class=${row.counts ? "" : "uncounted"}>
        <td><a href=${`#/director/${id}/line/${place + 1}`} data-line=${place + 1} aria-label=${`${t("audit.open.deal")}: ${lineName(row, place + 1)}`}>${row.counts ? row.number : `(${place + 1})`}</a></td>
        <td class="left"><${Outcome} state=${state} row=${row} /> <${Marks} state=${state} row=${row} line=${place + 1} /></td>
        ${SEATS.map((seat) => html`<td key=${seat}>${row.deltas?.[seat] ? html`<small>${gain(row.deltas[seat])}</small> ` : ""}${amount(row.balances[seat])}</td>`)}<td>${say.pool(row.pool)}</td></tr>`)}</tbody>
      ${state.final && html`<tfoot><tr><td></td><td class="left">${t("sheet.final")}</td>${SEATS.map((seat) => html`<td key=${seat}>${state.winners?.includes(seat) ? "★ " : ""}${amount(state.final[seat])}</td>`)}<td></td></tr></tfoot>`}
    </table></div>
  `;
}

function Marks({ state, row, line }) {
  const open = disputesOf(state, line).filter((one) => one.state === "open").length;
  const signed = SEATS.filter((seat) => row.signed?.[seat]);
  const uncovered = signed.filter((seat) => !row.signed[seat].covers);
  const covering = signed.filter((seat) => row.signed[seat].covers);
  return html`${open > 0 && html`<span class="mark open">${t("audit.mark.disputed")}</span> `}${row.corrected && html`<span class="mark">${t("audit.mark.corrected")}</span> `}
    ${covering.length > 0 && html`<span class="mark signed">${t("audit.mark.signed", { names: covering.map((seat) => sitter(state, seat)).join(", ") })}</span> `}
    ${uncovered.length > 0 && html`<span class="mark">${t("audit.mark.uncovered", { names: uncovered.map((seat) => sitter(state, seat)).join(", ") })}</span>`}`;
}

function Disputes({ id, state }) {
  const all = state.docket?.disputes ?? [];
  if (!all.length) return html`<p>${t("audit.disputes.none")}</p>`;
  return html`<ul class="cards">${all.toReversed().map((one) => html`<li class=${`evening${one.state === "open" ? " waits" : ""}`} key=${one.number}>
    <span><b>${lineName(state.rows[one.raised.line - 1], one.raised.line)}</b> · ${disputed(state, one.raised)}<br /><span class="mark">${t(`audit.ended.${one.state}`)}</span></span>
    <a class=${`button${one.state === "open" && rules() ? " main" : ""}`} href=${`#/director/${id}/line/${one.raised.line}`}>${t("audit.open.deal")}</a></li>`)}</ul>`;
}

function AllFindings({ id, state, again }) {
  const { value, failed } = useLoaded(async () => (await ask("GET", `/api/sessions/${id}/findings`)).findings, [id, state.version]);
  if (failed) return html`<p class="refusal" role="alert">${say.failure(failed)}</p>`;
  return value ? html`<${Findings} id=${id} state=${state} findings=${value} onDone=${again} />` : html`<p>${t("loading")}</p>`;
}

function AllChanges({ id, state, again }) {
  const { value, failed } = useLoaded(() => ask("GET", `/api/sessions/${id}/changes`), [id, state.version]);
  if (failed) return html`<p class="refusal" role="alert">${say.failure(failed)}</p>`;
  return value ? html`<${Changes} id=${id} state=${state} changes=${value} onDone=${again} />` : html`<p>${t("loading")}</p>`;
}
