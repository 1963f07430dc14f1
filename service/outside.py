"""What every answer passes last, errors and pages included: the headers that keep a browser strict, and the counting.

It stands outside the framework, so that an answer to a path that does not exist passes it too. Counters are kept by
the route's template, never by a path, a key or a name.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Mapping

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send
from prometheus_client import Counter, Gauge, Histogram

REQUESTS = Counter("boston_requests", "Requests that were answered.", ("method", "route", "status"))
SECONDS = Histogram(
    "boston_request_seconds",
    "Seconds until an answer was sent; a live stream is counted, not timed.",
    ("method", "route"),
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0),
)
UNDER_WAY = Gauge("boston_requests_under_way", "Requests that are being answered.", multiprocess_mode="livesum")
METRICS = "/metrics"
"""Where the counters are told."""
EVERY = 1.0
"""Seconds after which what was counted is there for all workers to tell."""
NOWHERE = "none"
_LISTENING = "/stream"
_DATA = "/api/"


Header = tuple[bytes, bytes]


class Outside:
    """An application with something around it: the headers of its pages, or of its data, which is all under `/api/`.

    What is counted is published once a second, and before this worker tells of it: a counter costs more than a card.
    """

    def __init__(self, app: ASGIApp, pages: Mapping[str, str], data: Mapping[str, str]) -> None:
        self._app = app
        self._pages, self._data = _encoded(pages), _encoded(data)
        self._under_way = 0
        self._answered: dict[tuple[str, str, int], list[float]] = {}
        self._publishing: asyncio.TimerHandle | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        status, data = 500, self._data if scope["path"].startswith(_DATA) else None
        began = time.perf_counter()

        async def passed(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message["headers"], *(data or self._of_page(message["headers"]))]
            await send(message)

        if scope["path"] == METRICS:
            self._publish()
        self._under_way += 1
        if self._publishing is None:
            self._publish_soon()
        try:
            await self._app(scope, receive, passed)
        finally:
            self._under_way -= 1
            if self._publishing is None:
                self._publish_soon()
            answered = scope["method"], scope.get("path_template") or NOWHERE, status
            self._answered.setdefault(answered, []).append(time.perf_counter() - began)

    def _of_page(self, given: Iterable[Header]) -> list[Header]:
        """What goes with a page beside the headers it has; the offline verifier brings a policy of its own."""
        own = {name for name, _ in given}
        return [header for header in self._pages if header[0] not in own]

    def _publish_soon(self) -> None:
        self._publishing = asyncio.get_running_loop().call_later(EVERY, self._publish)

    def _publish(self) -> None:
        if self._publishing is not None:
            self._publishing.cancel()
            self._publishing = None
        UNDER_WAY.set(self._under_way)
        answered, self._answered = self._answered, {}
        for (method, route, status), took in answered.items():
            REQUESTS.labels(method, route, str(status)).inc(len(took))
            if not route.endswith(_LISTENING):
                timed = SECONDS.labels(method, route)
                for seconds in took:
                    timed.observe(seconds)


def _encoded(headers: Mapping[str, str]) -> list[Header]:
    return [(name.encode(), value.encode()) for name, value in headers.items()]
