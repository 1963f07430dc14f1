/** Sentences about the game: cards, calls, contracts, entries and refusals, in words. */

import { GLYPHS, rankText, suitOf } from "../game/cards.js";
import { Refusal } from "../game/refusal.js";
import { Offline, Problem } from "../store/api.js";
import { device } from "../store/device.js";
import { nameOf } from "../store/players.js";
import { suitsOf } from "../game/deal.js";
import { seatsOf } from "../game/session.js";
import { amount, contractName, has, seatName, suitName, t } from "./index.js";

export const card = (text) => t("card", { rank: has(`rank.${text[0]}`) ? t(`rank.${text[0]}`) : rankText(text), suit: t(`of.${suitOf(text)}`) });

export const shortCard = (text) => `${rankText(text)}${GLYPHS[suitOf(text)]}`;

/** Who sits on a chair now, by name. */
export const player = (game, seat) => {
  const seats = seatsOf(game);
  return seats ? nameOf(seats[seat]) : seatName(seat);
};

/** A call as it is said: `8, first preference (♦)`. */
export function call(text, suits = {}) {
  if (text === "pass") return t("call.pass");
  const [contract, level] = text.split("/");
  if (!level) return contractName(contract);
  const suit = suits[level === "1" ? "first" : "second"];
  return t(level === "1" ? "call.first" : "call.second", { contract: contractName(contract), suit: suit ? GLYPHS[suit] : "" }).trim();
}

/** The contract in force: `Ann plays 8 in ♥`. */
export function contract(game, deal = game.deal) {
  if (deal.partout) return t("plays.partout");
  const facts = { name: player(game, deal.caller), contract: contractName(deal.contract), suit: deal.trumps ? GLYPHS[deal.trumps] : "" };
  return t(deal.trumps ? "plays.trumps" : "plays.contract", facts);
}

/** What happened in a deal, as one sentence; `name` gives the player on a chair. */
export function outcome(row, name) {
  const facts = { name: row.caller ? name(row.caller) : "", contract: row.contract ? call(row.contract) : "", n: row.shortfall };
  if (row.conceded) return t("outcome.conceded", facts);
  if (row.outcome === "failed" && row.shortfall) return t("outcome.short", facts);
  return t(`outcome.${row.outcome}`, facts);
}

/** What an entry reports, in one line. */
export function entry(game, value) {
  const who = value.seat ?? value.caller ?? value.by;
  const facts = {
    name: who ? player(game, who) : "",
    card: value.card ? card(value.card) : "",
    call: value.call ? call(value.call, suitsOf(game)) : "",
    suit: value.suit ? suitName(value.suit) : "",
    contract: value.contract && value.contract !== "partout" ? contractName(value.contract) : "",
    reason: value.reason ?? "",
    number: value.target ?? value.from ?? "",
    count: value.cards?.length ?? "",
  };
  if (value.entry === "call" && value.call === "pass") return t("entry.pass", facts);
  if (value.entry === "contract" && value.contract === "partout") return t("entry.partout", facts);
  if (value.entry === "play" && value.irregular) return t("entry.irregular", facts);
  return has(`entry.${value.entry}`) ? t(`entry.${value.entry}`, facts) : value.entry;
}

/** Why something was refused: in this tablet's words where it has them, else in the service's. */
export function refusal({ code, rule, facts = {}, message }, game = null) {
  const key = `refused.${code}`;
  const named = { why: message ?? "", ...facts };
  if (facts.seat) named.name = game?.seatings.length ? player(game, facts.seat) : seatName(facts.seat);
  if (facts.turn) named.turn = game?.seatings.length ? player(game, facts.turn) : seatName(facts.turn);
  if (facts.card) named.card = card(facts.card);
  // The service's own words are English.
  const own = device.value.language === "en" ? message : null;
  const text = has(key) ? t(key, named) : (own ?? t("refused.other"));
  return rule ? t("refused.rule", { text, rule }) : text;
}

/** A problem as the service answered it: the first thing that is wrong with it, its own or the first of its list. */
export function problem(body, game = null, more = {}) {
  const { code, rule, facts, message, detail } = body.problems?.[0] ?? body;
  return refusal({ code, rule, facts: { ...more, ...facts }, message: message ?? detail }, game);
}

/** Why something could not be done: whatever `ask`, the database or a rule of the game throws; other errors go on. */
export function failure(error, game = null) {
  if (error instanceof Offline) return t("failed.offline");
  if (error instanceof Problem) return problem(error.body, game, { n: Math.ceil(error.wait / 60) });
  if (error instanceof DOMException) return t("refused.storage_failed", { why: error.message });
  if (error instanceof Refusal) return refusal(error, game);
  throw error;
}

/** One payment: `Ann pays Bea 35`; `name` gives the player on a chair. */
export function payment({ from, to, amount: sum }, name) {
  if (from === "pool") return t("pays.from_pool", { to: name(to), amount: amount(sum) });
  if (to === "pool") return t("pays.to_pool", { from: name(from), amount: amount(sum) });
  return t("pays.player", { from: name(from), to: name(to), amount: amount(sum) });
}

/** The pools in words: `2 full, 70 open`. */
export const pool = ([full, open]) => (full ? t("pool.full", { n: full, open: amount(open) }) : amount(open));
