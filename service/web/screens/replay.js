/** Any finished deal again, step by step; hands as far as known, entries taken back struck through; every step has a link. */

import { useEffect, useMemo, useState } from "../vendor/hooks.js";
import { SEATS } from "../game/seats.js";
import { SUITS, inHandOrder, suitOf } from "../game/cards.js";
import { remaining } from "../game/tricks.js";
import { turn } from "../game/table.js";
import { dealsOf } from "../game/steps.js";
import { ask, Offline } from "../store/api.js";
import { learns } from "../store/roles.js";
import * as database from "../store/database.js";
import { t } from "../text/index.js";
import * as say from "../text/say.js";
import { go, here } from "../router.js";
import { html } from "../components/html.js";
import { useLoaded } from "../components/loaded.js";
import { Card } from "../components/suit.js";
import { Table } from "../components/table.js";

const lines = async (path) => (await ask("GET", path, undefined, { text: true })).split("\n").filter(Boolean).map((line) => JSON.parse(line));

/** What the table recorded, and for an evening that was corrected what stands now: `{recorded, corrected}`. */
async function load(id) {
  try {
    const recorded = await lines(`/api/sessions/${id}/record`);
    const corrected = recorded.some(({ entry }) => entry === "correct") ? await lines(`/api/sessions/${id}/record?effective=true`) : null;
    return { recorded, corrected };
  } catch (error) {
    const kept = error instanceof Offline ? await database.loadEvening(id) : null;
    if (!kept) throw error;
    return { recorded: kept.entries, corrected: null };
  }
}

/** What the record proves against itself, by entry: `(number) => words`; nothing to whoever is not told of it. */
async function loadFindings(id) {
  if (!learns()) return NONE;
  const [{ found }, { findings }, state] = await Promise.all([import("../components/audit/findings.js"), ask("GET", `/api/sessions/${id}/findings`), ask("GET", `/api/sessions/${id}`)]);
  return (number) => findings.filter(({ entries }) => entries.includes(number)).map((one) => found(state, one));
}

const NONE = () => [];

export default function ReplayScreen({ id, query }) {
  const [record, put] = useState(null);
  const [failed, fail] = useState(null);
  const { value } = useLoaded(() => loadFindings(id), [id, learns()]);
  useEffect(() => void load(id).then(put, (error) => fail(error instanceof Offline ? "offline" : "missing")), [id]);
  const as = query.get("as") === "recorded" || !record?.corrected ? "recorded" : "corrected";
  const deals = useMemo(() => (record ? dealsOf(record[as]) : []), [record, as]);
  if (failed) return html`<main class="page"><h1>${t("failed.title")}</h1><p>${t(`failed.${failed}`)}</p></main>`;
  if (!record) return html`<main class="page" aria-busy="true"><h1>${t("loading")}</h1></main>`;
  if (!deals.length) return html`<main class="page"><h1>${t("replay")}</h1><p>${t("sheet.none")}</p><a class="button" href=${`#/sheet/${id}`}>${t("scoresheet")}</a></main>`;
  return html`<${Deal} id=${id} deals=${deals} query=${query} as=${record.corrected ? as : null} findings=${as === "corrected" ? NONE : (value ?? NONE)} />`;
}

const within = (number, most) => Math.min(Math.max(number, 0), most);

/** The deal, and the step of it, that an address names. */
function named(deals, query) {
  const place = within(Number(query.get("deal") ?? deals.length) - 1, deals.length - 1);
  return { place, now: within(Number(query.get("step") ?? 0), deals[place].steps.length - 1) };
}

/** `as` says of a corrected evening which of its two lines of play is shown; only in the recorded one do findings have entries. */
function Deal({ id, deals, query, as, findings }) {
  const { place, now } = named(deals, query);
  const { steps, row } = deals[place];
  const last = steps.length - 1;
  const address = (deal, step, how) => `/replay/${id}?deal=${deal + 1}&step=${step}${how === "recorded" ? "&as=recorded" : ""}`;
  const show = (deal, step) => go(address(deal, step, as));
  // Of two quick keys or taps the second goes on from where the first one led, be it drawn yet or not.
  const move = (by) => {
    const at = named(deals, here().query);
    show(at.place, within(at.now + by, deals[at.place].steps.length - 1));
  };
  const turnTo = (by) => show(within(named(deals, here().query).place + by, deals.length - 1), 0);
  useEffect(() => {
    const keys = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };
    const press = (event) => event.key in keys && event.target.tagName !== "INPUT" && move(keys[event.key]);
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  });
  const { game } = steps[now];
  return html`
    <main class="page replay">
      <header class="pagehead"><a class="button quiet" href=${`#/sheet/${id}`}>${t("scoresheet")}</a><h1>${t("replay")}: ${t("deal.of", { number: row.number, deals: game.rules.deals })}</h1>
        <span class="besides"><button type="button" class="button small" disabled=${place === 0} onClick=${() => turnTo(-1)}>${t("replay.before")}</button>
        <button type="button" class="button small" disabled=${place === deals.length - 1} onClick=${() => turnTo(1)}>${t("replay.after")}</button></span></header>
      <div class="stepper">
        <button type="button" class="button" aria-label=${t("replay.first")} onClick=${() => move(-Infinity)}>|◀</button>
        <button type="button" class="button" aria-label=${t("replay.back")} onClick=${() => move(-1)}>◀</button>
        <input type="range" min="0" max=${last} value=${now} aria-label=${t("replay.step")} aria-valuetext=${say.entry(game, steps[now].entry)} onInput=${(event) => show(place, Number(event.target.value))} />
        <button type="button" class="button" aria-label=${t("replay.next")} onClick=${() => move(1)}>▶</button>
        <button type="button" class="button" aria-label=${t("replay.last")} onClick=${() => move(Infinity)}>▶|</button>
      </div>
      ${as && html`<div class="keys three" role="group">${["corrected", "recorded"].map((how) => html`<a key=${how} class=${`button small ${how === as ? "picked" : "quiet"}`} aria-current=${how === as ? "true" : undefined} data-key=${`as-${how}`} href=${`#${address(place, 0, how)}`}>${t(`replay.${how}`)}</a>`)}</div>`}
      <p class=${`prompt${steps[now].struck ? " struck" : ""}`} aria-live="polite">${as === "corrected" ? "" : `${steps[now].number}. `}${say.entry(game, steps[now].entry)}</p>
      ${findings(steps[now].number).map((words) => html`<p class="finding" key=${words}>${words}</p>`)}
      <div class="stage">
        <div class="now">
          <${Table} game=${game} acting=${turn(game)} />
          ${game.deal && Object.keys(game.deal.hands).length > 0 && html`<div class="hands">${SEATS.filter((seat) => game.deal.hands[seat]).map((seat) => html`<${Hand} key=${seat} game=${game} seat=${seat} />`)}</div>`}
          ${now === last && game.rows[place] && html`<p class="prompt">${say.outcome(game.rows[place], (seat) => say.player(game, seat))}</p>`}
        </div>
        <ol class="entries" tabindex="0" aria-label=${t("entries.title")}>${steps.map((step, number) => html`<li key=${step.number}><button type="button" class=${`entryline${number === now ? " picked" : ""}`} aria-current=${number === now ? "step" : undefined} onClick=${() => show(place, number)}>
          <span class="number">${as === "corrected" ? "" : step.number}</span><span class=${step.struck ? "struck" : ""}>${say.entry(step.game, step.entry)}</span>${findings(step.number).length > 0 && html`<span class="mark">${t("replay.finding")}</span>`}</button></li>`)}</ol>
      </div>
    </main>
  `;
}

/** What a seat still holds, suit by suit. */
const Hand = ({ game, seat }) => {
  const held = inHandOrder(remaining(game.deal, seat) ?? []);
  return html`<section class="hand"><h3>${say.player(game, seat)}</h3>${[...SUITS].map((suit) => html`<div class="handrow" key=${suit}>${held.filter((card) => suitOf(card) === suit).map((card) => html`<${Card} key=${card} card=${card} />`)}</div>`)}</section>`;
};
