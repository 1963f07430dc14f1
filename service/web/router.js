/** The address of a screen: `#/name/id?query`. Links can be kept, shared and gone back to. */

import { signal } from "./vendor/signals.js";

/** The address as it stands, also before the screen has caught up with it: what a second quick key or tap goes on from. */
export const here = () => {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const [name = "", ...rest] = path.split("/").map(decodeURIComponent);
  return { name: name || "home", rest, query: new URLSearchParams(query) };
};

export const route = signal(here());

addEventListener("hashchange", () => {
  route.value = here();
  scrollTo(0, 0);
});

/** Puts another address in place of this one, which is then nowhere to go back to. */
export const replaceAddress = (path) => {
  history.replaceState(null, "", `#${path}`);
  route.value = here();
};

export const go = (path) => {
  location.hash = `#${path}`;
};
