/** The worked examples and whole evenings, as every test of the tablet's fold reads them. */

import { readFileSync, readdirSync } from "node:fs";

const GOLDEN = new URL("../golden/", import.meta.url);

export const example = (name) => JSON.parse(readFileSync(new URL(`${name}.json`, GOLDEN), "utf8"));

export const lines = (name) =>
  readFileSync(new URL(`sessions/${name}.jsonl`, GOLDEN), "utf8")
    .split("\n")
    .filter((line) => line.trim())
    .map((line) => JSON.parse(line));

export const evenings = readdirSync(new URL("sessions/", GOLDEN))
  .filter((name) => name.endsWith(".jsonl"))
  .map((name) => name.slice(0, -".jsonl".length))
  .sort();

export const expected = (name) => example(`sessions/${name}.expected`);
