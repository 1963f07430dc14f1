/** The club: its settings, players, keys and devices, tables in play, and the service's health. */

import { useEffect, useState } from "../vendor/hooks.js";
import { RULESETS } from "../game/rulesets.js";
import { ask, me, Offline } from "../store/api.js";
import { addPlayer, club, players } from "../store/players.js";
import { t } from "../text/index.js";
import { Button } from "../components/button.js";
import { html } from "../components/html.js";

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

/** Loads something of the service; `[value, failure, again]`. */
function useLoaded(path) {
  const [value, put] = useState(null);
  const [failed, fail] = useState(null);
  const again = () => ask("GET", path).then((found) => (put(found), fail(null)), (error) => fail(error instanceof Offline ? t("failed.offline") : error.message));
  useEffect(() => void again(), [path]);
  return [value, failed, again];
}

function Health() {
  const [health, failed] = useLoaded("/health");
  const words = health && (health.ready ? t("club.well") : `${t("club.ill")} ${health.cause}`);
  return html`<section><h2>${t("club.health")}</h2><p role="status">${failed ?? words ?? t("loading")}</p></section>`;
}

function Tables() {
  const [found] = useLoaded("/api/sessions?in_play=true");
  const open = found?.sessions ?? found?.items ?? [];
  return html`<section><h2>${t("club.tables")}</h2>${open.length === 0 && html`<p>${t("club.notables")}</p>`}
    <ul class="cards">${open.map((one) => html`<li class="evening" key=${one.session_id}><span><b>${one.table ?? one.date}</b> ${one.holder?.device ? t("lease.holder", { device: one.holder.device }) : ""}</span><a class="button" href=${`#/live/${one.session_id}`}>${t("live")}</a></li>`)}</ul></section>`;
}

function Settings({ admin }) {
  const [failed, fail] = useState(null);
  const now = club.value;
  const change = async (changes) => {
    try {
      club.value = await ask("PATCH", "/api/club", changes);
      fail(null);
    } catch (error) {
      fail(error instanceof Offline ? t("failed.offline") : error.message);
    }
  };
  const choice = (name, values) => html`<label class="field">${t(`club.${name}`)}<select name=${name} disabled=${!admin} onChange=${(event) => change({ settings: { ...now.settings, [name]: event.target.value } })}>
    ${values.map((value) => html`<option key=${value} value=${value} selected=${now.settings?.[name] === value}>${t(`club.${name}.${value}`)}</option>`)}</select></label>`;
  return html`<section><h2>${t("club.settings")}</h2>${failed && html`<p class="refusal" role="alert">${failed}</p>`}
    <div class="keys three">
      <label class="field">${t("open.rules")}<select name="ruleset" disabled=${!admin} onChange=${(event) => change({ ruleset: event.target.value })}>${Object.keys(RULESETS).map((id) => html`<option key=${id} value=${id} selected=${now.ruleset === id}>${t(`ruleset.${id}`)}</option>`)}</select></label>
      ${choice("recorder_undo", ["deal", "previous_deal", "session"])}
      ${choice("live_view", ["finished", "current_trick"])}
    </div></section>`;
}

function Players() {
  const [name, put] = useState("");
  const [failed, fail] = useState(null);
  const all = [...players.value.values()].sort((a, b) => a.name.localeCompare(b.name));
  const add = async () => {
    try {
      await addPlayer(name.trim());
      put("");
      fail(null);
    } catch (error) {
      fail(error.message);
    }
  };
  return html`<section><h2>${t("club.players", { n: all.length })}</h2>
    <ul class="keys three plainlist">${all.map((player) => html`<li key=${player.player_id}><a class="button quiet" href=${`#/statistics?player=${player.player_id}`}>${player.name}</a></li>`)}</ul>
    <label class="field">${t("club.newplayer")}<input name="newplayer" value=${name} onInput=${(event) => put(event.target.value)} /></label>
    ${failed && html`<p class="refusal" role="alert">${failed}</p>`}
    <${Button} name="add-player" data-key="add-player" disabled=${!name.trim()} onTap=${add}>${t("club.add")}<//></section>`;
}

function Keys() {
  const [found, failed, again] = useLoaded("/api/keys");
  const [pairing, pair] = useState(null);
  const [role, choose] = useState("recorder");
  const keys = found?.keys ?? found?.items ?? [];
  const make = () => ask("POST", "/api/pairings", { role, name: t(`role.${role}`) }).then(pair, (error) => pair({ failed: error.message }));
  const revoke = (id) => ask("DELETE", `/api/keys/${id}`).then(again, again);
  return html`<section><h2>${t("club.keys")}</h2>${failed && html`<p class="refusal" role="alert">${failed}</p>`}
    <ul class="cards">${keys.map((key) => html`<li class="evening" key=${key.key_id}><span><b>${key.name}</b> · ${t(`role.${key.role}`)}${key.device ? ` · ${key.device}` : ""}${key.revoked_at ? ` · ${t("club.revoked")}` : ""}</span>
      ${!key.revoked_at && html`<${Button} kind="danger" name=${`revoke-${key.key_id}`} onTap=${() => revoke(key.key_id)}>${t("club.revoke")}<//>`}</li>`)}</ul>
    <div class="keys three"><label class="field">${t("club.role")}<select name="role" onChange=${(event) => choose(event.target.value)}>${ROLES.map((one) => html`<option key=${one} value=${one} selected=${one === role}>${t(`role.${one}`)}</option>`)}</select></label>
      <${Button} kind="main" name="pair" data-key="pair" onTap=${make}>${t("club.pair")}<//></div>
    ${pairing?.failed && html`<p class="refusal" role="alert">${pairing.failed}</p>`}
    ${pairing?.code && html`<p>${t("club.paircode")} <code>${pairing.code}</code></p>${pairing.qr_svg && html`<img class="qr" width="240" height="240" alt=${t("club.qr")} src=${`data:image/svg+xml,${encodeURIComponent(pairing.qr_svg)}`} />`}`}</section>`;
}
