/** A finished deal as it is ruled on: its entries, what is disputed, what the record proves, and the director's acts. */

import { useState } from "../vendor/hooks.js";
import { beforeLine, today, walk } from "../game/correcting.js";
import { SEATS } from "../game/seats.js";
import { ask } from "../store/api.js";
import { audits, mainLine, receives, rules, traces, useLoaded } from "../store/audit.js";
import { amount, t } from "../text/index.js";
import * as say from "../text/say.js";
import { go } from "../router.js";
import { Button } from "../components/button.js";
import { html } from "../components/html.js";
import { Correction } from "../components/audit/correction.js";
import { DisputeDialog, disputesOf } from "../components/audit/dispute.js";
import { Findings } from "../components/audit/findings.js";
import { Receipt } from "../components/audit/receipt.js";
import { Simulator } from "../components/audit/simulator.js";
import { disputed, evening, gain, lineName, Outcome, reported, sitter } from "../components/audit/spoken.js";
import { Timeline } from "../components/audit/timeline.js";
import { Transfer } from "../components/audit/transfer.js";
import { useEvening } from "./watching.js";

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
  const loaded = useLoaded(async () => (state ? { told: await ask("GET", `/api/sessions/${id}/lines/${line}`), main: await mainLine(id) } : null), [id, line, state?.version]);
  const wrong = failed ?? loaded.failed;
  if (wrong) return html`<main class="page"><h1>${t("failed.title")}</h1><p>${t(`failed.${wrong === "offline" ? wrong : "missing"}`)}</p><a class="button" href=${`#/director/${id}`}>${t("back")}</a></main>`;
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
      ${now === "correct" && html`<${Correction} key=${told.hash} ...${put} open=${mine} />`}
      ${now === "transfer" && html`<${Transfer} ...${put} open=${mine} />`}
      ${now === "timeline" && html`<${Timeline} id=${id} state=${state} line=${line} />`}
      ${now === "receipt" && html`<${Receipt} id=${id} line=${line} />`}
    </main>
  `;
}

/** Who got and who paid, what each had then, and the same as the table had recorded it where that was changed. */
function Money({ state, row }) {
  const line = (one, name) => html`<tr class=${name === "was" ? "uncounted" : ""}><th scope="row" class="left">${t(`audit.row.${name}`)}</th>${SEATS.map((seat) => html`<td key=${seat}>${one.deltas ? html`<small>${gain(one.deltas[seat])}</small> ` : ""}${amount(one.balances[seat])}</td>`)}<td>${say.pool(one.pool)}</td></tr>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${t("settle.title")}><table class="score money">
    <thead><tr><td></td>${SEATS.map((seat) => html`<th scope="col" key=${seat}>${sitter(state, seat)}</th>`)}<th scope="col">${t("pool")}</th></tr></thead>
    <tbody>${line(row, "now")}${row.was ? line(row.was, "was") : ""}</tbody></table></div>`;
}

function Look({ id, state, line, told, main, onDone }) {
  const [disputing, dispute] = useState(false);
  const game = beforeLine(main, line, state.rows[line - 1], state.rows[line - 2]);
  const steps = walk(game, today(told.entries));
  return html`
    <div class="lookat">
      <section><h2>${t("entries.title")}</h2>
        <ol class="entries plain">${steps.map(({ item, before }) => html`<li key=${`${item.number}.${item.part}`} class="entryline"><span class="number">${item.number}</span><span>${reported(before.rules ? before : game.game, item.entry)}</span>${item.part ? html` <span class="mark">${t("audit.mark.put")}</span>` : ""}</li>`)}</ol></section>
      <div class="beside">
        <section><h2>${t("audit.tab.disputes")}</h2><${DealDisputes} id=${id} state=${state} line=${line} />
          <div><${Button} name="dispute" data-key="dispute" onTap=${() => dispute(true)}>${t("audit.dispute.raise")}<//></div></section>
        <section><h2>${t("audit.tab.findings")}</h2><${Findings} id=${id} state=${state} findings=${told.findings} onDone=${onDone} /></section>
      </div>
    </div>
    ${disputing && html`<${DisputeDialog} state=${state} line=${line} entries=${told.entries} onClose=${() => dispute(false)} onDone=${() => { dispute(false); onDone(); }} />`}
  `;
}

function DealDisputes({ id, state, line }) {
  const all = disputesOf(state, line);
  if (!all.length) return html`<p>${t("audit.disputes.here")}</p>`;
  return html`<ul class="cards">${all.map((one) => html`<li class=${`notice${one.state === "open" ? " waits" : ""}`} key=${one.number} data-dispute-state=${one.state}>
    <p>${disputed(state, one.raised)}</p><p><span class="mark">${t(`audit.ended.${one.state}`)}</span></p>
    ${one.state === "open" && rules() && html`<a class="button main" href=${`#/director/${id}/line/${line}?do=rulings`}>${t("audit.do.rulings")}</a>`}</li>`)}</ul>`;
}
