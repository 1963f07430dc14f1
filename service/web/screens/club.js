/** The club: its settings, players, keys and devices, tables in play, and the service's health. */

import { useEffect, useState } from "../vendor/hooks.js";
import { RULESETS } from "../game/rulesets.js";
import { SEATS } from "../game/seats.js";
import { ask, me, Offline } from "../store/api.js";
import { addPlayer, club, players } from "../store/players.js";
import { clock, day, t } from "../text/index.js";
import { Button } from "../components/button.js";
import { html } from "../components/html.js";

const ADDS = ["recorder", "director", "admin"];
const ROLES = ["recorder", "director", "auditor", "viewer", "player", "admin"];

export default function ClubScreen() {
  const admin = me.value?.role === "admin";
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

const told = (error) => (error instanceof Offline ? t("failed.offline") : error.message);

/** Loads something of the service: `[value, failure, again]`. */
function useLoaded(load) {
  const [[value, failed], put] = useState([null, null]);
  const again = () => load().then((found) => put([found, null]), (error) => put([null, told(error)]));
  useEffect(() => void again(), []);
  return [value, failed, again];
}

/** Every page of a list. */
async function whole(path, name) {
  const found = [];
  let cursor = null;
  do {
    const page = await ask("GET", `${path}${path.includes("?") ? "&" : "?"}limit=200${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ""}`);
    found.push(...page[name]);
    cursor = page.next;
  } while (cursor);
  return found;
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
  const [found, failed] = useLoaded(health);
  const words = found && (found.ready ? t("club.well") : `${t("club.ill")} ${found.cause}`);
  return html`<section><h2>${t("club.health")}</h2><p role="status" class=${found && !found.ready ? "refusal" : ""}>${failed ?? words ?? t("loading")}</p></section>`;
}

/** The evenings in play, each with who records it and who did before. */
async function inPlay() {
  const open = await whole("/api/sessions?in_play=true", "sessions");
  return Promise.all(open.map(async (one) => ({ ...one, lease: await ask("GET", `/api/sessions/${one.session_id}/lease`).catch(() => null) })));
}

function Tables() {
  const [open, failed] = useLoaded(inPlay);
  return html`<section><h2>${t("club.tables")}</h2>${failed && html`<p class="refusal" role="alert">${failed}</p>`}
    ${open?.length === 0 && html`<p>${t("club.notables")}</p>`}
    <ul class="cards">${(open ?? []).map((one) => html`<${TableInPlay} key=${one.session_id} one=${one} />`)}</ul></section>`;
}

function TableInPlay({ one }) {
  const { holder, takings = [] } = one.lease ?? {};
  const device = ({ device: name }) => name ?? t("lease.other");
  const changes = takings.filter((taking, place) => place > 0 && taking.key_id !== takings[place - 1].key_id);
  return html`<li class="evening open"><span><b>${day(one.date)}${one.table ? ` · ${one.table}` : ""}</b> <span class="mark">${t(`phase.${one.phase}`)}</span>
    <br /><span class="names">${one.seats ? SEATS.map((seat) => one.seats[seat].name).join(", ") : ""}</span>
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
const rulesetTo = (ruleset) => () => ({ ruleset });
const settingTo = (name, value) => ({ settings }) => ({ settings: { ...settings, [name]: value } });

function Settings({ admin }) {
  const [failed, fail] = useState(null);
  const now = club.value;
  const change = (make) => changed(make).then(() => fail(null), (error) => fail(told(error)));
  const choice = (name, values) => html`<label class="field">${t(`club.${name}`)}<select name=${name} disabled=${!admin} onChange=${(event) => change(settingTo(name, event.target.value))}>
    ${values.map((value) => html`<option key=${value} value=${value} selected=${now.settings?.[name] === value}>${t(`club.${name}.${value}`)}</option>`)}</select></label>`;
  return html`<section><h2>${t("club.settings")}</h2>${failed && html`<p class="refusal" role="alert">${failed}</p>`}
    <div class="keys three">
      <label class="field">${t("open.rules")}<select name="ruleset" disabled=${!admin} onChange=${(event) => change(rulesetTo(event.target.value))}>${Object.keys(RULESETS).map((id) => html`<option key=${id} value=${id} selected=${now.ruleset === id}>${t(`ruleset.${id}`)}</option>`)}</select></label>
      ${choice("recorder_undo", ["deal", "previous_deal", "session"])}
      ${choice("live_view", ["finished", "current_trick"])}
    </div></section>`;
}

const byName = () => [...players.value.values()].sort((a, b) => a.name.localeCompare(b.name));

function Players() {
  const [name, put] = useState("");
  const [failed, fail] = useState(null);
  const all = byName();
  const add = async () => {
    try {
      await addPlayer(name.trim());
      put("");
      fail(null);
    } catch (error) {
      fail(told(error));
    }
  };
  return html`<section><h2>${t("club.players", { n: all.length })}</h2>
    <ul class="keys three plainlist">${all.map((player) => html`<li key=${player.player_id}><a class="button quiet" href=${`#/statistics?player=${player.player_id}`}>${player.name}</a></li>`)}</ul>
    ${ADDS.includes(me.value?.role) && html`<form class="line" onSubmit=${(event) => { event.preventDefault(); add(); }}><label class="field">${t("club.newplayer")}<input name="newplayer" maxlength="100" value=${name} onInput=${(event) => put(event.target.value)} /></label>
      <${Button} name="add-player" data-key="add-player" disabled=${!name.trim()} onTap=${add}>${t("club.add")}<//></form>`}
    ${failed && html`<p class="refusal" role="alert">${failed}</p>`}</section>`;
}

function Keys() {
  const [keys, failed, again] = useLoaded(() => whole("/api/keys", "keys"));
  const [sure, makeSure] = useState(null);
  const revoke = (id) => (sure === id ? ask("DELETE", `/api/keys/${id}`).then(again, again) : makeSure(id));
  const whose = (key) => (key.player_id ? ` · ${players.value.get(key.player_id)?.name ?? ""}` : "");
  return html`<section><h2>${t("club.keys")}</h2>${failed && html`<p class="refusal" role="alert">${failed}</p>`}
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
  const make = () => ask("POST", "/api/pairings", { role: said.role, name: said.name.trim() || t(`role.${said.role}`), ...player }).then(pair, (error) => pair({ failed: told(error) }));
  return html`
    <div class="keys three"><label class="field">${t("club.role")}<select name="role" onChange=${(event) => change({ role: event.target.value })}>${ROLES.map((one) => html`<option key=${one} value=${one} selected=${one === said.role}>${t(`role.${one}`)}</option>`)}</select></label>
      ${said.role === "player" && html`<label class="field">${t("club.whose")}<select name="whose" onChange=${(event) => change({ player: event.target.value })}><option value=""></option>${byName().map((one) => html`<option key=${one.player_id} value=${one.player_id} selected=${one.player_id === said.player}>${one.name}</option>`)}</select></label>`}
      <label class="field">${t("club.device")}<input name="device" maxlength="100" value=${said.name} onInput=${(event) => change({ name: event.target.value })} /></label>
      <${Button} kind="main" name="pair" data-key="pair" disabled=${said.role === "player" && !said.player} onTap=${make}>${t("club.pair")}<//></div>
    ${pairing?.failed && html`<p class="refusal" role="alert">${pairing.failed}</p>`}
    ${pairing?.code && html`<p>${t("club.paircode")} <code>${pairing.code}</code></p><img class="qr" width="240" height="240" alt=${t("club.qr")} src=${`data:image/svg+xml,${encodeURIComponent(pairing.qr_svg)}`} />`}`;
}
