/** Statistics: the club's ranking, players, contracts, pools, head to head and records; filters stand in the address. */

import { useEffect, useState } from "../vendor/hooks.js";
import { RULESETS } from "../game/rulesets.js";
import { SEATS } from "../game/seats.js";
import { ask } from "../store/api.js";
import { everyone, nameOf } from "../store/players.js";
import { go, here } from "../router.js";
import { amount, contractName, day, has, seatName, t } from "../text/index.js";
import * as say from "../text/say.js";
import { Chart } from "../components/chart.js";
import { html } from "../components/html.js";
import { Interval, percent } from "../components/interval.js";

const VIEWS = ["leaderboard", "player", "contracts", "pools", "pairs", "records"];
const FILTERS = ["ruleset", "from", "to", "seat", "role", "contract", "opponent", "evidence", "table"];
const LADDER = ["5", "6", "7", "LM", "8", "9", "GM", "10", "11", "LS", "12", "GS", "13"];

export default function StatisticsScreen({ query }) {
  const explain = query.get("explain");
  const view = VIEWS.includes(query.get("view")) ? query.get("view") : query.get("player") ? "player" : "leaderboard";
  if (explain) return html`<${Explained} where=${explain} />`;
  const Body = { leaderboard: Leaderboard, player: Player, contracts: Contracts, pools: Pools, pairs: Pairs, records: Records }[view];
  return html`
    <main class="page">
      <header class="pagehead"><a class="button quiet" href="#/">${t("back")}</a><h1>${t("statistics")}</h1></header>
      <nav class="tabs" aria-label=${t("statistics")}>
        ${VIEWS.map((one) => html`<a key=${one} class=${`button ${one === view ? "picked" : ""}`} aria-current=${one === view ? "page" : undefined}
          href=${address(query, { view: one })}>${t(`stat.${one}`)}</a>`)}
      </nav>
      <${Filters} query=${query} view=${view} />
      <${Body} query=${query} />
    </main>
  `;
}

/** The address of this screen with some of its parameters changed. */
function address(query, changes) {
  const next = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes)) value ? next.set(name, value) : next.delete(name);
  return `#/statistics?${next}`;
}

/** The filters in force, as the service takes them. */
function filtered(query, more = {}) {
  const asked = new URLSearchParams(more);
  for (const name of FILTERS) if (query.get(name)) asked.set(name, query.get(name));
  const text = asked.toString();
  return text ? `?${text}` : "";
}

function Filters({ query, view }) {
  const set = (name) => (event) => go(address(here().query, { [name]: event.target.value }).slice(1));
  const people = everyone();
  const choice = (name, options, none = t("stat.all")) => html`<label class="field"><span>${t(`stat.by.${name}`)}</span>
    <select value=${query.get(name) ?? ""} onChange=${set(name)}><option value="">${none}</option>
      ${options.map(([value, label]) => html`<option key=${value} value=${value} selected=${query.get(name) === value}>${label}</option>`)}</select></label>`;
  const text = (name, type) => html`<label class="field"><span>${t(`stat.by.${name}`)}</span><input type=${type} value=${query.get(name) ?? ""} onChange=${set(name)} /></label>`;
  const used = FILTERS.filter((name) => query.get(name));
  return html`
    ${view === "player" && html`<div class="keys three">${choice("player", people.map((one) => [one.player_id, one.name]), t("stat.choose"))}</div>`}
    <details class="filters" open=${used.length > 0}><summary class="button quiet">${t("stat.filters")}${used.length ? ` (${used.length})` : ""}</summary>
      <div class="keys three">
        ${text("from", "date")}${text("to", "date")}
        ${choice("ruleset", Object.keys(RULESETS).map((id) => [id, t(`ruleset.${id}`)]))}
        ${choice("contract", LADDER.map((one) => [one, contractName(one)]))}
        ${choice("role", ["caller", "defender", "partout"].map((one) => [one, t(`stat.role.${one}`)]))}
        ${choice("seat", SEATS.map((seat) => [seat, seatName(seat)]))}
        ${choice("opponent", people.map((one) => [one.player_id, one.name]))}
        ${choice("evidence", [["cards", t("stat.evidence.cards")]])}
        ${text("table", "text")}
        ${used.length > 0 && html`<a class="button" href=${address(query, Object.fromEntries(FILTERS.map((name) => [name, ""])))}>${t("stat.nofilters")}</a>`}
      </div></details>
  `;
}

/** What the service answers at an address, anew whenever it changes; `more` reads the next page behind it. */
function useFigures(path) {
  const [state, put] = useState({ path: null });
  useEffect(() => {
    if (!path) return undefined;
    let gone = false;
    ask("GET", path).then(
      (found) => gone || put({ path, found }),
      (error) => gone || put({ path, failed: say.failure(error) }),
    );
    return () => (gone = true);
  }, [path]);
  const now = state.path === path ? state : {};
  const more = async () => {
    try {
      const page = await ask("GET", `${path}${path.includes("?") ? "&" : "?"}cursor=${encodeURIComponent(now.found.next)}`);
      put({ path, found: { ...page, rows: [...now.found.rows, ...page.rows] } });
    } catch (error) {
      put({ path, found: now.found, missed: say.failure(error) });
    }
  };
  return { ...now, more };
}

/** The figures once they are there, with how many deals they rest on, as of when, and the same as CSV. */
function Figures({ path, csv, children }) {
  const { found, failed, missed, more } = useFigures(path);
  if (failed) return html`<p class="refusal" role="alert">${failed}</p>`;
  if (!found) return html`<p aria-busy="true">${t("loading")}</p>`;
  return html`
    ${found.rows?.length === 0 ? html`<p>${t("stat.none")}</p>` : children(found)}
    ${missed && html`<p class="refusal" role="alert">${missed}</p>`}
    ${found.next && html`<button type="button" class="button" onClick=${more}>${t("stat.more")}</button>`}
    <p class="asof">${found.n !== undefined && `${t("stat.n", { n: found.n })} · `}${t("stat.asof", { at: moment(found.as_of.at), n: found.as_of.sessions, events: amount(found.as_of.events) })}
      ${" "}<a class="button quiet small" href=${csv} download>${t("stat.csv")}</a></p>
  `;
}

const moment = (text) => new Date(text).toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "medium", hourCycle: "h23" });
const person = (id) => html`<a href=${`#/statistics?player=${id}`}>${nameOf(id)}</a>`;
const gained = (value) => (value > 0 ? `▲ ${amount(value)}` : value < 0 ? `▼ ${amount(-value)}` : "0");
/** A mean with its spread; `said` says how one such value is written. */
const mean = (spread, said = amount) => (spread?.n ? `${said(spread.mean)}${spread.sd == null ? "" : ` ± ${amount(spread.sd)}`}` : "–");

function Table({ heads, label, children }) {
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${label}><table class="score">
    <thead><tr>${heads.map((head, place) => html`<th scope="col" key=${head} class=${place ? "" : "left"}>${head}</th>`)}</tr></thead><tbody>${children}</tbody></table></div>`;
}

function Leaderboard({ query }) {
  const by = query.get("by") ?? "money";
  const asked = filtered(query, { by });
  return html`
    <div class="keys three" role="group" aria-label=${t("stat.order")}>${["money", "per_deal", "won"].map((one) => html`<a key=${one} class=${`button small ${one === by ? "picked" : "quiet"}`} href=${address(query, { by: one })}>${t(`stat.order.${one}`)}</a>`)}</div>
    <${Figures} path=${`/api/statistics/leaderboard${asked}`} csv=${`/api/statistics/leaderboard/csv${asked}`}>${({ rows }) => html`
      <${Table} label=${t("stat.leaderboard")} heads=${[t("stat.who"), t("stat.rank"), t("stat.deals"), t("stat.money"), t("stat.perdeal"), t("stat.made"), t("stat.won")]}>
        ${rows.map((row) => html`<tr key=${row.player_id}><td class="left">${person(row.player_id)}</td><td>${row.rank}</td><td>${amount(row.money.n)}</td>
          <td><a href=${`#/statistics?view=player&player=${row.player_id}`}>${gained(row.money.total)}</a></td><td>${mean(row.money, gained)}</td>
          <td><${Interval} rate=${row.made} /></td><td>${row.won ? `${row.won.k}/${row.won.n}` : "–"}</td></tr>`)}
      <//>`}<//>
  `;
}

function Player({ query }) {
  const id = query.get("player");
  if (!id) return html`<p>${t("stat.choose")}</p>`;
  const asked = filtered(query);
  const base = `/api/statistics/players/${id}`;
  return html`
    <${Figures} path=${`${base}${asked}`} csv=${`${base}/csv${asked}`}>${(found) => html`<${Person} found=${found} />`}<//>
    <h2>${t("stat.curve")}</h2>
    <${Figures} path=${`${base}/curve${asked}`} csv=${`${base}/curve/csv${asked}`}>${({ rows }) => html`
      ${rows.length > 1 && html`<${Chart} label=${t("stat.curve")} x=${rows.map((_, place) => place + 1)} series=${[{ label: t("stat.money"), values: rows.map((row) => row.total) }]} />`}`}<//>
    <h2>${t("stat.parts")}</h2>
    <${Figures} path=${`/api/statistics/deals${filtered(query, { player: id, limit: 40 })}`} csv=${`/api/statistics/deals/csv${filtered(query, { player: id })}`}>${({ rows }) => html`
      <${Table} label=${t("stat.parts")} heads=${[t("stat.day"), t("sheet.deal"), t("stat.by.role"), t("stat.by.contract"), t("stat.outcome"), t("stat.money")]}>
        ${rows.map((row) => html`<tr key=${`${row.session_id}-${row.place}-${row.seat}`}><td class="left"><a href=${`#/sheet/${row.session_id}`}>${day(row.date)}</a></td>
          <td><a href=${`#/replay/${row.session_id}?deal=${row.place}`}>${row.deal}</a></td><td>${t(`stat.role.${row.role}`)}</td><td>${row.contract ? contractName(row.contract) : "–"}</td>
          <td>${t(`stat.outcome.${row.outcome}`)}</td><td><a href=${`#/statistics?explain=${row.session_id}:${row.place}:${row.seat}`}>${gained(row.money)}</a></td></tr>`)}<//>`}<//>
  `;
}

function Person({ found }) {
  const { total } = found;
  const tiles = [
    [t("stat.money"), gained(total.money.total)],
    [t("stat.perdeal"), mean(total.money, gained)],
    [t("stat.deals"), amount(total.deals)],
    [t("stat.poolstaken"), `${total.pools_taken} (${amount(total.pool_won)})`],
    [t("stat.poolsdoubled"), `${total.pools_doubled} (${amount(total.pool_paid)})`],
    [t("stat.concessions"), total.concessions],
  ];
  return html`
    <h2>${found.player.name}</h2>
    <div class="board">${tiles.map(([name, value]) => html`<div class="tile" key=${name}><span>${name}</span><b class="figure">${value}</b></div>`)}</div>
    <${Results} rows=${found.by_role} name=${(row) => t(`stat.role.${row.role}`)} label=${t("stat.byrole")} />
    <${Results} rows=${found.by_contract} name=${(row) => [row.contract && contractName(row.contract), t(`stat.role.${row.role}`)].filter(Boolean).join(" – ")} label=${t("stat.bycontract")} />
  `;
}

/** Results with their intervals: how often it went well, and what it brought. */
function Results({ rows, name, label }) {
  if (!rows?.length) return null;
  return html`<h2>${label}</h2><${Table} label=${label} heads=${[label, t("stat.deals"), t("stat.success"), t("stat.shortfall"), t("stat.money"), t("stat.perdeal")]}>
    ${rows.map((row, place) => html`<tr key=${place}><td class="left">${name(row)}</td><td>${row.deals}</td><td><${Interval} rate=${row.made ?? row.beaten ?? row.highest} /></td>
      <td>${row.shortfall ? mean(row.shortfall) : "–"}</td><td>${gained(row.money.total)}</td><td>${mean(row.money, gained)}</td></tr>`)}<//>`;
}

function Contracts({ query }) {
  const asked = filtered(query);
  return html`<${Figures} path=${`/api/statistics/contracts${asked}`} csv=${`/api/statistics/contracts/csv${asked}`}>${({ rows }) => html`
    <${Table} label=${t("stat.contracts")} heads=${[t("stat.by.contract"), t("stat.class"), t("stat.played"), t("stat.made"), t("stat.shortfall"), t("stat.perdeal")]}>
      ${rows.map((row, place) => html`<tr key=${place} class=${row.trump_class === "all" ? "" : "uncounted"}><td class="left">${row.trump_class === "all" ? html`<b>${contractName(row.contract)}</b>` : contractName(row.contract)}</td>
        <td>${t(`stat.class.${row.trump_class ?? "unknown"}`)}</td><td>${row.played.k} (${percent(row.played.rate)})</td><td><${Interval} rate=${row.made} /></td><td>${mean(row.shortfall)}</td><td>${mean(row.money, gained)}</td></tr>`)}<//>`}<//>`;
}

function Pools({ query }) {
  const asked = filtered(query);
  return html`
    <${Figures} path=${`/api/statistics/pools${asked}`} csv=${`/api/statistics/pools/moves/csv${asked}`}>${(found) => html`<div class="board">
      <div class="tile"><span>${t("stat.poolstaken")}</span><b class="figure">${found.taken.n}</b><span>${mean(found.taken)}</span></div>
      <div class="tile"><span>${t("stat.poolsdoubled")}</span><b class="figure">${found.doubled.n}</b><span>${mean(found.doubled)}</span></div>
      <div class="tile"><span>${t("stat.largest")}</span><b class="figure">${amount(found.largest ?? 0)}</b></div>
      <div class="tile"><span>${t("stat.life")}</span><b class="figure">${mean(found.life)}</b></div></div>`}<//>
    <h2>${t("stat.poolhistory")}</h2>
    <${Figures} path=${`/api/statistics/pools/moves${filtered(query, { limit: 100 })}`} csv=${`/api/statistics/pools/moves/csv${asked}`}>${({ rows }) => html`
      ${rows.length > 1 && html`<${Chart} label=${t("stat.poolhistory")} x=${rows.map((_, place) => place + 1)} series=${[{ label: t("stat.pooltotal"), values: rows.map((row) => row.total) }]} />`}
      <${Table} label=${t("stat.poolhistory")} heads=${[t("stat.day"), t("sheet.deal"), t("stat.who"), t("stat.what"), t("stat.amount"), t("stat.pooltotal")]}>
        ${rows.map((row) => html`<tr key=${`${row.session_id}-${row.number}`}><td class="left">${day(row.date)}</td><td><a href=${`#/replay/${row.session_id}?deal=${row.place}`}>${row.deal}</a></td>
          <td>${row.player_id ? person(row.player_id) : "–"}</td><td>${t(`stat.pool.${row.reason}`)}</td><td><a href=${`#/statistics?explain=${row.session_id}:${row.place}`}>${amount(row.amount)}</a></td><td>${amount(row.total)}</td></tr>`)}<//>`}<//>
  `;
}

/** Who paid whom: a matrix, each cell what the row's player got from the column's. */
function Pairs({ query }) {
  const asked = filtered(query);
  return html`<${Figures} path=${`/api/statistics/head-to-head${asked}`} csv=${`/api/statistics/head-to-head/csv${asked}`}>${({ rows }) => {
    const met = new Map(rows.map((row) => [`${row.player_id} ${row.opponent_id}`, row]));
    const ids = [...new Set(rows.flatMap((row) => [row.player_id, row.opponent_id]))].sort((a, b) => nameOf(a).localeCompare(nameOf(b)));
    const net = (one, other) => met.get(`${one} ${other}`)?.net ?? opposite(met.get(`${other} ${one}`)?.net);
    return html`<p>${t("stat.pairs.how")}</p><div class="scroll" tabindex="0" role="region" aria-label=${t("stat.pairs")}><table class="score matrix">
      <thead><tr><td></td>${ids.map((id) => html`<th scope="col" key=${id}>${nameOf(id)}</th>`)}</tr></thead>
      <tbody>${ids.map((one) => html`<tr key=${one}><th scope="row" class="left">${nameOf(one)}</th>${ids.map((other) => {
        const sum = one === other ? null : net(one, other);
        return html`<td key=${other}>${sum ? html`${gained(sum.total)} <small>n ${sum.n}</small>` : ""}</td>`;
      })}</tr>`)}</tbody></table></div>`;
  }}<//>`;
}

const opposite = (net) => net && { ...net, total: -net.total, mean: -net.mean };

function Records({ query }) {
  const asked = filtered(query, { top: 3 });
  return html`<${Figures} path=${`/api/statistics/records${asked}`} csv=${`/api/statistics/records/csv${asked}`}>${({ rows }) => html`
    <${Table} label=${t("stat.records")} heads=${[t("stat.record"), t("stat.rank"), t("stat.amount"), t("stat.who"), t("stat.by.contract"), t("stat.day"), t("sheet.deal")]}>
      ${rows.map((row, place) => html`<tr key=${place}><td class="left">${t(`stat.record.${row.record}`)}</td><td>${row.rank}</td>
        <td><a href=${`#/statistics?explain=${row.session_id}:${row.place}`}>${row.record === "longest_deal" ? t("stat.minutes", { n: Math.round(row.amount / 60) }) : amount(row.amount)}</a></td>
        <td>${row.caller_id ? person(row.caller_id) : "–"}</td><td>${row.contract ? contractName(row.contract) : "–"}</td><td>${day(row.date)}</td>
        <td><a href=${`#/replay/${row.session_id}?deal=${row.place}`}>${row.deal}</a></td></tr>`)}<//>`}<//>`;
}

/** From an amount down to its postings, the deal, the tariff and the rule. */
function Explained({ where }) {
  const [session, place, seat] = where.split(":");
  const { found, failed } = useFigures(`/api/sessions/${session}/explain?place=${place}${seat ? `&seat=${seat}` : ""}`);
  return html`
    <main class="page">
      <header class="pagehead"><button type="button" class="button quiet" onClick=${() => history.back()}>${t("back")}</button><h1>${t("stat.why")}</h1></header>
      ${failed && html`<p class="refusal" role="alert">${failed}</p>`}
      ${!failed && !found && html`<p aria-busy="true">${t("loading")}</p>`}
      ${found && html`
        <p class="told">${head(found)}</p>
        ${found.movements.map((one) => html`<section class="tile" key=${one.number}><b>${told(one, found)}${one.rule ? ` ${t("settle.rule", { rule: one.rule })}` : ""}</b>
          <ul class="plainlist">${one.postings.map((posting, at) => html`<li key=${at}>${posting.player_id ? nameOf(posting.player_id) : t("pool")}: ${gained(posting.amount)}</li>`)}</ul></section>`)}
        <div class="keys three"><a class="button" href=${`#/replay/${session}?deal=${place}`}>${t("replay")}</a><a class="button" href=${`#/sheet/${session}`}>${t("scoresheet")}</a></div>`}
    </main>
  `;
}

/** What the deal came to for the one who is asked about, or which deal it is. */
function head({ seat, amount: sum, movements, place, deal }) {
  const number = deal?.counts ? deal.deal : place;
  const player = movements.flatMap(({ postings }) => postings).find(({ account }) => account === seat)?.player_id;
  const key = sum > 0 ? "why.got" : sum < 0 ? "why.paid" : "why.deal";
  return t(player ? key : "why.deal", { name: nameOf(player), amount: amount(Math.abs(sum ?? 0)), number });
}

/** One movement in a sentence: by its kind and reason, a settlement by what happened in the deal. */
function told({ kind, reason, postings, version }, { deal }) {
  const chairs = postings.filter(({ player_id: player }) => player);
  const pool = postings.find(({ account }) => account === "pool");
  const facts = { name: nameOf(chairs[0]?.player_id), each: amount(Math.abs(chairs[0]?.amount ?? 0)), pool: amount(Math.abs(pool?.amount ?? 0)) };
  if (kind !== "settlement") return t(has(`why.${kind}.${reason}`) ? `why.${kind}.${reason}` : `why.${kind}`, facts);
  if (reason === "misere_partout") return t("why.partout");
  if (!deal?.caller || version !== deal.version) return t("why.settlement");
  const name = nameOf(postings.find(({ account }) => account === deal.caller)?.player_id);
  return t(`why.settlement.${deal.outcome}`, { outcome: say.outcome(deal, () => name), price: amount(deal.price) });
}
