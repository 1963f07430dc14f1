/** Readable without colour: contrast is of lightness alone, as on a grey screen, in both themes and all suit colours. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const css = readFileSync(new URL("../../service/web/css/tokens.css", import.meta.url), "utf8");

/** The custom properties of the blocks whose selector holds all of these parts and no other. */
function tokens(...selectors) {
  const found = {};
  for (const [, selector, body] of css.matchAll(/([^{}]+)\{([^{}]+)\}/g))
    if (selectors.includes(selector.replace(/\/\*[^]*?\*\//g, "").trim()))
      for (const [, name, value] of body.matchAll(/(--[\w-]+):\s*(#[0-9a-f]{6})/gi)) found[name] = value;
  return found;
}

const linear = (channel) => (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4);

function lightness(colour) {
  const [red, green, blue] = [1, 3, 5].map((place) => linear(parseInt(colour.slice(place, place + 2), 16) / 255));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one, other) {
  const [dark, light] = [lightness(one), lightness(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const LOOKS = {
  light: [":root"],
  "light, four colours": [":root", ':root[data-suits="four"]'],
  "light, no colours": [":root", ':root[data-suits="none"]'],
  dark: [":root", ':root[data-theme="dark"]'],
  "dark, four colours": [":root", ':root[data-theme="dark"]', ':root[data-theme="dark"][data-suits="four"]'],
  "dark, no colours": [":root", ':root[data-theme="dark"]', ':root[data-theme="dark"][data-suits="none"]'],
};

const TEXT = [
  ["--ink", "--paper"], ["--ink", "--raised"], ["--ink", "--sunk"], ["--soft", "--paper"], ["--soft", "--raised"], ["--soft", "--sunk"],
  ["--cloth-ink", "--cloth"], ["--accent-ink", "--accent"], ["--turn-ink", "--turn"], ["--danger", "--raised"], ["--danger", "--danger-soft"],
  ["--warn", "--warn-soft"], ["--used-ink", "--used"], ["--good", "--raised"],
  ...["S", "H", "D", "C"].flatMap((suit) => [[`--suit-${suit}`, "--raised"], [`--suit-${suit}`, "--odd"], [`--suit-${suit}`, "--paper"]]),
];
/** Edges of keys and lines of charts. */
const SHAPES = [["--line", "--raised"], ["--line", "--sunk"], ["--chart-1", "--raised"], ["--chart-2", "--raised"], ["--chart-3", "--raised"], ["--chart-4", "--raised"]];

for (const [look, selectors] of Object.entries(LOOKS)) {
  const colours = tokens(...selectors);
  test(`text is readable: ${look}`, () => {
    for (const [front, back] of TEXT) assert.ok(contrast(colours[front], colours[back]) >= 4.5, `${front} on ${back}: ${contrast(colours[front], colours[back]).toFixed(2)}`);
  });
  test(`keys and lines stand out: ${look}`, () => {
    for (const [front, back] of SHAPES) assert.ok(contrast(colours[front], colours[back]) >= 2.5, `${front} on ${back}: ${contrast(colours[front], colours[back]).toFixed(2)}`);
  });
  test(`whose turn it is shows without colour: ${look}`, () => {
    assert.ok(contrast(colours["--turn"], colours["--raised"]) >= 1.4, contrast(colours["--turn"], colours["--raised"]).toFixed(2));
  });
}
