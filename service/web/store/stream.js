/** Follows an evening live by server-sent events; survives sleep, lost networks and restarts of the service. */

/** Calls `onVersion(version)` whenever the evening moved; gives a function that stops following. */
export function follow(id, onVersion) {
  let source = null;
  let timer = null;
  let stopped = false;
  const open = () => {
    clearTimeout(timer);
    source?.close();
    if (stopped) return;
    source = new EventSource(`/api/sessions/${id}/stream`);
    source.addEventListener("state", (event) => onVersion(JSON.parse(event.data).version));
    // The browser tries again by itself after a lost connection, but gives up after an error answer.
    source.onerror = () => {
      if (source.readyState === EventSource.CLOSED) timer = setTimeout(open, 5_000);
    };
  };
  const awake = () => document.visibilityState === "visible" && source?.readyState === EventSource.CLOSED && open();
  document.addEventListener("visibilitychange", awake);
  addEventListener("online", awake);
  open();
  return () => {
    stopped = true;
    clearTimeout(timer);
    source?.close();
    document.removeEventListener("visibilitychange", awake);
    removeEventListener("online", awake);
  };
}
