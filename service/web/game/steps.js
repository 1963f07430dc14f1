/** A record as steps to look at: deal by deal, each entry with the game after it, and whether it was taken back. */

import { apply, start } from "./session.js";

/**
 * The deals of a record: `[{row, first, steps: [{number, entry, game, struck}]}]`, a deal a row of the score sheet.
 * `game` is the one right after the entry; `struck` says that it was undone, withdrawn or replaced later.
 */
export function dealsOf(entries) {
  let session = start();
  const steps = [];
  const corrections = new Set();
  for (const entry of entries) {
    // What the director put in place later is another line of play; here stands what the table recorded.
    const beside = entry.entry === "correct" || corrections.has(entry.target);
    if (entry.entry === "correct") corrections.add(session.number + 1);
    const next = beside ? { session: { ...session, number: session.number + 1 } } : apply(session, entry);
    if (next.refusal) break;
    session = next.session;
    steps.push({ number: session.number, entry, game: session.game, place: placeOf(session) });
  }
  const standing = new Set(session.trail.map(({ number }) => number));
  const kept = ({ entry, number }) => standing.has(number) || BESIDE.includes(entry.entry);
  const deals = session.game.rows.map((row) => ({ row, steps: [] }));
  for (const step of steps) deals[step.place]?.steps.push({ ...step, struck: !kept(step) });
  return deals;
}

/** Entries that are never struck through: they say themselves what became of others, or stand beside the play. */
const BESIDE = ["undo", "redo", "withdraw", "dispute", "resolve", "acknowledge", "sign", "correct"];

/** Which row of the score sheet an entry belongs to: the one being played, or the one just ended. */
function placeOf({ game }) {
  const resting = ["between_deals", "finished", "closed", "ended", "abandoned"].includes(game.phase);
  return Math.max(0, game.rows.length - (resting ? 1 : 0));
}
