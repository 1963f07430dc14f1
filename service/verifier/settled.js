/* A receipt's settlement against the events that it comes with, also those that a correction put in. */
"use strict";

const ENDS = { thrown_in: "deal_thrown_in", misdeal: "deal_misdealt", cancelled: "deal_cancelled" };
const TERMS = ["outcome", "contract", "caller", "preference", "trumps"];
const SEATS = ["N", "E", "S", "W"];
const fourOf = (told) => (object(told) ? SEATS.map((seat) => told[seat]) : []);
const alike = (one, other) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

function settled(receipt, events) {
  const told = events.flatMap(({ data = {} }) => [
    data,
    ...(Array.isArray(data.line) ? data.line : []).flatMap((piece) => piece?.events ?? []),
  ]);
  const money = told.some(
    (event) =>
      object(event.balances) && Array.isArray(event.pool) &&
      alike(fourOf(event.balances), receipt.balances) && alike(event.pool, receipt.pool),
  );
  if (Object.hasOwn(ENDS, receipt.outcome))
    return told.some((event) => event.type === ENDS[receipt.outcome]) && (money || receipt.outcome !== "thrown_in");
  return money && told.some((event) => settles(event, receipt));
}

function settles(event, receipt) {
  return (
    event.type === "deal_settled" && object(event.deltas) &&
    TERMS.every((term) => alike(event[term], receipt[term])) &&
    alike(event.tricks == null ? null : fourOf(event.tricks), receipt.tricks) &&
    (event.shortfall ?? 0) === receipt.shortfall &&
    Number(event.conceded ?? false) === receipt.conceded &&
    receipt.deltas !== null && alike(fourOf(event.deltas), receipt.deltas)
  );
}
