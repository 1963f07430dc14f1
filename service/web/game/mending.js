/**
 * Mending an earlier entry of the deal: it and all after it are withdrawn, and the right ones follow in the same batch.
 * Calls and plays that come after are seated anew, by whose turn it then is.
 */

import { apply } from "./session.js";
import { turn } from "./table.js";

/** The effective entries of the deal in progress, or of the last one before anything of the next: `[{number, entry}]`. */
export function dealEntries(session) {
  const place = session.trail.at(-1)?.place;
  return session.trail
    .slice(1)
    .filter((step) => step.place === place && !step.taken)
    .map(({ number, entry }) => ({ number, entry }));
}

const SEATED = ["call", "play"];

/** An entry as it is entered again: without what tells it from others. */
export const plain = ({ id: _id, time: _time, ...entry }) => entry;

/** The same entry for the seat whose turn it is; one that was out of turn keeps its seat. */
export const reseated = (session, entry) => {
  const seat = turn(session.game);
  return SEATED.includes(entry.entry) && seat && !entry.irregular ? { ...entry, seat } : entry;
};

/**
 * The entries that mend entry `number`. `how` is `change`, `insert` (before it) or `remove`; `entry` is the right one.
 * Gives `{entries, dropped}`: `dropped` are later entries that no longer fit and are left out, the first such one and
 * all after it.
 */
export function mending(session, number, how, entry = null) {
  const later = dealEntries(session).filter((step) => step.number >= number);
  const rest = later.slice(how === "insert" ? 0 : 1).map((step) => plain(step.entry));
  const entries = [{ entry: "withdraw", from: number }];
  let { session: now, refusal } = apply(session, entries[0]);
  if (refusal) return { entries: [], dropped: [], refusal };
  if (entry) {
    const next = apply(now, entry);
    if (next.refusal) return { entries: [], dropped: [], refusal: next.refusal };
    now = next.session;
    entries.push(entry);
  }
  for (const [at, old] of rest.entries()) {
    const fitting = reseated(now, old);
    const next = apply(now, fitting);
    if (next.refusal) return { entries, dropped: rest.slice(at), refusal: null };
    now = next.session;
    entries.push(fitting);
  }
  return { entries, dropped: [], refusal: null };
}

/** The seat that an entry put in place of `number` would be for. */
export function seatBefore(session, number) {
  const step = session.trail.find((other) => other.number === number);
  return step ? turn(step.before) : null;
}

/** The game right before entry `number`: what was legal there. */
export const gameBefore = (session, number) => session.trail.find((step) => step.number === number)?.before ?? null;
