"""The service of a test on a port of its own, for those who speak HTTP to it from outside."""

from __future__ import annotations

import socket
import threading
import time
from typing import Any, Self

import uvicorn

from tests.api.house import House

START_SECONDS = 30.0


class Online:
    """A second front of a running house: the same settings, its own pools and event loop, reached by `url`."""

    def __init__(self, house: House) -> None:
        from service.app import create_app

        self.house = house
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self.url = f"http://127.0.0.1:{self.port}"
        app = create_app(house.app.state.settings)
        self._server = uvicorn.Server(uvicorn.Config(app, port=self.port, log_level="error", lifespan="on"))
        self._thread = threading.Thread(target=self._server.run, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        until = time.monotonic() + START_SECONDS
        while not self._server.started:
            assert time.monotonic() < until, "the service did not start"
            time.sleep(0.02)
        return self

    def __exit__(self, *how: Any) -> None:
        self._server.should_exit = True
        self._thread.join(START_SECONDS)
