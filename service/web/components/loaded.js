/** What a screen asks of the service when it is drawn. */

import { useEffect, useState } from "../vendor/hooks.js";

/**
 * Loads something when the screen is drawn, whenever one of `keys` changes, and on `again()`: `{value, failed, again}`.
 * What was there stays until the new is; `failed` is what `ask` threw. An answer that comes too late is forgotten.
 */
export function useLoaded(load, keys = []) {
  const [state, put] = useState({ value: null, failed: null });
  const [turn, next] = useState(0);
  useEffect(() => {
    let gone = false;
    Promise.resolve()
      .then(load)
      .then(
        (value) => !gone && put({ value, failed: null }),
        (failed) => !gone && put({ value: null, failed }),
      );
    return () => {
      gone = true;
    };
  }, [...keys, turn]);
  return { ...state, again: () => next((count) => count + 1) };
}
