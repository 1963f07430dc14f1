"""The event log: one stream per session, appended to optimistically, read back byte for byte.

An append says which version and hash it builds on, and moves the head from there or does nothing: of
two writers with the same base exactly one wins. It is one round trip. Plain appends go through a
queue (`service.log_queue`) where many sessions share one commit, with what else they bring (free texts, rows of
projections); a new session is a transaction of its own.

What is in doubt is never acknowledged: a connection lost in the commit, or a commit that did not
wait for its standby, raises `InDoubt`, and the client's repetition finds out by the entries' ids.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import msgspec
import psycopg
from psycopg_pool import PoolClosed, PoolTimeout, TooManyRequests

from service.append import Also, Append, Opening, statements
from service.database import Connection, Database, Pool
from service.log_queue import InDoubt, Queue, Unavailable, certain, moved_on, written
from service.pipeline import sent
from service.queries import query

__all__ = ["Also", "Append", "Head", "InDoubt", "Log", "Opening", "Unavailable"]


class Head(msgspec.Struct, frozen=True, kw_only=True):
    """Where a stream stands: its version, the hash of its last event, and the number of its last entry.

    `erasures` is how often texts of it were erased.
    """

    version: int
    hash: bytes
    club_id: str
    entries: int
    voided: bool
    erasures: int = 0


class Log:
    """The log in one database. Subscribers hear of every append of this process right after its commit."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._queue = Queue(database.writes, self._tell)
        self._running: set[asyncio.Future[bool]] = set()
        self._subscribers: list[Callable[[str, int], None]] = []

    def subscribe(self, heard: Callable[[str, int], None]) -> None:
        """Calls `heard(session_id, version)` after each append; it must return at once and raise nothing."""
        self._subscribers.append(heard)

    async def append(self, append: Append) -> bool:
        """True when the events are durably in the log, False when the head has moved on and nothing was written.

        Raises `InDoubt` when it cannot be known, `Unavailable` when the database is away (nothing was written), and
        the driver's error where a statement fails (nothing was written). Abandoning the call does not
        stop the append.
        """
        return await self.begin(append)

    def begin(self, append: Append) -> asyncio.Future[bool]:
        """Begins an append, to be awaited; unless it opens a session it waits for no other task to be on its way."""
        if append.opening is None:
            return self._queue.put(append)
        written = asyncio.create_task(self._transact(append))
        self._running.add(written)
        written.add_done_callback(self._running.discard)
        return asyncio.shield(written)

    async def _transact(self, append: Append) -> bool:
        written = await transact(self._database.writes, append)
        if written:
            self._tell(append)
        return written

    def _tell(self, append: Append) -> None:
        for heard in self._subscribers:
            heard(append.session_id, append.events[-1].version)

    async def close(self) -> None:
        """Waits for the appends that are under way."""
        await self._queue.close()
        await asyncio.gather(*self._running, return_exceptions=True)

    async def head(self, session_id: str) -> Head | None:
        """Where the stream stands; None when there is no such session."""
        async with connection(self._database.reads) as reading:
            row = await (await reading.execute(query("read_head"), {"session": session_id}, binary=True)).fetchone()
        if row is None:
            return None
        return Head(version=row[0], hash=row[1], club_id=row[2], entries=row[3], voided=row[4], erasures=row[5])

    async def read(self, session_id: str, after: int = 0, limit: int | None = None) -> list[bytes]:
        """The bodies of the events after a version, in order, at most `limit` of them."""
        upto = 2**31 - 1 if limit is None else after + limit
        arguments = {"session": session_id, "after": after, "upto": upto}
        async with connection(self._database.reads) as reading:
            rows = await (await reading.execute(query("read_events"), arguments, binary=True)).fetchall()
        return [row[0] for row in rows]

    async def texts(self, session_id: str) -> list[tuple[str, bytes | None, str | None]]:
        """The free texts of a session: digest, salt and text, both None when erased."""
        async with connection(self._database.reads) as reading:
            rows = await (await reading.execute(query("read_texts"), {"session": session_id}, binary=True)).fetchall()
        return [(row[0], row[1], row[2]) for row in rows]


def connection(pool: Pool) -> _Lent:
    """A connection of a pool for a block; raises `Unavailable` where none is to be had, or where it ends within."""
    return _Lent(pool)


class _Lent:
    def __init__(self, pool: Pool) -> None:
        self._lent = pool.connection()
        self._connection: Connection | None = None

    async def __aenter__(self) -> Connection:
        try:
            self._connection = await self._lent.__aenter__()
            return self._connection
        except (PoolTimeout, PoolClosed, TooManyRequests) as error:
            raise Unavailable("the database does not answer") from error

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, where: Any) -> None:
        await self._lent.__aexit__(kind, error, where)
        if isinstance(error, psycopg.OperationalError) and self._connection is not None and self._connection.closed:
            raise Unavailable("the connection to the database ended") from error


async def transact(pool: Pool, append: Append) -> bool:
    """An append by itself; True when it was written."""
    async with connection(pool) as writing, certain(writing):
        try:
            return written(append, (await sent(writing, statements(append)))[0])
        except psycopg.Error as error:
            if await moved_on(writing, append, error):
                return False
            raise
