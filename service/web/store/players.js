/** The club's players and the club itself, kept here so that an evening can be opened without a network. */

import { SEATS } from "../game/seats.js";
import { signal } from "../vendor/signals.js";
import { ask, Offline, whole } from "./api.js";
import * as database from "./database.js";

/** Players by id. */
export const players = signal(new Map());
export const club = signal(null);
/** The last few tables of four, newest first: `[[id, id, id, id], ...]` in the order N E S W. */
export const recent = signal([]);

/** Text as it is searched: without case and accents. */
export const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLocaleLowerCase().replace(/ё/g, "е");

/** A player's name; an entry may also hold a plain name, or an id that is not known here yet. */
export const nameOf = (player) =>
  players.value.get(player)?.name ?? (/^[0-9a-f-]{36}$/.test(player ?? "") ? "…" : (player ?? "…"));

/** The name of who sits on a chair, in the service's state of an evening or in any `{seats}`. */
export const sitter = (state, seat) => state.seats?.[seat]?.name ?? nameOf(state.seats?.[seat]?.player_id ?? state.seats?.[seat]);

/** All four of an evening, by name. */
export const names = (state) => (state.seats ? SEATS.map((seat) => sitter(state, seat)).join(", ") : "");

const put = (list) => {
  players.value = new Map([...players.value, ...list.map((player) => [player.player_id, player])]);
};

/** Reads what is kept here, then what the service has, if it can be reached. */
export async function loadPlayers() {
  put(await database.keptPlayers());
  club.value = (await database.kept("club")) ?? null;
  recent.value = (await database.kept("recent")) ?? [];
  try {
    club.value = await ask("GET", "/api/club");
    await database.keep("club", club.value);
    put(await whole("/api/players", "players"));
    await database.keepPlayers([...players.value.values()]);
  } catch (error) {
    if (!(error instanceof Offline) && !error.status) throw error;
  }
}

/** Learns the names that came with an evening's state. */
export function learn(seats) {
  put(Object.values(seats ?? {}).filter((sitting) => sitting?.player_id && sitting.name));
}

/** Every player that is known here, by name. */
export const everyone = () => [...players.value.values()].sort((a, b) => a.name.localeCompare(b.name));

export const search = (text) => everyone().filter(({ name }) => plain(name).includes(plain(text)));

/** Adds a player or a guest. Without a network the name itself is used, and the service adds him with the evening. */
export async function addPlayer(name, guest = false) {
  try {
    const player = await ask("POST", "/api/players", { name, guest });
    put([player]);
    await database.keepPlayers([player]);
    return player.player_id;
  } catch (error) {
    if (error instanceof Offline) return name;
    throw error;
  }
}

export async function rememberTable(four) {
  const rest = recent.value.filter((other) => other.join() !== four.join());
  recent.value = [four, ...rest].slice(0, 6);
  await database.keep("recent", recent.value);
}
