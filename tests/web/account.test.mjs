/** The score sheet adds up: from the start, line by line, to the balances as they stand. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { account } from "../../service/web/game/account.js";
import { payments } from "../../service/web/game/payments.js";
import { total } from "../../service/web/game/pool.js";
import { SEATS, sum } from "../../service/web/game/seats.js";
import { apply, start } from "../../service/web/game/session.js";
import { evenings, lines } from "./golden.js";


for (const name of evenings)
  test(`every line of ${name} adds up`, () => {
    let session = start();
    let checked = 0;
    for (const entry of lines(name)) {
      session = apply(session, entry).session;
      const { game } = session;
      if (game.phase !== "between_deals" && game.phase !== "finished") continue;
      const sheet = account(game.rules, game.rows, game);
      let balances = Object.fromEntries(SEATS.map((seat) => [seat, game.rules.start]));
      for (const line of sheet) {
        balances = Object.fromEntries(SEATS.map((seat) => [seat, balances[seat] + line.change[seat]]));
        assert.deepEqual(line.balances, balances);
        assert.equal(sum(balances) + total(line.pool, game.rules.cap), 4 * game.rules.start, JSON.stringify(line));
        if (line.kind === "row") assert.deepEqual(line.balances, line.row.balances);
      }
      assert.deepEqual(balances, game.balances);
      assert.deepEqual(sheet.filter(({ kind }) => kind === "row").map(({ row }) => row), game.rows);
      assert.ok(sheet.every(({ kind }) => kind !== "ruling"));
      checked += 1;
    }
    assert.ok(checked > 0);
  });

test("a ruling between two deals is a line of its own", () => {
  const { session } = lines("american-1").reduce(({ session }, entry) => apply(session, entry), { session: start() });
  const { game } = session;
  const deltas = { N: -20, E: 20, S: 0, W: 0 };
  const moved = game.rows.map((row, place) => (place < 2 ? row : { ...row, balances: Object.fromEntries(SEATS.map((seat) => [seat, row.balances[seat] + deltas[seat]])) }));
  const found = account(game.rules, moved).filter(({ kind }) => kind === "ruling");
  assert.deepEqual(found.map(({ change }) => change), [deltas]);
});

for (const name of evenings)
  test(`who pays whom in ${name} is what the rows say`, () => {
    const { session } = lines(name).reduce(({ session }, entry) => apply(session, entry), { session: start() });
    for (const row of session.game.rows.filter(({ deltas }) => deltas)) {
      const got = { N: 0, E: 0, S: 0, W: 0, pool: 0 };
      for (const { from, to, amount } of payments(row)) {
        assert.ok(amount > 0);
        got[from] -= amount;
        got[to] += amount;
      }
      assert.deepEqual(Object.fromEntries(SEATS.map((seat) => [seat, got[seat]])), row.deltas);
      assert.equal(got.pool + sum(row.deltas), 0);
    }
  });
