/** Where an evening begins: the tables in play, a new one, and the way to everything else. */

import { signal } from "../vendor/signals.js";
import { useEffect } from "../vendor/hooks.js";
import { ask, me } from "../store/api.js";
import * as database from "../store/database.js";
import { nameOf } from "../store/players.js";
import { SEATS } from "../game/seats.js";
import { day, t } from "../text/index.js";
import { Banner } from "../components/banner.js";
import { html } from "../components/html.js";

/** Evenings of the service and of this tablet, newest first. */
const list = signal([]);

const RECORDS = ["recorder", "director"];

async function load() {
  const here = await database.evenings();
  list.value = here;
  const answer = await ask("GET", "/api/sessions?limit=20").catch(() => null);
  if (!answer) return;
  const known = new Map(here.map((one) => [one.id, one]));
  const theirs = (answer.sessions ?? answer.items ?? []).map((one) => ({ ...known.get(one.session_id), ...one, id: one.session_id }));
  const ids = new Set(theirs.map(({ id }) => id));
  list.value = [...here.filter(({ id }) => !ids.has(id)), ...theirs];
}

export function HomeScreen() {
  useEffect(() => void load(), []);
  const records = RECORDS.includes(me.value?.role);
  return html`
    <main class="page">
      <header class="pagehead"><h1>${me.value?.club?.name ?? t("app")}</h1><${Banner} whole=${false} /></header>
      ${records && html`<p><a class="button main big" href="#/open" data-key="new-evening">${t("home.new")}</a></p>`}
      <h2>${t("home.evenings")}</h2>
      ${list.value.length === 0 && html`<p>${t("home.none")}</p>`}
      <ul class="cards">${list.value.map((one) => html`<${Evening} key=${one.id} one=${one} records=${records} />`)}</ul>
      <nav class="keys three" aria-label=${t("menu")}>
        <a class="button" href="#/statistics">${t("statistics")}</a>
        <a class="button" href="#/club">${t("club")}</a>
        <a class="button" href="#/settings" data-key="settings">${t("settings")}</a>
      </nav>
    </main>
  `;
}

const OVER = ["closed", "ended", "abandoned"];

function Evening({ one, records }) {
  const names = one.seats ? SEATS.map((seat) => one.seats[seat]?.name ?? nameOf(one.seats[seat]?.player_id ?? one.seats[seat])).join(", ") : "";
  const open = !one.voided && !OVER.includes(one.phase);
  return html`
    <li class="evening">
      <span><b>${one.date ? day(one.date) : ""}</b>${one.table ? ` · ${one.table}` : ""}<br /><span class="names">${names}</span></span>
      <span class="keys">
        ${records && open && html`<a class="button main" href=${`#/record/${one.id}`}>${t("home.record")}</a>`}
        <a class="button" href=${`#/sheet/${one.id}`}>${t("scoresheet")}</a>
        <a class="button" href=${`#/live/${one.id}`}>${t("live")}</a>
      </span>
    </li>
  `;
}
