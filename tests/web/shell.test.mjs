/** The page's shell: what the service worker keeps is there, is all that the app imports, and comes from nowhere else. */

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import vm from "node:vm";

const WEB = fileURLToPath(new URL("../../service/web", import.meta.url));

const fileOf = (path) => (path === "/" ? resolve(WEB, "index.html") : resolve(WEB, path.replace("/static/", "")));

/** The worker's own list, read by running the script where nothing else is there. */
function kept() {
  const self = { addEventListener() {} };
  return vm.runInNewContext(`${readFileSync(resolve(WEB, "sw.js"), "utf8")}; FILES`, { self });
}

/** Every module that can be reached from one by imports; a screen that is not built yet counts as none. */
function reached(from, found = new Set()) {
  if (found.has(from) || !existsSync(from)) return found;
  found.add(from);
  for (const [, name] of readFileSync(from, "utf8").matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)) reached(resolve(dirname(from), name), found);
  return found;
}

test("everything that is kept exists", () => {
  for (const path of kept()) assert.ok(existsSync(fileOf(path)), path);
});

test("everything that the app imports is kept", () => {
  const there = new Set([...kept()].map(fileOf));
  for (const path of reached(resolve(WEB, "app.js"))) assert.ok(there.has(path), path);
});

test("the page loads nothing from elsewhere and runs nothing inline", () => {
  const page = readFileSync(resolve(WEB, "index.html"), "utf8");
  assert.doesNotMatch(page, /https?:|<style|style=|<script>|\son\w+=/);
});
