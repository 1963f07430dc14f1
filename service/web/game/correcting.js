/**
 * Correcting a finished deal: its entries in force, what is to stand in their places, and the changes between the two
 * as an entry `correct` names them. The server judges; here later calls and plays are only seated anew.
 *
 * A draft is a list of `{number, part, entry, was}`: `was` is today's entry, `null` where one is put in.
 */

import { numeric } from "./ladder.js";
import { plain, reseated } from "./mending.js";
import { apply, dealPlace, start } from "./session.js";

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** The draft that changes nothing, from the entries in force `[{number, part, entry}]`. */
export const today = (entries) =>
  entries.map(({ number, part = 0, entry }) => ({ number, part, entry: plain(entry), was: plain(entry) }));

/** What a draft changes, as `changes` of an entry `correct`; entries put in go with the one they stand behind. */
export function changesOf(now, draft) {
  const changes = [];
  let place = 0;
  const putIn = () => {
    const first = place;
    while (draft[place] && !draft[place].was) place += 1;
    return draft.slice(first, place).map(({ entry }) => entry);
  };
  for (const { number, part, was } of now) {
    const before = putIn();
    const here = draft[place];
    const stays = here?.number === number && here.part === part;
    if (stays) place += 1;
    const behind = putIn();
    const at = { at: number, ...(part ? { part } : {}) };
    if (stays && !before.length && same(here.entry, was)) {
      if (behind.length) changes.push({ ...at, put: behind, after: true });
    } else changes.push({ ...at, put: [...before, ...(stays ? [here.entry] : []), ...behind] });
  }
  return changes;
}

/**
 * The session right before the deal of a line, from the entries in force of the whole evening. Who dealt and how the
 * money stood is told by the score sheet: `row` is the line, `before` the one above it, if there is one.
 */
export function beforeLine(main, line, row, before) {
  let session = start();
  for (const entry of main) {
    const { session: next, refusal } = apply(session, plain(entry));
    if (!refusal && entry.entry !== "open" && dealPlace(next.game) >= line - 1) break;
    if (!refusal) session = next;
  }
  const { game } = session;
  if (game.phase === "opening") return session;
  const money = before ? { balances: before.balances, pool: before.pool } : {};
  return { ...session, game: { ...game, phase: "between_deals", dealer: row.dealer, final: null, winners: null, ...money } };
}

/** The draft entry by entry: `[{item, before, after, refusal}]`, games as far as this tablet can know them. */
export function walk(session, draft) {
  let now = session;
  return draft.map((item) => {
    const { session: next, refusal } = apply(now, item.entry);
    const step = { item, before: now.game, after: next.game, refusal };
    now = next;
    return step;
  });
}

/** The line of the score sheet that a draft leads to, as far as this tablet can know; nothing where it comes to none. */
export function lineOf(session, draft) {
  const place = session.game.rows.length;
  return walk(session, draft).findLast(({ after }) => after.rows.length > place)?.after.rows[place] ?? null;
}

/** The draft with calls and plays that no longer fit their seats given to those whose turn it then is. */
export function seatedAnew(session, draft) {
  let now = session;
  return draft.map((item) => {
    let { entry } = item;
    let next = apply(now, entry);
    if (next.refusal) {
      const moved = reseated(now, entry);
      const tried = apply(now, moved);
      if (!tried.refusal) [entry, next] = [moved, tried];
    }
    now = next.session;
    return { ...item, entry };
  });
}

const put = (entry) => ({ number: null, part: 0, entry, was: null });

/** The draft with an entry in place of another, behind it, or nothing in its place. */
export const replaced = (draft, place, entry) => draft.map((item, at) => (at === place ? { ...item, entry } : item));
export const insertedAfter = (draft, place, entry) => [...draft.slice(0, place + 1), put(entry), ...draft.slice(place + 1)];
export const without = (draft, place) => draft.filter((_, at) => at !== place);

const ENDS = ["close", "end"];

/** The place of the deal's own last entry: of an evening's last deal the end of the evening stands behind it. */
export const lastOf = (entries) => entries.findLastIndex(({ entry }) => !ENDS.includes(entry.entry));

const AUCTION = ["call", "contract", "trumps"];
const PLAYED = ["play", "tricks", "concede", "cancel", "misdeal", "revoke"];
const LAID = ["discard", "expose"];

/**
 * Puts one entry where the first of some kinds stood, or else ahead of the first of those that follow, or behind the
 * deal; and takes all of its kinds out.
 */
function inPlaceOf(draft, kinds, follow, entry) {
  const of = (wanted) => (item) => wanted.includes(item.entry.entry);
  const first = draft.findIndex(of(kinds));
  const next = draft.findIndex(of(follow));
  const place = first >= 0 ? first : next >= 0 ? next : lastOf(draft) + 1;
  const old = draft[first];
  const here = old?.entry.entry === entry.entry ? { ...old, entry } : put(entry);
  const rest = (items) => items.filter((item) => !of(kinds)(item));
  return [...rest(draft.slice(0, place)), here, ...rest(draft.slice(place))];
}

/**
 * The draft with another result. `contract` is `{caller, contract, preference, trumps}` where the auction changes,
 * else `null`; `tricks` are those each seat won, or `null` where they stay.
 */
export function withResult(draft, contract, tricks) {
  let next = draft;
  if (contract) {
    const entry = { entry: "contract", contract: contract.contract };
    const partout = contract.contract === "partout";
    if (!partout) entry.caller = contract.caller;
    if (!partout && numeric(contract.contract)) {
      if (contract.preference) entry.preference = contract.preference;
      if (contract.trumps) entry.trumps = contract.trumps;
    }
    next = inPlaceOf(next.filter((item) => !LAID.includes(item.entry.entry)), AUCTION, PLAYED, entry);
  }
  if (tricks) next = inPlaceOf(next, PLAYED, [], { entry: "tricks", tricks });
  return next;
}
