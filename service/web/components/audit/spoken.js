/** Sentences about an evening that is looked at and not folded here: a game that says no more than who sat where. */

import { device } from "../../store/device.js";
import { nameOf } from "../../store/players.js";
import { SEATS, four } from "../../game/seats.js";
import { amount, day, t } from "../../text/index.js";
import * as say from "../../text/say.js";
import { html } from "../html.js";
import { Suit } from "../suit.js";

/** Enough of a game for `say`, from the service's state, or from `{N, E, S, W}` of names or ids. */
export const spoken = (state) => ({
  rules: state.rules ?? {},
  seatings: state.seats ? [{ from: 1, seats: four((seat) => state.seats[seat]?.player_id ?? state.seats[seat]) }] : [],
  counted: 0,
  deal: null,
});

export const sitter = (state, seat) => state.seats?.[seat]?.name ?? nameOf(state.seats?.[seat]?.player_id ?? state.seats?.[seat]);

/** Who disputes, holds a finding or is meant by an entry: a player's name, or the director. */
export const party = (state, who) => (who === "director" ? t("role.director") : sitter(state, who));

export const names = (state) => (state.seats ? SEATS.map((seat) => sitter(state, seat)).join(", ") : "");

export const evening = ({ date, table }) => `${date ? day(date) : ""}${table ? ` · ${table}` : ""}`;

/** A line as people call it: by its deal, or by what it was where it counts for none. */
export const lineName = (row, line) => (row?.counts === false ? t("audit.line.uncounted", { line }) : t("audit.line", { number: row?.number ?? line }));

export const Outcome = ({ state, row }) => html`${say.outcome(row, (seat) => sitter(state, seat))}${row.trumps ? html` <${Suit} suit=${row.trumps} />` : ""}`;

/** What a seat got or paid, with an arrow and not a bare sign. */
export const gain = (value) => (value > 0 ? `▲${amount(value)}` : value < 0 ? `▼${amount(-value)}` : "–");

export const clock = (time) => new Intl.DateTimeFormat(device.value.language, { timeStyle: "medium" }).format(new Date(time));

export const moment = (time) => new Intl.DateTimeFormat(device.value.language, { dateStyle: "medium", timeStyle: "medium" }).format(new Date(time));

export const winners = (state, seats) => (seats ?? []).map((seat) => sitter(state, seat)).join(", ");

