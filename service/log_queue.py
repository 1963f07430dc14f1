"""The queue of plain appends: whatever has gathered while one commit ran shares the next.

One task drains it over one connection. A lone caller waits for nothing but its own statement; under load
many sessions' appends go in one parcel with one commit, and each caller still waits until its own
events are durable. A session whose head has moved on is left out by its statement. When one
fails, each append of the parcel is tried alone, so that one poisoned row fails nobody else.
"""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import AsyncExitStack

import psycopg
from psycopg import errors
from psycopg_pool import PoolClosed, PoolTimeout, TooManyRequests

from service.append import Append, statement
from service.database import Connection, Pool, check
from service.pipeline import sent

CAP = 512 * 1024
"""Bytes of bodies that share one commit at most."""


class InDoubt(Exception):
    """Whether the events were written durably cannot be known; sending the entries again with their ids tells."""


class Unavailable(Exception):
    """The database is away; nothing was written."""


class Queue:
    """Appends of any number of sessions, written in the order in which they came."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._waiting: deque[tuple[Append, asyncio.Future[bool]]] = deque()
        self._drain: asyncio.Task[None] | None = None
        self._lent = AsyncExitStack()
        self._connection: Connection | None = None

    def put(self, append: Append) -> asyncio.Future[bool]:
        """Begins an append; see `Log.begin`."""
        answer: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting.append((append, answer))
        if self._drain is None or self._drain.done():
            self._drain = asyncio.create_task(self._drained())
        return answer

    async def close(self) -> None:
        """Writes what still waits, and gives the connection back."""
        if self._drain is not None:
            await asyncio.wait([self._drain])
        await self._let_go()

    async def _drained(self) -> None:
        while self._waiting:
            batch = self._next_batch()
            answers = await self._write([append for append, _ in batch])
            for (_, answer), result in zip(batch, answers, strict=True):
                if answer.done():
                    continue
                if isinstance(result, bool):
                    answer.set_result(result)
                else:
                    answer.set_exception(result)

    def _next_batch(self) -> list[tuple[Append, asyncio.Future[bool]]]:
        """The next appends, each of another session, up to the cap; a session's second one stays for the next time."""
        batch: list[tuple[Append, asyncio.Future[bool]]] = []
        left: deque[tuple[Append, asyncio.Future[bool]]] = deque()
        sessions: set[str] = set()
        size = 0
        while self._waiting:
            item = self._waiting.popleft()
            append = item[0]
            if batch and (append.session_id in sessions or size + append.size > CAP):
                left.append(item)
            else:
                batch.append(item)
                size += append.size
            sessions.add(append.session_id)
        self._waiting = left
        return batch

    async def _write(self, batch: list[Append]) -> list[bool | Exception]:
        """One answer for each append: was it written, or why that is not known or not possible."""
        try:
            writing = await self._writing()
            async with certain(writing):
                results = await sent(writing, map(statement, batch))
            return [result.command_tuples == len(append.events) for result, append in zip(results, batch, strict=True)]
        except (InDoubt, Unavailable) as error:
            await self._let_go()
            return [type(error)(*error.args) for _ in batch]
        except errors.UniqueViolation as error:
            if len(batch) == 1:
                return [False if error.diag.table_name == "events" else error]
        except psycopg.Error as error:
            if len(batch) == 1:
                return [error]
        except asyncio.CancelledError:
            await self._let_go()
            return [InDoubt("the service stopped while it was writing") for _ in batch]
        except Exception as error:
            # Whatever it is, the callers must hear of it, and the queue goes on for the others.
            await self._let_go()
            if len(batch) == 1:
                return [error]
        return [(await self._write([append]))[0] for append in batch]

    async def _writing(self) -> Connection:
        """The queue's own connection, or a new one where the server has closed it."""
        if self._connection is not None:
            try:
                await check(self._connection)
                return self._connection
            except psycopg.OperationalError:
                await self._let_go()
        try:
            self._connection = await self._lent.enter_async_context(self._pool.connection())
        except (PoolTimeout, PoolClosed, TooManyRequests) as error:
            raise Unavailable("the database does not answer") from error
        return self._connection

    async def _let_go(self) -> None:
        """Gives the connection back; the pool throws a broken one away."""
        lent, self._lent, self._connection = self._lent, AsyncExitStack(), None
        await lent.aclose()


class certain:  # noqa: N801
    """A block that raises `InDoubt` when its commit may or may not be durable.

    That is so when the connection ends in the middle, and when the server warns: an append gives no other warning
    than that its commit did not wait for the standby (it was cancelled, or the server is shutting down).
    """

    def __init__(self, writing: Connection) -> None:
        self._writing = writing

    async def __aenter__(self) -> None:
        self._writing.warnings.clear()

    async def __aexit__(self, kind: object, error: BaseException | None, where: object) -> None:
        if isinstance(error, psycopg.Error) and self._writing.closed:
            raise InDoubt(f"the connection to the database ended in an append: {error}") from error
        if error is None and self._writing.warnings:
            raise InDoubt(f"the database did not vouch for the commit: {self._writing.warnings[0]}")
