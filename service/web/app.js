/** The composition root of the tablet: settings, what is kept here, the screens by address. */

import { render } from "./vendor/preact.js";
import "./vendor/signals.js";
import { me, refreshMe } from "./store/api.js";
import { applyDevice } from "./store/device.js";
import { loadPlayers } from "./store/players.js";
import { keepSending } from "./store/sync.js";
import { keepApp, persist } from "./store/wake.js";
import { route } from "./router.js";
import { html } from "./components/html.js";
import { Later } from "./components/later.js";
import { t } from "./text/index.js";
import { HomeScreen } from "./screens/home.js";
import { OpenScreen } from "./screens/open.js";
import { RecordScreen } from "./screens/record.js";
import { SettingsScreen } from "./screens/settings.js";
import { SettleScreen } from "./screens/settle.js";
import { SignInScreen, pairFromAddress } from "./screens/sign-in.js";

/** What recording needs is loaded at once; the other screens when they are first looked at. */
const SCREENS = {
  home: () => html`<${HomeScreen} />`,
  open: () => html`<${OpenScreen} />`,
  record: ([id]) => html`<${RecordScreen} id=${id} />`,
  settle: ([id], query) => html`<${SettleScreen} id=${id} query=${query} />`,
  settings: () => html`<${SettingsScreen} />`,
};

const LATER = {
  sheet: () => import("./screens/sheet.js"),
  live: () => import("./screens/live.js"),
  replay: () => import("./screens/replay.js"),
  club: () => import("./screens/club.js"),
  statistics: () => import("./screens/statistics.js"),
  director: () => import("./screens/director.js"),
  receipt: () => import("./screens/receipt.js"),
};

function App() {
  if (!me.value) return html`<${SignInScreen} />`;
  const { name, rest, query } = route.value;
  if (SCREENS[name]) return SCREENS[name](rest, query);
  if (LATER[name]) return html`<${Later} key=${name} load=${LATER[name]} rest=${rest} query=${query} />`;
  return html`<main class="page"><h1>${t("nowhere")}</h1><a class="button" href="#/">${t("home")}</a></main>`;
}

applyDevice();
render(html`<${App} />`, document.getElementById("app"));
await pairFromAddress();
addEventListener("hashchange", pairFromAddress);
await refreshMe();
keepSending();
let signedIn = false;
me.subscribe((who) => {
  if (who && !signedIn) loadPlayers();
  signedIn = Boolean(who);
});
persist();
keepApp();
