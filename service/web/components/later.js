/** A screen whose module is fetched when it is first looked at; offline it says so and can be tried again. */

import { useEffect, useState } from "../vendor/hooks.js";
import { t } from "../text/index.js";
import { html } from "./html.js";

/** `load` gives a module whose default export is the screen. */
export function Later({ load, rest, query }) {
  const [state, put] = useState({ Screen: null, failed: false });
  useEffect(() => {
    load().then(
      (module) => put({ Screen: module.default, failed: false }),
      () => put({ Screen: null, failed: true }),
    );
  }, []);
  if (state.failed) return html`<main class="page"><h1>${t("failed.title")}</h1><p>${t("failed.offline")}</p><a class="button" href="#/">${t("home")}</a></main>`;
  if (!state.Screen) return html`<main class="page" aria-busy="true"><h1>${t("loading")}</h1></main>`;
  return html`<${state.Screen} id=${rest[0]} rest=${rest} query=${query} />`;
}
