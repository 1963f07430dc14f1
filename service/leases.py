"""Leases: who records a table now. Visible to all who may see it, taken over in plain sight, never in the log's way."""

from __future__ import annotations

import datetime

import msgspec

from service.database import Database
from service.principal import Principal, utcnow
from service.rows import carry_out, fetch, first


class Lease(msgspec.Struct, frozen=True):
    """Who holds a table, and when the device was last heard of."""

    key_id: str
    device: str | None
    taken_at: datetime.datetime
    seen_at: datetime.datetime


class Taking(msgspec.Struct, frozen=True):
    """Once somebody took the table."""

    key_id: str
    device: str | None
    taken_at: datetime.datetime


class Leases:
    """Takes, keeps and gives back leases."""

    def __init__(self, database: Database, stale: float) -> None:
        self._pool = database.reads
        self._stale = datetime.timedelta(seconds=stale)
        self._recorders: set[tuple[str, str]] = set()

    def stale(self, lease: Lease) -> bool:
        """Has the holder not been heard of for so long that anybody may go on?"""
        return lease.seen_at < utcnow() - self._stale

    async def holder(self, session_id: str) -> Lease | None:
        """Who records the session now."""
        return await first(self._pool, "lease_read", Lease, session=session_id)

    async def ask(self, session_id: str, who: Principal, device: str | None, take: bool) -> tuple[Lease | None, bool]:
        """Takes or keeps the lease: the holder afterwards, and whether it is the one who asked.

        Without `take` it is given only where nobody holds it, or the holder has not been heard of for a while.
        """
        now = utcnow()
        held = await first(
            self._pool,
            "lease_take",
            Lease,
            session=session_id,
            key=who.key_id,
            device=device,
            take=take,
            now=now,
            stale=now - self._stale,
        )
        if held is not None:
            return held, True
        return await self.holder(session_id), False

    async def takings(self, session_id: str) -> list[Taking]:
        """Everybody who ever took the table, in order."""
        return await fetch(self._pool, "lease_takings", Taking, session=session_id)

    def is_known(self, session_id: str, who: Principal) -> bool:
        """Is it known here that the one who asks has recorded this session, which is his club's then?"""
        return (session_id, who.key_id) in self._recorders

    async def has_held(self, session_id: str, who: Principal) -> bool:
        """Has the one who asks ever recorded this session? Once true it stays so, and is not asked again."""
        if not self.is_known(session_id, who):
            if all(taking.key_id != who.key_id for taking in await self.takings(session_id)):
                return False
            if len(self._recorders) > 100_000:
                self._recorders.clear()
            self._recorders.add((session_id, who.key_id))
        return True

    async def may_record(self, session_id: str, who: Principal, device: str | None, take: bool) -> bool:
        """May entries of the one who asks be taken: does he record the session, did he once, or does nobody?

        With `take` the free table is his from now on.
        """
        if await self.has_held(session_id, who):
            return True
        if take:
            _, mine = await self.ask(session_id, who, device, take=False)
            return mine
        holder = await self.holder(session_id)
        return holder is None or self.stale(holder)

    async def release(self, session_id: str, who: Principal, device: str | None) -> None:
        """Gives the lease back, if it is held by the one who asks."""
        await carry_out(self._pool, "lease_release", session=session_id, key=who.key_id, device=device)
