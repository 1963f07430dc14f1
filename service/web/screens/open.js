/** Seating four players and opening the evening: recent fours in one tap, search, guests; under twenty seconds. */

import { computed, signal } from "../vendor/signals.js";
import { useEffect } from "../vendor/hooks.js";
import { RULESETS } from "../game/rulesets.js";
import { SEATS } from "../game/seats.js";
import { openEvening } from "../store/evening.js";
import { addPlayer, club, everyone, nameOf, plain, recent, rememberTable, search } from "../store/players.js";
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
/** How many of the players found are listed. */
const PAGE = 24;
const shown = signal(PAGE);
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

/** What is being dragged, by finger or mouse: a player of the list or the one on a chair, and how far it has moved. */
const drag = signal(null);
const FAR = 12;
/** The click that follows a drag is no tap. */
let dragged = false;
const tapped = (act) => () => dragged || act();

/** Handlers by which something can be dragged onto a chair; `from` is its chair, where it has one. */
const draggable = (player, from = null) => ({
  onPointerDown: (event) => {
    dragged = false;
    if (!player) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.value = { player, from, x: event.clientX, y: event.clientY, dx: 0, dy: 0 };
  },
  onPointerMove: (event) => {
    if (drag.value) drag.value = { ...drag.value, dx: event.clientX - drag.value.x, dy: event.clientY - drag.value.y };
  },
  onPointerUp: (event) => drop(document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-chair]")?.dataset.chair),
  onPointerCancel: () => (drag.value = null),
});

const moving = () => drag.value && Math.hypot(drag.value.dx, drag.value.dy) > FAR;

/** Ends a drag on a chair or nowhere: two players change places, or one of the list sits down. */
function drop(seat) {
  const { player, from } = drag.value ?? {};
  const far = moving();
  drag.value = null;
  dragged = Boolean(far);
  if (!far || !seat || seat === from) return;
  if (from) {
    seats.value = { ...seats.value, [seat]: player, [from]: seats.value[seat] };
    chosen.value = SEATS.find((chair) => !seats.value[chair]) ?? seat;
    return;
  }
  chosen.value = seat;
  seatPlayer(player);
}

async function newPlayer(name, guest) {
  failed.value = null;
  try {
    seatPlayer(await addPlayer(name, guest));
  } catch (error) {
    failed.value = say.failure(error);
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
    failed.value = say.failure(error);
  }
}

export function OpenScreen() {
  useEffect(() => {
    failed.value = null;
    shown.value = PAGE;
  }, []);
  const found = text.value ? search(text.value) : everyone();
  const exact = found.some(({ name }) => plain(name) === plain(text.value.trim()));
  const taken = new Set(Object.values(seats.value));
  return html`
    <main class="page open">
      <header class="pagehead"><a class="button quiet" href="#/">${t("back")}</a><h1>${t("open.title")}</h1><${Banner} whole=${false} /></header>
      <div class="opening">
        <section class="chairs" aria-label=${t("open.chairs")}>
          ${SEATS.map((seat) => html`<button type="button" key=${seat} class=${`chairkey at-${seat}${chosen.value === seat ? " acting" : ""}`} data-chair=${seat} aria-pressed=${String(chosen.value === seat)}
            aria-label=${`${seatLetter(seat)} ${seats.value[seat] ? nameOf(seats.value[seat]) : t("open.free")} ${seatName(seat)}`}
            ...${draggable(seats.value[seat], seat)} onClick=${tapped(() => touchSeat(seat))}><span class="chair">${seatLetter(seat)}</span> <b>${seats.value[seat] ? nameOf(seats.value[seat]) : t("open.free")}</b></button>`)}
          <div class="cloth round" aria-hidden="true"></div>
        </section>
        <section class="choose">
          ${recent.value.length > 0 && html`<h2>${t("open.recent")}</h2>
            <div class="keys two">${recent.value.slice(0, 4).map((four) => html`<${Button} key=${four.join()} name=${`recent-${four.join()}`} data-key="recent" onTap=${() => (seats.value = Object.fromEntries(SEATS.map((seat, place) => [seat, four[place]])))}>${four.map(nameOf).join(" · ")}<//>`)}</div>`}
          <label class="field">${t("open.search", { seat: seatName(chosen.value) })}<input name="player" type="search" autocomplete="off" value=${text.value} onInput=${(event) => (text.value = event.target.value)} /></label>
          <div class="keys three people">
            ${found.slice(0, shown.value).map(({ player_id: id, name }) => html`<${Button} key=${id} name=${`player-${id}`} data-player=${name} disabled=${taken.has(id)} ...${draggable(id)} onTap=${tapped(() => seatPlayer(id))}>${name}<//>`)}
            ${found.length > shown.value && html`<${Button} kind="quiet" name=${`more-${shown.value}`} data-key="more-players" onTap=${() => (shown.value += PAGE)}>${t("open.more", { n: found.length - shown.value })}<//>`}
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
      ${moving() && html`<div class="dragged" aria-hidden="true" ref=${(box) => box && (box.style.translate = `${drag.value.x + drag.value.dx}px ${drag.value.y + drag.value.dy}px`)}>${nameOf(drag.value.player)}</div>`}
    </main>
  `;
}
