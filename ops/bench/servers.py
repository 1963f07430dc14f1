"""Both applications behind the same server with the same settings: one worker of Uvicorn each."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager

START_SECONDS = 60.0


@contextmanager
def served(target: str, environment: dict[str, str]) -> Iterator[int]:
    """Serves an application factory such as `ops.serving:application`; its port."""
    with closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    script = (
        "import sys, uvicorn\n"
        "from ops.serving import SERVER\n"
        # A connection is kept for as long as the other application is measured.
        "told = SERVER | {'timeout_keep_alive': 3600}\n"
        "uvicorn.run(sys.argv[1], factory=True, port=int(sys.argv[2]), log_level='error', **told)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", script, target, str(port)], env=os.environ | environment)
    try:
        deadline = time.monotonic() + START_SECONDS
        while True:
            with closing(socket.socket()) as trial:
                if trial.connect_ex(("127.0.0.1", port)) == 0:
                    break
            if process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"{target} did not start")
            time.sleep(0.05)
        yield port
    finally:
        process.terminate()
        process.wait(30)
