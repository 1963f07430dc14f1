/** The address of a screen: `#/name/id?query`. Links can be kept, shared and gone back to. */

import { signal } from "./vendor/signals.js";

const read = () => {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const [name = "", ...rest] = path.split("/").map(decodeURIComponent);
  return { name: name || "home", rest, query: new URLSearchParams(query) };
};

export const route = signal(read());

addEventListener("hashchange", () => {
  route.value = read();
  scrollTo(0, 0);
});

/** Puts another address in place of this one, which is then nowhere to go back to. */
export const replaceAddress = (path) => {
  history.replaceState(null, "", `#${path}`);
  route.value = read();
};

export const go = (path) => {
  location.hash = `#${path}`;
};
