/** A finished deal as it is ruled on: its entries, what is disputed, what the record proves, and the director's acts. */

import { useState } from "../vendor/hooks.js";
import { beforeLine, today, walk } from "../game/correcting.js";
import { SEATS } from "../game/seats.js";
import { ask, Offline } from "../store/api.js";
import { mainLine } from "../store/audit.js";
import { audits, receives, rules, speaks, traces } from "../store/roles.js";
import { amount, t } from "../text/index.js";
import * as say from "../text/say.js";
import { go } from "../router.js";
import { Button } from "../components/button.js";
import { html } from "../components/html.js";
import { useLoaded } from "../components/loaded.js";
import { Correction } from "../components/audit/correction.js";
import { DisputeDialog, disputesOf } from "../components/audit/dispute.js";
import { Findings } from "../components/audit/findings.js";
import { Receipt } from "../components/audit/receipt.js";
import { Simulator } from "../components/audit/simulator.js";
import { disputed, evening, gain, lineName, Outcome, reported, sitter } from "../components/audit/spoken.js";
import { Timeline } from "../components/audit/timeline.js";
import { Transfer } from "../components/audit/transfer.js";
import { useEvening } from "./watching.js";

const OVER = ["closed", "ended", "abandoned"];

/** What may be done here, and by whom. */
const MODES = [
  ["look", () => true],
  ["rulings", audits],
  ["correct", rules],
  ["transfer", rules],
  ["timeline", traces],
  ["receipt", receives],
];

export function Deal({ id, line, mode }) {
  const { state, failed, again } = useEvening(id);
  const loaded = useLoaded(async () => (state?.rows[line - 1] ? { told: await ask("GET", `/api/sessions/${id}/lines/${line}`), main: await mainLine(id) } : null), [id, line, state?.version]);
  const playing = state && line === state.rows.length + 1 && !OVER.includes(state.phase);
  const wrong = failed ?? (loaded.failed && (loaded.failed instanceof Offline ? "offline" : "missing")) ?? (state && !playing && !state.rows[line - 1] ? "missing" : null);
  if (wrong) return html`<main class="page"><h1>${t("failed.title")}</h1><p>${t(`failed.${wrong === "offline" ? wrong : "missing"}`)}</p><a class="button" href=${`#/director/${id}`}>${t("back")}</a></main>`;
  if (playing) return html`<${Unfinished} id=${id} state=${state} line=${line} onDone=${again} />`;
  if (!state || !loaded.value) return html`<main class="page" aria-busy="true"><h1>${t("loading")}</h1></main>`;
  const { told, main } = loaded.value;
  const row = state.rows[line - 1];
  const modes = MODES.filter(([, may]) => may()).map(([name]) => name);
  const now = modes.includes(mode) ? mode : "look";
  const here = `/director/${id}/line/${line}`;
  const open = (state.docket?.disputes ?? []).filter((one) => one.state === "open");
  const mine = open.filter(({ raised }) => raised.line === line);
  const done = () => {
    again();
    go(here);
  };
  const put = { id, state, line, told, main, onDone: done, onCancel: () => go(here) };
  return html`
    <main class="page director deal">
      <header class="pagehead"><a class="button quiet" href=${`#/director/${id}`}>${t("back")}</a>
        <div><h1>${lineName(row, line)}: <${Outcome} state=${state} row=${row} /></h1><p class="names">${evening(state)}</p></div>
        <span class="besides">${line > 1 && html`<a class="button small" href=${`#/director/${id}/line/${line - 1}`}>${t("replay.before")}</a>`}${line < state.rows.length && html`<a class="button small" href=${`#/director/${id}/line/${line + 1}`}>${t("replay.after")}</a>`}</span></header>
      <${Money} state=${state} row=${row} />
      <nav class="tabs" aria-label=${t("audit.acts")}>${modes.map((name) => html`<a key=${name} class=${`button${name === now ? " picked" : ""}`} href=${`#${here}?do=${name}`} data-do=${name} aria-current=${name === now ? "page" : undefined}>${t(`audit.do.${name}`)}</a>`)}</nav>
      ${now === "look" && html`<${Look} ...${put} />`}
      ${now === "rulings" && html`<${Simulator} ...${put} open=${open} />`}
      ${now === "correct" && html`<${Correction} key=${told.hash} ...${put} open=${mine} onCompare=${() => go(`${here}?do=rulings`)} />`}
      ${now === "transfer" && html`<${Transfer} ...${put} open=${mine} />`}
      ${now === "timeline" && html`<${Timeline} id=${id} state=${state} line=${line} />`}
      ${now === "receipt" && html`<${Receipt} id=${id} line=${line} />`}
    </main>
  `;
}

/** A deal that is still being played: it may be disputed, and is ruled on when it has ended. */
function Unfinished({ id, state, line, onDone }) {
  return html`<main class="page director"><header class="pagehead"><a class="button quiet" href=${`#/director/${id}`}>${t("back")}</a><h1>${evening(state)}</h1></header>
    <p class="prompt">${t("audit.unfinished")}</p><${Disputed} id=${id} state=${state} line=${line} onDone=${onDone} /></main>`;
}

/** Who got and who paid, what each had then, and the same as the table had recorded it where that was changed. */
function Money({ state, row }) {
  const line = (one, name) => html`<tr class=${name === "was" ? "uncounted" : ""}><th scope="row" class="left">${t(`audit.row.${name}`)}</th>${SEATS.map((seat) => html`<td key=${seat}>${one.deltas ? html`<small>${gain(one.deltas[seat])}</small> ` : ""}${amount(one.balances[seat])}</td>`)}<td>${say.pool(one.pool)}</td></tr>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${t("settle.title")}><table class="score money">
    <thead><tr><td></td>${SEATS.map((seat) => html`<th scope="col" key=${seat}>${sitter(state, seat)}</th>`)}<th scope="col">${t("pool")}</th></tr></thead>
    <tbody>${line(row, "now")}${row.was ? line(row.was, "was") : ""}</tbody></table></div>`;
}

function Look({ id, state, line, told, main, onDone }) {
  const game = beforeLine(main, line, state.rows[line - 1], state.rows[line - 2]);
  const steps = walk(game, today(told.entries));
  return html`
    <div class="lookat">
      <section><h2>${t("entries.title")}</h2>
        <ol class="entries plain">${steps.map(({ item, before }) => html`<li key=${`${item.number}.${item.part}`} class="entryline"><span class="number">${item.number}</span><span>${reported(before.rules ? before : game.game, item.entry)}</span>${item.part ? html` <span class="mark">${t("audit.mark.put")}</span>` : ""}</li>`)}</ol></section>
      <div class="beside">
        <${Disputed} id=${id} state=${state} line=${line} entries=${told.entries} onDone=${onDone} />
        <section><h2>${t("audit.tab.findings")}</h2><${Findings} id=${id} state=${state} findings=${told.findings} onDone=${onDone} /></section>
      </div>
    </div>
  `;
}

/** The disputes of a deal, and the way to raise one or to withdraw it. */
function Disputed({ id, state, line, entries, onDone }) {
  const [disputing, dispute] = useState(false);
  const all = disputesOf(state, line);
  return html`<section><h2>${t("audit.tab.disputes")}</h2>
    ${!all.length && html`<p>${t("audit.disputes.here")}</p>`}
    <ul class="cards">${all.map((one) => html`<li class=${`notice${one.state === "open" ? " waits" : ""}`} key=${one.number} data-dispute-state=${one.state}>
      <p>${disputed(state, one.raised)}</p><p><span class="mark">${t(`audit.ended.${one.state}`)}</span></p>
      ${one.state === "open" && rules() && state.rows[line - 1] && html`<a class="button main" href=${`#/director/${id}/line/${line}?do=rulings`}>${t("audit.do.rulings")}</a>`}</li>`)}</ul>
    ${speaks() && html`<div><${Button} name="dispute" data-key="dispute" onTap=${() => dispute(true)}>${t(all.some((one) => one.state === "open") ? "audit.dispute.more" : "audit.dispute.raise")}<//></div>`}
    ${disputing && html`<${DisputeDialog} state=${state} line=${line} entries=${entries} onClose=${() => dispute(false)} onDone=${() => { dispute(false); onDone(); }} />`}</section>`;
}
