/** A dialog over the whole page: the browser keeps the focus in it and closes it by Escape. */

import { useEffect, useRef } from "../../vendor/hooks.js";
import { t } from "../../text/index.js";
import { Button } from "../button.js";
import { html } from "../html.js";

export function Dialog({ title, onClose, children }) {
  const box = useRef(null);
  useEffect(() => {
    box.current.showModal();
    return () => box.current?.close();
  }, []);
  return html`
    <dialog ref=${box} class="dialog" aria-label=${title} onCancel=${(event) => { event.preventDefault(); onClose(); }}>
      <header><h2>${title}</h2><${Button} kind="quiet" name="dialog-close" data-key="dialog-close" onTap=${onClose}>${t("back")}<//></header>
      ${children}
    </dialog>
  `;
}
