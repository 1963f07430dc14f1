/** Cards of one 52-card pack: rank then suit, `TC`, `AH` (rules 2 and 3). */

export const SUITS = "SHDC";
export const RANKS = "23456789TJQKA";
export const CARDS = [...SUITS].flatMap((suit) => [...RANKS].map((rank) => rank + suit));
export const GLYPHS = { S: "♠", H: "♥", D: "♦", C: "♣" };
export const SAME_COLOUR = { S: "C", C: "S", H: "D", D: "H" };

const KNOWN = new Set(CARDS);

export const suitOf = (card) => card[1];
export const rankOf = (card) => RANKS.indexOf(card[0]);
export const isCard = (text) => KNOWN.has(text);

/** The rank as players write it: a ten is `10`, never `T`. */
export const rankText = (card) => (card[0] === "T" ? "10" : card[0]);

/** Suit by suit as on the grid, high to low within a suit: the order of a hand laid open. */
export const inHandOrder = (cards) =>
  [...cards].sort((a, b) => SUITS.indexOf(suitOf(a)) - SUITS.indexOf(suitOf(b)) || rankOf(b) - rankOf(a));
