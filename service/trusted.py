"""What the database said a moment ago and is trusted for a few seconds.

Whoever asks for the same while it is being looked up waits for that one answer, so that many who ask at once cost one
query. What was being looked up when everything was forgotten is told to those who waited for it, and not kept.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

MOST = 10_000
"""Answers that are kept at most."""


class Trusted(Generic[K, V]):
    """The answers to `ask(key)`, each trusted for so many `seconds` after it was asked for, if it is one to be kept."""

    def __init__(
        self,
        seconds: float,
        ask: Callable[[K], Awaitable[V]],
        keeps: Callable[[V], bool] = lambda found: found is not None,
    ) -> None:
        self._seconds, self._ask, self._keeps = seconds, ask, keeps
        self._known: dict[K, tuple[float, V]] = {}
        self._asking: dict[K, asyncio.Future[V]] = {}

    async def get(self, key: K) -> V:
        """The answer, or what `ask` raises."""
        known = self._known.get(key)
        if known is not None and known[0] > time.monotonic():
            return known[1]
        asked = self._asking.get(key)
        if asked is None:
            asked = self._asking[key] = asyncio.ensure_future(self._look_up(key))
            # Heard once here, so that an error is not lost where nobody waits any more.
            asked.add_done_callback(lambda done: done.cancelled() or done.exception())
        return await asyncio.shield(asked)

    async def _look_up(self, key: K) -> V:
        until = time.monotonic() + self._seconds
        try:
            found = await self._ask(key)
        finally:
            current = self._asking.get(key) is asyncio.current_task()
            if current:
                del self._asking[key]
        if current:
            self._known.pop(key, None)
            if self._keeps(found):
                if len(self._known) >= MOST:
                    self._known.clear()
                self._known[key] = until, found
        return found

    def forget(self) -> None:
        """Looks everything up anew from now on."""
        self._known.clear()
        self._asking.clear()
