/** The service's public API, and what its answers mean: an answer, a problem with a code, or no network. */

import { signal } from "../vendor/signals.js";

/** Who is signed in here, `null` for nobody. Kept for starting offline. */
export const me = signal(remembered());
/** The club, by its id, whose evenings and players this page has in its memory; it stays so when nobody is signed in. */
let club = me.value?.club.club_id ?? null;
export const whose = () => club;
/** Could the service be reached the last time it was tried? */
export const reachable = signal(navigator.onLine);

const TIMEOUT = 15_000;

function remembered() {
  try {
    const found = JSON.parse(localStorage.getItem("boston.me"));
    return found?.club?.club_id ? found : null;
  } catch {
    return null;
  }
}

/** A problem that the service answered, as its problem+json says it; `wait` are the seconds that it asks to wait. */
export class Problem extends Error {
  constructor(status, body, wait = 0) {
    super(body?.detail ?? body?.title ?? `status ${status}`);
    Object.assign(this, { status, wait, body: body ?? {}, code: body?.code ?? "unexpected" });
  }
}

/** The service could not be reached; nothing is known about what it did. */
export class Offline extends Error {}

/** Asks the service. Gives the parsed answer, or throws `Problem` or `Offline`. */
export async function ask(method, path, body, { headers = {}, text = false } = {}) {
  const csrf = me.value?.csrf;
  let answer;
  try {
    answer = await fetch(path, {
      method,
      credentials: "same-origin",
      headers: {
        accept: text ? "*/*" : "application/json",
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(csrf && method !== "GET" ? { "x-csrf-token": csrf } : {}),
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT),
    });
  } catch (error) {
    reachable.value = false;
    throw new Offline(error.message);
  }
  // A gateway that answers for a service that is down is no answer of the service.
  if ([502, 503, 504].includes(answer.status)) {
    reachable.value = false;
    throw new Offline(`status ${answer.status}`);
  }
  reachable.value = true;
  if (answer.ok) return answer.status === 204 ? null : text ? answer.text() : answer.json();
  const problem = new Problem(answer.status, await answer.json().catch(() => null), Number(answer.headers.get("retry-after")));
  if (answer.status === 401 && path !== "/api/sign-in") remember(null);
  // Somebody signed in anew in another window of this browser.
  if (problem.code === "csrf") await refreshMe();
  throw problem;
}

/** Every page of a list; `name` is what the service calls the items of a page. */
export async function whole(path, name = "items") {
  const found = [];
  let cursor = null;
  do {
    const page = await ask("GET", `${path}${path.includes("?") ? "&" : "?"}limit=200${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ""}`);
    found.push(...page[name]);
    cursor = page.next;
  } while (cursor);
  return found;
}

function remember(value) {
  if (value) localStorage.setItem("boston.me", JSON.stringify(value));
  else localStorage.removeItem("boston.me");
  turnTo(value);
}

/** The page goes on as whoever is signed in now. Where that is another club it begins anew, so that nothing is mixed up. */
function turnTo(value) {
  if (club && value && value.club.club_id !== club) {
    history.replaceState(null, "", "#/");
    location.reload();
    return;
  }
  club = value?.club.club_id ?? club;
  me.value = value;
}

// Another window of this browser signed in or out, for all of them.
addEventListener("storage", ({ key }) => key === "boston.me" && turnTo(remembered()));

/** Finds out whether the one remembered is still signed in; without an answer he stays so. */
export const refreshMe = () => (me.value ? ask("GET", "/api/me").then(remember, () => null) : null);

/** Signs in with a one-time code, with or without the address that it came in. */
export async function signIn(code, device) {
  const plain = code.trim().replace(/^.*#pair=/, "");
  const answer = await ask("POST", "/api/sign-in", { code: plain, device });
  remember({ ...answer.me, csrf: answer.csrf ?? answer.me.csrf });
}

export async function signOut() {
  await ask("POST", "/api/sign-out", {}).catch(() => null);
  remember(null);
}
