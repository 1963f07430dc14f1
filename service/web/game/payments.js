/** A settled row as payments from seat to seat, for saying in words who pays whom. Amounts are always positive. */

import { SEATS, others, sum } from "./seats.js";

/** `[{from, to, amount}]`; a pool is the party `"pool"`, which a fine goes to as well. Payments of nothing are left out. */
export function payments(row, fine = null) {
  const found = row.caller ? contract(row) : between(row.deltas);
  if (fine) found.push({ from: fine.seat, to: "pool", amount: fine.amount });
  return found.filter(({ amount }) => amount > 0);
}

/** What the pool gained is what the seats lost together. */
function contract({ caller, deltas }) {
  const pay = (seat, amount) => (amount < 0 ? { from: seat, to: caller, amount: -amount } : { from: caller, to: seat, amount });
  return [...others(caller).map((seat) => pay(seat, deltas[seat])), pay("pool", -sum(deltas))];
}

/** Rule 45: all who pay share what each receiver gets. */
function between(deltas) {
  const payers = SEATS.filter((seat) => deltas[seat] < 0);
  const receivers = SEATS.filter((seat) => deltas[seat] > 0);
  return receivers.flatMap((to) => payers.map((from) => ({ from, to, amount: deltas[to] / payers.length })));
}
