/** The 52 keys, 13 by 4: always there, always in the same place, one tap a card. */

import { RANKS, rankText, GLYPHS, SUITS } from "../game/cards.js";
import { device } from "../store/device.js";
import * as say from "../text/say.js";
import { t } from "../text/index.js";
import { html } from "./html.js";
import { SuitHead } from "./suit.js";
import { armed, tap } from "./tap.js";

const COLUMNS = [...RANKS].reverse();

/**
 * `keys`: the state of each card (`free`, `used`, `away` in another hand, `odd`); `picked`: cards chosen so far (a spread); `live`: does a tap
 * do anything now? Keys that are not live keep their place and look.
 */
export function Grid({ keys, picked, live, onCard }) {
  return html`
    <div class=${`grid${live ? " live" : ""}`} role="group" aria-label=${t("grid")}>
      ${[...SUITS].map((suit) => html`
        <${SuitHead} suit=${suit} />
        ${COLUMNS.map((rank) => html`<${Key} key=${rank + suit} card=${rank + suit} suit=${suit} state=${keys[rank + suit]?.state ?? "free"}
          picked=${picked?.has(rank + suit)} live=${live} onCard=${onCard} />`)}
      `)}
    </div>
  `;
}

function Key({ card, suit, state, picked, live, onCard }) {
  const shown = state === "used" && device.value.discreet ? "free" : state;
  const chosen = picked || armed.value === card;
  return html`
    <button type="button" class=${`key suit-${suit} ${shown}${chosen ? " picked" : ""}`} data-card=${card} disabled=${!live}
      aria-pressed=${picked === undefined ? undefined : String(Boolean(picked))}
      aria-label=${name(card, shown)} onClick=${tap(card, () => onCard(card))}>
      <b>${rankText(card)}</b><i>${GLYPHS[suit]}</i>
    </button>
  `;
}

/** What stands on the key, then the same in words. */
const name = (card, state) => `${say.shortCard(card)} ${state === "free" ? say.card(card) : t(`key.${state}`, { card: say.card(card) })}`;
