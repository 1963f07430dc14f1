/** Signing in once on this device: by the link of a QR code, or by pasting its code. */

import { signal } from "../vendor/signals.js";
import { signIn } from "../store/api.js";
import { deviceName } from "../store/device.js";
import { insecure } from "../store/wake.js";
import { replaceAddress } from "../router.js";
import { t } from "../text/index.js";
import * as say from "../text/say.js";
import { Button } from "../components/button.js";
import { html } from "../components/html.js";

const code = signal("");
const failed = signal(null);
const busy = signal(false);

/** Signs in with the code that stands in the address, which is then taken out of it. */
export async function pairFromAddress() {
  const found = location.hash.match(/^#pair=(.+)$/)?.[1];
  if (!found) return;
  replaceAddress("/");
  await attempt(decodeURIComponent(found));
}

async function attempt(text) {
  busy.value = true;
  failed.value = null;
  try {
    await signIn(text, deviceName());
    code.value = "";
  } catch (error) {
    failed.value = say.failure(error);
  } finally {
    busy.value = false;
  }
}

export function SignInScreen() {
  if (busy.value) return html`<main class="page" aria-busy="true"><h1>${t("loading")}</h1></main>`;
  return html`
    <main class="page narrow">
      <h1>${t("signin.title")}</h1>
      <p>${t("signin.about")}</p>
      ${insecure && html`<p class="refusal">${t("banner.insecure")}</p>`}
      <form onSubmit=${(event) => { event.preventDefault(); attempt(code.value); }}>
        <label class="field">${t("signin.code")}<input name="code" autocomplete="one-time-code" value=${code.value} onInput=${(event) => (code.value = event.target.value)} /></label>
        ${failed.value && html`<p class="refusal" role="alert">${failed.value}</p>`}
        <${Button} kind="main" name="sign-in" data-key="sign-in" disabled=${!code.value.trim()} onTap=${() => attempt(code.value)}>${t("signin.do")}<//>
      </form>
    </main>
  `;
}
