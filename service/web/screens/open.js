/** Seating four players and opening the evening: recent fours in one tap, search, guests; under twenty seconds. */

import { computed, signal } from "../vendor/signals.js";
import { useEffect } from "../vendor/hooks.js";
import { RULESETS } from "../game/rulesets.js";
import { SEATS } from "../game/seats.js";
import { openEvening } from "../store/evening.js";
import { addPlayer, club, nameOf, players, plain, recent, rememberTable, search } from "../store/players.js";
import { seatLetter, seatName, t } from "../text/index.js";
import * as say from "../text/say.js";
import { go } from "../router.js";
import { Banner } from "../components/banner.js";
import { Button } from "../components/button.js";
import { html } from "../components/html.js";

const FREE = { N: null, E: null, S: null, W: null };

const seats = signal(FREE);
/** The seat that the next player goes to, or a taken one that is being moved. */
const chosen = signal("N");
const text = signal("");
const ruleset = signal(null);
const table = signal("");
const failed = signal(null);

const complete = computed(() => SEATS.every((seat) => seats.value[seat]));
const rules = computed(() => ruleset.value ?? club.value?.ruleset ?? "american-decimal");

const today = () => {
  const zone = club.value?.time_zone;
  return new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", ...(zone ? { timeZone: zone } : {}) }).format(new Date());
};

/** Seats a player on the chosen chair and moves on to the next free one; nobody sits twice. */
function seatPlayer(player) {
  const freed = Object.fromEntries(SEATS.map((seat) => [seat, seats.value[seat] === player ? null : seats.value[seat]]));
  seats.value = { ...freed, [chosen.value]: player };
  chosen.value = SEATS.find((seat) => !seats.value[seat]) ?? chosen.value;
  text.value = "";
}

/** A tap on a chair chooses it; with another taken one chosen before, the two change places. */
function touchSeat(seat) {
  const other = chosen.value;
  if (other !== seat && seats.value[other] && seats.value[seat]) {
    seats.value = { ...seats.value, [seat]: seats.value[other], [other]: seats.value[seat] };
  }
  chosen.value = seat;
}

/** The same by dragging one chair's name onto another. */
const dropOn = (seat) => (event) => {
  event.preventDefault();
  const from = event.dataTransfer.getData("text/plain");
  if (!SEATS.includes(from)) return;
  seats.value = { ...seats.value, [seat]: seats.value[from], [from]: seats.value[seat] };
  chosen.value = seat;
};

async function newPlayer(name, guest) {
  failed.value = null;
  try {
    seatPlayer(await addPlayer(name, guest));
  } catch (error) {
    failed.value = error.message;
  }
}

function nextGuest() {
  const taken = new Set(Object.values(seats.value).filter(Boolean).map(nameOf));
  let number = 1;
  while (taken.has(t("open.guestname", { number })) || search(t("open.guestname", { number })).length) number += 1;
  return newPlayer(t("open.guestname", { number }), true);
}

async function begin() {
  failed.value = null;
  const entry = { entry: "open", ruleset: rules.value, seats: seats.value, date: today(), ...(table.value.trim() ? { table: table.value.trim() } : {}) };
  try {
    const id = await openEvening(entry);
    await rememberTable(SEATS.map((seat) => seats.value[seat]));
    seats.value = FREE;
    chosen.value = "N";
    go(`/record/${id}`);
  } catch (error) {
    failed.value = error.code ? say.refusal(error, null) : error.message;
  }
}

export function OpenScreen() {
  useEffect(() => void (failed.value = null), []);
  const found = text.value ? search(text.value) : [...players.value.values()].sort((a, b) => a.name.localeCompare(b.name));
  const exact = found.some(({ name }) => plain(name) === plain(text.value.trim()));
  const taken = new Set(Object.values(seats.value));
  return html`
    <main class="page open">
      <header class="pagehead"><a class="button quiet" href="#/">${t("back")}</a><h1>${t("open.title")}</h1><${Banner} whole=${false} /></header>
      <div class="opening">
        <section class="chairs" aria-label=${t("open.chairs")}>
          ${SEATS.map((seat) => html`<button type="button" key=${seat} class=${`chairkey at-${seat}${chosen.value === seat ? " acting" : ""}`} data-chair=${seat} aria-pressed=${String(chosen.value === seat)}
            aria-label=${`${seatLetter(seat)} ${seats.value[seat] ? nameOf(seats.value[seat]) : t("open.free")} ${seatName(seat)}`}
            draggable=${Boolean(seats.value[seat])} onDragStart=${(event) => event.dataTransfer.setData("text/plain", seat)} onDragOver=${(event) => event.preventDefault()} onDrop=${dropOn(seat)}
            onClick=${() => touchSeat(seat)}><span class="chair">${seatLetter(seat)}</span> <b>${seats.value[seat] ? nameOf(seats.value[seat]) : t("open.free")}</b></button>`)}
          <div class="cloth round" aria-hidden="true"></div>
        </section>
        <section class="choose">
          ${recent.value.length > 0 && html`<h2>${t("open.recent")}</h2>
            <div class="keys two">${recent.value.slice(0, 4).map((four) => html`<${Button} key=${four.join()} name=${`recent-${four.join()}`} data-key="recent" onTap=${() => (seats.value = Object.fromEntries(SEATS.map((seat, place) => [seat, four[place]])))}>${four.map(nameOf).join(" · ")}<//>`)}</div>`}
          <label class="field">${t("open.search", { seat: seatName(chosen.value) })}<input name="player" type="search" autocomplete="off" value=${text.value} onInput=${(event) => (text.value = event.target.value)} /></label>
          <div class="keys three people">
            ${found.slice(0, 24).map(({ player_id: id, name }) => html`<${Button} key=${id} name=${`player-${id}`} data-player=${name} disabled=${taken.has(id)} onTap=${() => seatPlayer(id)}>${name}<//>`)}
            ${text.value.trim() && !exact && html`<${Button} kind="main" name="new-player" data-key="new-player" onTap=${() => newPlayer(text.value.trim(), false)}>${t("open.add", { name: text.value.trim() })}<//>`}
            <${Button} kind="quiet" name=${`guest-${chosen.value}`} data-key="guest" onTap=${nextGuest}>${t("open.guest")}<//>
          </div>
        </section>
      </div>
      <div class="openfoot">
        <label class="field">${t("open.rules")}<select name="ruleset" value=${rules.value} onChange=${(event) => (ruleset.value = event.target.value)}>${Object.keys(RULESETS).map((id) => html`<option key=${id} value=${id} selected=${id === rules.value}>${t(`ruleset.${id}`)}</option>`)}</select></label>
        <label class="field">${t("open.table")}<input name="table" maxlength="40" value=${table.value} onInput=${(event) => (table.value = event.target.value)} /></label>
        <${Button} kind="main" name="begin" data-key="begin" disabled=${!complete.value} onTap=${begin}>${t("open.begin")}<//>
      </div>
      ${failed.value && html`<p class="refusal" role="alert">${failed.value}</p>`}
    </main>
  `;
}
