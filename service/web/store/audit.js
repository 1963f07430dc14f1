/** What the director's screens ask of the service: acts beside the game and over it, and what they lead to. */

import { signal } from "../vendor/signals.js";
import { ask } from "./api.js";
import { deviceName, newId } from "./device.js";

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

/** Rulings side by side: `{version, effects}`. */
export const simulate = (id, asked) => ask("POST", `${of(id)}/rulings/simulate`, asked);

export const timeline = (id, asked) => ask("GET", `${of(id)}/timeline?${query(asked)}`);
export const timelineCsv = (id, asked) => `${of(id)}/timeline?${query({ ...asked, format: "csv" })}`;

/** The entries in force of a whole evening, in the order of play. */
export async function mainLine(id) {
  const text = await ask("GET", `${of(id)}/record?effective=true`, undefined, { text: true });
  return text.split("\n").filter(Boolean).map((line) => JSON.parse(line));
}

/** A line of the score sheet flat, however the service wraps it. */
export const flat = ({ row, ...rest }) => (row ? { ...row, ...rest } : rest);
