/** A key to tap. `kind`: plain, main, quiet or danger. Every key is at least 48 px high. */

import { html } from "./html.js";
import { counts } from "./tap.js";

export function Button({ onTap, kind = "plain", name, children, ...rest }) {
  const key = `button:${name ?? rest.id ?? rest["data-key"] ?? Math.random()}`;
  return html`<button type="button" class=${`button ${kind}`} onClick=${() => counts(key) && onTap()} ...${rest}>${children}</button>`;
}
