/** Whose turn it is to call, what he may call, and when the auction is over (rules 17 to 24). */

import { BIDS, formatBid, numeric, parseCall, rank } from "./ladder.js";
import { clockwise, left } from "./seats.js";
import { must } from "./refusal.js";
import { SAME_COLOUR, suitOf } from "./cards.js";

/** The seat whose turn the next call is. */
export const caller = (dealer, calls) => clockwise(left(dealer))[calls.length % 4];

/** The call that stands, as `{seat, contract, preference}`, or `null` while all have passed. */
export function standing(calls) {
  const made = calls.findLast(({ call }) => call !== "pass");
  return made ? { seat: made.seat, ...parseCall(made.call) } : null;
}

/** Why a call is refused, as `[code, rule]`, or `null` if it is legal. */
function objection(rules, suits, calls, seat, text) {
  const bid = parseCall(text);
  if (bid === null) return null;
  if (bid === undefined) return ["malformed", null];
  const high = standing(calls);
  if (bid.preference && !numeric(bid.contract)) return ["misere_cannot_be_kept", 21];
  if (bid.preference && rules.naming === "keeps_only" && high?.contract !== bid.contract)
    return ["preference_needs_keep", 18];
  if (bid.preference && !suits[bid.preference]) return ["preference_unknown", 8];
  if (numeric(bid.contract) && calls.some((made) => made.seat === seat && made.call === "pass"))
    return ["numeric_after_pass", 22];
  if (high && rank(bid) <= rank(high)) return ["call_too_low", high.contract === bid.contract ? 19 : 12];
  return null;
}

/** Every call that is legal for the seat on turn, a pass first. */
export const legalCalls = (rules, suits, dealer, calls) =>
  ["pass", ...BIDS].filter((text) => objection(rules, suits, calls, caller(dealer, calls), text) === null);

/** Refuses a call that is out of turn or not legal. */
export function checkCall(rules, suits, dealer, calls, { seat, call }) {
  const turn = caller(dealer, calls);
  must(seat === turn, "call_out_of_turn", 17, { seat, turn });
  const found = objection(rules, suits, calls, seat, call);
  const high = standing(calls);
  must(found === null, found?.[0], found?.[1], { seat, call, standing: high && formatBid(high) });
}

/** `null` while the auction goes on, else `"all_pass"` or the winning `{seat, contract, preference}` (rule 23). */
export function result(calls) {
  const high = standing(calls);
  if (!high) return calls.length === 4 ? "all_pass" : null;
  if (high.contract === "13" && high.preference === "first") return high;
  return calls.length > 3 && calls.slice(-3).every(({ call }) => call === "pass") ? high : null;
}

/** The suits that may become trumps under a contract (rule 24). */
export const trumpSuits = (suits, preference) => (preference ? [suits[preference]].filter(Boolean) : [..."SHDC"]);

/** First and second preference of a turned card: its own suit, and the other one of the same colour (rule 8). */
export const preferencesOf = (card) => ({ first: suitOf(card), second: SAME_COLOUR[suitOf(card)] });
