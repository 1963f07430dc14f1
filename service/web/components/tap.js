/** Taps: identical ones within 350 ms count once, and in two-tap mode the first only picks the key. */

import { signal } from "../vendor/signals.js";
import { device } from "../store/device.js";

const SAME = 350;

/** The key that waits for its second tap. */
export const armed = signal(null);

let last = { key: null, at: 0 };

/** Does this tap count? `key` names what was tapped. */
export function counts(key) {
  const now = performance.now();
  const same = last.key === key && now - last.at < SAME;
  last = { key, at: now };
  return !same;
}

/** A handler that runs `act` once for a tap, or on the second tap in two-tap mode. */
export const tap = (key, act) => () => {
  if (!counts(key)) return;
  if (device.value.twoTap && armed.value !== key) {
    armed.value = key;
    return;
  }
  armed.value = null;
  act();
};
