/** The words of the screen: one catalogue a language, the same keys in each. */

import { device } from "../store/device.js";
import en from "./en.js";
import ru from "./ru.js";

export const CATALOGUES = { en, ru };

const plurals = { en: new Intl.PluralRules("en"), ru: new Intl.PluralRules("ru") };

/** The text of a key, with `{name}` filled in from `facts`; a counted text has one form a plural of `facts.n`. */
export function t(key, facts = {}) {
  const { language } = device.value;
  const found = CATALOGUES[language][key];
  if (found === undefined) throw new Error(`no text for ${key}`);
  const text = typeof found === "string" ? found : (found[plurals[language].select(facts.n)] ?? found.other);
  return text.replace(/\{(\w+)\}/g, (_, name) => facts[name] ?? "");
}

/** Is there a text for a key? For codes that come from the service and may be newer than this tablet. */
export const has = (key) => key in CATALOGUES[device.value.language];

export const suitName = (suit) => t(`suit.${suit}`);
export const suitLetter = (suit) => t(`letter.${suit}`);
export const seatName = (seat) => t(`seat.${seat}`);
export const seatLetter = (seat) => t(`chair.${seat}`);
/** A contract as it stands on a key: its number, or the letters of a misère or spread. */
export const contractShort = (contract) => (has(`short.${contract}`) ? t(`short.${contract}`) : contract);
export const contractName = (contract) => t(`contract.${contract}`);

/** An amount or a balance as people read it, with a real minus sign; halves are exact. */
export const amount = (value) =>
  new Intl.NumberFormat(device.value.language, { maximumFractionDigits: 1 }).format(value).replace("-", "−");

/** The time of day, as the evening's people read it off a clock. */
export const clock = (time) => new Intl.DateTimeFormat(device.value.language, { timeStyle: "short", hourCycle: "h23" }).format(new Date(time));

/** A month of the year, from 1, by its name. */
export const monthName = (month) => new Intl.DateTimeFormat(device.value.language, { month: "long", timeZone: "UTC" }).format(new Date(Date.UTC(2001, month - 1, 1)));

export const day = (date) =>
  new Intl.DateTimeFormat(device.value.language, { dateStyle: "long", timeZone: "UTC" }).format(new Date(`${date}T12:00:00Z`));
