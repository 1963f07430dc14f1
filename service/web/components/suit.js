/** A suit or a card as drawn: the glyph with its colour class, never the colour alone. */

import { GLYPHS, rankText, suitOf } from "../game/cards.js";
import { suitLetter, suitName } from "../text/index.js";
import * as say from "../text/say.js";
import { html } from "./html.js";

export const Suit = ({ suit }) => html`<span class=${`suit suit-${suit}`} role="img" aria-label=${suitName(suit)}>${GLYPHS[suit]}</span>`;

export const SuitHead = ({ suit }) => html`
  <span class=${`suit-head suit-${suit}`} aria-hidden="true"><b>${GLYPHS[suit]}</b><i>${suitLetter(suit)}</i></span>
`;

export const Card = ({ card, odd = false }) => html`
  <span class=${`card suit-${suitOf(card)}${odd ? " odd" : ""}`} role="img" aria-label=${say.card(card)}>
    <b>${rankText(card)}</b><i>${GLYPHS[suitOf(card)]}</i>
  </span>
`;
