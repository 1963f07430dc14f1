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

/**
 * The worker where everything around it is played: `answer(path, times)` is what the network gives the `times`-th time
 * that a path is asked for, or throws. Time does not pass by itself: whoever waits goes on at once.
 */
function worker(answer, { broken = false } = {}) {
  const listeners = {};
  const files = new Map();
  const asked = new Map();
  const pathOf = (request) => new URL(request.url ?? request, "http://box").pathname;
  const self = { addEventListener: (name, act) => (listeners[name] = act), skipWaiting() {}, clients: { claim() {} } };
  const cache = {
    put: async (request, file) => files.set(pathOf(request), file),
    match: async (request) => files.get(pathOf(request)),
  };
  const open = async () => {
    if (broken) throw new Error("the store is gone");
    return cache;
  };
  const fetch = async (request) => {
    const path = pathOf(request);
    asked.set(path, (asked.get(path) ?? 0) + 1);
    return answer(path, asked.get(path));
  };
  class Request {
    constructor(path) {
      this.url = `http://box${path}`;
    }
  }
  const soon = (act, time) => time < 1_500 && queueMicrotask(act);
  const around = { self, fetch, Request, URL, setTimeout: soon, location: { origin: "http://box" }, caches: { open, keys: async () => [], delete() {} } };
  vm.runInNewContext(readFileSync(resolve(WEB, "sw.js"), "utf8"), around);
  const happen = (name, event) => {
    let promised;
    listeners[name]({ ...event, waitUntil: (work) => (promised = work), respondWith: (work) => (promised = work) });
    return promised;
  };
  return { files, asked, install: () => happen("install"), ask: (path) => happen("fetch", { request: { url: `http://box${path}`, method: "GET" } }) };
}

const file = (text, ok = true) => ({ ok, text, status: ok ? 200 : 502, clone: () => file(text, ok) });
const MODULE = "/static/app.js";

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

test("files that are lost while a tablet changes its network are asked for again until all are kept", async () => {
  const flaky = worker((path, times) => {
    if (path.endsWith("s.js") && times < 3) throw new TypeError("net::ERR_NETWORK_CHANGED");
    return file(path, path !== MODULE || times > 1);
  });
  await flaky.install();
  assert.deepEqual([...flaky.files.keys()].sort(), [...kept()].sort());
  for (const { ok } of flaky.files.values()) assert.ok(ok);
});

test("a service that stays away leaves nothing installed", async () => {
  const away = worker((path) => {
    if (path === MODULE) throw new TypeError("net::ERR_CONNECTION_REFUSED");
    return file(path);
  });
  await assert.rejects(away.install(), /REFUSED/);
  assert.equal(away.asked.get(MODULE), 5);
});

test("the network's file is taken and kept, and the kept one where the network has none", async () => {
  let now = () => file("first");
  const { install, ask, files } = worker(() => now());
  await install();
  now = () => file("second");
  assert.equal((await ask(MODULE)).text, "second");
  assert.equal(files.get(MODULE).text, "second");
  now = () => {
    throw new TypeError("net::ERR_INTERNET_DISCONNECTED");
  };
  assert.equal((await ask(MODULE)).text, "second");
  now = () => file("<h1>Bad gateway</h1>", false);
  assert.equal((await ask(MODULE)).text, "second");
  assert.equal(files.get(MODULE).text, "second");
});

test("a file comes from the network where nothing is kept, and where nothing can be", async () => {
  assert.equal((await worker(() => file("new")).ask("/static/new.js")).text, "new");
  assert.equal((await worker(() => file("new"), { broken: true }).ask(MODULE)).text, "new");
});

test("what is not the app's own goes past the worker", () => {
  const { ask } = worker(() => file("x"));
  for (const path of ["/api/me", "/health", "/verify.html"]) assert.equal(ask(path), undefined);
});
