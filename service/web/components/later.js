/**
 * A screen whose module is fetched when it is first looked at. One that was lost on the way is not asked for twice by
 * every browser: trying again is beginning anew, at the same address.
 */

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
  if (state.failed) return html`<main class="page"><h1>${t("failed.title")}</h1><p>${t("failed.offline")}</p>
    <div class="keys two"><button type="button" class="button main" data-key="again" onClick=${() => location.reload()}>${t("failed.again")}</button><a class="button" href="#/">${t("home")}</a></div></main>`;
  if (!state.Screen) return html`<main class="page" aria-busy="true"><h1>${t("loading")}</h1></main>`;
  return html`<${state.Screen} id=${rest[0]} rest=${rest} query=${query} />`;
}
