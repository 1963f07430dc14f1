/** Folds records on the tablet's side, for a comparison entry by entry: JSON lines in, one JSON line of states out. */

import { readFileSync } from "node:fs";

import { apply, start } from "../../service/web/game/session.js";
import { legalCalls } from "../../service/web/game/auction.js";
import { mayConcede } from "../../service/web/game/concession.js";
import { suitsOf } from "../../service/web/game/deal.js";
import { turn } from "../../service/web/game/table.js";

const states = (record) => {
  let session = start();
  return record.map((entry) => {
    const next = apply(session, entry);
    // A refused line of a record uses up its number, as it does in a replay that keeps going.
    session = next.refusal ? { ...session, number: session.number + 1 } : next.session;
    const { game, trail, undone } = session;
    return {
      refused: next.refusal?.code ?? null,
      // Before the first deal the wire calls the pause between deals the dealing.
      phase: game.phase === "between_deals" && !game.rows.length ? "dealing" : game.phase,
      dealer: game.dealer,
      balances: game.balances,
      pool: game.pool,
      rows: game.rows.length,
      turn: turn(game),
      legal: game.phase === "auction" ? legalCalls(game.rules, suitsOf(game), game.dealer, game.deal.calls) : [],
      may_concede: mayConcede(game.rules, game.phase, game.deal),
      undo: trail.length > 1 ? trail.at(-1).number : null,
      redo: undone.at(-1)?.step.number ?? null,
    };
  });
};

for (const line of readFileSync(0, "utf8").split("\n").filter(Boolean)) console.log(JSON.stringify(states(JSON.parse(line))));
