/** Sentences about an evening that is looked at and not folded here: a game that says no more than who sat where. */

import { device } from "../../store/device.js";
import { names, sitter } from "../../store/players.js";
import { GLYPHS } from "../../game/cards.js";
import { SEATS, four } from "../../game/seats.js";
import "../../text/audit/index.js";
import { amount, day, t } from "../../text/index.js";
import * as say from "../../text/say.js";
import { html } from "../html.js";
import { Suit } from "../suit.js";

export { names, sitter };

/** What has become of an entry that no longer counts; it stays readable, struck through. */
export const STRUCK = ["undone", "withdrawn", "superseded"];

/** Enough of a game for `say`, from the service's state, or from `{N, E, S, W}` of names or ids. */
export const spoken = (state) => ({
  rules: state.rules ?? {},
  seatings: state.seats ? [{ from: 1, seats: four((seat) => state.seats[seat]?.player_id ?? state.seats[seat]) }] : [],
  counted: 0,
  deal: null,
});

/** Who disputes, holds a finding or is meant by an entry: a player's name, or the director. */
export const party = (state, who) => (who === "director" ? t("role.director") : sitter(state, who));

export const evening = ({ date, table }) => `${date ? day(date) : ""}${table ? ` · ${table}` : ""}`;

/** A line as people call it: by its deal, or by what it was where it counts for none. */
export const lineName = (row, line) => (row?.counts === false ? t("audit.line.uncounted", { line }) : t("audit.line", { number: row?.number ?? line }));

export const Outcome = ({ state, row }) => html`${say.outcome(row, (seat) => sitter(state, seat))}${row.trumps ? html` <${Suit} suit=${row.trumps} />` : ""}`;

const inDispute = ({ about = "deal", target, reason }, name) => t(about === "trick" && target ? "audit.disputed.trick_n" : `audit.disputed.${about}`, { name, number: target ?? "", reason });

/** One dispute in words: who, about what, why. */
export const disputed = (state, raised) => inDispute(raised, party(state, raised.by));

/** What an entry reports, with the values that a ruling may turn on. */
export function reported(game, entry) {
  const name = (seat) => say.player(game, seat);
  if (entry.entry === "dispute") return inDispute(entry, entry.by === "director" ? t("role.director") : name(entry.by));
  if (entry.entry === "resolve") return t("audit.entry.resolve", { number: entry.dispute, outcome: t(`audit.ended.${entry.outcome}`) });
  if (entry.entry === "tricks") return t("audit.entry.tricks", { tricks: SEATS.map((seat) => `${name(seat)} ${entry.tricks[seat]}`).join(", ") });
  if (entry.entry === "contract" && entry.trumps) return `${say.entry(game, entry)} ${GLYPHS[entry.trumps]}`;
  if (entry.entry === "transfer") return t("audit.entry.transfer", { moves: SEATS.filter((seat) => entry.deltas[seat]).map((seat) => `${name(seat)} ${gain(entry.deltas[seat])}`).join(", ") });
  if (entry.entry === "expose") return t("audit.entry.cards", { text: say.entry(game, entry), cards: entry.cards.map(say.shortCard).join(" ") });
  if (["deal", "show"].includes(entry.entry) && entry.hands) return t("audit.entry.cards", { text: say.entry(game, entry), cards: SEATS.filter((seat) => entry.hands[seat]).map((seat) => `${name(seat)} ${entry.hands[seat].map(say.shortCard).join(" ")}`).join("; ") });
  return say.entry(game, entry);
}

/** What a seat got or paid, with an arrow and not a bare sign. */
export const gain = (value) => (value > 0 ? `▲${amount(value)}` : value < 0 ? `▼${amount(-value)}` : "–");

export const clock = (time) => new Intl.DateTimeFormat(device.value.language, { timeStyle: "medium", hourCycle: "h23" }).format(new Date(time));

export const moment = (time) => new Intl.DateTimeFormat(device.value.language, { dateStyle: "medium", timeStyle: "medium", hourCycle: "h23" }).format(new Date(time));

export const winners = (state, seats) => (seats ?? []).map((seat) => sitter(state, seat)).join(", ");

