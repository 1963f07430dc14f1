/**
 * The correction of a finished deal. It starts from the values of today; what it would change stands old beside new
 * before anything is recorded, computed by the service and recorded nowhere; cancelling changes nothing.
 */

import { useMemo, useState } from "../../vendor/hooks.js";
import { beforeLine, changesOf, insertedAfter, lastOf, lineOf, replaced, seatedAnew, today, walk, withResult, without } from "../../game/correcting.js";
import { SEATS } from "../../game/seats.js";
import { enter, proposal, proposed, simulate } from "../../store/audit.js";
import { nameOf } from "../../store/players.js";
import { seatLetter, t } from "../../text/index.js";
import * as say from "../../text/say.js";
import { Button } from "../button.js";
import { html } from "../html.js";
import { useLoaded } from "../loaded.js";
import { Act, useSecondKey } from "./act.js";
import { BARE, CHANGEABLE, Editor, mayFollow } from "./editor.js";
import { Effect } from "./effect.js";
import { ContractKeys, TrickKeys } from "./result.js";
import { disputed, reported } from "./spoken.js";

const WAYS = ["result", "entries", "seats"];

/** Of the rulings side by side the one that changes nothing, and the correction, which stands last. */
const compared = ({ effects }, asked) => ({ stands: effects[0], corrected: effects.at(-1), asked });

/** `told` is the line as the service tells it, `main` the evening's entries in force, `open` its open disputes. */
export function Correction({ id, state, line, told, main, open, onDone, onCancel, onCompare }) {
  const kept = proposed(id, line, told.hash);
  const [way, go] = useState(kept ? "entries" : "result");
  const [ruled, rule] = useState(open[0]?.number ?? null);
  const row = state.rows[line - 1];
  const now = useMemo(() => today(told.entries), [told.hash]);
  const base = useMemo(() => beforeLine(main, line, row, state.rows[line - 2]), [told.hash]);
  const [draft, put] = useState(kept?.draft ?? now);
  const [turn, begin] = useState(0);
  const changes = changesOf(now, draft);
  const asked = JSON.stringify(changes);
  const tried = useLoaded(async () => (changes.length ? compared(await simulate(id, { corrections: [{ line, changes }] }), asked) : null), [id, line, state.version, asked]);
  const game = base.game;
  const change = (next) => put(seatedAnew(base, next));
  const effect = changes.length ? tried.value?.corrected : null;
  const fits = effect && !effect.refused;
  // What is shown may still be what was asked before: only what was looked at is recorded.
  const looked = fits && tried.value.asked === asked;
  const second = useSecondKey(id, fits ? [{ entry: "correct", changes, reason: "–" }] : [], state.version);
  const record = async ({ reason, law, secondKey }) => {
    const entry = { entry: "correct", changes, reason, ...(law ? { law } : {}), ...(ruled ? { dispute: ruled } : {}) };
    const resolve = { entry: "resolve", dispute: ruled, outcome: "corrected", reason, ...(law ? { law } : {}) };
    await enter(id, ruled ? [entry, resolve] : [entry], { version: state.version, secondKey });
    proposal.value = null;
    onDone();
  };
  const cancel = () => {
    proposal.value = null;
    onCancel();
  };
  const compare = () => {
    proposal.value = { id, line, hash: told.hash, draft, changes };
    onCompare();
  };
  return html`
    <section class="correction" aria-label=${t("audit.do.correct")}>
      <p>${t("audit.correct.about")}</p>
      <div class="keys reasons" role="group" aria-label=${t("audit.way")}>${WAYS.map((name) => html`<${Button} key=${name} kind=${name === way ? "strong" : "plain"} name=${`way-${name}`} data-key=${`way-${name}`} aria-pressed=${String(name === way)} onTap=${() => go(name)}>${t(`audit.way.${name}`)}<//>`)}</div>
      ${way === "result" && html`<${Result} key=${turn} base=${base} row=${row} draft=${draft} onDraft=${change} />`}
      ${way === "entries" && html`<${Entries} key=${turn} base=${base} draft=${draft} onDraft=${change} />`}
      ${way === "seats" && html`<${Chairs} state=${state} row=${row} draft=${draft} onDraft=${put} />`}
      ${changes.length > 0 && html`<div><${Button} kind="quiet" name="start-anew" data-key="start-anew" onTap=${() => { put(now); begin(turn + 1); }}>${t("audit.correct.anew")}<//></div>`}
      <h2>${t("audit.correct.would")}</h2>
      ${!changes.length && html`<p role="status">${t("audit.correct.nothing")}</p>`}
      ${changes.length > 0 && tried.failed && html`<p class="refusal" role="alert">${say.failure(tried.failed, game)}</p>`}
      ${effect?.refused && html`<p class="refusal" role="alert">${t("audit.correct.refused")} ${say.refusal(effect.refused, game)}</p>`}
      ${fits && html`<${Effect} state=${state} lines=${effect.changed} ends=${{ old: tried.value.stands, new: effect }} />`}
      ${fits && html`<div><${Button} name="compare" data-key="compare" onTap=${compare}>${t("audit.correct.compare")}<//></div>`}
      ${open.length > 0 && html`<label class="field">${t("audit.correct.settles")}<select name="dispute" onChange=${(event) => rule(Number(event.target.value) || null)}><option value="" selected=${!ruled}>${t("audit.correct.settlesnone")}</option>${open.map((one) => html`<option key=${one.number} value=${one.number} selected=${ruled === one.number}>${disputed(state, one.raised)}</option>`)}</select></label>`}
      <${Act} name="do-correct" does=${t("audit.correct.do")} reasons=${t("reasons.correct").split("|")} law=${true} disabled=${!looked} secondKey=${second} game=${game} onDo=${record} onCancel=${cancel} />
    </section>
  `;
}

const resultOf = (row) => ({
  contract: { caller: row.caller ?? null, contract: row.contract ?? (row.outcome === "misere_partout" ? "partout" : null), preference: row.preference ?? null, trumps: row.trumps ?? null },
  tricks: row.tricks ?? {},
});

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** The result alone, from the draft as it is when this is opened: what was played, and the tricks. */
function Result({ base, row, draft, onDraft }) {
  const [first] = useState(() => ({ draft, ...resultOf(lineOf(base, draft) ?? row) }));
  const [said, put] = useState({ contract: first.contract, tricks: first.tricks });
  const change = (next) => {
    put(next);
    const contract = same(next.contract, first.contract) ? null : next.contract;
    const tricks = SEATS.every((seat) => next.tricks[seat] !== undefined) && !same(next.tricks, first.tricks) ? next.tricks : null;
    const ready = !contract || contract.contract === "partout" || (contract.caller && contract.contract);
    onDraft(ready ? withResult(first.draft, contract, tricks) : first.draft);
  };
  return html`<${ContractKeys} game=${base.game} value=${said.contract} onChange=${(contract) => change({ ...said, contract })} />
    <${TrickKeys} game=${base.game} contract=${said.contract.contract} value=${said.tricks} onChange=${(tricks) => change({ ...said, tricks })} />`;
}

/** Entry by entry: a tap opens what may be done with it. */
function Entries({ base, draft, onDraft }) {
  const [open, put] = useState(null);
  const steps = walk(base, draft);
  const done = (next) => {
    put(null);
    onDraft(next);
  };
  const follow = (place, kind) => (BARE[kind] ? done(insertedAfter(draft, place, BARE[kind]())) : put({ place, how: "insert", kind }));
  if (open?.how) {
    const { item, before, after } = steps[open.place];
    const change = open.how === "change";
    return html`<p class="prompt">${item.number ?? "+"} · ${reported(before.rules ? before : base.game, item.entry)}${change ? "" : ` · ${t("audit.entry.after", { kind: t(`audit.kind.${open.kind}`) })}`}</p>
      <${Editor} game=${change ? before : after} entry=${change ? item.entry : { entry: open.kind }} onCancel=${() => put({ place: open.place })}
        onEntry=${(entry) => done(change ? replaced(draft, open.place, entry) : insertedAfter(draft, open.place, entry))} />`;
  }
  return html`<ol class="entries mending" tabindex="0" aria-label=${t("audit.way.entries")}>${steps.map(({ item, before, after, refusal }, place) => html`<li key=${`${item.number}.${item.part}.${item.number === null ? place : ""}`}>
    <button type="button" class=${`entryline${item.was && JSON.stringify(item.was) === JSON.stringify(item.entry) ? "" : " altered"}`} data-entry=${place} aria-expanded=${String(open?.place === place)} onClick=${() => put(open?.place === place ? null : { place })}>
      <span class="number">${item.number ?? "+"}</span><span>${reported(before.rules ? before : base.game, item.entry)}${item.was && JSON.stringify(item.was) !== JSON.stringify(item.entry) ? html` <small><del>${reported(before, item.was)}</del></small>` : ""}${refusal ? html` <span class="mark open">${t("audit.correct.misfit")}</span>` : ""}</span></button>
    ${open?.place === place && html`<div class="keys reasons">
      ${CHANGEABLE.includes(item.entry.entry) && html`<${Button} kind="main" name="entry-change" data-key="entry-change" onTap=${() => put({ place, how: "change" })}>${t("mend.change")}<//>`}
      <${Button} kind="danger" name="entry-withdraw" data-key="entry-withdraw" onTap=${() => done(without(draft, place))}>${t("audit.entry.withdraw")}<//>
      ${mayFollow(after).map((kind) => html`<${Button} key=${kind} name=${`entry-after-${kind}`} data-key=${`entry-after-${kind}`} onTap=${() => follow(place, kind)}>${t("audit.entry.after", { kind: t(`audit.kind.${kind}`) })}<//>`)}
    </div>`}
  </li>`)}</ol>`;
}

/** Who really sat where: two taps change two players' places; the money stays on the chair where it was won. */
function Chairs({ state, row, draft, onDraft }) {
  const [picked, pick] = useState(null);
  const [from, begin] = useState(row.number);
  const at = draft.findIndex((item) => !item.was && item.entry.entry === "reseat");
  const seats = draft[at]?.entry.seats ?? Object.fromEntries(SEATS.map((seat) => [seat, state.seats[seat].player_id]));
  const put = (next, deal) => {
    const entry = { entry: "reseat", seats: next, from_deal: deal, reason: t("reseat.reason") };
    onDraft(at < 0 ? insertedAfter(draft, lastOf(draft), entry) : replaced(draft, at, entry));
  };
  const touch = (seat) => {
    if (!picked || picked === seat) return pick(picked === seat ? null : seat);
    pick(null);
    return put({ ...seats, [seat]: seats[picked], [picked]: seats[seat] }, from);
  };
  return html`<p>${t("reseat.about")}</p>
    <div class="keys two">${SEATS.map((seat) => html`<${Button} key=${seat} kind=${picked === seat ? "main" : "plain"} name=${`chair-${seat}`} data-key=${`chair-${seat}`} aria-pressed=${String(picked === seat)} onTap=${() => touch(seat)}>${seatLetter(seat)} · ${nameOf(seats[seat])}<//>`)}</div>
    <div class="keys two">${[...new Set([1, row.number])].map((deal) => html`<${Button} key=${deal} kind=${from === deal ? "main" : "plain"} name=${`reseat-${deal}`} data-key=${`reseat-${deal}`} aria-pressed=${String(from === deal)} onTap=${() => { begin(deal); if (at >= 0) put(seats, deal); }}>${t(deal === 1 ? "reseat.all" : "reseat.from", { deal })}<//>`)}</div>`;
}
