/**
 * What this browser keeps: evenings with every entry, sent or not, and the club's players.
 *
 * `entries` has one row an entry, keyed by session and number. `evenings` says how many of them the server has, so
 * one small write moves an entry from unsent to sent, and there is no moment in which it is neither.
 *
 * Two clubs may use one tablet. All that is kept names its club, and of another club's nothing is read or sent but how
 * much of it still waits here.
 */

import { openDB } from "../vendor/idb.js";
import { whose } from "./api.js";

const NAME = "boston";
const DURABLE = { durability: "strict" };

const opened = openDB(NAME, 2, {
  async upgrade(db, before, _, tx) {
    if (before > 0) await nameClub(tx);
    else {
      db.createObjectStore("evenings", { keyPath: "id" });
      db.createObjectStore("entries", { keyPath: ["session", "number"] });
      db.createObjectStore("players", { keyPath: "player_id" });
      db.createObjectStore("kept", { keyPath: "name" });
    }
  },
});

/** What the first version kept named no club: it is that of the club which was kept with it. */
async function nameClub(tx) {
  const kept = await tx.objectStore("kept").getAll();
  const club = kept.find(({ name }) => name === "club")?.value?.club_id ?? whose();
  for (const name of ["evenings", "players"]) {
    const store = tx.objectStore(name);
    for (const row of await store.getAll()) await store.put({ ...row, club });
  }
  await tx.objectStore("kept").clear();
  for (const { name, value } of kept) await tx.objectStore("kept").put({ name: named(name, club), value });
}

const ours = ({ club }) => club === whose();
const named = (name, club = whose()) => `${club} ${name}`;
const whole = (session) => IDBKeyRange.bound([session, 0], [session, Infinity]);

/** The club's evenings in this browser, newest first, without their entries. */
export async function evenings() {
  return (await (await opened).getAll("evenings")).filter(ours).sort((a, b) => (a.id < b.id ? 1 : -1));
}

/** How many entries of other clubs wait here to be sent. */
export async function abroad() {
  const tx = (await opened).transaction(["evenings", "entries"]);
  const others = (await tx.objectStore("evenings").getAll()).filter((evening) => !ours(evening));
  const counts = await Promise.all(others.map(({ id }) => tx.objectStore("entries").count(whole(id))));
  return others.reduce((sum, { sent }, place) => sum + counts[place] - sent, 0);
}

/** One evening and its entries in order, or `null`. */
export async function loadEvening(id) {
  const tx = (await opened).transaction(["evenings", "entries"]);
  const [evening, rows] = await Promise.all([
    tx.objectStore("evenings").get(id),
    tx.objectStore("entries").getAll(whole(id)),
  ]);
  return evening && ours(evening) ? { ...evening, entries: rows.map(({ entry }) => entry) } : null;
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
  await Promise.all([tx.store.put({ ...head, club: whose() }), tx.done]);
}

/** Replaces all entries of an evening, in one transaction with its head. */
export async function replaceEvening(evening, entries) {
  const tx = (await opened).transaction(["evenings", "entries"], "readwrite", DURABLE);
  const store = tx.objectStore("entries");
  await store.delete(whole(evening.id));
  await Promise.all([
    ...entries.map((entry, place) => store.put({ session: evening.id, number: place + 1, entry })),
    tx.objectStore("evenings").put({ ...evening, club: whose() }),
    tx.done,
  ]);
}

export async function keepPlayers(players) {
  const tx = (await opened).transaction("players", "readwrite");
  await Promise.all([...players.map((player) => tx.store.put({ ...player, club: whose() })), tx.done]);
}

export const keptPlayers = async () => (await (await opened).getAll("players")).filter(ours);

/** A small named value that has to be there offline: the club, the rule sets, the recent tables. */
export const keep = async (name, value) => (await opened).put("kept", { name: named(name), value });
export const kept = async (name) => (await (await opened).get("kept", named(name)))?.value;
