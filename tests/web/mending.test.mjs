/** Mending: an earlier entry is changed, inserted or taken out, and what came after is seated anew and kept. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { dealEntries, mending } from "../../service/web/game/mending.js";
import { dealsOf } from "../../service/web/game/steps.js";
import { fold, mayUndo } from "../../service/web/game/session.js";
import { evenings, expected, lines } from "./golden.js";

const OPEN = [
  { entry: "open", ruleset: "american-decimal", seats: { N: "Ann", E: "Bea", S: "Cal", W: "Dan" }, date: "2026-11-30" },
  { entry: "first_dealer", seat: "W" },
  { entry: "preference", card: "7H" },
  { entry: "deal" },
];
const calls = (...texts) => texts.map((call, place) => ({ entry: "call", seat: "NESW"[place % 4], call }));
const play = (seat, card) => ({ entry: "play", seat, card });
const mended = (session, ...how) => {
  const { entries, dropped } = mending(session, ...how);
  return { ...fold(entries, session), dropped };
};

test("a missed pass is inserted and the later calls reseat", () => {
  const { session } = fold([...OPEN, ...calls("5", "6", "pass")]);
  const { session: now, refusal } = mended(session, 5, "insert", { entry: "call", seat: "N", call: "pass" });
  assert.equal(refusal, null);
  assert.deepEqual(
    now.game.deal.calls.map(({ seat, call }) => seat + call),
    ["Npass", "E5", "S6", "Wpass"],
  );
});

test("a card of an earlier trick is changed, and the rest of the play follows the new winner", () => {
  const played = [play("N", "AH"), play("E", "2H"), play("S", "3H"), play("W", "4H"), play("N", "KS"), play("E", "2S")];
  const { session } = fold([...OPEN, ...calls("6", "pass", "pass", "pass"), { entry: "trumps", suit: "S" }, ...played]);
  const { session: now } = mended(session, 10, "change", play("N", "TH"));
  assert.equal(now.game.deal.tricks[0].plays[0].card, "TH");
  assert.equal(now.game.deal.tricks.length, 2);
  const other = mended(session, 11, "change", play("E", "5S"));
  assert.equal(other.session.game.deal.tricks[1].leader, "E");
  assert.deepEqual(other.dropped, []);
});

test("what no longer fits is left out and told", () => {
  const { session } = fold([...OPEN, ...calls("5", "6", "7", "pass")]);
  const { session: now, dropped } = mended(session, 5, "change", { entry: "call", seat: "N", call: "8" });
  assert.equal(dropped.length, 3);
  assert.equal(now.game.deal.calls.length, 1);
});

test("the first deal's entries begin with the first dealer", () => {
  const { session } = fold([...OPEN, ...calls("5")]);
  assert.deepEqual(
    dealEntries(session).map(({ entry }) => entry.entry),
    ["first_dealer", "preference", "deal", "call"],
  );
});

test("undo reaches the deal before until anything of the next stands, as far as the club lets it", () => {
  const { session } = fold(lines("scripted-results").slice(0, 6));
  assert.ok(mayUndo(session, "deal"));
  const next = fold([{ entry: "preference", card: "QD" }], session).session;
  assert.ok(mayUndo(next, "deal"));
  const back = fold([{ entry: "undo", target: 7 }], next).session;
  assert.ok(!mayUndo(back, "deal"));
  assert.ok(mayUndo(back, "previous_deal"));
  const further = fold([6, 5, 4, 3].map((target) => ({ entry: "undo", target })), back).session;
  assert.ok(mayUndo(further, "session"));
});

for (const name of evenings)
  test(`every deal of ${name} can be stepped through`, () => {
    const deals = dealsOf(lines(name));
    assert.equal(deals.length, expected(name).deals.length);
    for (const { row, steps } of deals) {
      assert.ok(steps.length > 0);
      assert.deepEqual(steps.filter(({ struck }) => !struck).at(-1).game.rows.at(-1).outcome, row.outcome);
    }
  });
