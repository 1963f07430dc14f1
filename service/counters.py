"""What is counted of every request, by the route's template, never by a path, a key or a name.

It is published once a second, and before this worker tells of it: a counter costs more than a card.
"""

from __future__ import annotations

import asyncio
import time

from prometheus_client import Counter, Gauge, Histogram

REQUESTS = Counter("boston_requests", "Requests that were answered.", ("method", "route", "status"))
SECONDS = Histogram(
    "boston_request_seconds",
    "Seconds until an answer was sent; a live stream is counted, not timed.",
    ("method", "route"),
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0),
)
UNDER_WAY = Gauge("boston_requests_under_way", "Requests that are being answered.", multiprocess_mode="livesum")
EVERY = 1.0
"""Seconds after which what was counted is there for all workers to tell."""
_LISTENING = "/stream"


class Counters:
    """Counts the requests of this worker."""

    def __init__(self) -> None:
        self._under_way = 0
        self._answered: dict[tuple[str, str, int], list[float]] = {}
        self._publishing: asyncio.TimerHandle | None = None

    def begins(self) -> float:
        """A request begins; what is given back is to be told when it ends."""
        self._under_way += 1
        if self._publishing is None:
            self._publish_soon()
        return time.perf_counter()

    def ends(self, method: str, route: str, status: int, began: float) -> None:
        """A request was answered."""
        self._under_way -= 1
        self._answered.setdefault((method, route, status), []).append(time.perf_counter() - began)
        if self._publishing is None:
            self._publish_soon()

    def publish(self) -> None:
        """Has all that was counted told from now on."""
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

    def _publish_soon(self) -> None:
        self._publishing = asyncio.get_running_loop().call_later(EVERY, self.publish)
