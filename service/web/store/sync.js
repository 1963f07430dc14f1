/**
 * Sends what is kept here, first in first out, one evening's queue apart from another's.
 *
 * An entry's id is its idempotency key, so sending again what the service has already taken repeats nothing: after a
 * death in mid-send the same batch goes out again. What the service does not take stops that evening's queue as
 * `trouble`, is shown with both sides, and is mended by a person; nothing is ever dropped silently.
 */

import { computed, signal } from "../vendor/signals.js";
import { ask, me, Offline, Problem, reachable } from "./api.js";
import { deviceName } from "./device.js";
import { renew, takeOver } from "./lease.js";
import * as database from "./database.js";
import { evening, fetchEvening, mended, moved, onRecorded, unsent } from "./evening.js";

const BATCH = 100;
const RETRY = [1_000, 2_000, 4_000, 8_000, 15_000];

/** How many entries of other evenings still wait here. */
export const elsewhere = signal(0);
/** How many entries of another club wait here; they are sent when that club signs in again. */
export const abroad = signal(0);
/** The banner's words: what is saved where. */
export const saving = computed(() => {
  const now = evening.value;
  const waiting = now ? unsent(now) : 0;
  const state = now?.trouble ? "trouble" : !reachable.value ? "offline" : waiting > 0 ? "sending" : "online";
  const recorded = now ? now.entries.length + now.offset : 0;
  return { state, waiting, recorded, stored: recorded - waiting, elsewhere: elsewhere.value, abroad: abroad.value };
});

let running = null;
let again = false;
let failures = 0;
let timer = null;

/** Starts sending if nothing is being sent; otherwise it looks again when it is done. */
export function send() {
  again = true;
  running ??= drain().finally(() => {
    running = null;
    if (again) send();
  });
  return running;
}

async function drain() {
  again = false;
  clearTimeout(timer);
  if (!me.value) return;
  let waiting = 0;
  try {
    for (const head of await database.evenings()) {
      const rest = await sendEvening(head.id);
      if (head.id !== evening.value?.id) waiting += rest;
    }
    failures = 0;
  } catch (error) {
    if (!(error instanceof Offline)) throw error;
    timer = setTimeout(send, RETRY[Math.min(failures, RETRY.length - 1)]);
    failures += 1;
  }
  elsewhere.value = waiting;
  abroad.value = await database.abroad();
}

/** Sends one evening's queue as far as the service takes it; gives how many entries are left. */
async function sendEvening(id) {
  for (;;) {
    const kept = await database.loadEvening(id);
    const waiting = kept ? kept.entries.slice(kept.sent, kept.sent + BATCH) : [];
    if (!waiting.length || kept.trouble) return waiting.length;
    try {
      const answer = await post(kept, kept.version ? waiting : waiting.slice(0, 1));
      const taken = kept.version ? waiting.length : 1;
      await moved(id, { sent: kept.sent + taken, version: answer.version });
      if (!kept.version) renew(id);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      // Signed out, or asked to wait: the queue stays as it is and is tried again later.
      if ([401, 429].includes(error.status) || error.code === "csrf" || error.status >= 500) throw new Offline(error.message);
      if (besideTheTable(error) && !(await mend(id).catch(unlessOffline))) continue;
      await moved(id, { trouble: troubleOf(error) });
      return waiting.length;
    }
  }
}

const post = (kept, entries) =>
  kept.version
    ? ask("POST", `/api/sessions/${kept.id}/entries`, { expected_version: kept.version, entries, device: deviceName() })
    : ask("POST", "/api/sessions", { session_id: kept.id, entries, device: deviceName() });

/** What does not stand in the way of recording: sign-offs, disputes, and what the director did about finished deals. */
const BESIDE = ["settlement_signed", "dispute_raised", "dispute_resolved", "finding_acknowledged", "correction_made", "deal_corrected", "transfer_ruled"];

/** Did nothing but such acts come in between? Then what is here simply follows them. */
const besideTheTable = ({ body: { code, missed } }) =>
  code === "version_conflict" && missed?.length > 0 && missed.every(({ data }) => BESIDE.includes(data.type));

const unlessOffline = (error) => {
  if (error instanceof Offline) throw error;
  return error;
};

const troubleOf = ({ status, body }) => ({ kind: status === 409 ? "conflict" : "refused", problem: body });

/** Both sides of a conflict: what the service has that is not here, and what is here that it does not have. */
export async function bothSides(id) {
  const kept = await database.loadEvening(id);
  const text = await ask("GET", `/api/sessions/${id}/record`, undefined, { text: true });
  const theirs = text.split("\n").filter(Boolean).map((line) => JSON.parse(line));
  const known = new Set(theirs.map((entry) => entry.id));
  const mine = kept.entries.slice(kept.sent);
  const before = new Set(kept.entries.map((entry) => entry.id));
  return {
    theirs: theirs.filter((entry) => !before.has(entry.id)),
    mine: mine.filter((entry) => !known.has(entry.id)),
  };
}

/**
 * Puts the entries that are only here on top of the service's record, but for those whose ids are `left` out. What was
 * recorded here meanwhile goes along. Gives the refusal if they do not fit.
 */
export async function mend(id, left = new Set()) {
  // Whoever decides about both sides records the table from then on.
  if (evening.value?.trouble?.problem?.code === "table_taken") await takeOver(id);
  const fresh = await fetchEvening(id, { keep: false });
  const refusal = await mended(id, fresh, (kept) => after(fresh, kept, left));
  if (!refusal) send();
  return refusal;
}

/** What is only here, after the service's record: an undo or withdrawal names its entry by the number that it gets there. */
function after(fresh, kept, left) {
  const known = new Set(fresh.entries.map((entry) => entry.id));
  const first = kept.sent + kept.offset + 1;
  const numbers = new Map();
  const picked = [];
  kept.entries.slice(kept.sent).forEach((entry, place) => {
    if (known.has(entry.id) || left.has(entry.id)) return;
    numbers.set(first + place, fresh.sent + fresh.offset + picked.length + 1);
    picked.push(entry);
  });
  const renamed = ({ target, from, ...entry }) => ({
    ...entry,
    ...(target === undefined ? {} : { target: numbers.get(target) ?? target }),
    ...(from === undefined ? {} : { from: numbers.get(from) ?? from }),
  });
  return picked.map(renamed);
}

/** Sends whenever there is a reason to: something recorded, the network back, the page looked at again, signed in. */
export function keepSending() {
  onRecorded(send);
  addEventListener("online", send);
  addEventListener("offline", () => (reachable.value = false));
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && send());
  me.subscribe(() => send());
  addEventListener("beforeunload", (event) => {
    if (saving.value.waiting + saving.value.elsewhere > 0) event.preventDefault();
  });
}
