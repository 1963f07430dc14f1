/** An evening that is only looked at: fetched from the service, followed live, or folded from what is kept here. */

import { useEffect, useState } from "../vendor/hooks.js";
import { fold } from "../game/session.js";
import { ask, Offline } from "../store/api.js";
import * as database from "../store/database.js";
import { evening } from "../store/evening.js";
import { learn } from "../store/players.js";
import { follow } from "../store/stream.js";

/** What this tablet itself knows of an evening that it records. */
async function own(id) {
  if (evening.value?.id === id) return fromGame(evening.value.session.game);
  const kept = await database.loadEvening(id);
  return kept ? fromGame(fold(kept.entries).session.game) : null;
}

/** The part of the service's state that a watched evening is drawn from, made from a game. */
function fromGame(game) {
  const seats = game.seatings.at(-1)?.seats ?? {};
  return {
    date: game.date,
    table: game.table,
    ruleset: game.ruleset,
    deals: game.rules?.deals ?? 12,
    start: game.rules?.start ?? 0,
    phase: game.phase,
    seats: Object.fromEntries(Object.entries(seats).map(([seat, player]) => [seat, { player_id: player, name: null }])),
    balances: game.balances,
    pool: game.pool,
    rows: game.rows,
    final: game.final,
    winners: game.winners,
  };
}

/** `{state, failed, fresh}`: the evening now; `fresh` is false while it comes from this device alone. */
export function useEvening(id, live = true) {
  const [found, put] = useState({ state: null, failed: null, fresh: false });
  useEffect(() => {
    let gone = false;
    const load = async () => {
      try {
        const state = await ask("GET", `/api/sessions/${id}`);
        learn(state.seats);
        if (!gone) put({ state: { ...state, rows: (state.rows ?? []).map(rowOf) }, failed: null, fresh: true });
      } catch (error) {
        const state = await own(id);
        if (!gone) put(state ? { state, failed: null, fresh: false } : { state: null, failed: error instanceof Offline ? "offline" : "missing", fresh: false });
      }
    };
    load();
    const stop = live ? follow(id, load) : () => null;
    return () => {
      gone = true;
      stop();
    };
  }, [id]);
  return found;
}

/** A row with its number, however the service wraps it. */
const rowOf = (row) => (row.row ? { number: row.number, ...row.row } : row);
