"""Listening to a live stream as a browser does: in the service's own loop, over plain ASGI, leaving in between."""

from __future__ import annotations

import asyncio
from typing import Any

ENOUGH = 20.0
"""Seconds after which nothing more is waited for; a test that gets here fails by what it has not heard."""


class Listener:
    """One open stream."""

    def __init__(self, app: Any, path: str, headers: dict[str, str]) -> None:
        raw = [(name.encode(), value.encode()) for name, value in ({"host": "test"} | headers).items()]
        plain, _, query = path.partition("?")
        self.scope = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "GET", "scheme": "http",
            "path": plain, "raw_path": plain.encode(), "query_string": query.encode(), "root_path": "",
            "headers": raw, "client": ("127.0.0.1", 1), "server": ("test", 80),
        }  # fmt: skip
        self.app = app
        self.status = 0
        self.text = ""
        self._gone = asyncio.Event()
        self._heard = asyncio.Event()
        self._asked = False

    async def _receive(self) -> dict[str, Any]:
        if not self._asked:
            self._asked = True
            return {"type": "http.request", "body": b"", "more_body": False}
        await self._gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
        else:
            self.text += message.get("body", b"").decode()
        self._heard.set()

    async def __aenter__(self) -> Listener:
        self._task = asyncio.create_task(self.app(self.scope, self._receive, self._send))
        return self

    async def __aexit__(self, *how: Any) -> None:
        self._gone.set()
        await asyncio.wait_for(self._task, ENOUGH)

    async def until(self, words: str) -> None:
        """Waits until the words were heard; raises `TimeoutError` where they never are."""
        async with asyncio.timeout(ENOUGH):
            while words not in self.text:
                self._heard.clear()
                await self._heard.wait()

    async def begun(self) -> None:
        """Waits for the head of the answer."""
        async with asyncio.timeout(ENOUGH):
            while not self.status:
                self._heard.clear()
                await self._heard.wait()


async def listen(app: Any, path: str, headers: dict[str, str], events: int) -> tuple[int, str]:
    """The status of a stream and what it said up to so many events."""
    async with Listener(app, path, headers) as listener:
        await listener.begun()
        async with asyncio.timeout(ENOUGH):
            while listener.status == 200 and listener.text.count("event:") < events:
                listener._heard.clear()
                await listener._heard.wait()
    return listener.status, listener.text
