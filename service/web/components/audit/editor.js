/** One entry of a finished deal, put or changed with the keys that it was recorded with: the pad, the grid, the seats. */

import { useState } from "../../vendor/hooks.js";
import { SEATS } from "../../game/seats.js";
import { cardKeys, trumpsNow, turn } from "../../game/table.js";
import { HAND, tricksIn } from "../../game/ladder.js";
import { suitName, t } from "../../text/index.js";
import * as say from "../../text/say.js";
import { AuctionPanel } from "../panels/auction.js";
import { Button } from "../button.js";
import { Grid } from "../grid.js";
import { html } from "../html.js";
import { Suit } from "../suit.js";
import { ContractKeys, TrickKeys } from "./result.js";

/** What may follow in each phase of a deal. */
const FOLLOWS = {
  opening: ["first_dealer"],
  dealing: ["preference", "deal", "contract", "misdeal"],
  auction: ["call", "preference", "misdeal"],
  trumps: ["trumps", "concede", "tricks", "cancel"],
  discards: ["discard", "concede", "tricks", "cancel"],
  exposing: ["expose", "concede", "tricks", "cancel"],
  play: ["play", "concede", "tricks", "revoke", "cancel"],
};
const SETTLED = ["cancel", "revoke"];

/** The kinds of entry that may be put in behind a game. */
export const mayFollow = (game) =>
  (FOLLOWS[game.phase] ?? SETTLED).filter((kind) => (kind !== "revoke" || game.rules.revoke_fine !== null) && (kind !== "concede" || game.rules.concessions));

/** The kinds that have keys of their own to be changed by; the others can be withdrawn. */
export const CHANGEABLE = ["first_dealer", "preference", "deal", "call", "contract", "trumps", "discard", "expose", "concede", "play", "tricks", "show", "revoke"];

/** The kinds of which there is nothing to say but that they happened. */
export const BARE = {
  deal: () => ({ entry: "deal" }),
  cancel: () => ({ entry: "cancel", agreed: SEATS, reason: t("audit.byruling") }),
  misdeal: () => ({ entry: "misdeal", reason: t("audit.byruling") }),
};

/** `game` is the one right before the entry; `entry` the one as it is now, or `{entry: kind}` for a new one. */
export function Editor({ game, entry, onEntry, onCancel }) {
  const Keys = EDITORS[entry.entry];
  return html`<section class="editor" aria-label=${t("audit.edit")}>
    <${Keys} game=${game} entry=${entry} onEntry=${onEntry} />
    <div class="keys"><${Button} kind="quiet" name="editor-cancel" data-key="editor-cancel" onTap=${onCancel}>${t("mend.stop")}<//></div></section>`;
}

/** `more` is said of a seat behind its name. */
const Seats = ({ game, picked, name, more = () => "", onSeat }) => html`<div class="keys four">${SEATS.map((seat) => html`<${Button} key=${seat} kind=${picked === seat ? "main" : "plain"} name=${`${name}-${seat}`} data-key=${`${name}-${seat}`} aria-pressed=${String(picked === seat)} onTap=${() => onSeat(seat)}>${say.player(game, seat)}${more(seat)}<//>`)}</div>`;

const Done = ({ ready, onTap }) => html`<div class="keys"><${Button} kind="main" name="editor-done" data-key="editor-done" disabled=${!ready} onTap=${onTap}>${t("audit.edit.done")}<//></div>`;

const bySeat = (kind) => ({ game, entry, onEntry }) => html`<h2 class="asks">${t(`audit.kind.${kind}`)}</h2><${Seats} game=${game} picked=${entry.seat} name="editor-seat" onSeat=${(seat) => onEntry({ ...entry, seat })} />`;

function CallKeys({ game, onEntry }) {
  if (game.phase !== "auction") return html`<p class="prompt">${t("audit.edit.nocall")}</p>`;
  return html`<${AuctionPanel} game=${game} mending=${true} onCall=${(call) => onEntry({ entry: "call", seat: turn(game), call })} />`;
}

const EVIDENCE = ["seen", "inferred", "reconstructed"];

function PlayKeys({ game, entry, onEntry }) {
  const [said, put] = useState({ seat: entry.seat ?? turn(game), evidence: entry.card ? (entry.evidence ?? "seen") : "reconstructed", odd: null });
  const keys = game.phase === "play" ? cardKeys(game, said.seat) : {};
  const done = (card, irregular) => onEntry({ entry: "play", seat: said.seat, card, ...(irregular ? { irregular } : {}), ...(said.evidence === "seen" ? {} : { evidence: said.evidence }) });
  const touch = (card) => ((keys[card]?.broken.length ?? 0) > 0 ? put({ ...said, odd: card }) : done(card, false));
  return html`
    <h2 class="asks">${t("mend.card", { name: said.seat ? say.player(game, said.seat) : "…" })}</h2>
    <${Seats} game=${game} picked=${said.seat} name="editor-seat" onSeat=${(seat) => put({ ...said, seat, odd: null })} />
    <div class="keys reasons">${EVIDENCE.map((evidence) => html`<${Button} key=${evidence} kind=${said.evidence === evidence ? "main" : "plain"} name=${`evidence-${evidence}`} data-key=${`evidence-${evidence}`} aria-pressed=${String(said.evidence === evidence)} onTap=${() => put({ ...said, evidence })}>${t(`audit.evidence.${evidence}`)}<//>`)}</div>
    ${said.odd && html`<div class="notice" role="alert"><p>${t("really.title")} ${t("audit.edit.odd", { card: say.card(said.odd) })}</p><${Button} kind="danger" name="editor-odd" data-key="editor-odd" onTap=${() => done(said.odd, true)}>${t("really.yes")}<//></div>`}
    <${Grid} keys=${keys} live=${Boolean(said.seat)} onCard=${touch} />
  `;
}

const TrumpKeys = ({ game, onEntry }) => {
  const may = trumpsNow(game);
  return html`<h2 class="asks">${t("mend.trumps")}</h2><div class="keys four">${["S", "H", "D", "C"].map((suit) => html`<button type="button" key=${suit} class="button suitkey" data-editor-trumps=${suit} disabled=${may.length > 0 && !may.includes(suit)} onClick=${() => onEntry({ entry: "trumps", suit })}><${Suit} suit=${suit} /><small>${suitName(suit)}</small></button>`)}</div>`;
};

function TricksEditor({ game, entry, onEntry }) {
  const [tricks, put] = useState(entry.tricks ?? {});
  return html`<${TrickKeys} game=${game} contract=${game.deal?.contract} value=${tricks} onChange=${put} /><${Done} ready=${SEATS.every((seat) => tricks[seat] !== undefined)} onTap=${() => onEntry({ entry: "tricks", tricks })} />`;
}

function ContractEditor({ game, entry, onEntry }) {
  const { entry: kind, ...first } = entry;
  const [said, put] = useState(first);
  const ready = said.contract === "partout" || (said.contract && said.caller);
  const whole = () => Object.fromEntries(Object.entries({ entry: kind, ...(said.contract === "partout" ? { contract: "partout" } : said) }).filter(([, value]) => value !== null && value !== undefined));
  return html`<${ContractKeys} game=${game} value=${said} onChange=${put} /><${Done} ready=${ready} onTap=${() => onEntry(whole())} />`;
}

const PreferenceKeys = ({ onEntry }) => html`<h2 class="asks">${t("audit.kind.preference")}</h2><${Grid} keys=${{}} live=${true} onCard=${(card) => onEntry({ entry: "preference", card })} />`;

function ExposeKeys({ game, entry, onEntry }) {
  const [picked, put] = useState(new Set(entry.cards ?? []));
  const touch = (card) => put(new Set(picked.has(card) ? [...picked].filter((other) => other !== card) : [...picked, card]));
  const wanted = tricksIn(game.deal?.contract);
  return html`<h2 class="asks">${t("spread.prompt", { n: wanted, picked: picked.size })}</h2><${Grid} keys=${{}} picked=${picked} live=${true} onCard=${touch} /><${Done} ready=${picked.size === wanted} onTap=${() => onEntry({ entry: "expose", seat: game.deal?.caller ?? entry.seat, cards: [...picked] })} />`;
}

/** The hands as they were dealt, or shown at the end, seat by seat; a card that another seat has goes over by its tap. */
function HandsKeys({ game, entry, onEntry }) {
  const [hands, put] = useState(() => Object.fromEntries(SEATS.map((seat) => [seat, entry.hands?.[seat] ?? []])));
  const [seat, turnTo] = useState(SEATS.find((one) => hands[one].length) ?? SEATS[0]);
  const dealt = entry.entry === "deal";
  const holder = (card) => SEATS.find((one) => hands[one].includes(card));
  const touch = (card) => {
    const from = holder(card);
    const rest = from ? { ...hands, [from]: hands[from].filter((other) => other !== card) } : hands;
    put(from === seat ? rest : { ...rest, [seat]: [...rest[seat], card] });
  };
  const known = SEATS.filter((one) => hands[one].length);
  const ready = dealt ? known.every((one) => hands[one].length === HAND) : known.length > 0;
  const elsewhere = Object.fromEntries(SEATS.filter((one) => one !== seat).flatMap((one) => hands[one].map((card) => [card, { state: "away" }])));
  const { hands: _, ...rest } = entry;
  const done = () => onEntry({ ...rest, ...(known.length ? { hands: Object.fromEntries(known.map((one) => [one, hands[one]])) } : {}) });
  return html`
    <h2 class="asks">${t(`audit.hands.${entry.entry}`, { name: say.player(game, seat) })}</h2>
    <${Seats} game=${game} picked=${seat} name="editor-seat" more=${(one) => ` (${hands[one].length})`} onSeat=${turnTo} />
    <p>${t(dealt ? "audit.hands.whole" : "audit.hands.over")}</p>
    <${Grid} keys=${elsewhere} picked=${new Set(hands[seat])} live=${true} onCard=${touch} /><${Done} ready=${ready} onTap=${done} />
  `;
}

function RevokeKeys({ game, entry, onEntry }) {
  const [said, put] = useState({ seat: entry.seat ?? null, trick: entry.trick ?? null });
  return html`<h2 class="asks">${t("about.revoke")}</h2><${Seats} game=${game} picked=${said.seat} name="editor-seat" onSeat=${(seat) => put({ ...said, seat })} />
    <div class="rungs">${Array.from({ length: 13 }, (_, place) => html`<button type="button" key=${place} class=${`call${said.trick === place + 1 ? " picked" : ""}`} data-editor-trick=${place + 1} aria-pressed=${String(said.trick === place + 1)} onClick=${() => put({ ...said, trick: place + 1 })}>${place + 1}</button>`)}</div>
    <${Done} ready=${said.seat && said.trick} onTap=${() => onEntry({ entry: "revoke", ...said })} />`;
}

const EDITORS = {
  first_dealer: bySeat("first_dealer"),
  discard: bySeat("discard"),
  concede: bySeat("concede"),
  preference: PreferenceKeys,
  deal: HandsKeys,
  show: HandsKeys,
  call: CallKeys,
  contract: ContractEditor,
  trumps: TrumpKeys,
  expose: ExposeKeys,
  play: PlayKeys,
  tricks: TricksEditor,
  revoke: RevokeKeys,
};
