/**
 * What this browser keeps: evenings with every entry, sent or not, and the club's players.
 *
 * `entries` has one row an entry, keyed by session and number. `evenings` says how many of them the server has, so
 * one small write moves an entry from unsent to sent, and there is no moment in which it is neither.
 */

import { openDB } from "../vendor/idb.js";

const NAME = "boston";
const DURABLE = { durability: "strict" };

const opened = openDB(NAME, 1, {
  upgrade(db) {
    db.createObjectStore("evenings", { keyPath: "id" });
    db.createObjectStore("entries", { keyPath: ["session", "number"] });
    db.createObjectStore("players", { keyPath: "player_id" });
    db.createObjectStore("kept", { keyPath: "name" });
  },
});

const whole = (session) => IDBKeyRange.bound([session, 0], [session, Infinity]);

/** All evenings of this browser, newest first, without their entries. */
export async function evenings() {
  return (await (await opened).getAll("evenings")).sort((a, b) => (a.id < b.id ? 1 : -1));
}

/** One evening and its entries in order, or `null`. */
export async function loadEvening(id) {
  const tx = (await opened).transaction(["evenings", "entries"]);
  const [evening, rows] = await Promise.all([
    tx.objectStore("evenings").get(id),
    tx.objectStore("entries").getAll(whole(id)),
  ]);
  return evening ? { ...evening, entries: rows.map(({ entry }) => entry) } : null;
}

/** Keeps new entries, numbered from `first`. When this settles they outlive the browser's death. */
export async function keepEntries(session, first, entries) {
  const tx = (await opened).transaction("entries", "readwrite", DURABLE);
  await Promise.all([
    ...entries.map((entry, place) => tx.store.add({ session, number: first + place, entry })),
    tx.done,
  ]);
}

/** Keeps an evening's head: `{id, version, sent, ...}`. */
export async function keepEvening(evening) {
  const { entries: _, ...head } = evening;
  const tx = (await opened).transaction("evenings", "readwrite", DURABLE);
  await Promise.all([tx.store.put(head), tx.done]);
}

/** Replaces all entries of an evening, in one transaction with its head. */
export async function replaceEvening(evening, entries) {
  const tx = (await opened).transaction(["evenings", "entries"], "readwrite", DURABLE);
  const store = tx.objectStore("entries");
  await store.delete(whole(evening.id));
  await Promise.all([
    ...entries.map((entry, place) => store.put({ session: evening.id, number: place + 1, entry })),
    tx.objectStore("evenings").put(evening),
    tx.done,
  ]);
}

export async function keepPlayers(players) {
  const tx = (await opened).transaction("players", "readwrite");
  await Promise.all([...players.map((player) => tx.store.put(player)), tx.done]);
}

export const keptPlayers = async () => (await opened).getAll("players");

/** A small named value that has to be there offline: the club, the rule sets, the recent tables. */
export const keep = async (name, value) => (await opened).put("kept", { name, value });
export const kept = async (name) => (await (await opened).get("kept", name))?.value;
