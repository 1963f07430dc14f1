/** The settings of this device: how the screen looks and feels. They never leave it. */

import { signal } from "../vendor/signals.js";

const KEY = "boston.device";

const DEFAULTS = {
  language: (navigator.language || "en").startsWith("ru") ? "ru" : "en",
  theme: "auto", // auto, light, dark
  suits: "two", // two colours, four colours, or none
  mirror: false,
  bottom: "S", // the seat drawn at the bottom of the table
  twoTap: false,
  discreet: false, // do not grey the cards that were played
};

const read = () => {
  try {
    return { ...DEFAULTS, ...JSON.parse(localStorage.getItem(KEY) ?? "{}") };
  } catch {
    return DEFAULTS;
  }
};

export const device = signal(read());

const preferDark = matchMedia("(prefers-color-scheme: dark)");

/** Puts the settings where the style sheets look for them. */
export function applyDevice() {
  const { language, theme, suits, mirror } = device.value;
  const root = document.documentElement;
  root.lang = language;
  root.dataset.theme = theme === "auto" ? (preferDark.matches ? "dark" : "light") : theme;
  root.dataset.suits = suits;
  root.dataset.hand = mirror ? "left" : "right";
  document.querySelector('meta[name="theme-color"]')?.setAttribute("content", root.dataset.theme === "dark" ? "#121a17" : "#f3efe6");
}

export function changeDevice(changes) {
  device.value = { ...device.value, ...changes };
  localStorage.setItem(KEY, JSON.stringify(device.value));
  applyDevice();
}

preferDark.addEventListener("change", applyDevice);

/** A lasting name of this device, by which others see who records a table: chosen once, changeable in the settings. */
export function deviceName() {
  let name = localStorage.getItem("boston.name");
  if (!name) {
    name = `${/Mobi|Android|iPad|iPhone/.test(navigator.userAgent) ? "Tablet" : "Browser"} ${newId().slice(-4)}`;
    localStorage.setItem("boston.name", name);
  }
  return name;
}

export const nameDevice = (name) => localStorage.setItem("boston.name", name);

/** A time-ordered random id (UUID version 7): the idempotency key of a session or an entry. */
export function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const now = Date.now();
  for (let place = 0; place < 6; place += 1) bytes[place] = Math.floor(now / 2 ** (8 * (5 - place))) & 255;
  bytes[6] = (bytes[6] & 15) | 112;
  bytes[8] = (bytes[8] & 63) | 128;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
