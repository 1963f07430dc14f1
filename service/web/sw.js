/**
 * Makes the tablet start without a network: the app's own files come from a cache of this version.
 * The service's answers are never cached here; what must outlive the network is kept in the database.
 */

const VERSION = "1";
const CACHE = `boston-${VERSION}`;

const FILES = [
  "/",
  ..."app router start theme".split(" ").map((name) => `/static/${name}.js`),
  ..."tokens base record pages audit".split(" ").map((name) => `/static/css/${name}.css`),
  ..."preact hooks htm signals signals-core idb uplot".split(" ").map((name) => `/static/vendor/${name}.js`),
  "/static/vendor/uplot.css",
  ..."account auction cards concession correcting deal ladder mending payments pool refusal rulesets seats session settlement steps table tricks"
    .split(" ")
    .map((name) => `/static/game/${name}.js`),
  ..."api audit database device evening lease players roles signing stream sync wake".split(" ").map((name) => `/static/store/${name}.js`),
  ..."index en ru say audit/index audit/en audit/ru".split(" ").map((name) => `/static/text/${name}.js`),
  ..."banner button chart grid html interval later loaded suit table tap".split(" ").map((name) => `/static/components/${name}.js`),
  ..."act changes compare correction dialog dispute editor effect findings proof receipt result simulator spoken timeline transfer"
    .split(" ")
    .map((name) => `/static/components/audit/${name}.js`),
  ..."auction contract dealing opening play settlement".split(" ").map((name) => `/static/components/panels/${name}.js`),
  ..."entries more reseat revoke sheet tricks trouble".split(" ").map((name) => `/static/components/sheets/${name}.js`),
  ..."club director director-deal director-evening home live open receipt record replay settings settle sheet sign-in statistics watching".split(" ").map((name) => `/static/screens/${name}.js`),
  "/static/manifest.webmanifest",
  "/static/icons/icon.svg",
];

const TRIES = 5;
const PAUSE = 1_000;
const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));

/**
 * A file straight from the service, not from the browser's own cache: a new version must not keep an old file. A tablet
 * that goes over to another network loses whatever was under way, so one that was lost is asked for again.
 */
async function fresh(path, tries = TRIES) {
  try {
    const answer = await fetch(new Request(path, { cache: "reload" }));
    if (answer.ok) return answer;
    throw new Error(`${path}: status ${answer.status}`);
  } catch (error) {
    if (tries <= 1) throw error;
    await pause(PAUSE);
    return fresh(path, tries - 1);
  }
}

self.addEventListener("install", (event) => {
  const keep = (cache) => Promise.all(FILES.map(async (path) => cache.put(path, await fresh(path))));
  event.waitUntil(caches.open(CACHE).then(keep).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  const old = (names) => names.filter((name) => name !== CACHE).map((name) => caches.delete(name));
  event.waitUntil(caches.keys().then((names) => Promise.all(old(names))).then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const { pathname, origin } = new URL(event.request.url);
  const ours = origin === location.origin && (pathname === "/" || pathname.startsWith("/static/"));
  if (event.request.method !== "GET" || !ours) return;
  event.respondWith(current(event.request, pathname));
});

/**
 * The network's file where it answers soon, so that an update arrives at once; else the kept one. What a gateway says
 * for a service that is down is no file of ours.
 */
async function current(request, pathname) {
  const name = pathname === "/" ? "/" : request;
  const cache = await caches.open(CACHE).catch(() => null);
  const kept = await cache?.match(name, { ignoreSearch: true });
  if (!kept) return fetch(request);
  const fetched = fetch(request).then((answer) => {
    if (!answer.ok) return kept.clone();
    cache.put(name, answer.clone());
    return answer;
  });
  return Promise.race([fetched.catch(() => kept.clone()), pause(1_500).then(() => kept.clone())]);
}
