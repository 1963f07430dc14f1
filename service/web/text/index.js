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
export const contractName = (contract) => t(`contract.${contract}`);

/** An amount or a balance as people read it, with a real minus sign; halves are exact. */
export const amount = (value) =>
  new Intl.NumberFormat(device.value.language, { maximumFractionDigits: 1 }).format(value).replace("-", "−");

export const day = (date) =>
  new Intl.DateTimeFormat(device.value.language, { dateStyle: "long", timeZone: "UTC" }).format(new Date(`${date}T12:00:00Z`));
