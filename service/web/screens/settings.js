/** How this device looks and feels. */

import { signal } from "../vendor/signals.js";
import { SEATS } from "../game/seats.js";
import { signOut } from "../store/api.js";
import { changeDevice, device, deviceName, nameDevice } from "../store/device.js";
import { saving } from "../store/sync.js";
import { insecure, lasting, startsOffline } from "../store/wake.js";
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
    <main class="page settings">
      <header class="pagehead"><a class="button quiet" href="#/">${t("back")}</a><h1>${t("settings")}</h1></header>
      ${CHOICES.map(([name, values]) => html`<fieldset key=${name}><legend>${t(`set.${name}`)}</legend><div class="keys three">
        ${values.map(([value, label]) => html`<${Button} key=${value} kind=${now[name] === value ? "main" : "plain"} name=${`${name}-${value}`} data-key=${`${name}-${value}`} aria-pressed=${String(now[name] === value)}
          onTap=${() => changeDevice({ [name]: value })}>${name === "language" ? label : t(`set.${name}.${label ?? value}`)}<//>`)}
      </div></fieldset>`)}
      <fieldset><legend>${t("set.bottom")}</legend><div class="keys four">${SEATS.map((seat) => html`<${Button} key=${seat} kind=${now.bottom === seat ? "main" : "plain"} name=${`bottom-${seat}`} data-key=${`bottom-${seat}`} aria-pressed=${String(now.bottom === seat)} onTap=${() => changeDevice({ bottom: seat })}>${seatName(seat)}<//>`)}</div></fieldset>
      <label class="field">${t("set.name")}<input name="device" maxlength="60" value=${deviceName()} onChange=${(event) => event.target.value.trim() && nameDevice(event.target.value.trim())} /></label>
      <p>${t(lasting.value ? "set.lasting" : insecure ? "banner.insecure" : "set.notlasting")}</p>
      ${!insecure && html`<p>${t(startsOffline.value ? "set.offline" : "set.notoffline")}</p>`}
      <p class="sample">${["S", "H", "D", "C"].map((suit) => html`<${Suit} key=${suit} suit=${suit} />`)}</p>
      <${SignOut} />
    </main>
  `;
}

/** Is it being asked whether to sign out although entries are unsent? */
const asking = signal(false);

function SignOut() {
  const { waiting, elsewhere } = saving.value;
  const unsent = waiting + elsewhere;
  if (!asking.value || !unsent) return html`<${Button} kind="danger" name="sign-out" data-key="sign-out" onTap=${() => (unsent ? (asking.value = true) : signOut())}>${t("signout")}<//>`;
  return html`<p class="refusal" role="alert">${t("signout.unsent", { n: unsent })}</p><div class="keys two">
    <${Button} kind="danger" name="sign-out-sure" data-key="sign-out-sure" onTap=${() => ((asking.value = false), signOut())}>${t("signout.sure")}<//>
    <${Button} name="sign-out-not" data-key="sign-out-not" onTap=${() => (asking.value = false)}>${t("back")}<//></div>`;
}
