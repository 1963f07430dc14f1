"""Does what a newcomer does with `ops/start`: takes the link, signs in, looks at the demo club, stops it with Ctrl-C.

Standard library only, for it runs before the project's environment is made.
"""

from __future__ import annotations

import http.cookiejar
import json
import re
import signal
import subprocess
import sys
import threading
import time
import urllib.request
from pathlib import Path

LINK = re.compile(r"(https?://[^/\s]+)/#pair=([^\s]+)")
# Bounds that only a failure reaches: downloading and installing everything, and stopping.
START_SECONDS = 900.0
STOP_SECONDS = 180.0


def main() -> int:
    began = time.monotonic()
    start = subprocess.Popen(["ops/start"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    # Whatever happens, a hanging start ends, and with it the reading below.
    alarm = threading.Timer(START_SECONDS, start.kill)
    alarm.start()
    try:
        address, code = wait_for_link(start)
        print(f"newcomer: the link came after {time.monotonic() - began:.1f} s", flush=True)
        look_around(address, code)
    finally:
        alarm.cancel()
        start.send_signal(signal.SIGINT)
        drain = threading.Thread(target=start.communicate)
        drain.start()
        drain.join(STOP_SECONDS)
        if drain.is_alive():
            start.kill()
            sys.exit("newcomer: ops/start does not stop at Ctrl-C")
    left = servers()
    while left and time.monotonic() - began < START_SECONDS + STOP_SECONDS:
        time.sleep(0.2)
        left = servers()
    if left:
        sys.exit(f"newcomer: still running after the stop: {left}")
    print(f"newcomer: stopped, exit code {start.returncode}, nothing left running", flush=True)
    return 0 if start.returncode in (0, 130, -signal.SIGINT) else 1


def wait_for_link(start: subprocess.Popen[str]) -> tuple[str, str]:
    assert start.stdout is not None
    for line in start.stdout:
        print(f"  | {line}", end="", flush=True)
        if found := LINK.search(line):
            return found[1], found[2]
    sys.exit(f"newcomer: ops/start ended without a sign-in link, exit code {start.wait()}")


def look_around(address: str, code: str) -> None:
    """Sign in with the one-time code, and see that the service is ready and the demo club has evenings."""
    browser = urllib.request.build_opener(
        urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
    )

    def ask(path: str, body: dict[str, str] | None = None) -> dict[str, object]:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(address + path, data, {"Content-Type": "application/json"})
        with browser.open(request, timeout=30) as answer:
            return json.load(answer)

    ask("/health/ready")
    ask("/api/sign-in", {"code": code})
    evenings = ask("/api/sessions")
    if not any(isinstance(value, list) and value for value in evenings.values()):
        sys.exit(f"newcomer: the demo club has no evening: {evenings}")
    with browser.open(address + "/", timeout=30) as page:
        if b"<html" not in page.read().lower():
            sys.exit("newcomer: the start page is no page")


def servers() -> list[str]:
    """PostgreSQL processes on this machine."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            state = (process / "stat").read_text().rpartition(")")[2].split()[0]
            if (process / "comm").read_text().strip() == "postgres" and state != "Z":
                found.append(process.name)
        except OSError:
            continue
    return found


if __name__ == "__main__":
    sys.exit(main())
