/**
 * Contracts, calls and which call outranks which (rules 12 to 23).
 * A call is `pass`, a contract (`7`, `LM`), or a number with a preference: `7/2` second, `7/1` first.
 */

export const LADDER = ["5", "6", "7", "LM", "8", "9", "GM", "10", "11", "LS", "12", "GS", "13"];
export const HAND = 13;

const LEVELS = { bare: 0, second: 1, first: 2 };
const SUFFIXES = { 2: "second", 1: "first" };

/** A number of tricks under trumps, and not a misère or a spread? (rules 13 to 16) */
export const numeric = (contract) => contract !== null && contract !== undefined && /^\d+$/.test(contract);
/** The tricks that a contract undertakes; none for a misère or a spread (rule 13). */
export const wanted = (contract) => (numeric(contract) ? Number(contract) : 0);
/** Do all four lay a card aside first? (rules 14 and 16) */
export const discards = (contract) => contract === "LM" || contract === "LS";
/** Does the caller lay his hand open before the opening lead? (rule 16) */
export const exposes = (contract) => contract === "LS" || contract === "GS";
/** How many tricks a deal played to its end has. */
export const tricksIn = (contract) => (discards(contract) ? HAND - 1 : HAND);

/** `{contract, preference}` of a call's text, `null` for a pass, `undefined` for what is no call. */
export function parseCall(text) {
  if (text === "pass") return null;
  const [contract, suffix] = text.split("/");
  if (!LADDER.includes(contract)) return undefined;
  if (suffix === undefined) return { contract, preference: null };
  return SUFFIXES[suffix] ? { contract, preference: SUFFIXES[suffix] } : undefined;
}

export const formatBid = ({ contract, preference }) =>
  preference ? `${contract}/${preference === "second" ? 2 : 1}` : contract;

/** The place of a bid on the ladder: a greater number outranks a lesser one (rules 12 and 19). */
export const rank = ({ contract, preference }) => LADDER.indexOf(contract) * 3 + LEVELS[preference ?? "bare"];

/** Every bid there is, in ascending order, as text. */
export const BIDS = LADDER.flatMap((contract) =>
  numeric(contract) ? [contract, `${contract}/2`, `${contract}/1`] : [contract],
);
