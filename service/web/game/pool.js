/**
 * The pool: full pools set aside at the cap, and the open one (rules 38, 39, 42 and 43).
 * It travels as `[full, open]`; amounts are whole white units; a `null` cap is no cap.
 */

export const total = ([full, open], cap) => full * (cap ?? 0) + open;

/** The pool after `amount` came in; what goes over the cap feeds another. */
export function putIn([full, open], amount, cap) {
  if (cap === null) return [full, open + amount];
  return [full + Math.floor((open + amount) / cap), (open + amount) % cap];
}

/** What a success takes and a failure doubles: one full pool if there is any, else the open one. */
export const active = ([full, open], cap) => (cap !== null && full > 0 ? cap : open);

/** What the winner takes, and the pool afterwards. */
export const win = (pool, cap) => [active(pool, cap), pool[0] > 0 ? [pool[0] - 1, pool[1]] : [0, 0]];

/** What a failure pays in, and the pool afterwards. */
export const double = (pool, cap) => {
  const paid = active(pool, cap);
  return [paid, pool[0] > 0 ? [pool[0] + 1, pool[1]] : putIn(pool, paid, cap)];
};
