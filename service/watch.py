"""Watching sessions: whoever listens is woken when a session has moved, and then reads for himself.

Appends of this process wake at once. Those of other workers are found by asking, once a second and only while
somebody listens, for the versions of the sessions listened to.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import defaultdict
from collections.abc import Iterator

import msgspec
import structlog

from service.database import Database
from service.faults import logged
from service.log import Log, Unavailable
from service.rows import fetch


class _Head(msgspec.Struct):
    session_id: str
    version: int


class Watch:
    """The listeners of this process."""

    def __init__(self, database: Database, log: Log, every: float) -> None:
        self._database = database
        self._every = every
        self._listeners: dict[str, set[asyncio.Event]] = defaultdict(set)
        self._versions: dict[str, int] = {}
        self._asking: asyncio.Task[None] | None = None
        log.subscribe(self._moved)

    @property
    def listeners(self) -> int:
        """How many listen now."""
        return sum(map(len, self._listeners.values()))

    @contextlib.contextmanager
    def listening(self, session_id: str) -> Iterator[asyncio.Event]:
        """An event that is set whenever the session may have moved; the listener clears it."""
        heard = asyncio.Event()
        self._listeners[session_id].add(heard)
        if self._asking is None or self._asking.done():
            self._asking = asyncio.create_task(self._ask())
        try:
            yield heard
        finally:
            self._listeners[session_id].discard(heard)
            if not self._listeners[session_id]:
                del self._listeners[session_id]
                self._versions.pop(session_id, None)

    def wake(self) -> None:
        """Wakes everybody, whether or not anything has moved."""
        for listeners in self._listeners.values():
            for heard in listeners:
                heard.set()

    async def close(self) -> None:
        """Wakes everybody for the last time."""
        if self._asking is not None:
            self._asking.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._asking
        self.wake()

    def _moved(self, session_id: str, version: int) -> None:
        if session_id in self._listeners:
            self._versions[session_id] = max(version, self._versions.get(session_id, 0))
            for heard in self._listeners[session_id]:
                heard.set()

    async def _ask(self) -> None:
        while self._listeners:
            await asyncio.sleep(self._every)
            try:
                heads = await fetch(self._database.reads, "heads", _Head, sessions=list(self._listeners))
            except (Unavailable, OSError):
                continue
            except Exception as error:
                structlog.get_logger("boston.watch").warning("could not ask for versions", **logged(error))
                continue
            for head in heads:
                if self._versions.get(head.session_id) != head.version:
                    self._moved(head.session_id, head.version)
