/*
 * Begins anew where the page did not start, or came without its looks: one file of it lost on the way would leave the
 * screen empty for good. Browsers give up whatever is under way when a device goes over to another network.
 * Not a module, so that it comes by itself. A few times only, each after a longer pause; then the page says so itself.
 */
(() => {
  const TRIES = 5;
  const KEY = "boston.starts";
  const tried = Number(sessionStorage.getItem(KEY));
  const started = () => document.getElementById("app")?.hasChildNodes();
  let begun = false;

  function again() {
    if (begun) return;
    begun = true;
    if (tried < TRIES) {
      sessionStorage.setItem(KEY, tried + 1);
      setTimeout(() => location.reload(), 1_000 * 2 ** tried);
    } else if (!started()) {
      sessionStorage.removeItem(KEY);
      document.getElementById("lost").hidden = false;
    }
  }

  // A file that fails tells the element that asked for it, and that tells nobody above it: hence the capturing. Files
  // that do not fit together, an old and a new one, tell the window.
  const lost = ({ target }) => target instanceof HTMLScriptElement || target.rel === "stylesheet" || !started();
  addEventListener("error", (event) => lost(event) && again(), true);
  setTimeout(() => (started() && !begun ? sessionStorage.removeItem(KEY) : again()), 20_000);
})();
