"""The notary: makes checkpoints by itself, soon after a session is over and once a day.

Every worker has one. Two that make a club's checkpoint at the same time wait for one another, and the second finds
that nothing has moved: so there is one. A worker killed in between leaves its sessions to the daily look.
"""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import time

import structlog

from service.faults import logged
from service.log import Log, Unavailable
from service.proof.checkpoints import Checkpoints

DAY = datetime.timedelta(days=1)
LOOK = 900.0
"""Seconds between two looks for clubs whose last checkpoint is a day old."""


class Notary:
    """Looks after the checkpoints of this process's appends, and of every club's day."""

    def __init__(self, checkpoints: Checkpoints, log: Log, every: float) -> None:
        self._checkpoints = checkpoints
        self._every = every
        self._moved: set[str] = set()
        self._looked = -LOOK
        log.subscribe(lambda session_id, _: self._moved.add(session_id))
        self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Stops looking."""
        self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(self._every)
            moved, self._moved = self._moved, set()
            try:
                await self._look(moved)
            except (Unavailable, OSError):
                self._moved |= moved
            except Exception as error:
                _failed(error)

    async def _look(self, moved: set[str]) -> None:
        clubs = set(await self._checkpoints.closed(sorted(moved))) if moved else set()
        if time.monotonic() - self._looked >= LOOK:
            clubs.update(await self._checkpoints.due((datetime.datetime.now(datetime.UTC) - DAY).isoformat()))
            self._looked = time.monotonic()
        for club_id in sorted(clubs):
            try:
                await self._checkpoints.make(club_id)
            except (Unavailable, OSError):
                raise
            except Exception as error:
                # One club's trouble is not the others'; the daily look tries again.
                _failed(error)


def _failed(error: Exception) -> None:
    structlog.get_logger("boston.proof").error("no checkpoint could be made", **logged(error))
