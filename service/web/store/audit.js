/** What the director's screens ask of the service: acts beside the game and over it, and what they lead to. */

import { useEffect, useState } from "../vendor/hooks.js";
import { signal } from "../vendor/signals.js";
import { ask, me, Offline } from "./api.js";
import { deviceName, newId } from "./device.js";

export const rules = () => me.value?.role === "director";
export const audits = () => ["director", "auditor"].includes(me.value?.role);
/** Who may read who did what, and who may take a receipt or a bundle along; a player of the evenings that he sat at. */
export const traces = () => ["director", "auditor", "player"].includes(me.value?.role);
/** Who may raise a dispute: whoever enters something at the table. */
export const speaks = () => ["director", "recorder", "player"].includes(me.value?.role);
export const receives = () => traces() || me.value?.role === "recorder";

/** A correction that is drafted and not recorded, `{id, line, hash, draft, changes}`: it is compared with the rulings. */
export const proposal = signal(null);

/** The drafted correction of a line, as long as the line stands as it stood when it was drafted. */
export const proposed = (id, line, hash) => (proposal.value?.id === id && proposal.value.line === line && proposal.value.hash === hash ? proposal.value : null);

const of = (id) => `/api/sessions/${id}`;
const query = (asked) =>
  new URLSearchParams(Object.entries(asked).filter(([, value]) => value !== null && value !== undefined && value !== "")).toString();

/**
 * Records acts; all or none. `secondKey` is the secret of another director's or admin's key, where the service asks for
 * one; `version` the one that was looked at, so that nothing is ruled on what has moved meanwhile.
 */
export function enter(id, entries, { version, secondKey } = {}) {
  const named = entries.map((entry) => ({ ...entry, id: newId(), time: new Date().toISOString() }));
  const body = { entries: named, device: deviceName() };
  if (version !== undefined) body.expected_version = version;
  if (secondKey) body.second_key = secondKey;
  return ask("POST", `${of(id)}/entries`, body);
}

/** Will the service want a second key for these acts? Found out by a dry run, which records nothing. */
export function useSecondKey(id, entries, version) {
  const asked = JSON.stringify(entries);
  const { value } = useLoaded(async () => entries.length > 0 && (await ask("POST", `${of(id)}/entries`, { entries, dry_run: true })).second_key_needed, [id, asked, version]);
  return Boolean(value);
}

/** Rulings side by side: `{version, effects}`. */
export const simulate = (id, asked) => ask("POST", `${of(id)}/rulings/simulate`, asked);

export const timeline = (id, asked) => ask("GET", `${of(id)}/timeline?${query(asked)}`);
export const timelineCsv = (id, asked) => `${of(id)}/timeline?${query({ ...asked, format: "csv" })}`;

/** All pages of a list. */
export async function whole(path) {
  const found = [];
  let next = null;
  do {
    const page = await ask("GET", next ? `${path}${path.includes("?") ? "&" : "?"}cursor=${encodeURIComponent(next)}` : path);
    found.push(...page.items);
    next = page.next;
  } while (next);
  return found;
}

/** The entries in force of a whole evening, in the order of play. */
export async function mainLine(id) {
  const text = await ask("GET", `${of(id)}/record?effective=true`, undefined, { text: true });
  return text.split("\n").filter(Boolean).map((line) => JSON.parse(line));
}

/**
 * Loads something when the screen is drawn, and again on `again()`: `{value, failed, again}`. What was there stays
 * until the new is; `failed` is `"offline"`, `"missing"` or the service's own words.
 */
export function useLoaded(load, keys) {
  const [state, put] = useState({ value: null, failed: null });
  const [turn, next] = useState(0);
  useEffect(() => {
    let gone = false;
    Promise.resolve()
      .then(load)
      .then(
        (value) => !gone && put({ value, failed: null }),
        (error) => !gone && put({ value: null, failed: error instanceof Offline ? "offline" : error.status === 404 || error.status === 403 ? "missing" : error.message }),
      );
    return () => {
      gone = true;
    };
  }, [...keys, turn]);
  return { ...state, again: () => next(turn + 1) };
}

/** A line of the score sheet flat, however the service wraps it. */
export const flat = ({ row, ...rest }) => (row ? { ...row, ...rest } : rest);
