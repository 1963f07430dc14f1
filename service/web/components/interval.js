/** A rate with its 95 % interval: the number, how many it rests on, and a bar that shows how sure it is. */

import { t } from "../text/index.js";
import { html } from "./html.js";

export const percent = (rate) => `${Math.round(rate * 100)} %`;

/** `rate`: `{k, n, rate, low, high}`; nothing where there was no occasion. */
export function Interval({ rate }) {
  if (!rate?.n) return "–";
  const said = t("stat.interval", { rate: percent(rate.rate), low: percent(rate.low), high: percent(rate.high), n: rate.n });
  return html`<span class="interval" title=${said}><svg viewBox="0 0 100 14" width="100" height="14" aria-hidden="true">
    <rect class="scale" x="0" y="6" width="100" height="2" /><rect class="span" x=${rate.low * 100} y="3" width=${Math.max(1, (rate.high - rate.low) * 100)} height="8" rx="3" />
    <circle class="point" cx=${rate.rate * 100} cy="7" r="4.5" /></svg><span>${percent(rate.rate)} <small>n ${rate.n}</small></span></span>`;
}
