/** Holds the tablet's provisional fold to the same examples as the service's domain. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { legalCalls, result } from "../../service/web/game/auction.js";
import { formatBid } from "../../service/web/game/ladder.js";
import { double, putIn, win } from "../../service/web/game/pool.js";
import { RULESETS } from "../../service/web/game/rulesets.js";
import { SEATS, clockwise, left, sum } from "../../service/web/game/seats.js";
import { total } from "../../service/web/game/pool.js";
import { apply, fold, start } from "../../service/web/game/session.js";
import { partoutDeltas, settleContract } from "../../service/web/game/settlement.js";
import { winnerOf } from "../../service/web/game/tricks.js";
import { evenings, example, expected, lines } from "./golden.js";

const RULES = RULESETS["american-decimal"];

const agrees = (actual, wanted) => {
  for (const [key, value] of Object.entries(wanted)) assert.deepEqual(actual[key], value, key);
};

for (const name of evenings)
  test(`evening ${name}`, () => {
    const { session, refusal } = fold(lines(name));
    assert.equal(refusal, null, refusal && `entry ${session.number + 1}: ${refusal.code} ${JSON.stringify(refusal.facts)}`);
    const wanted = expected(name);
    const { rows, final, winners } = session.game;
    assert.equal(rows.length, wanted.deals.length);
    wanted.deals.forEach((deal, place) => agrees(rows[place], deal));
    agrees({ final, winners }, { final: wanted.final, winners: wanted.winners });
  });

for (const name of evenings)
  test(`money is kept throughout ${name}`, () => {
    let session = start();
    for (const entry of lines(name)) {
      session = apply(session, entry).session;
      const { balances, pool, rules } = session.game;
      assert.equal(sum(balances) + total(pool, rules.cap), 4 * rules.start);
    }
  });

for (const { name, rule, record, refused } of example("refusals"))
  test(`refused: ${name}`, () => {
    const { session, refusal } = fold(record);
    assert.equal(session.number + 1, refused);
    assert.equal(refusal.rule, rule);
  });

for (const { id, dealer, calls, legal, illegal, result: wanted } of example("auction"))
  test(`auction ${id}`, () => {
    const made = calls.map((call, place) => ({ seat: clockwise(left(dealer))[place % 4], call }));
    const suits = { first: "D", second: "H" };
    const now = legalCalls(RULES, suits, dealer, made);
    for (const call of legal) assert.ok(now.includes(call), call);
    for (const call of illegal) assert.ok(!now.includes(call), call);
    const found = result(made);
    if (wanted === "misere_partout") assert.equal(found, "all_pass");
    else assert.deepEqual(found && { caller: found.seat, call: formatBid(found) }, wanted);
  });

for (const { id, trumps, leader, cards, winner } of example("trick"))
  test(`trick ${id}`, () => {
    const order = clockwise(leader);
    assert.equal(winnerOf(cards.map((card, place) => ({ seat: order[place], card })), trumps), winner);
  });

for (const { id, start: begin, steps } of example("pool"))
  test(`pool ${id}`, () => {
    let pool = begin;
    for (const { op, moved, after } of steps) {
      const [amount, next] = { win, fail: double, fine: (before, cap) => [10, putIn(before, 10, cap)] }[op](pool, RULES.cap);
      assert.equal(amount, moved);
      assert.deepEqual(next, after);
      pool = next;
    }
  });

for (const { id, ruleset, pool_before, pool_after, deltas, ...terms } of example("settlement"))
  test(`settlement ${id}`, () => {
    const settled = settleContract(RULESETS[ruleset], pool_before, terms);
    assert.deepEqual(settled.deltas, deltas);
    assert.deepEqual(settled.pool, pool_after);
  });

for (const { tricks, deltas } of example("partout"))
  test(`partout ${SEATS.map((seat) => tricks[seat]).join(" ")}`, () => {
    assert.deepEqual(partoutDeltas(tricks, RULES.partout), deltas);
  });

/** A low or high contract that N or E plays in hearts, dealt by W, up to the first lead. */
const called = (caller, contract) => [
  { entry: "open", ruleset: RULES.id, seats: { N: "Ann", E: "Bea", S: "Cal", W: "Dan" }, date: "2026-11-30" },
  { entry: "first_dealer", seat: "W" },
  { entry: "deal" },
  { entry: "contract", caller, contract, trumps: "H" },
];
const plays = (...cards) => cards.map((text) => ({ entry: "play", seat: text[0], card: text.slice(1) }));
const pays = (...seats) => seats.map((seat) => ({ entry: "concede", seat }));

const STORIES = {
  C1: {
    record: [...called("N", "5"), ...plays("NAH", "E2H", "S3H", "W4H", "NKH"), ...pays("E"), ...plays("E5H"), ...pays("S"), ...plays("S6H"), ...pays("W")],
    holds: ({ rows, pool }) => rows[0].conceded && rows[0].deltas.N === 30 && pool[1] === 40,
  },
  C2: {
    record: [...called("N", "5"), ...plays("N2H", "EAH", "S3H", "W4H", "EKH")],
    holds: ({ phase, deal }) => phase === "play" && deal.conceded.length === 0,
    refused: pays("S")[0],
  },
  C4: {
    record: [...called("E", "7"), ...plays("N2H", "EAH", "S3H", "W4H"), ...pays("N", "S", "W")],
    holds: ({ rows }) => rows[0].deltas.E === 60 + 40,
  },
};

for (const { id, story } of example("concession"))
  test(`concession ${id}: ${story}`, () => {
    const { record, holds, refused } = STORIES[id];
    const { session, refusal } = fold(record);
    assert.equal(refusal, null);
    assert.ok(holds(session.game));
    if (refused) assert.equal(apply(session, refused).refusal.rule, 40);
  });

test("the printed evening is the scripted record", () => {
  const [{ deals, final }] = example("evening");
  const { rows, final: ours } = fold(lines("scripted-results")).session.game;
  deals.forEach(({ n, event, balances, pool }, place) => {
    const paid = event.endsWith("; contribution") ? 10 : 0;
    const row = rows[place];
    assert.deepEqual([row.number, ...SEATS.map((seat) => row.balances[seat] - paid)], [n, ...balances], event);
    assert.deepEqual(paid ? putIn(row.pool, 40, RULES.cap) : row.pool, pool, event);
  });
  assert.deepEqual(SEATS.map((seat) => ours[seat]), final);
});
