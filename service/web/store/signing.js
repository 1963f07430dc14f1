/**
 * Signing a settled line: a seat confirms it, on its own device or on the recorder's, bound to the chain's hash there.
 * A signature waits for the network: what it names is known only when the service has the deal.
 */

import { SEATS } from "../game/seats.js";
import { ask, me } from "./api.js";
import { deviceName, newId } from "./device.js";
import { refreshEvening } from "./evening.js";
import { plays, records } from "./roles.js";

/** The seats that may sign on this device: a player's own, or all of them where the table is recorded. */
export function signers(state) {
  if (plays()) return SEATS.filter((seat) => state.seats?.[seat]?.player_id === me.value.player_id);
  return records() ? SEATS : [];
}

/** One id a signature, so that sending it again signs nothing twice. */
const ids = new Map();

/** Records that a seat agrees to line `line` (from 1) as it stands with `hash`; throws what `ask` throws. */
export async function sign(session, line, seat, hash) {
  const name = [session, line, seat, hash].join();
  if (!ids.has(name)) ids.set(name, newId());
  const device = plays() ? "own" : "recorder";
  const entry = { entry: "sign", id: ids.get(name), time: new Date().toISOString(), seat, line, hash, device };
  await ask("POST", `/api/sessions/${session}/entries`, { entries: [entry], device: deviceName() });
  await refreshEvening().catch(() => null);
}
