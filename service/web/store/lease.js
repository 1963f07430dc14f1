/** Who records this table now: one writer at a time, visible, taken over in two taps. */

import { signal } from "../vendor/signals.js";
import { ask, me, Offline } from "./api.js";
import { deviceName } from "./device.js";

const BEAT = 15_000;

/** `{mine, holder}`; offline it stays as it was last known, so that a tablet without a network goes on recording. */
export const lease = signal({ mine: true, holder: null });

let beating = null;

/** Requests follow one another, so that giving a table back never overtakes asking for it again. */
let asking = Promise.resolve();
const inTurn = (act) => (asking = asking.then(act, act));

const put = (id, take) =>
  inTurn(async () => {
    try {
      lease.value = await ask("PUT", `/api/sessions/${id}/lease`, { device: deviceName(), take });
    } catch (error) {
      if (!(error instanceof Offline)) throw error;
    }
  });

/**
 * Asks for the lease and keeps it by a heartbeat until `release`; a table recorded elsewhere is only watched. An
 * evening that was opened here and is not `known` to the service yet is this tablet's until it is.
 */
export async function hold(id, known) {
  release();
  lease.value = { mine: true, holder: null };
  const beat = () => beating?.known && put(id, false).catch(() => null);
  beating = { id, known, timer: setInterval(beat, BEAT) };
  await beat();
}

/** Asks at once: an evening that was opened here has just come to the service. */
export function renew(id) {
  if (beating?.id !== id) return;
  beating.known = true;
  put(id, false).catch(() => null);
}

/** Takes the table over; the other tablet sees it at its next heartbeat. */
export const takeOver = (id) => put(id, true);

/** Who signs in anew on this device goes on recording here: the table is still held by the key that it had before. */
let key = me.value?.key_id;
me.subscribe((who) => {
  const anew = who && key && who.key_id !== key;
  key = who?.key_id ?? key;
  if (anew && beating?.known && lease.value.mine) takeOver(beating.id).catch(() => null);
});

/** Gives the table back, so that another tablet need not take it over. */
export function release() {
  if (!beating) return;
  clearInterval(beating.timer);
  const { id, known } = beating;
  beating = null;
  if (known && lease.value.mine) inTurn(() => ask("DELETE", `/api/sessions/${id}/lease?device=${encodeURIComponent(deviceName())}`).catch(() => null));
}
