/** Keeps the screen awake while a table is recorded, and the browser's store from being cleared. */

import { signal } from "../vendor/signals.js";

let lock = null;
let wanted = false;

async function take() {
  if (!wanted || document.visibilityState !== "visible" || !navigator.wakeLock) return;
  // Refused when the battery is low; then the screen dims as the device likes.
  lock = await navigator.wakeLock.request("screen").catch(() => null);
}

document.addEventListener("visibilitychange", take);

export function stayAwake(yes) {
  wanted = yes;
  if (yes) take();
  else lock?.release().catch(() => null);
}

/** Has the browser promised not to clear what is kept here? */
export const lasting = signal(false);

/** Asks that what is kept here is not cleared under pressure; the browser decides. */
export async function persist() {
  lasting.value = (await navigator.storage?.persist?.().catch(() => false)) ?? false;
}

/** What does not work where the page was not loaded over https or from localhost. */
export const insecure = !isSecureContext;
