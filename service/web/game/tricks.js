/** Tricks: whose turn it is, who wins, and what a card would break (rules 25 to 27). */

import { rankOf, suitOf } from "./cards.js";
import { clockwise } from "./seats.js";

/** The seat that plays next to a trick; an irregular card out of turn has taken its seat's place. */
export const playerOf = ({ leader, plays }) =>
  clockwise(leader).find((seat) => plays.every((play) => play.seat !== seat)) ?? null;

/** The winner: the highest trump, otherwise the highest of the suit led; of two equal cards the earlier (rule 27). */
export function winnerOf(plays, trumps) {
  const led = suitOf(plays[0].card);
  const strength = ({ card }) => (suitOf(card) === trumps ? 100 : suitOf(card) === led ? 0 : -100) + rankOf(card);
  return plays.reduce((best, play) => (strength(play) > strength(best) ? play : best)).seat;
}

/** The tricks that each seat has won so far, from the finished ones. */
export const countTricks = (tricks) =>
  tricks.reduce((won, { winner }) => (winner ? { ...won, [winner]: won[winner] + 1 } : won), { N: 0, E: 0, S: 0, W: 0 });

/** Every card that lies face up already. */
export const playedCards = (deal) => deal.tricks.flatMap(({ plays }) => plays.map(({ card }) => card));

/** What a seat still holds, as far as its hand is known, else `null`. An unseen discard may be any of them. */
export function remaining(deal, seat) {
  const hand = deal.hands[seat];
  if (!hand) return null;
  const gone = new Set(deal.tricks.flatMap(({ plays }) => plays.filter((p) => p.seat === seat).map((p) => p.card)));
  if (deal.discards[seat]) gone.add(deal.discards[seat]);
  return hand.filter((card) => !gone.has(card));
}

/** Is a card known to lie aside, or to be in another hand? */
const elsewhere = (deal, card) =>
  [...Object.values(deal.discards), ...Object.values(deal.hands).flat()].includes(card);

/** What rule 26 says against a card from a seat: the codes of what it would break, none if it is regular. */
export function breaks(deal, seat, card) {
  const trick = deal.tricks.at(-1);
  const held = remaining(deal, seat);
  const found = [];
  if (playerOf(trick) !== seat) found.push("out_of_turn");
  if (playedCards(deal).includes(card)) found.push("already_played");
  else if (held ? !held.includes(card) : elsewhere(deal, card)) found.push("not_held");
  if (trick.plays.length && held) {
    const led = suitOf(trick.plays[0].card);
    const follows = held.filter((other) => suitOf(other) === led).length;
    const unseen = deal.discards[seat] === null ? 1 : 0;
    if (suitOf(card) !== led && follows > unseen) found.push("revoke");
  }
  return found;
}
