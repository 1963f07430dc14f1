/**
 * The evening on the screen: folded here, kept here before it is shown, and sent by `sync.js`.
 *
 * `record` takes a function from the game to an entry (or several), so that of two quick taps the second
 * already sees what the first one did; writes to the database follow one another in the order of the taps.
 */

import { computed, signal } from "../vendor/signals.js";
import { apply, fold, renumbered, start } from "../game/session.js";
import { ask } from "./api.js";
import { newId } from "./device.js";
import { lease } from "./lease.js";
import { learn } from "./players.js";
import * as database from "./database.js";

/** `{id, version, sent, entries, session, trouble}` or `null`. `sent`: how many entries the server has. */
export const evening = signal(null);
export const game = computed(() => evening.value?.session.game ?? null);
/** The last refusal of this tablet, until the next entry is accepted: `{refusal, entry}` or `null`. */
export const refused = signal(null);

let ahead = null;
let place = 0;
/** Counts what was put in place of what was shown: a tap made before such a change is worked out anew after it. */
let generation = 0;
let writing = Promise.resolve();
const listeners = new Set();

/** Calls back whenever something new is there to be sent. */
export const onRecorded = (listener) => listeners.add(listener);

function show(value) {
  ahead = value.session;
  place = value.entries.length;
  generation += 1;
  evening.value = value;
}

/**
 * What a list of entries folds to. Of an evening that the director corrected only the first `base` entries are those
 * in force: `offset` is how many more the service had counted, and `numbers` are the service's of the last of them.
 */
function folded(entries, { offset = 0, base = 0, numbers = [] } = {}) {
  if (!offset) return fold(entries);
  const { session, refusal } = fold(entries.slice(0, base));
  return refusal ? { session, refusal } : fold(entries.slice(base), renumbered(session, base + offset, numbers));
}

/** Opens a new evening on this tablet, with or without a network. Gives its id. */
export async function openEvening(entry) {
  const id = newId();
  const first = { ...entry, id: newId(), time: new Date().toISOString() };
  const { session, refusal } = apply(start(), first);
  if (refusal) throw refusal;
  const head = { id, version: 0, offset: 0, base: 0, numbers: [], sent: 0, date: entry.date, table: entry.table ?? null, seats: entry.seats, trouble: null };
  await database.replaceEvening(head, [first]);
  show({ ...head, entries: [first], session });
  listeners.forEach((listener) => listener(id));
  return id;
}

/**
 * Shows an evening that is kept here, at once; false where it is not. A copy that was only watched lacks the open
 * deal and does not count.
 */
export async function showKept(id) {
  await writing;
  if (evening.value?.id === id && !evening.value.watched) return true;
  const kept = await database.loadEvening(id);
  if (!kept || kept.watched) return false;
  const { entries, ...head } = kept;
  show({ ...head, entries, session: folded(entries, head).session });
  return true;
}

/** Shows an evening: the one kept here, or the server's; throws what `ask` throws. */
export async function showEvening(id) {
  if (!(await showKept(id))) show(await fetchEvening(id));
}

const lines = async (path) =>
  (await ask("GET", path, undefined, { text: true }))
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));

/** Fetches an evening whole, and keeps it in place of what is kept here unless told not to. */
export async function fetchEvening(id, { keep = true } = {}) {
  const state = await ask("GET", `/api/sessions/${id}`);
  learn(state.seats);
  let entries = await lines(`/api/sessions/${id}/record`);
  let { session, refusal } = fold(entries);
  let offset = 0;
  let numbers = [];
  if (refusal) {
    const total = entries.length;
    entries = await lines(`/api/sessions/${id}/record?effective=true`);
    offset = total - entries.length;
    numbers = numbersOf(state);
    ({ session, refusal } = folded(entries, { offset, base: entries.length, numbers }));
  }
  const { version, date, table = null } = state;
  const trouble = refusal ? { kind: "unreadable" } : null;
  const sent = entries.length;
  const head = { id, version, offset, numbers, sent, base: sent, date, table, trouble, watched: !lease.value.mine };
  if (keep) await database.replaceEvening(head, entries);
  return { ...head, entries, session };
}

/** The numbers of the current deal's entries, where an undo may name the last of them: no correction lies on top. */
const numbersOf = ({ deal_entries: entries = [], undo }) =>
  entries.at(-1)?.number === undo ? entries.map(({ number, part }) => (part ? null : number)) : [];

/** Does something to what is kept after all entries recorded so far are kept, and before any later one is. */
function inTurn(act) {
  const done = writing.then(act);
  writing = done.catch(() => null);
  return done;
}

/** Fetches the shown evening again, where nothing unsent would be lost. */
export async function refreshEvening() {
  const now = evening.value;
  if (!now || unsent(now) > 0) return;
  const { entries, session, ...head } = await fetchEvening(now.id, { keep: false });
  await inTurn(async () => {
    const current = evening.value;
    // Something was recorded here meanwhile, or sent: the next look is soon enough.
    if (current?.id !== now.id || unsent(current) > 0 || current.version > head.version) return;
    await database.replaceEvening(head, entries);
    if (evening.value?.id === now.id) show({ ...head, entries, session: grown(current, entries, head) ?? session });
  });
}

/** The session shown, gone on by what is new in the record; `null` where the record is not the same before that. */
function grown({ entries: before, session, offset }, entries, head) {
  if (offset || head.offset || before.some(({ id }, place) => id !== entries[place]?.id)) return null;
  return fold(entries.slice(before.length), session).session;
}

export const unsent = (value) => value.entries.length - value.sent;

/**
 * Records what happened. `make` gives an entry, or several that belong together, from the session as it stands;
 * none are kept if one of them is refused. Gives the refusal or `null`.
 */
export function record(make) {
  const now = evening.value;
  if (!now || !ahead || now.watched) return null;
  const made = [make(ahead)].flat().filter(Boolean);
  const entries = made.map((entry) => ({ ...entry, id: newId(), time: new Date().toISOString() }));
  let session = ahead;
  for (const entry of entries) {
    const next = apply(session, entry);
    if (next.refusal) {
      refused.value = { refusal: next.refusal, entry };
      return next.refusal;
    }
    session = next.session;
  }
  refused.value = null;
  if (!entries.length) return null;
  const first = place + 1;
  const born = generation;
  place += entries.length;
  ahead = session;
  writing = writing
    .then(async () => {
      if (born !== generation && evening.value?.id === now.id) {
        record(make);
        return;
      }
      await database.keepEntries(now.id, first, entries);
      const current = evening.value;
      if (current?.id === now.id) evening.value = { ...current, entries: [...current.entries, ...entries], session };
      listeners.forEach((listener) => listener(now.id));
    })
    .catch((error) => {
      // The write failed (no room, storage taken away): what is shown must be what is kept, later taps included.
      generation += 1;
      ahead = evening.value?.session ?? null;
      place = evening.value?.entries.length ?? 0;
      refused.value = { refusal: { code: "storage_failed", rule: null, facts: { why: String(error) } }, entry: entries[0] };
    });
  return null;
}

/** The head of an evening after the server took entries up to `sent`, or found trouble. */
export async function moved(id, changes) {
  const current = evening.value;
  const { entries, session, ...head } = current?.id === id ? current : await database.loadEvening(id);
  const next = { ...head, ...changes };
  await database.keepEvening(next);
  if (evening.value?.id === id) evening.value = { ...evening.value, ...changes };
}

/**
 * Puts the service's record in the evening's place, with what `chosen` picks of what is kept here after it: mending
 * what the service did not take. Gives the refusal where they do not fit, and then changes nothing.
 */
export const mended = (id, fresh, chosen) =>
  inTurn(async () => {
    const kept = await database.loadEvening(id);
    const { entries: theirs, session: _, ...head } = fresh;
    const entries = [...theirs, ...chosen(kept)];
    const { session, refusal } = folded(entries, head);
    if (refusal) return refusal;
    await database.replaceEvening({ ...head, trouble: null }, entries);
    if (evening.value?.id === id) show({ ...head, trouble: null, entries, session });
    return null;
  });
