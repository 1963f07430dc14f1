/** The club: its settings, players, keys and devices, tables in play, and the service's health. */

import { useState } from "../vendor/hooks.js";
import { RULESETS } from "../game/rulesets.js";
import { ask, Offline, refreshMe, whole } from "../store/api.js";
import { addPlayer, club, everyone, names, players } from "../store/players.js";
import { administers, adds } from "../store/roles.js";
import { clock, day, monthName, t } from "../text/index.js";
import * as say from "../text/say.js";
import { Button } from "../components/button.js";
import { html } from "../components/html.js";
import { useLoaded } from "../components/loaded.js";

const ROLES = ["recorder", "director", "auditor", "viewer", "player", "admin"];

export default function ClubScreen() {
  const admin = administers();
  return html`
    <main class="page">
      <header class="pagehead"><a class="button quiet" href="#/">${t("back")}</a><h1>${club.value?.name ?? t("club")}</h1></header>
      <${Health} />
      <${Tables} />
      ${club.value && html`<${Settings} admin=${admin} />`}
      <${Players} />
      ${admin && html`<${Keys} />`}
    </main>
  `;
}

/** Asked for past `ask`, to which a service that cannot answer is none: here its own words why are wanted. */
const health = () =>
  fetch("/health").then(
    (answer) => answer.json(),
    (error) => {
      throw new Offline(error.message);
    },
  );

function Health() {
  const { value: found, failed } = useLoaded(health);
  const words = found && (found.ready ? t("club.well") : `${t("club.ill")} ${found.cause}`);
  return html`<section><h2>${t("club.health")}</h2><p role="status" class=${found && !found.ready ? "refusal" : ""}>${(failed && say.failure(failed)) ?? words ?? t("loading")}</p></section>`;
}

/** The evenings in play, each with who records it and who did before. */
async function inPlay() {
  const open = await whole("/api/sessions?in_play=true", "sessions");
  return Promise.all(open.map(async (one) => ({ ...one, lease: await ask("GET", `/api/sessions/${one.session_id}/lease`).catch(() => null) })));
}

function Tables() {
  const { value: open, failed } = useLoaded(inPlay);
  return html`<section><h2>${t("club.tables")}</h2>${failed && html`<p class="refusal" role="alert">${say.failure(failed)}</p>`}
    ${open?.length === 0 && html`<p>${t("club.notables")}</p>`}
    <ul class="cards">${(open ?? []).map((one) => html`<${TableInPlay} key=${one.session_id} one=${one} />`)}</ul></section>`;
}

function TableInPlay({ one }) {
  const { holder, takings = [] } = one.lease ?? {};
  const device = ({ device: name }) => name ?? t("lease.other");
  const changes = takings.filter((taking, place) => place > 0 && taking.key_id !== takings[place - 1].key_id);
  return html`<li class="evening open"><span><b>${day(one.date)}${one.table ? ` · ${one.table}` : ""}</b> <span class="mark">${t(`phase.${one.phase}`)}</span>
    <br /><span class="names">${names(one)}</span>
    <br />${holder ? t("club.table.by", { device: device(holder), at: clock(holder.seen_at) }) : t("club.table.nobody")}. ${t("club.table.last", { at: clock(one.changed_at), n: one.entries })}.
    ${changes.length > 0 && html`<br /><span class="names">${t("club.table.taken", { list: changes.map((one) => `${device(one)} ${clock(one.taken_at)}`).join(", ") })}</span>`}</span>
    <a class="button" href=${`#/live/${one.session_id}`}>${t("live")}</a></li>`;
}

/** The change asked for last. The service takes settings whole, so the next change starts from what that one left. */
let changing = Promise.resolve();
const changed = (make) => {
  const next = async () => (club.value = await ask("PATCH", "/api/club", make(club.value)));
  return (changing = changing.then(next, next));
};
const fieldTo = (name, value) => () => ({ [name]: value });
const settingTo = (name, value) => ({ settings }) => ({ settings: { ...settings, [name]: value } });

/** What is chosen out of a few: each has its words in the catalogue by its value. */
const CHOICES = [
  ["recorder_undo", ["deal", "previous_deal", "session"]],
  ["live_view", ["finished", "current_trick"]],
  ["findings_for_recorder", [false, true]],
];

/** `admin`: may the one who is signed in change them? */
function Settings({ admin }) {
  const [{ failed, turn }, put] = useState({ failed: null, turn: 0 });
  const save = (make) => changed(make).then(
    () => put((shown) => ({ ...shown, failed: null })),
    // Drawn anew, so that the fields show again what the club has and not what was refused.
    (error) => put((shown) => ({ failed: say.failure(error), turn: shown.turn + 1 })),
  );
  const now = club.value;
  return html`<section class="club"><h2>${t("club.settings")}</h2>${!admin && html`<p>${t("club.readonly")}</p>`}${failed && html`<p class="refusal" role="alert">${failed}</p>`}
    <fieldset class="keys three" key=${turn} disabled=${!admin}>
      <label class="field">${t("club.name")}<input name="name" required maxlength="100" value=${now.name} onChange=${valid((name) => save(fieldTo("name", name)).then(refreshMe))} /></label>
      <${Choice} name="ruleset" label=${t("open.rules")} values=${Object.keys(RULESETS).map((id) => [id, t(`ruleset.${id}`)])} picked=${now.ruleset} onPick=${(ruleset) => save(fieldTo("ruleset", ruleset))} />
      <${Choice} name="time_zone" label=${t("club.time_zone")} values=${zones(now.time_zone).map((zone) => [zone, zone.replaceAll("_", " ")])} picked=${now.time_zone} onPick=${(zone) => save(fieldTo("time_zone", zone))} />
      ${CHOICES.map(([name, values]) => html`<${Choice} key=${name} name=${name} label=${t(`club.${name}`)} values=${values.map((value) => [value, t(`club.${name}.${value}`)])} picked=${now.settings[name]} onPick=${(value) => save(settingTo(name, value))} />`)}
      <${CorrectionWindow} now=${now.settings.correction_window} onPick=${(value) => save(settingTo("correction_window", value))} />
      <${Season} now=${now.settings.season_start} onPick=${(value) => save(settingTo("season_start", value))} />
    </fieldset></section>`;
}

/** A field's handler, called with what was written there if the field can take it; else the browser says what it wants. */
const valid = (act) => (event) => event.target.reportValidity() && event.target.value.trim() && act(event.target.value.trim());

/** Every time zone that the browser knows by name, and the club's own. */
const zones = (own) => [...new Set([own, ...(Intl.supportedValuesOf?.("timeZone") ?? [])])].sort();

/** `values` are `[value, words]`; the value that was picked is given as it stands there, not as text. */
const Choice = ({ name, label, values, picked, onPick }) => html`<label class="field">${label}<select name=${name} onChange=${(event) => onPick(values[event.target.selectedIndex][0])}>
  ${values.map(([value, words]) => html`<option key=${value} value=${String(value)} selected=${picked === value}>${words}</option>`)}</select></label>`;

const BY_EVENT = "until_next_deal";
/** What a club begins with that counts minutes. */
const MINUTES = 15;

/** How long a settled deal is corrected by one key: until the next deal is opened, or so many minutes. */
function CorrectionWindow({ now, onPick }) {
  const counted = now !== BY_EVENT;
  const values = [[BY_EVENT, t(`club.correction_window.${BY_EVENT}`)], ["minutes", t("club.correction_window.minutes")]];
  return html`<div class="field"><${Choice} name="correction_window" label=${t("club.correction_window")} values=${values} picked=${counted ? "minutes" : BY_EVENT} onPick=${(way) => onPick(way === BY_EVENT ? way : MINUTES)} />
    ${counted && html`<label class="field">${t("club.minutes")}<input name="window_minutes" type="number" inputmode="numeric" required min="1" max="525600" step="1" value=${now} onChange=${valid((minutes) => onPick(Number(minutes)))} /></label>`}
    <small>${t("club.correction_window.about")}</small></div>`;
}

/** Days in a month of a year that is none too long: a season begins on a day that comes every year. */
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const two = (number) => String(number).padStart(2, "0");

/** The day, as MM-DD, on which a season begins. */
function Season({ now, onPick }) {
  const [month, date] = now.split("-").map(Number);
  const put = (ofYear, ofMonth) => onPick(`${two(ofYear)}-${two(Math.min(ofMonth, DAYS[ofYear - 1]))}`);
  const days = Array.from({ length: Math.max(date, DAYS[month - 1]) }, (_, place) => [place + 1, place + 1]);
  return html`<div class="field pair"><${Choice} name="season_month" label=${t("club.season_start")} values=${DAYS.map((_, place) => [place + 1, monthName(place + 1)])} picked=${month} onPick=${(value) => put(value, date)} />
    <${Choice} name="season_day" label=${t("club.season_day")} values=${days} picked=${date} onPick=${(value) => put(month, value)} /></div>`;
}

function Players() {
  const [name, put] = useState("");
  const [failed, fail] = useState(null);
  const all = everyone();
  const add = async () => {
    try {
      await addPlayer(name.trim());
      put("");
      fail(null);
    } catch (error) {
      fail(say.failure(error));
    }
  };
  return html`<section><h2>${t("club.players", { n: all.length })}</h2>
    <ul class="keys three plainlist">${all.map((player) => html`<li key=${player.player_id}><a class="button quiet" href=${`#/statistics?player=${player.player_id}`}>${player.name}</a></li>`)}</ul>
    ${adds() && html`<form class="line" onSubmit=${(event) => { event.preventDefault(); add(); }}><label class="field">${t("club.newplayer")}<input name="newplayer" maxlength="100" value=${name} onInput=${(event) => put(event.target.value)} /></label>
      <${Button} name="add-player" data-key="add-player" disabled=${!name.trim()} onTap=${add}>${t("club.add")}<//></form>`}
    ${failed && html`<p class="refusal" role="alert">${failed}</p>`}</section>`;
}

function Keys() {
  const { value: keys, failed, again } = useLoaded(() => whole("/api/keys", "keys"));
  const [sure, makeSure] = useState(null);
  const revoke = (id) => (sure === id ? ask("DELETE", `/api/keys/${id}`).then(again, again) : makeSure(id));
  const whose = (key) => (key.player_id ? ` · ${players.value.get(key.player_id)?.name ?? ""}` : "");
  return html`<section><h2>${t("club.keys")}</h2>${failed && html`<p class="refusal" role="alert">${say.failure(failed)}</p>`}
    <${Pairing} />
    <ul class="cards">${(keys ?? []).map((key) => html`<li class="evening" key=${key.key_id}><span class=${key.revoked_at ? "names" : ""}><b>${key.name}</b> · ${t(`role.${key.role}`)}${whose(key)} · ${t("club.madeat", { at: day(key.created_at.slice(0, 10)) })}${key.revoked_at ? ` · ${t("club.revoked")}` : ""}</span>
      ${!key.revoked_at && html`<${Button} kind=${sure === key.key_id ? "danger" : "quiet"} name=${`revoke-${key.key_id}`} onTap=${() => revoke(key.key_id)}>${t(sure === key.key_id ? "club.sure" : "club.revoke")}<//>`}</li>`)}</ul></section>`;
}

/** A one-time code for a new device, and its picture for the device's camera. */
function Pairing() {
  const [said, put] = useState({ role: "recorder", name: "", player: "" });
  const [pairing, pair] = useState(null);
  const change = (changes) => {
    put({ ...said, ...changes });
    pair(null);
  };
  const player = said.role === "player" ? { player_id: said.player } : {};
  const make = () => ask("POST", "/api/pairings", { role: said.role, name: said.name.trim() || t(`role.${said.role}`), ...player }).then(pair, (error) => pair({ failed: say.failure(error) }));
  return html`
    <div class="keys three"><label class="field">${t("club.role")}<select name="role" onChange=${(event) => change({ role: event.target.value })}>${ROLES.map((one) => html`<option key=${one} value=${one} selected=${one === said.role}>${t(`role.${one}`)}</option>`)}</select></label>
      ${said.role === "player" && html`<label class="field">${t("club.whose")}<select name="whose" onChange=${(event) => change({ player: event.target.value })}><option value=""></option>${everyone().map((one) => html`<option key=${one.player_id} value=${one.player_id} selected=${one.player_id === said.player}>${one.name}</option>`)}</select></label>`}
      <label class="field">${t("club.device")}<input name="device" maxlength="100" value=${said.name} onInput=${(event) => change({ name: event.target.value })} /></label>
      <${Button} kind="main" name="pair" data-key="pair" disabled=${said.role === "player" && !said.player} onTap=${make}>${t("club.pair")}<//></div>
    ${pairing?.failed && html`<p class="refusal" role="alert">${pairing.failed}</p>`}
    ${pairing?.code && html`<p>${t("club.paircode")} <code>${pairing.code}</code></p><img class="qr" width="240" height="240" alt=${t("club.qr")} src=${`data:image/svg+xml,${encodeURIComponent(pairing.qr_svg)}`} />`}`;
}
