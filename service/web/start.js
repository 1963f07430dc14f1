/*
 * Begins anew where the page did not start: one file of it lost on the way would leave the screen empty for good.
 * Not a module, so that it comes by itself. A few times only: what a second loading does not mend, a tenth will not.
 */
(() => {
  const TRIES = 5;
  const KEY = "boston.starts";
  const started = () => document.getElementById("app")?.hasChildNodes();

  function again() {
    if (started()) return;
    const tries = Number(sessionStorage.getItem(KEY)) + 1;
    if (tries > TRIES) return;
    sessionStorage.setItem(KEY, tries);
    location.reload();
  }

  // A file that fails tells its script element, and that tells nobody above it: hence the capturing.
  addEventListener("error", (event) => event.target instanceof HTMLScriptElement && setTimeout(again, 1_000), true);
  setTimeout(() => (started() ? sessionStorage.removeItem(KEY) : again()), 20_000);
})();
