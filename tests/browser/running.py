"""The real service on a port of its own, in a thread: it can be stopped and started again in mid-deal."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import Coroutine
from typing import Any, TypeVar

import httpx
import uvicorn

from service.app import create_app, stop
from service.settings import Settings

T = TypeVar("T")
PLAYERS = ("Ann", "Bea", "Cal", "Dan", "Élodie", "Фёдор Иванов")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Service:
    """A running service with one club; `code()` signs a tablet in, `get()` asks as the director."""

    def __init__(self, database_url: str, name: str = "localhost") -> None:
        self.port = free_port()
        self.url = f"http://{name}:{self.port}"
        self.own_url = f"http://127.0.0.1:{self.port}"
        self.settings = Settings(
            database_url=database_url,
            public_url=self.url,
            watch_every=0.1,
            heartbeat=1.0,
            key_trust=0.5,
        )
        self.start()
        made = self.call(self.app.state.clubs.make("Cercle du Mardi", "Europe/Vienna", "american-decimal"))
        self.club_id: str = made.club_id
        self.director: str = self.call(self.app.state.safe.make_key(self.club_id, "Director", "director", None)).key
        for name in PLAYERS:
            self.ask("POST", "/api/players", {"name": name})

    def start(self) -> None:
        self.app = create_app(self.settings)
        config = uvicorn.Config(
            self.app,
            port=self.port,
            log_level="error",
            timeout_graceful_shutdown=1,
        )
        self.server = uvicorn.Server(config)
        self.loop = asyncio.new_event_loop()

        def run() -> None:
            asyncio.set_event_loop(self.loop)
            self.loop.run_until_complete(self.server.serve())

        self.thread = threading.Thread(target=run, daemon=True)
        self.thread.start()
        deadline = time.monotonic() + 90
        while not self.server.started:
            assert time.monotonic() < deadline, "the service did not start"
            time.sleep(0.02)

    def stop(self) -> None:
        self.loop.call_soon_threadsafe(stop, self.app)
        self.server.should_exit = True
        self.thread.join(60)
        assert not self.thread.is_alive(), "the service did not stop"

    def call(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Runs a coroutine in the service's own event loop."""
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result(60)

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        headers = {"authorization": f"Bearer {self.director}"}
        # No https is spoken here, and reading whom the machine trusts would cost more than the request.
        answer = httpx.request(method, self.own_url + path, json=body, headers=headers, timeout=60, verify=False)
        assert answer.is_success, answer.text
        return answer.json()

    def link(self, role: str = "recorder") -> str:
        """The address that signs a new device in."""
        paired = self.call(self.app.state.safe.pair(self.club_id, role.title(), role, None))
        return f"{self.url}/#pair={paired.code}"

    def only_session(self) -> str:
        [one] = self.ask("GET", "/api/sessions")["sessions"]
        return str(one["session_id"])

    def state(self, session_id: str | None = None) -> dict[str, Any]:
        found: dict[str, Any] = self.ask("GET", f"/api/sessions/{session_id or self.only_session()}")
        return found
