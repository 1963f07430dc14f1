/** Correcting a finished deal: a draft of today's entries, what it changes, and later calls seated anew. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { beforeLine, changesOf, insertedAfter, lastOf, lineOf, replaced, seatedAnew, today, walk, withResult, without } from "../../service/web/game/correcting.js";
import { fold } from "../../service/web/game/session.js";
import { evenings, lines } from "./golden.js";

const entries = [
  { number: 4, part: 0, entry: { entry: "deal", id: "a" } },
  { number: 5, part: 0, entry: { entry: "contract", caller: "E", contract: "8", trumps: "S" } },
  { number: 20, part: 2, entry: { entry: "tricks", tricks: { N: 3, E: 6, S: 2, W: 2 } } },
  { number: 7, part: 0, entry: { entry: "end", reason: "late" } },
];
const now = today(entries);

test("a draft of today changes nothing, and no id is put in again", () => {
  assert.deepEqual(changesOf(now, now), []);
  assert.deepEqual(now[0].entry, { entry: "deal" });
});

test("an entry is changed, withdrawn, put in behind another, or put in where one was", () => {
  const trumps = { entry: "trumps", suit: "H" };
  assert.deepEqual(changesOf(now, replaced(now, 0, trumps)), [{ at: 4, put: [trumps] }]);
  assert.deepEqual(changesOf(now, without(now, 2)), [{ at: 20, part: 2, put: [] }]);
  assert.deepEqual(changesOf(now, insertedAfter(now, 1, trumps)), [{ at: 5, put: [trumps], after: true }]);
  assert.deepEqual(changesOf(now, without(insertedAfter(now, 1, trumps), 1)), [{ at: 4, put: [trumps], after: true }, { at: 5, put: [] }]);
  assert.deepEqual(changesOf(now, insertedAfter(now, -1, trumps)), [{ at: 4, put: [trumps, { entry: "deal" }] }]);
});

test("another result keeps what it does not touch, and stays before the evening's end", () => {
  const tricks = { N: 2, E: 8, S: 1, W: 2 };
  assert.deepEqual(changesOf(now, withResult(now, null, tricks)), [{ at: 20, part: 2, put: [{ entry: "tricks", tricks }] }]);
  const nine = { caller: "N", contract: "9", preference: null, trumps: "H" };
  assert.deepEqual(changesOf(now, withResult(now, nine, null)), [{ at: 5, put: [{ entry: "contract", contract: "9", caller: "N", trumps: "H" }] }]);
  const cancelled = today([entries[0], { number: 6, part: 0, entry: { entry: "cancel", agreed: [], reason: "x" } }, entries[3]]);
  assert.deepEqual(withResult(cancelled, nine, tricks).map(({ entry }) => entry.entry), ["deal", "contract", "tricks", "end"]);
  assert.equal(lastOf(now), 2);
});

for (const name of evenings)
  test(`every deal of ${name} is walked again from its line of the score sheet`, () => {
    const { session } = fold(lines(name));
    const steps = session.trail.filter((step) => !step.taken);
    const main = steps.map(({ entry }) => entry);
    const { rows } = session.game;
    rows.forEach((row, place) => {
      const draft = today(steps.filter((step) => step.place === place && step.entry.entry !== "open"));
      const before = beforeLine(main, place + 1, row, rows[place - 1]);
      for (const { item, refusal } of walk(before, draft)) assert.equal(refusal, null, `line ${place + 1}: ${JSON.stringify(item.entry)}`);
      assert.deepEqual(seatedAnew(before, draft), draft);
      assert.equal(lineOf(before, draft).outcome, row.outcome);
      // A pass taken out and put in again brings every later call back to its seat.
      const pass = draft.findIndex(({ entry }) => entry.call === "pass");
      if (pass < 0) return;
      const again = insertedAfter(without(draft, pass), pass - 1, draft[pass].entry);
      assert.deepEqual(seatedAnew(before, again).map(({ entry }) => entry), draft.map(({ entry }) => entry));
    });
  });
