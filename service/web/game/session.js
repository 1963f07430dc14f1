/**
 * The provisional fold: a whole session from its entries, so that an evening works without the network.
 * It judges what the tablet can know; the server stays the judge, and the two are held to the same examples.
 *
 * `apply(session, entry)` gives `{session, refusal}`: on a refusal the session is the one before. A session is
 * `{game, trail, undone, number}`: the game as it stands, the effective entries with the game before each, what
 * may be redone, and how many entries there are. Values are never changed in place.
 */

import { checkCall, trumpSuits } from "./auction.js";
import { rankOf } from "./cards.js";
import { dead } from "./concession.js";
import {
  afterCall,
  afterTrick,
  beginDeal,
  cancel,
  exposePreference,
  misdeal,
  settle,
  settleConceded,
  settleTricks,
  suitsOf,
  toContract,
  toPlay,
} from "./deal.js";
import { HAND, tricksIn, wanted, numeric } from "./ladder.js";
import { total } from "./pool.js";
import { must, notNow, Refusal } from "./refusal.js";
import { chosen } from "./rulesets.js";
import { SEATS, four, sum } from "./seats.js";
import { checkTotals, settleContract, verdict } from "./settlement.js";
import { breaks, countTricks, playerOf, winnerOf } from "./tricks.js";

const UNOPENED = {
  phase: "unopened",
  rules: null,
  ruleset: null,
  date: null,
  table: null,
  seatings: [],
  dealer: null,
  balances: four(() => 0),
  pool: [0, 0],
  rows: [],
  counted: 0,
  senior: null,
  junior: null,
  carried: null,
  stakePaid: false,
  deal: null,
  last: null,
  final: null,
  winners: null,
};

export const start = () => ({ game: UNOPENED, trail: [], undone: [], number: 0 });

/** The phases of an evening that has ended. */
export const OVER = ["closed", "ended", "abandoned"];

/** The place, from 0, of the deal that an entry leading here is part of; misdeals and void deals count. */
export function dealPlace({ phase, rows }) {
  if (phase === "unopened" || phase === "opening") return 0;
  return [...OVER, "between_deals", "finished"].includes(phase) ? Math.max(0, rows.length - 1) : rows.length;
}

/** Who sits where now, `{N, E, S, W}` of player ids or names: the last seating that has begun. */
export const seatsOf = (game) =>
  game.seatings.findLast(({ from }) => from <= game.counted + 1)?.seats ?? game.seatings[0]?.seats ?? null;

/** Before the first call the pack may be cut again, a card turned again, or the result reported. */
const beforeCalls = (game) => {
  inDeal(game, ["dealing", "auction"]);
  must(!game.deal.calls.length, "auction_begun", 17);
  return game;
};

/** Refuses an entry that has no place in this phase, by a rule of its own or by the one that says what is awaited. */
const inDeal = (game, phases, rule) => must(game.deal && phases.includes(game.phase), ...notNow(game, rule));

/** Between two deals what has just been settled can still be told and ruled on. */
const RESTING = ["between_deals", "finished"];
const RULED = ["play", ...RESTING];

const ARMS = {
  open(game, entry) {
    const rules = chosen(entry);
    must(game.phase === "unopened", "already_open");
    must(rules, "rules_unknown", null, { ruleset: entry.ruleset });
    const stake = rules.contribution === "when_empty" ? rules.stake : 0;
    return {
      ...game,
      phase: "opening",
      rules,
      ruleset: entry.ruleset,
      date: entry.date,
      table: entry.table ?? null,
      seatings: [{ from: 1, seats: entry.seats }],
      balances: four(() => rules.start - stake),
      pool: [Math.floor((4 * stake) / (rules.cap ?? Infinity)), rules.cap ? (4 * stake) % rules.cap : 4 * stake],
    };
  },

  shuffle(game) {
    must(["opening", "dealing", "between_deals"].includes(game.phase), ...notNow(game));
    return game.phase === "opening" ? game : beginDeal(game);
  },

  first_dealer(game, { seat, cards }) {
    must(game.phase === "opening", ...notNow(game));
    if (cards) {
      const low = (card) => (rankOf(card) + 1) % 13;
      const cut = SEATS.filter((other) => cards[other]);
      must(new Set(cut.map((other) => cards[other])).size === cut.length, "card_twice", 2);
      const lowest = cut.filter((one) => cut.every((other) => low(cards[other]) >= low(cards[one])));
      must(lowest.length === 1, "cut_tied", 5);
      must(lowest[0] === seat, "cut_disagrees", 5, { seat });
    }
    return { ...game, phase: "between_deals", dealer: seat };
  },

  cut(game) {
    return beforeCalls(beginDeal(game));
  },

  preference(game, { card }) {
    return exposePreference(beforeCalls(beginDeal(game)), card);
  },

  deal(game, { hands }) {
    const begun = beginDeal(game);
    inDeal(begun, ["dealing"]);
    const given = Object.values(hands ?? {});
    must(given.every((hand) => hand.length === HAND), "wrong_count", 6);
    const cards = given.flat();
    must(new Set(cards).size === cards.length, "card_twice", 2);
    return { ...begun, phase: "auction", deal: { ...begun.deal, hands: hands ?? {} } };
  },

  misdeal(game) {
    inDeal(game, ["dealing", "auction", "trumps", "discards", "exposing", "play"], 33);
    must(!game.deal.tricks[0]?.plays.length, "card_played", 33);
    return misdeal(game);
  },

  call(game, entry) {
    inDeal(game, ["auction"]);
    checkCall(game.rules, suitsOf(game), game.dealer, game.deal.calls, entry);
    const calls = [...game.deal.calls, { seat: entry.seat, call: entry.call }];
    return afterCall({ ...game, deal: { ...game.deal, calls } });
  },

  contract(game, { caller, contract, preference = null, trumps = null }) {
    const begun = beforeCalls(beginDeal(game));
    if (contract === "partout") {
      const calls = SEATS.map((seat) => ({ seat, call: "pass" }));
      return afterCall({ ...begun, deal: { ...begun.deal, calls, reported: true } });
    }
    const suits = suitsOf(begun);
    must(!preference || suits[preference], "preference_unknown", 8);
    must(!trumps || !preference || trumpSuits(suits, preference).includes(trumps), "trumps_bound", 24, { suit: trumps });
    return toContract({ ...begun, deal: { ...begun.deal, reported: true } }, { caller, contract, preference, trumps });
  },

  trumps(game, { suit }) {
    inDeal(game, ["trumps"]);
    const suits = trumpSuits(suitsOf(game), game.deal.preference);
    must(suits.includes(suit), "trumps_bound", 24, { suit, suits });
    return toPlay({ ...game, deal: { ...game.deal, trumps: suit } });
  },

  discard(game, { seat, card = null }) {
    inDeal(game, ["discards"]);
    must(!(seat in game.deal.discards), "discarded_already", 28, { seat });
    const hand = game.deal.hands[seat];
    must(!card || !hand || hand.includes(card), "not_held", 26, { seat, card });
    must(!card || !Object.values(game.deal.discards).includes(card), "card_twice", 2, { card });
    return toPlay({ ...game, deal: { ...game.deal, discards: { ...game.deal.discards, [seat]: card } } });
  },

  expose(game, { seat, cards }) {
    inDeal(game, ["exposing"]);
    const { deal } = game;
    must(seat === deal.caller, "not_the_caller", 16, { seat });
    must(cards.length === tricksIn(deal.contract), "wrong_count", 6, { count: cards.length });
    must(new Set(cards).size === cards.length, "card_twice", 2);
    // What lies on the table for all to see overrides what was known of the hand, and tells what was laid aside unseen.
    const hidden = seat in deal.discards && deal.discards[seat] === null;
    const missing = (deal.hands[seat] ?? []).filter((card) => !cards.includes(card));
    const aside = hidden ? { [seat]: missing.length === 1 ? missing[0] : undefined } : {};
    const hands = { ...deal.hands, [seat]: cards };
    return toPlay({ ...game, deal: { ...deal, exposed: cards, hands, discards: { ...deal.discards, ...aside } } });
  },

  concede(game, { seat }) {
    const { rules, deal } = game;
    inDeal(game, ["trumps", "discards", "exposing", "play"]);
    must(rules.concessions, "no_concessions", 40);
    must(deal.caller, "no_concession_in_partout", 41);
    const rule = rules.low_contracts.includes(deal.contract) ? 40 : 41;
    must(seat !== deal.caller, "caller_cannot_concede", rule, { seat });
    must(game.phase !== "trumps" || deal.reported, "trumps_not_named", 40);
    must(!deal.conceded.includes(seat), "already_conceded", rule, { seat });
    must(!dead(rules, deal), "concession_dead", 40);
    const said = { ...game, deal: { ...deal, conceded: [...deal.conceded, seat] } };
    return said.deal.conceded.length === 3 ? settleConceded(said) : said;
  },

  play(game, { seat, card, irregular = false }) {
    inDeal(game, ["play"]);
    const { deal } = game;
    const trick = deal.tricks.at(-1);
    must(trick.plays.every((play) => play.seat !== seat), "played_already", 26, { seat });
    const broken = breaks(deal, seat, card);
    const rule = broken[0] === "out_of_turn" ? 25 : 26;
    must(irregular || !broken.length, broken[0], rule, { seat, card, turn: playerOf(trick) });
    const leader = trick.plays.length ? trick.leader : seat;
    const plays = [...trick.plays, { seat, card, irregular: irregular && broken.length > 0 }];
    const winner = plays.length === 4 ? winnerOf(plays, deal.trumps) : null;
    const tricks = [...deal.tricks.slice(0, -1), { leader, plays, winner }];
    const played = { ...game, deal: { ...deal, tricks } };
    return winner ? afterTrick(played) : played;
  },

  tricks(game, { tricks }) {
    inDeal(game, ["trumps", "discards", "exposing", "play"]);
    const { rules, deal } = game;
    must(game.phase !== "trumps" || deal.reported, "trumps_not_named", 24);
    const won = countTricks(deal.tricks);
    for (const seat of SEATS) must(tricks[seat] >= won[seat], "tricks_below_won", 29, { seat, won: won[seat] });
    checkTotals(rules, deal, tricks);
    return settleTricks(game, tricks, deal.partout ? {} : verdict(rules, deal.contract, deal.caller, tricks, true));
  },

  show(game) {
    must(RESTING.includes(game.phase), ...notNow(game, 32));
    must(game.last?.settlement, "nothing_to_show", 32);
    return game;
  },

  revoke(game, { seat, trick }) {
    must(RULED.includes(game.phase), ...notNow(game));
    must(game.rules.revoke_fine !== null, "no_revoke_ruling");
    const before = game.phase === "play" ? game : game.last?.settlement ? game.last.before : null;
    must(before, "nothing_to_rule");
    must(!game.last?.fine, "ruled_already");
    must(before.deal.caller && (before.phase === "play" || game.last.tricks), "nothing_to_rule");
    const { rules, deal } = before;
    const tricks = game.last?.tricks ?? countTricks(deal.tricks);
    const played = deal.tricks[trick - 1]?.plays.some((play) => play.seat === seat);
    must(game.last?.tricks ? trick <= sum(tricks) : played, "trick_not_played", 26, { seat, trick });
    const made = seat !== deal.caller;
    const short = numeric(deal.contract) ? Math.max(1, wanted(deal.contract) - tricks[deal.caller]) : 0;
    const terms = { contract: deal.contract, caller: deal.caller, made, shortfall: made ? 0 : short };
    return settle(before, settleContract(rules, before.pool, terms), { tricks }, { seat, amount: rules.revoke_fine });
  },

  cancel(game, { agreed }) {
    must(game.deal || game.last, "nothing_to_cancel", 34);
    must(SEATS.every((seat) => agreed.includes(seat)), "not_all_agreed", 34, { agreed });
    return cancel(game);
  },

  reseat(game, { seats, from_deal }) {
    const kept = game.seatings.filter(({ from }) => from < from_deal);
    return { ...game, seatings: [...kept, { from: from_deal, seats }] };
  },

  end(game) {
    if (game.phase !== "between_deals") inDeal(game, ["dealing", "auction"], 46);
    must(!game.deal?.calls.length, "deal_under_way", 46);
    must(game.counted > 0, "no_deal_counted", 46);
    return divide({ ...game, phase: "ended" });
  },

  close(game) {
    must(game.phase === "finished", ...notNow(game, 46));
    return divide({ ...game, phase: "closed" });
  },

  transfer: (game, { deltas }) => ({ ...game, balances: four((seat) => game.balances[seat] + deltas[seat]) }),

  abandon: (game) => ({ ...game, phase: "abandoned", deal: null, last: null }),
};

/** Rule 46: all pools in four equal parts, exact to the half unit; ties share the first place. */
function divide(game) {
  const share = total(game.pool, game.rules.cap) / 4;
  const final = four((seat) => game.balances[seat] + share);
  const best = Math.max(...SEATS.map((seat) => final[seat]));
  const winners = SEATS.filter((seat) => final[seat] === best);
  return { ...game, final, winners, share, balances: final, pool: [0, 0], deal: null, last: null };
}

/** The steps of the current deal that a withdrawal may name; an earlier withdrawal is none of them. */
const withdrawable = (session) =>
  session.trail.slice(1).filter(({ place, taken }) => place >= dealPlace(session.game) && !taken);

const UNDER_WAY = ["dealing", "auction", "trumps", "discards", "exposing", "play"];

/**
 * May a recorder take the last entry back? `policy` is the club's: within the deal in progress (`deal`), in the one
 * before too until anything of it stands (`previous_deal`), or anywhere (`session`). Undone entries extend no reach.
 */
export function mayUndo(session, policy) {
  if (session.trail.length < 2) return false;
  if (policy === "session") return true;
  const furthest = [...session.undone.map(({ after }) => after), session.game].reduce((far, game) =>
    dealPlace(game) >= dealPlace(far) ? game : far,
  );
  const back = policy === "previous_deal" && UNDER_WAY.includes(furthest.phase) ? 1 : 0;
  return session.trail.at(-1).place >= dealPlace(furthest) - back;
}

const BACK = {
  undo(session, { target }, number) {
    const top = session.trail.at(-1);
    must(session.trail.length > 1, "nothing_to_undo", null, { target });
    must(top.number === target, "undo_not_last", null, { target, last: top.number });
    const undone = [...session.undone, { step: top, after: session.game }];
    return { game: top.before, trail: [...session.trail.slice(0, -1), ...(top.taken ?? [])], undone, number };
  },

  redo(session, { target }, number) {
    const top = session.undone.at(-1);
    must(top, "nothing_to_redo", null, { target });
    must(top.step.number === target, "redo_not_last", null, { target, last: top.step.number });
    const kept = session.trail.slice(0, session.trail.length - (top.step.taken?.length ?? 0));
    return { game: top.after, trail: [...kept, top.step], undone: session.undone.slice(0, -1), number };
  },

  withdraw(session, { from }, number) {
    must(!OVER.includes(session.game.phase), "nothing_to_withdraw", null, { from });
    const first = withdrawable(session)[0];
    must(first && from >= first.number, "not_in_this_deal", null, { from, first: first?.number });
    const place = session.trail.findIndex((step) => step.number >= from && !step.taken);
    must(place > 0, "nothing_to_withdraw", null, { from });
    const taken = session.trail.slice(place);
    const entry = { entry: "withdraw", from };
    const step = { number, entry, before: session.game, place: dealPlace(taken[0].before), taken };
    return { game: taken[0].before, trail: [...session.trail.slice(0, place), step], undone: [], number };
  },
};

/** The director's and the players' acts beside the game: they use up a number and change nothing on the table. */
const ASIDES = ["dispute", "resolve", "acknowledge", "sign"];

function step(session, entry) {
  const number = session.number + 1;
  if (ASIDES.includes(entry.entry)) return { ...session, number };
  if (BACK[entry.entry]) return BACK[entry.entry](session, entry, number);
  const arm = ARMS[entry.entry];
  must(arm, "malformed", null, { entry: entry.entry });
  must(session.game.phase !== "unopened" || entry.entry === "open", "not_open");
  must(!OVER.includes(session.game.phase), ...notNow(session.game));
  const game = arm(session.game, entry);
  const tricks = entry.entry === "tricks" ? { last: { ...game.last, tricks: entry.tricks } } : {};
  const trail = [...session.trail, { number, entry, before: session.game, place: dealPlace(game) }];
  return { game: { ...game, ...tricks }, trail, undone: [], number };
}

/** The session after an entry, or the same one with the refusal that says why not. */
export function apply(session, entry) {
  try {
    return { session: step(session, entry), refusal: null };
  } catch (error) {
    if (error instanceof Refusal) return { session, refusal: error };
    throw error;
  }
}

/**
 * The session of a corrected record, of which only the entries in force are folded: with the server's count, and with
 * the server's `numbers` of the last entries. What stands before them has no number here and cannot be named.
 */
export function renumbered(session, number, numbers) {
  const first = session.trail.length - numbers.length;
  const trail = session.trail.map((step, place) => ({ ...step, number: numbers[place - first] ?? null }));
  return { ...session, trail, undone: [], number };
}

/** Folds many entries; stops at the first that is refused. */
export function fold(entries, from = start()) {
  let session = from;
  for (const entry of entries) {
    const next = apply(session, entry);
    if (next.refusal) return next;
    session = next.session;
  }
  return { session, refusal: null };
}
