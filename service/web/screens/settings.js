/** How this device looks and feels. */

import { SEATS } from "../game/seats.js";
import { signOut } from "../store/api.js";
import { changeDevice, device } from "../store/device.js";
import { seatName, t } from "../text/index.js";
import { Button } from "../components/button.js";
import { html } from "../components/html.js";
import { Suit } from "../components/suit.js";

const CHOICES = [
  ["language", [["en", "English"], ["ru", "Русский"]]],
  ["theme", [["auto", null], ["light", null], ["dark", null]]],
  ["suits", [["two", null], ["four", null], ["none", null]]],
  ["mirror", [[false, "right"], [true, "left"]]],
  ["twoTap", [[false, "one"], [true, "two"]]],
  ["discreet", [[false, "shown"], [true, "hidden"]]],
];

export function SettingsScreen() {
  const now = device.value;
  return html`
    <main class="page narrow">
      <header class="pagehead"><a class="button quiet" href="#/">${t("back")}</a><h1>${t("settings")}</h1></header>
      ${CHOICES.map(([name, values]) => html`<fieldset key=${name}><legend>${t(`set.${name}`)}</legend><div class="keys three">
        ${values.map(([value, label]) => html`<${Button} key=${value} kind=${now[name] === value ? "main" : "plain"} name=${`${name}-${value}`} data-key=${`${name}-${value}`} aria-pressed=${String(now[name] === value)}
          onTap=${() => changeDevice({ [name]: value })}>${name === "language" ? label : t(`set.${name}.${label ?? value}`)}<//>`)}
      </div></fieldset>`)}
      <fieldset><legend>${t("set.bottom")}</legend><div class="keys four">${SEATS.map((seat) => html`<${Button} key=${seat} kind=${now.bottom === seat ? "main" : "plain"} name=${`bottom-${seat}`} data-key=${`bottom-${seat}`} aria-pressed=${String(now.bottom === seat)} onTap=${() => changeDevice({ bottom: seat })}>${seatName(seat)}<//>`)}</div></fieldset>
      <p class="sample">${["S", "H", "D", "C"].map((suit) => html`<${Suit} key=${suit} suit=${suit} />`)}</p>
      <${Button} kind="danger" name="sign-out" onTap=${signOut}>${t("signout")}<//>
    </main>
  `;
}
