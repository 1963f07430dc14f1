/**
 * The score sheet as it adds up: what each line moved, and what was paid between two lines (rules 33, 39 and 45).
 *
 * A row holds its settlement and the balances after it. Whatever else those balances show is a contribution to the
 * pool, a fine that belongs to the row, or a ruling of the director.
 */

import { putIn, total } from "./pool.js";
import { four, SEATS } from "./seats.js";

const NOTHING = four(() => 0);
const minus = (one, other) => four((seat) => one[seat] - other[seat]);
const plus = (one, other) => four((seat) => one[seat] + other[seat]);
const moves = (change) => SEATS.some((seat) => change[seat] !== 0);

/**
 * The lines of a sheet: `[{kind, change, balances, pool, row, place}]` in order. `kind` is `row`, `contribution` or
 * `ruling`; `change` is what each seat got or paid in it; a `row` has its row and its place from 0. `now` is what
 * stands after all of them, `{balances, pool}`, or `null` where the pools are divided already.
 */
export function account(rules, rows, now = null) {
  const lines = [];
  let at = { balances: four(() => rules.start), pool: [0, 0] };
  const add = (kind, change, pool, more = {}) => {
    at = { balances: plus(at.balances, change), pool };
    lines.push({ kind, change, ...at, ...more });
  };
  const all = [...rows, ...(now ? [{ ...now, after: true }] : [])];
  all.forEach((row, place) => {
    const settled = row.deltas ?? NOTHING;
    let apart = minus(minus(row.balances, at.balances), settled);
    if (contributes(rules, at.pool, rows[place - 1]) && SEATS.every((seat) => apart[seat] <= -rules.stake)) {
      const paid = four(() => -rules.stake);
      apart = minus(apart, paid);
      add("contribution", paid, putIn(at.pool, 4 * rules.stake, rules.cap));
    }
    const fine = fines(rules, row, apart);
    const ruled = minus(apart, fine);
    if (moves(ruled)) add("ruling", ruled, at.pool);
    if (!row.after) add("row", plus(settled, fine), row.pool, { row, place });
  });
  return lines;
}

/** A deal that is dealt again in place of one before has its contribution already. */
const AGAIN = ["misdeal", "cancelled"];

const contributes = (rules, pool, last) =>
  rules.contribution === "when_empty" ? total(pool, rules.cap) === 0 : !AGAIN.includes(last?.outcome);

/** What of the money beside its settlement belongs to a row itself: the dealer's fine, all players', a revoker's. */
function fines(rules, row, apart) {
  if (row.outcome === "misdeal") return four((seat) => (seat === row.dealer ? -rules.misdeal_fine : 0));
  if (row.outcome === "thrown_in") return four(() => -rules.thrown_in_fine);
  return row.deltas && rules.revoke_fine ? four((seat) => (apart[seat] <= -rules.revoke_fine ? -rules.revoke_fine : 0)) : NOTHING;
}

/** What belongs to the row in a place: the fine paid with it, and what everyone put into an empty pool after it. */
export function belonging(rules, lines, place) {
  const at = lines.findIndex((line) => line.place === place);
  const { change, row } = lines[at];
  const seat = row.deltas && SEATS.find((chair) => change[chair] !== row.deltas[chair]);
  const next = lines[at + 1];
  const filled = rules.contribution === "when_empty" && next?.kind === "contribution";
  return { fine: seat ? { seat, amount: row.deltas[seat] - change[seat] } : null, contribution: filled ? -next.change[SEATS[0]] : 0 };
}
