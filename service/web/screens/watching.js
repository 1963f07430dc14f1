/** An evening that is only looked at: fetched from the service, followed live, or folded from what is kept here. */

import { useEffect, useRef, useState } from "../vendor/hooks.js";
import { fold } from "../game/session.js";
import { ask, Offline } from "../store/api.js";
import * as database from "../store/database.js";
import { evening, unsent } from "../store/evening.js";
import { learn } from "../store/players.js";
import { follow } from "../store/stream.js";

/** What this tablet itself knows of an evening that it records: `{state, ahead}`, or `null`. */
async function own(id) {
  const shown = evening.value?.id === id ? evening.value : null;
  const kept = shown ?? (await database.loadEvening(id));
  if (!kept) return null;
  const { game } = shown ? shown.session : fold(kept.entries).session;
  return { state: fromGame(id, game), known: kept.version > 0, ahead: unsent(kept) > 0 };
}

/** The part of the service's state that a watched evening is drawn from, made from a game. */
function fromGame(id, game) {
  const seats = game.seatings.at(-1)?.seats ?? {};
  return {
    session_id: id,
    date: game.date,
    table: game.table,
    ruleset: game.ruleset,
    rules: game.rules,
    deals: game.rules?.deals ?? 12,
    phase: game.phase,
    seats: Object.fromEntries(Object.entries(seats).map(([seat, player]) => [seat, { player_id: player, name: null }])),
    balances: game.balances,
    pool: game.pool,
    rows: game.rows,
    final: game.final,
    winners: game.winners,
  };
}

/**
 * `{state, failed, fresh, again}`: the evening now; `fresh` says that it comes from the service, which then has all
 * that was recorded here; `again()` fetches it anew.
 */
export function useEvening(id) {
  const [found, put] = useState({ state: null, failed: null, fresh: false });
  const [turn, next] = useState(0);
  const version = useRef(null);
  // An evening that was opened here is asked for once the service knows it, and again when it has caught up.
  const here = evening.value?.id === id ? `${evening.value.version} ${unsent(evening.value)}` : "";
  const [known, learnt] = useState(false);
  useEffect(() => {
    let gone = false;
    const load = async () => {
      const mine = await own(id);
      if (gone) return;
      learnt(mine?.known ?? true);
      if (mine && (mine.ahead || !mine.known)) {
        put({ state: mine.state, failed: null, fresh: false });
        return;
      }
      try {
        const state = await ask("GET", `/api/sessions/${id}`);
        learn(state.seats);
        if (gone) return;
        version.current = state.version;
        put({ state: { ...state, rows: (state.rows ?? []).map(rowOf) }, failed: null, fresh: true });
      } catch (error) {
        if (!gone) put(mine ? { state: mine.state, failed: null, fresh: false } : { state: null, failed: error instanceof Offline ? "offline" : "missing", fresh: false });
      }
    };
    load();
    return () => {
      gone = true;
    };
  }, [id, here, turn]);
  useEffect(() => (known ? follow(id, (at) => at !== version.current && next((count) => count + 1)) : undefined), [id, known]);
  return { ...found, again: () => next((count) => count + 1) };
}

/** A row with its number and all that concerns the line, flat. */
const rowOf = ({ row, ...line }) => ({ ...row, ...line });
