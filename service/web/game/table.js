/** What the screens ask of a game: whose turn it is, what a key would do, what lies on the table. Read, never folded. */

import { caller, legalCalls, trumpSuits } from "./auction.js";
import { CARDS } from "./cards.js";
import { mayConcede } from "./concession.js";
import { suitsOf } from "./deal.js";
import { breaks, countTricks, playedCards, playerOf } from "./tricks.js";

/** The seat that acts next, `null` where it is nobody's turn alone. */
export function turn(game) {
  const { phase, deal } = game;
  if (phase === "auction") return caller(game.dealer, deal.calls);
  if (phase === "play") return playerOf(deal.tricks.at(-1));
  return phase === "trumps" || phase === "exposing" ? deal.caller : null;
}

export const callsNow = (game) =>
  game.phase === "auction" ? legalCalls(game.rules, suitsOf(game), game.dealer, game.deal.calls) : [];

export const trumpsNow = (game) => (game.phase === "trumps" ? trumpSuits(suitsOf(game), game.deal.preference) : []);

export const concedersNow = (game) => mayConcede(game.rules, game.phase, game.deal);

/** Tricks won so far in the deal, by seat. */
export const wonNow = (game) => countTricks(game.deal?.tricks ?? []);

/** The trick on the table and the one before it; only these are ever shown to players. */
export function tricksNow(game) {
  const tricks = game.deal?.tricks ?? [];
  const current = tricks.at(-1) ?? null;
  return { current, last: tricks.at(-2) ?? null, number: tricks.length };
}

/** The state of all 52 keys: `free`, `used`, or `odd` (it would be irregular), with what the card would break. */
export function cardKeys(game, seat) {
  const keys = {};
  const used = new Set(game.deal ? playedCards(game.deal) : []);
  for (const card of CARDS) {
    const broken = game.phase === "play" && seat ? breaks(game.deal, seat, card) : [];
    const state = used.has(card) ? "used" : broken.length ? "odd" : "free";
    keys[card] = { state, broken };
  }
  return keys;
}

/** The players by seat for deal `number`, or for the one in progress. */
export const seatsAt = (game, number = game.counted + 1) =>
  (game.seatings.findLast(({ from }) => from <= number) ?? game.seatings[0])?.seats ?? null;
