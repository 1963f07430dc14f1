/* Runs before the first paint, so that a dark room never sees a white flash. Not a module: those run later. */
(() => {
  let theme = "auto";
  try {
    theme = JSON.parse(localStorage.getItem("boston.device") ?? "{}").theme ?? "auto";
  } catch {
    // Settings that do not read are replaced by the app.
  }
  const dark = theme === "dark" || (theme === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
})();
