/** What the service did not take, with both sides, mended on the spot. Nothing is dropped but by a tap. */

import { signal } from "../../vendor/signals.js";
import { useEffect } from "../../vendor/hooks.js";
import { evening } from "../../store/evening.js";
import { bothSides, mend } from "../../store/sync.js";
import { Offline } from "../../store/api.js";
import { t } from "../../text/index.js";
import * as say from "../../text/say.js";
import { Button } from "../button.js";
import { html } from "../html.js";
import { Sheet, closeSheet } from "./sheet.js";

/** `{theirs, mine, left}`; `left` are the ids of my entries that are to be left out. */
const sides = signal(null);
const failed = signal(null);

async function look(id, game) {
  sides.value = failed.value = null;
  try {
    sides.value = { ...(await bothSides(id)), left: new Set() };
  } catch (error) {
    failed.value = error instanceof Offline ? t("trouble.offline") : say.failure(error, game);
  }
}

export function TroubleSheet({ game }) {
  const { id, trouble } = evening.value;
  useEffect(() => void look(id, game), [id]);
  if (!trouble) return html`<${Sheet} title=${t("trouble.title")}><p>${t("trouble.none")}</p><//>`;
  const now = sides.value;
  const toggle = (entry) => {
    const left = new Set(now.left);
    if (!left.delete(entry.id)) left.add(entry.id);
    sides.value = { ...now, left };
  };
  const done = async () => {
    try {
      const refusal = await mend(id, now.left);
      if (refusal) failed.value = say.refusal(refusal, game);
      else closeSheet();
    } catch (error) {
      failed.value = error instanceof Offline ? t("trouble.offline") : say.failure(error, game);
    }
  };
  const lines = (entries, act) => html`<ul class="entries">${entries.map((entry) => html`<li key=${entry.id} class=${now.left.has(entry.id) ? "struck" : ""}>
    <span class="entryline">${say.entry(game, entry)}</span>
    ${act && html`<${Button} kind="quiet" name=${`leave-${entry.id}`} onTap=${() => act(entry)}>${t(now.left.has(entry.id) ? "trouble.keep" : "trouble.leave")}<//>`}
  </li>`)}</ul>`;
  return html`
    <${Sheet} title=${t("trouble.title")}>
      <p>${t(`trouble.${trouble.kind}`)} ${trouble.problem && trouble.problem.code !== "version_conflict" ? say.problem(trouble.problem, game) : ""}</p>
      ${failed.value && html`<p class="refusal" role="alert">${failed.value}</p>`}
      ${now && html`<div class="sides">
        <section><h3>${t("trouble.theirs", { n: now.theirs.length })}</h3>${lines(now.theirs)}</section>
        <section><h3>${t("trouble.mine", { n: now.mine.length })}</h3>${lines(now.mine, toggle)}</section>
      </div>
      <div class="keys"><${Button} kind="main" name="trouble-send" data-key="trouble-send" onTap=${done}>${t("trouble.send", { n: now.mine.length - now.left.size })}<//></div>`}
    <//>
  `;
}
