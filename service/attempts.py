"""Attempts at signing in: after a handful of wrong codes from one address the next ones have to wait.

They are counted in the database, so that all workers count together; of an address only the digest is kept, and that
for no longer than it matters. Each attempt is counted before its code is looked at, so that many at once do not
slip through; a right code wipes the count out.
"""

from __future__ import annotations

import datetime
import math

import msgspec

from service.database import Pool
from service.principal import digest, utcnow
from service.rows import carry_out, first


class _Counted(msgspec.Struct):
    attempts: int
    since: datetime.datetime


class Attempts:
    """Counts attempts from each address: `most` of them within `window` seconds."""

    def __init__(self, pool: Pool, most: int, window: float) -> None:
        self._pool = pool
        self._most = most
        self._window = datetime.timedelta(seconds=window)

    async def count(self, address: str) -> int:
        """Counts an attempt; the seconds that it has to wait, 0 where it may go on."""
        now = utcnow()
        counted = await first(
            self._pool, "attempt_count", _Counted, address=digest(address), now=now, stale=now - self._window
        )
        if counted is None or counted.attempts <= self._most:
            return 0
        return max(1, math.ceil((counted.since + self._window - now).total_seconds()))

    async def succeeded(self, address: str) -> None:
        """Forgets the attempts from an address, and those of others that are long past."""
        await carry_out(self._pool, "attempts_forget", address=digest(address), stale=utcnow() - self._window)
