/** Keeps the screen awake while a table is recorded, the browser's store from being cleared, and the app itself here. */

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

/** Is the app itself kept here, so that it starts without a network? */
export const startsOffline = signal(false);

/** Has the app kept on this device, and again once the network is back where it was lost on the way. */
export function keepApp() {
  const { serviceWorker } = navigator;
  if (!serviceWorker) return;
  const register = () => serviceWorker.register("/sw.js").catch(() => null);
  serviceWorker.ready.then(() => (startsOffline.value = true));
  addEventListener("online", () => startsOffline.value || register());
  register();
}

/** Has the browser promised not to clear what is kept here? */
export const lasting = signal(false);

/** Asks that what is kept here is not cleared under pressure; the browser decides. */
export async function persist() {
  lasting.value = (await navigator.storage?.persist?.().catch(() => false)) ?? false;
}

/** What does not work where the page was not loaded over https or from localhost. */
export const insecure = !isSecureContext;
