/** The table as it is recorded: the same screen from the first lot to the last settlement. */

import { computed, signal } from "../vendor/signals.js";
import { useEffect } from "../vendor/hooks.js";
import { total } from "../game/pool.js";
import { breaks } from "../game/tricks.js";
import { cardKeys, turn } from "../game/table.js";
import { gameBefore, seatBefore } from "../game/mending.js";
import { OVER, mayUndo } from "../game/session.js";
import { evening, game, record, refused, refreshEvening, showEvening, showKept } from "../store/evening.js";
import { hold, lease, release, takeOver } from "../store/lease.js";
import { follow } from "../store/stream.js";
import { stayAwake } from "../store/wake.js";
import { Offline } from "../store/api.js";
import { club } from "../store/players.js";
import { rules } from "../store/roles.js";
import { amount, t } from "../text/index.js";
import * as say from "../text/say.js";
import { go } from "../router.js";
import { Banner } from "../components/banner.js";
import { Button } from "../components/button.js";
import { Grid } from "../components/grid.js";
import { html } from "../components/html.js";
import { Table } from "../components/table.js";
import { AuctionPanel } from "../components/panels/auction.js";
import { DiscardsPanel, SpreadPanel, TrumpsPanel } from "../components/panels/contract.js";
import { DealingPanel, turned, wantsCard } from "../components/panels/dealing.js";
import { OpeningPanel, cutCard, cutsNext, cutting } from "../components/panels/opening.js";
import { PayKeys, PlayPanel } from "../components/panels/play.js";
import { Final, Settlement } from "../components/panels/settlement.js";
import { EntriesSheet, dropped, mendWith, mends } from "../components/sheets/entries.js";
import { MoreSheet, ReasonSheet } from "../components/sheets/more.js";
import { ReseatSheet } from "../components/sheets/reseat.js";
import { RevokeSheet } from "../components/sheets/revoke.js";
import { ResultSheet, TricksSheet } from "../components/sheets/tricks.js";
import { TroubleSheet } from "../components/sheets/trouble.js";
import { closeSheet, openSheet, sheet } from "../components/sheets/sheet.js";

/** Something begun by a tap that belongs to the table as it stands: any entry, undo or news of the evening ends it. */
function passing(nothing) {
  const kept = signal(null);
  const now = computed(() => (kept.value && kept.value.at === evening.value?.session ? kept.value.what : nothing));
  return {
    get value() {
      return now.value;
    },
    put: (what, at = evening.value?.session) => (kept.value = what ? { what, at } : null),
  };
}

/** A seat that the recorder chose to play out of turn, until its card is tapped. */
const otherSeat = passing(null);
/** The card that would break a rule, waiting for "really played?": `{card, seat, broken}`. */
const question = passing(null);
/** Cards of a spread picked so far. */
const picked = passing(new Set());
/** Why the evening cannot be shown. */
const failed = signal(null);

const PANELS = {
  opening: OpeningPanel,
  dealing: DealingPanel,
  auction: AuctionPanel,
  trumps: TrumpsPanel,
  discards: DiscardsPanel,
  exposing: SpreadPanel,
  play: PlayPanel,
};

const SHEETS = {
  more: MoreSheet,
  entries: EntriesSheet,
  tricks: TricksSheet,
  result: ResultSheet,
  reseat: ReseatSheet,
  revoke: RevokeSheet,
  trouble: TroubleSheet,
  misdeal: ({ game: now }) => html`<${ReasonSheet} game=${now} act="misdeal" />`,
  cancel: ({ game: now }) => html`<${ReasonSheet} game=${now} act="cancel" />`,
  end: ({ game: now }) => html`<${ReasonSheet} game=${now} act="end" />`,
  abandon: ({ game: now }) => html`<${ReasonSheet} game=${now} act="abandon" />`,
};

const may = computed(() => lease.value.mine && !OVER.includes(game.value?.phase));

/** Why the last entry cannot be taken back here, as a code; `null` where it can: the club's policy, and corrections. */
function undoBarred(session) {
  const last = session.trail.at(-1);
  if (session.trail.length < 2) return "nothing_to_undo";
  if (last.number === null) return "corrected_before";
  if (rules()) return null;
  if (last.entry.entry === "transfer") return "director_only";
  return mayUndo(session, club.value?.settings?.recorder_undo ?? "previous_deal") ? null : "undo_too_far";
}

export function RecordScreen({ id }) {
  // An evening that was opened here is followed once the service knows it.
  const known = evening.value?.id === id && evening.value.version > 0;
  useEffect(() => (known ? follow(id, (version) => version > (evening.value?.version ?? 0) && refreshEvening().catch(() => null)) : undefined), [id, known]);
  useEffect(() => {
    failed.value = null;
    const begin = async () => {
      const here = await showKept(id);
      const held = hold(id, !here || evening.value.version > 0);
      if (!here) {
        // Whoever records the table may see its open deal, so the table is asked for first.
        await held;
        await showEvening(id);
      }
    };
    begin().catch((error) => (failed.value = error instanceof Offline ? t("failed.offline") : t("failed.missing")));
    stayAwake(true);
    return () => {
      release();
      stayAwake(false);
      closeSheet();
      mends.value = cutting.value = null;
    };
  }, [id]);
  if (failed.value) return html`<main class="page"><h1>${t("failed.title")}</h1><p>${failed.value}</p><a class="button" href="#/">${t("home")}</a></main>`;
  if (evening.value?.id !== id) return html`<main class="page" aria-busy="true"><h1>${t("loading")}</h1></main>`;
  return html`<${Recording} now=${game.value} />`;
}

function Recording({ now }) {
  const mending = mends.value;
  const shown = (mending && gameBefore(evening.value.session, mending.number)) || now;
  const seat = mending ? seatBefore(evening.value.session, mending.number) : (otherSeat.value ?? (cutting.value ? cutsNext.value : turn(now)));
  const live = may.value && !question.value && gridLive(shown);
  return html`
    <main class="record" data-phase=${now.phase}>
      <${Bar} now=${now} />
      <div class="work">
        <${Table} game=${shown} acting=${seat} onSeat=${may.value && now.phase === "play" && !mending ? chooseSeat : null} label=${tableLabel(now)} />
        <div class="panel">
          ${mending ? html`<${MendPanel} shown=${shown} seat=${seat} />` : html`<${Panel} now=${now} seat=${seat} />`}
          ${sheet.value && SHEETS[sheet.value] && html`<${SHEETS[sheet.value]} game=${now} />`}
          ${question.value && html`<${Question} now=${now} />`}
        </div>
      </div>
      <${Grid} keys=${cardKeys(shown, seat)} live=${live} picked=${now.phase === "exposing" ? picked.value : undefined} onCard=${onCard} />
    </main>
  `;
}

/** The upper edge: where one is, what is saved where, and the last entry with its undo. */
function Bar({ now }) {
  const { session } = evening.value;
  const last = session.trail.at(-1);
  const again = session.undone.at(-1);
  const live = lease.value.mine && !mends.value;
  return html`
    <header class="bar">
      <a class="button quiet home" href="#/" data-key="home">${t("home")}</a>
      <div class="where"><h1>${OVER.includes(now.phase) ? t("deal.over") : t("deal.of", { number: Math.min(now.counted + 1, now.rules.deals), deals: now.rules.deals })}</h1><${Banner} /></div>
      <div class="lastentry" role="status" aria-live="polite">
        <span>${refused.value ? html`<b class="refusal">${say.refusal(refused.value.refusal, now)}</b>` : last ? say.entry(now, last.entry) : ""}</span>
      </div>
      <div class="barkeys">
        ${again && html`<${Button} kind="quiet" name="redo" data-key="redo" disabled=${!live} onTap=${() => record(redoLast)}>${t("redo")}<//>`}
        <${Button} kind="undo" name="undo" data-key="undo" disabled=${!live} aria-label=${last ? t("undo.named", { entry: say.entry(now, last.entry) }) : t("undo")} onTap=${undo}>${t("undo")}<//>
        <${Button} name="more" data-key="more" disabled=${!may.value || mends.value} onTap=${() => openSheet("more")}>${t("more")}<//>
      </div>
    </header>
  `;
}

/** Takes the last entry back, or says in words why it stays. */
function undo() {
  const code = undoBarred(evening.value.session);
  if (code) refused.value = { refusal: { code } };
  else record((session) => ({ entry: "undo", target: session.trail.at(-1).number }));
}

const redoLast = (session) => ({ entry: "redo", target: session.undone.at(-1).step.number });

function Panel({ now, seat }) {
  if (!lease.value.mine) return html`<${Watching} now=${now} />`;
  if (OVER.includes(now.phase)) return html`<${Final} game=${now} /><div class="keys two"><a class="button main" href=${`#/sheet/${evening.value.id}`}>${t("scoresheet")}</a><a class="button" href="#/">${t("home")}</a></div>`;
  if (now.phase === "finished")
    return html`<${Settled} now=${now} /><p class="why">${t("final.preview", { each: amount(total(now.pool, now.rules.cap) / 4) })}</p>
      <div class="keys two foot"><${ShowRound} /><${Button} kind="main" name="close" data-key="close-session" onTap=${() => record(() => ({ entry: "close" }))}>${t("close.do")}<//></div>`;
  if (now.phase === "between_deals" && now.last?.settlement)
    return html`<${Settled} now=${now} /><div class="keys two foot"><${ShowRound} />${wantsCard(now) ? html`<p class="prompt next">${t("deal.turn", { name: say.player(now, now.dealer) })}</p>` : html`<${Button} kind="main" name="dealt" data-key="dealt" onTap=${() => record(() => ({ entry: "deal" }))}>${t("deal.dealt")}<//>`}</div>`;
  if (now.phase === "between_deals") return html`${now.rows.length > 0 && html`<p class="standing">${say.outcome(now.rows.at(-1), (seat) => say.player(now, seat))}</p>`}<${DealingPanel} game=${now} />`;
  const Which = PANELS[now.phase];
  return html`
    ${dropped.value.length > 0 && html`<p class="refusal" role="alert">${t("mend.dropped", { n: dropped.value.length })} <button type="button" class="button quiet small" onClick=${() => (dropped.value = [])}>${t("ok")}</button></p>`}
    <${Which} game=${now} acting=${seat} picked=${picked.value} onDone=${layDown} onCall=${(call) => record(({ game: at }) => ({ entry: "call", seat: turn(at), call }))} />
    ${["trumps", "discards", "exposing"].includes(now.phase) && html`<${PayKeys} game=${now} />`}
  `;
}

/** The deal that has just been settled. */
const Settled = ({ now }) => html`<${Settlement} row=${now.rows.at(-1)} rules=${now.rules} name=${(seat) => say.player(now, seat)}
  title=${t("settle.deal", { number: now.counted })} fine=${now.last.fine} contribution=${now.last.contribution} />`;

const ShowRound = () => html`<${Button} name="show-round" data-key="show-round" onTap=${() => go(`/settle/${evening.value.id}`)}>${t("settle.show")}<//>`;

/** Another tablet records this table: it is only watched here, until it is taken over in two taps. */
const asking = signal(false);
function Watching({ now }) {
  const who = lease.value.holder?.device ?? t("lease.other");
  const take = () => {
    asking.value = false;
    return takeOver(evening.value.id)
      .then(refreshEvening)
      .catch(() => null);
  };
  return html`
    <h2>${t("lease.watching")}</h2>
    <p class="prompt">${t("lease.holder", { device: who })}</p>
    ${now.phase === "play" && html`<p>${say.contract(now)}</p>`}
    <div class="keys"><${Button} kind=${asking.value ? "danger" : "main"} name="take-over" data-key="take-over" onTap=${() => (asking.value ? take() : (asking.value = true))}>${t(asking.value ? "lease.sure" : "lease.take")}<//></div>
  `;
}

/** One question for a card that breaks a rule; nothing is chosen beforehand. */
function Question({ now }) {
  const { card, seat, broken } = question.value;
  const done = (really) => () => {
    question.put(null);
    otherSeat.put(null);
    if (really) putCard({ entry: "play", seat, card, irregular: true });
  };
  return html`
    <section class="sheet question" role="dialog" aria-label=${t("really.title")}>
      <h2>${t("really.title")}</h2>
      <p class="prompt">${t(`broken.${broken[0]}`, { name: say.player(now, seat), card: say.card(card), turn: turn(now) ? say.player(now, turn(now)) : "" })}</p>
      <div class="keys two">
        <${Button} kind="strong" name="really-no" data-key="really-no" onTap=${done(false)}>${t("really.no")}<//>
        <${Button} kind="danger" name="really-yes" data-key="really-yes" onTap=${done(true)}>${t("really.yes")}<//>
      </div>
    </section>
  `;
}

function MendPanel({ shown, seat }) {
  const { kind } = mends.value;
  const stop = html`<${Button} kind="quiet" name="mend-stop" onTap=${() => (mends.value = null)}>${t("mend.stop")}<//>`;
  if (kind === "call") return html`<${AuctionPanel} game=${shown} mending onCall=${(call) => mendWith({ entry: "call", seat, call })} />${stop}`;
  if (kind === "trumps")
    return html`<h2>${t("mend.trumps")}</h2><div class="keys four">${["S", "H", "D", "C"].map((suit) => html`<${Button} key=${suit} name=${`mend-${suit}`} data-trumps=${suit} onTap=${() => mendWith({ entry: "trumps", suit })}>${t(`suit.${suit}`)}<//>`)}</div>${stop}`;
  return html`<h2>${t("mend.card", { name: say.player(shown, seat) })}</h2><p class="prompt">${t("mend.tap")}</p>${stop}`;
}

/** What stands in the middle of the table while nothing is called or played: the question, or the pool. */
const tableLabel = (now) => (now.phase === "opening" ? t("first_dealer.title") : now.deal ? null : html`<span>${t("pool")}</span><b class="contract">${say.pool(now.pool)}</b>`);

/** Is a tap on the grid an entry now? */
function gridLive(now) {
  if (mends.value) return mends.value.kind === "play";
  if (cutting.value) return true;
  return turnsCard(now) || ["exposing", "play"].includes(now.phase);
}

const turnsCard = (now) => ["between_deals", "dealing"].includes(now.phase) && wantsCard(now);

const chooseSeat = (seat) => otherSeat.put(seat === turn(game.value) ? null : seat);

function putCard(entry) {
  if (mends.value) mendWith(entry);
  else record(() => entry);
}

/** One tap on the grid, by what the table waits for. */
function onCard(card) {
  if (cutting.value) return cutCard(card);
  if (mends.value) return tapPlay(gameBefore(evening.value.session, mends.value.number), card, seatBefore(evening.value.session, mends.value.number));
  return tapPlay(null, card, otherSeat.value);
}

function pick(card, session) {
  const next = new Set(picked.value);
  if (!next.delete(card)) next.add(card);
  picked.put(next, session);
}

/**
 * A card that breaks nothing is recorded at once; for another one there is one question. What a card is for, a spread,
 * a trick or the next deal, says the session as it stands, of which the last tap may not be drawn yet.
 */
function tapPlay(before, card, chosen) {
  if (before) {
    const broken = breaks(before.deal, chosen, card);
    if (broken.length) question.put({ card, seat: chosen, broken });
    else mendWith({ entry: "play", seat: chosen, card });
    return;
  }
  record((session) => {
    const { game: now } = session;
    if (now.phase === "exposing") return pick(card, session);
    if (turnsCard(now)) return turned(card);
    if (now.phase !== "play") return null;
    const seat = chosen ?? turn(now);
    const broken = breaks(now.deal, seat, card);
    if (broken.length) {
      question.put({ card, seat, broken }, session);
      return null;
    }
    return { entry: "play", seat, card };
  });
}

function layDown() {
  const cards = [...picked.value];
  record(({ game: now }) => ({ entry: "expose", seat: now.deal.caller, cards }));
}

