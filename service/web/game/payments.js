/** A settlement as payments from seat to seat, for saying in words who pays whom. Amounts are always positive. */

import { SEATS, others } from "./seats.js";

/** `[{from, to, amount}]`; a pool is the party `"pool"`, the bank of a fine too. Payments of nothing are left out. */
export function payments(settlement, deal, fine = null) {
  const found = deal.partout ? between(settlement.deltas) : contract(settlement, deal.caller);
  if (fine) found.push({ from: fine.seat, to: "pool", amount: fine.amount });
  return found.filter(({ amount }) => amount > 0);
}

function contract({ outcome, price, poolPaid }, caller) {
  const won = outcome === "made";
  const each = others(caller).map((seat) => (won ? [seat, caller] : [caller, seat]));
  return [
    ...each.map(([from, to]) => ({ from, to, amount: price })),
    won ? { from: "pool", to: caller, amount: -poolPaid } : { from: caller, to: "pool", amount: poolPaid },
  ];
}

/** Rule 45: all who pay share what each receiver gets. */
function between(deltas) {
  const payers = SEATS.filter((seat) => deltas[seat] < 0);
  const receivers = SEATS.filter((seat) => deltas[seat] > 0);
  return receivers.flatMap((to) => payers.map((from) => ({ from, to, amount: deltas[to] / payers.length })));
}
