"""The queue of plain appends: whatever has gathered while one commit ran shares the next.

One connection serves it. A lone caller waits for nothing but its own statement; under load many
sessions' appends go in one parcel with one commit, and each caller still waits until its own
events are durable. A session whose head has moved on is left out by its statement. When one
fails, each append of the parcel is tried alone, so that one poisoned row fails nobody else.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import AsyncExitStack, suppress
from functools import partial

import psycopg
from psycopg import errors
from psycopg.pq.abc import PGresult
from psycopg_pool import PoolClosed, PoolTimeout, TooManyRequests

from service.append import Also, Append, statement
from service.database import Connection, Pool, usable
from service.pipeline import Answers, send, sent

CAP = 512 * 1024
"""Bytes of bodies that share one commit at most."""


_Waiting = tuple[Append, "asyncio.Future[bool]"]


class InDoubt(Exception):
    """Whether the events were written durably cannot be known; sending the entries again with their ids tells."""


class Unavailable(Exception):
    """The database is away; nothing was written."""


class Queue:
    """Appends of any number of sessions, written in the order in which they came.

    `heard` is told of each that was written, right after its commit, whether or not its caller still waits.
    """

    def __init__(self, pool: Pool, heard: Callable[[Append], None]) -> None:
        self._pool = pool
        self._heard = heard
        self._waiting: deque[_Waiting] = deque()
        self._idle = asyncio.Event()
        self._idle.set()
        self._slow: asyncio.Task[None] | None = None
        self._lent = AsyncExitStack()
        self._connection: Connection | None = None

    def put(self, append: Append) -> asyncio.Future[bool]:
        """Begins an append; see `Log.begin`."""
        answer: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting.append((append, answer))
        if self._idle.is_set():
            self._idle.clear()
            self._go()
        return answer

    async def close(self) -> None:
        """Writes what still waits, and gives the connection back."""
        # Between the last answer and this task's turn another append may be on its way.
        while not self._idle.is_set():
            await self._idle.wait()
        await self._let_go()

    def _go(self) -> None:
        """Sends what waits over the connection that is there; a task sees to whatever is not as it should be."""
        if not self._waiting:
            self._idle.set()
            return
        batch, writing = self._next_batch(), self._connection
        failed: Exception | None = None
        try:
            if writing is not None and usable(writing):
                writing.warnings.clear()
                if send(writing, _statements(batch), partial(self._sent, writing, batch)):
                    return
        except Exception as error:
            # Nothing was sent; each is tried alone, and whoever's it is hears of it.
            failed = error
        self._slow = asyncio.create_task(self._slowly(batch, failed))

    def _sent(self, writing: Connection, batch: list[_Waiting], answers: Answers) -> None:
        if isinstance(answers, list) and not writing.warnings:
            self._tell(batch, _written(batch, answers))
            # Those who were answered have their turn first, and what comes by then shares the next commit.
            asyncio.get_running_loop().call_soon(self._go)
        else:
            error = answers if isinstance(answers, BaseException) else None
            self._slow = asyncio.create_task(self._slowly(batch, in_doubt(writing, error) or error))

    async def _slowly(self, batch: list[_Waiting], failed: BaseException | None = None) -> None:
        """Writes a batch that could not be sent at once, or has failed, and goes on with what waits by then."""
        self._tell(batch, await (self._write(batch) if failed is None else self._failed(batch, failed)))
        self._go()

    def _tell(self, batch: list[_Waiting], results: Iterable[bool | Exception]) -> None:
        for (append, answer), result in zip(batch, results, strict=True):
            if result is True:
                self._heard(append)
            if answer.done():
                continue
            if isinstance(result, bool):
                answer.set_result(result)
            else:
                answer.set_exception(result)

    def _next_batch(self) -> list[_Waiting]:
        """The next appends, each of another session, up to the cap; a session's second one stays for the next time."""
        batch: list[_Waiting] = []
        left: deque[_Waiting] = deque()
        sessions: set[str] = set()
        size = 0
        while self._waiting:
            item = self._waiting.popleft()
            append = item[0]
            adds = append.size
            if batch and (append.session_id in sessions or size + adds > CAP):
                left.append(item)
            else:
                batch.append(item)
                size += adds
            sessions.add(append.session_id)
        self._waiting = left
        return batch

    async def _write(self, batch: list[_Waiting]) -> list[bool | Exception]:
        """One answer for each append: was it written, or why that is not known or not possible."""
        try:
            writing = await self._writing()
            async with certain(writing):
                results = await sent(writing, _statements(batch))
            return _written(batch, results)
        except (Exception, asyncio.CancelledError) as error:
            return await self._failed(batch, error)

    async def _failed(self, batch: list[_Waiting], error: BaseException) -> list[bool | Exception]:
        """The same where an error undid the batch: each append alone, unless that would help none of them."""
        match error:
            case InDoubt() | Unavailable():
                await self._let_go()
                return [type(error)(*error.args) for _ in batch]
            case asyncio.CancelledError():
                await self._let_go()
                return [InDoubt("the service stopped while it was writing") for _ in batch]
            case errors.UniqueViolation() if len(batch) == 1:
                return [False if error.diag.table_name == "events" else error]
            case psycopg.Error():
                pass
            case _:
                # Whatever it is, the callers must hear of it, and the queue goes on for the others.
                await self._let_go()
        if len(batch) == 1:
            return [error if isinstance(error, Exception) else InDoubt(str(error))]
        return [(await self._write([one]))[0] for one in batch]

    async def _writing(self) -> Connection:
        """The queue's own connection, or a new one where the server has closed it."""
        if self._connection is not None:
            if usable(self._connection):
                return self._connection
            await self._let_go()
        try:
            self._connection = await self._lent.enter_async_context(self._pool.connection())
        except (PoolTimeout, PoolClosed, TooManyRequests) as error:
            raise Unavailable("the database does not answer") from error
        return self._connection

    async def _let_go(self) -> None:
        """Gives the connection back; the pool throws a broken one away."""
        lent, self._lent, self._connection = self._lent, AsyncExitStack(), None
        # One that broke in the middle of sending says so once more; whoever has to know has been told.
        with suppress(psycopg.Error):
            await lent.aclose()


def _statements(batch: list[_Waiting]) -> list[Also]:
    return [statement(append) for append, _ in batch]


def _written(batch: list[_Waiting], results: list[PGresult]) -> list[bool | Exception]:
    return [result.command_tuples == len(append.events) for result, (append, _) in zip(results, batch, strict=True)]


def in_doubt(writing: Connection, error: BaseException | None) -> InDoubt | None:
    """Why it cannot be known whether a commit is durable, if it cannot.

    That is so when the connection ends in the middle, and when the server warns: an append gives no other warning
    than that its commit did not wait for the standby (it was cancelled, or the server is shutting down).
    """
    if isinstance(error, psycopg.Error) and writing.closed:
        return InDoubt(f"the connection to the database ended in an append: {error}")
    if error is None and writing.warnings:
        return InDoubt(f"the database did not vouch for the commit: {writing.warnings[0]}")
    return None


class certain:  # noqa: N801
    """A block that raises `InDoubt` when its commit may or may not be durable; see `in_doubt`."""

    def __init__(self, writing: Connection) -> None:
        self._writing = writing

    async def __aenter__(self) -> None:
        self._writing.warnings.clear()

    async def __aexit__(self, kind: object, error: BaseException | None, where: object) -> None:
        if doubt := in_doubt(self._writing, error):
            raise doubt from error
