/** Keeps the screen awake while a table is recorded, and the browser's store from being cleared. */

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

/** Asks that what is kept here is not cleared under pressure; the browser decides. */
export const persist = () => navigator.storage?.persist?.().catch(() => false);

/** What does not work where the page was not loaded over https or from localhost. */
export const insecure = !isSecureContext;
