/** The catalogue: every text that a screen asks for is there, in every language, with the same facts. */

import assert from "node:assert/strict";
import { readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import auditEn from "../../service/web/text/audit/en.js";
import auditRu from "../../service/web/text/audit/ru.js";
import mainEn from "../../service/web/text/en.js";
import mainRu from "../../service/web/text/ru.js";

const en = { ...mainEn, ...auditEn };
const ru = { ...mainRu, ...auditRu };

const WEB = fileURLToPath(new URL("../../service/web", import.meta.url));

const files = (folder) =>
  readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return name === "vendor" ? [] : files(path);
    return path.endsWith(".js") ? [path] : [];
  });

const sources = files(WEB).filter((path) => !/text[/\\](audit[/\\])?(en|ru)\.js$/.test(path));
const forms = (text) => (typeof text === "string" ? { other: text } : text);
const facts = (text) => [...new Set(Object.values(forms(text)).flatMap((form) => form.match(/\{\w+\}/g) ?? []))].sort();

test("both languages have the same texts", () => {
  assert.deepEqual(Object.keys(ru).sort(), Object.keys(en).sort());
});

test("what recording needs is there at once, and the director's words join it under names of their own", () => {
  assert.deepEqual(Object.keys(mainRu).sort(), Object.keys(mainEn).sort());
  assert.deepEqual(Object.keys(mainEn).filter((key) => key in auditEn), []);
});

test("a text has the same facts in both languages", () => {
  for (const key of Object.keys(en)) assert.deepEqual(facts(ru[key]), facts(en[key]), key);
});

test("a counted text has every plural form of its language", () => {
  for (const [language, texts] of Object.entries({ en, ru })) {
    const wanted = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    for (const [key, text] of Object.entries(texts))
      if (typeof text !== "string") assert.deepEqual(Object.keys(text).sort(), [...wanted].sort(), `${language} ${key}`);
  }
});

test("reasons are offered in the same number", () => {
  for (const key of Object.keys(en).filter((name) => name.startsWith("reasons.")))
    assert.equal(ru[key].split("|").length, en[key].split("|").length, key);
});

test("every text that is asked for is there, and none is there for nothing", () => {
  const used = new Set();
  const patterns = [];
  for (const path of sources) {
    const source = readFileSync(path, "utf8");
    for (const [, key] of source.matchAll(/["'`]((?:[a-z_]+)(?:\.[\w-]+)*)["'`]/gi)) used.add(key);
    for (const [, pattern] of source.matchAll(/`([a-z]+\.[^`\n]*\$\{[^`\n]*)`/gi))
      patterns.push(new RegExp(`^${pattern.replace(/\$\{[^}]*\}/g, "[\\w-]+").replace(/\./g, "\\.")}$`));
    for (const [, key] of source.matchAll(/\bt\("([^"]+)"/g)) assert.ok(key in en, `${path}: ${key}`);
  }
  for (const key of Object.keys(en)) assert.ok(used.has(key) || patterns.some((p) => p.test(key)), `unused: ${key}`);
});
