/**
 * The director's pages: what is open in the club (`#/director`), an evening (`#/director/ID`), a deal of it
 * (`#/director/ID/line/N`). A player sees of his own evenings what the service shows him there.
 */

import { ask, whole } from "../store/api.js";
import { t } from "../text/index.js";
import * as say from "../text/say.js";
import { html } from "../components/html.js";
import { useLoaded } from "../components/loaded.js";
import { disputed, evening, names } from "../components/audit/spoken.js";
import { found } from "../components/audit/findings.js";
import { Evening } from "./director-evening.js";
import { Deal } from "./director-deal.js";

export default function DirectorScreen({ rest: [id, name, line], query }) {
  if (name === "line") return html`<${Deal} key=${`${id}/${line}`} id=${id} line=${Number(line)} mode=${query.get("do")} />`;
  if (id) return html`<${Evening} key=${id} id=${id} query=${query} />`;
  return html`<${Club} />`;
}

function Club() {
  const disputes = useLoaded(() => whole("/api/disputes?state=open"));
  const findings = useLoaded(() => whole("/api/findings?state=open"));
  const evenings = useLoaded(() => ask("GET", "/api/sessions?limit=20"));
  return html`
    <main class="page director" aria-busy=${evenings.value || evenings.failed ? undefined : "true"}>
      <header class="pagehead"><a class="button quiet" href="#/">${t("home")}</a><h1>${t("director")}</h1></header>
      <${Waiting} name="disputes" none="audit.open.none" list=${disputes} words=${(one) => disputed(one, one)} />
      <${Waiting} name="findings" none="audit.open.nofindings" list=${findings} words=${(one) => found(one, one)} />
      <section><h2>${t("audit.evenings")}</h2>
        ${evenings.failed && html`<p class="refusal" role="alert">${say.failure(evenings.failed)}</p>`}
        ${evenings.value?.sessions.length === 0 && html`<p>${t("home.none")}</p>`}
        <ul class="cards">${(evenings.value?.sessions ?? []).map((one) => html`<li class="evening" key=${one.session_id}>
          <span><b>${evening(one)}</b><br /><span class="names">${names(one)}</span></span>
          <a class="button" href=${`#/director/${one.session_id}`}>${t("audit.look")}</a></li>`)}</ul></section>
    </main>
  `;
}

/** What waits for a ruling, each one tap away from its deal. */
function Waiting({ name, none, list, words }) {
  const items = list.value ?? [];
  return html`<section><h2>${t(`audit.${list.value ? "open" : "tab"}.${name}`, { n: items.length })}</h2>
    ${list.failed && html`<p class="refusal" role="alert">${say.failure(list.failed)}</p>`}
    ${list.value && !items.length && html`<p>${t(none)}</p>`}
    <ul class="cards">${items.map((one, place) => html`<li class="evening waits" key=${place}>
      <span><b>${t("audit.line", { number: one.line })}</b> · ${evening(one)}<br />${words(one)}<br /><span class="names">${names(one)}</span></span>
      <a class="button main" href=${`#/director/${one.session_id}/line/${one.line}`} data-key=${`open-${place}`}>${t("audit.open.deal")}</a></li>`)}</ul></section>`;
}
