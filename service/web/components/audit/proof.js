/** Proof to take along: the club's newest checkpoint, the evening as one file, and the page that checks both offline. */

import { useState } from "../../vendor/hooks.js";
import { ask } from "../../store/api.js";
import { seals, traces } from "../../store/roles.js";
import { t } from "../../text/index.js";
import * as say from "../../text/say.js";
import { Button } from "../button.js";
import { html } from "../html.js";
import { useLoaded } from "../loaded.js";
import { moment } from "./spoken.js";

const newest = async () => (await ask("GET", "/api/checkpoints?limit=1")).checkpoints;

/** The newest checkpoint in one line, to be printed under a score sheet and kept. */
export function Sealed() {
  const last = useLoaded(newest).value?.[0];
  return last ? html`<p class="asof">${t("audit.checkpoint")}: ${t("audit.checkpoint.at", { number: last.number, time: moment(last.at) })} · <code>${last.short}</code></p>` : null;
}

export function Checkpoint() {
  const { value, failed, again } = useLoaded(newest);
  const last = value?.[0];
  const [refused, refuse] = useState(null);
  const sign = async () => {
    try {
      await ask("POST", "/api/checkpoints", {});
      refuse(null);
      again();
    } catch (error) {
      refuse(say.failure(error));
    }
  };
  return html`<section class="checkpoint"><h2>${t("audit.checkpoint")}</h2><p>${t("audit.checkpoint.about")}</p>
    ${failed && html`<p role="status">${say.failure(failed)}</p>`}
    ${value?.length === 0 && html`<p role="status">${t("audit.checkpoint.none")}</p>`}
    ${last && html`<p>${t("audit.checkpoint.at", { number: last.number, time: moment(last.at) })}</p><p><code>${last.short}</code></p>`}
    ${refused && html`<p class="refusal" role="alert">${refused}</p>`}
    ${seals() && html`<div><${Button} name="checkpoint" data-key="checkpoint" onTap=${sign}>${t("audit.checkpoint.do")}<//></div>`}</section>`;
}

export function Proof({ id }) {
  return html`
    <${Checkpoint} />
    ${traces() && html`<section><h2>${t("audit.bundle")}</h2><p>${t("audit.bundle.about")}</p>
      <div class="keys three"><a class="button" href=${`/api/sessions/${id}/bundle`} download data-key="bundle">${t("audit.bundle.save")}</a>
      <a class="button" href="/verify.html" target="_blank" rel="noopener" data-key="verifier">${t("audit.verifier")}</a></div></section>`}
  `;
}
