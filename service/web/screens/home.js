/** Where an evening begins: the tables in play, a new one, and the way to everything else. */

import { signal } from "../vendor/signals.js";
import { useEffect } from "../vendor/hooks.js";
import { ask, me } from "../store/api.js";
import * as database from "../store/database.js";
import { learn, names } from "../store/players.js";
import { audits, records } from "../store/roles.js";
import { OVER } from "../game/session.js";
import { day, t } from "../text/index.js";
import { Banner } from "../components/banner.js";
import { Button } from "../components/button.js";
import { html } from "../components/html.js";

/** Evenings of the service and of this tablet, newest first, where the service's list goes on, and whether it told them. */
const list = signal({ evenings: [], next: null, told: null });

const PAGE = 20;
const RETRY = 5_000;

async function load() {
  const here = await database.evenings();
  if (!list.value.evenings.length) list.value = { ...list.value, evenings: here };
  const theirs = await page(here);
  if (!theirs) {
    list.value = { ...list.value, told: false };
    return;
  }
  const ids = new Set(theirs.evenings.map(({ id }) => id));
  list.value = { ...theirs, told: true, evenings: [...here.filter(({ id, version }) => !ids.has(id) && !version), ...theirs.evenings] };
}

async function more() {
  const theirs = await page(await database.evenings(), list.value.next);
  if (theirs) list.value = { ...theirs, told: true, evenings: [...list.value.evenings, ...theirs.evenings] };
}

/** A page of the service's list with what is kept here of each; `null` without a network. */
async function page(here, cursor = null) {
  const answer = await ask("GET", `/api/sessions?limit=${PAGE}${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ""}`).catch(() => null);
  if (!answer) return null;
  const known = new Map(here.map((one) => [one.id, one]));
  answer.sessions.forEach(({ seats }) => learn(seats));
  return { evenings: answer.sessions.map((one) => ({ ...known.get(one.session_id), ...one, id: one.session_id })), next: answer.next };
}

export function HomeScreen() {
  const { evenings, next, told } = list.value;
  useEffect(() => void load(), []);
  // Without an answer the list is asked for until there is one: nothing else is sent from here that would tell.
  useEffect(() => {
    if (told !== false) return undefined;
    const timer = setInterval(load, RETRY);
    return () => clearInterval(timer);
  }, [told]);
  return html`
    <main class="page">
      <header class="pagehead"><h1>${me.value?.club?.name ?? t("app")}</h1><${Banner} whole=${false} />
        <nav class="besides" aria-label=${t("menu")}>
          ${audits() && html`<a class="button" href="#/director">${t("director")}</a>`}
          <a class="button" href="#/statistics">${t("statistics")}</a>
          <a class="button" href="#/club">${t("club")}</a>
          <a class="button" href="#/settings" data-key="settings">${t("settings")}</a>
        </nav></header>
      ${records() && html`<p><a class="button main big" href="#/open" data-key="new-evening">${t("home.new")}</a></p>`}
      <h2>${t("home.evenings")}</h2>
      ${told === false && html`<p role="status">${t("home.untold")}</p>`}
      ${told === null && evenings.length === 0 && html`<p>${t("loading")}</p>`}
      ${told && evenings.length === 0 && html`<p>${t("home.none")} ${records() ? t("home.begin") : ""}</p>`}
      <ul class="cards">${evenings.map((one) => html`<${Evening} key=${one.id} one=${one} records=${records()} />`)}</ul>
      ${next && html`<p><${Button} name=${`more-${next}`} data-key="more-evenings" onTap=${more}>${t("home.more")}<//></p>`}
    </main>
  `;
}

function Evening({ one, records }) {
  const open = !one.voided && !OVER.includes(one.phase);
  const state = one.voided ? "voided" : one.phase;
  return html`
    <li class=${`evening${open ? " open" : ""}`}>
      <span><b>${one.date ? day(one.date) : ""}</b>${one.table ? ` · ${one.table}` : ""} <span class="mark">${state ? t(`phase.${state}`) : t("home.here")}</span><br /><span class="names">${names(one)}</span></span>
      <span class="keys">
        ${records && open && html`<a class="button main" href=${`#/record/${one.id}`}>${t("home.record")}</a>`}
        <a class="button" href=${`#/sheet/${one.id}`}>${t("scoresheet")}</a>
        ${open && html`<a class="button" href=${`#/live/${one.id}`}>${t("live")}</a>`}
      </span>
    </li>
  `;
}
