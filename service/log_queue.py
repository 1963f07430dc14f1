"""The queue of appends to sessions that are there: whatever has gathered while one commit ran shares the next.

A lone caller waits for nothing but its own statement; under load many sessions' appends go in one
parcel with one commit, and each caller still waits until its own events are durable. Two connections
serve it: while one waits for the disk, the other takes what has gathered, once that is enough. A session
whose head has moved on is left out by its statement. When one fails, each append of the parcel is tried
alone, so that one poisoned row fails nobody else.
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

from service.append import Also, Append, statements
from service.database import Connection, Pool, usable
from service.pipeline import Answers, send, sent
from service.queries import query

CAP = 512 * 1024
"""Bytes of bodies that share one commit at most."""
LANES = 2
"""Connections that write at the same time."""
ENOUGH = 12
"""Appends for which another commit is begun while one is being written; fewer wait for that one to end."""

_Waiting = tuple[Append, "asyncio.Future[bool]"]


class InDoubt(Exception):
    """Whether the events were written durably cannot be known; sending the entries again with their ids tells."""


class Unavailable(Exception):
    """The database is away; nothing was written."""


class Queue:
    """Appends of any number of sessions, each session's written in the order in which they came.

    `heard` is told of each that was written, right after its commit, whether or not its caller still waits.
    """

    def __init__(self, pool: Pool, heard: Callable[[Append], None]) -> None:
        self._heard = heard
        self._waiting: deque[_Waiting] = deque()
        self._under_way: set[str] = set()
        self._lanes = [_Lane(pool, self._written) for _ in range(LANES)]
        self._free = list(self._lanes)
        self._idle = asyncio.Event()
        self._idle.set()

    def put(self, append: Append) -> asyncio.Future[bool]:
        """Begins an append; see `Log.begin`."""
        answer: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting.append((append, answer))
        self._idle.clear()
        self._go()
        return answer

    async def close(self) -> None:
        """Writes what still waits, and gives the connections back."""
        for lane in self._lanes:
            # Between the last answer and this task's turn another append may be on its way.
            while not self._idle.is_set():
                await self._idle.wait()
            await lane.let_go()

    def _go(self) -> None:
        """Sends what waits over a lane that is free: all of it where no other is at work, else once it is enough."""
        enough = len(self._free) == LANES or len(self._waiting) >= ENOUGH
        if enough and self._free and (batch := self._next_batch()):
            self._under_way.update([append.session_id for append, _ in batch])
            self._free.pop().write(batch)
        if len(self._free) == LANES and not self._waiting:
            self._idle.set()

    def _written(self, lane: _Lane, batch: list[_Waiting], results: Iterable[bool | Exception]) -> None:
        """What came of a batch; each caller hears of his own append."""
        self._under_way.difference_update([append.session_id for append, _ in batch])
        for (append, answer), result in zip(batch, results, strict=True):
            if result is True:
                self._heard(append)
            if answer.done():
                continue
            if isinstance(result, bool):
                answer.set_result(result)
            else:
                answer.set_exception(result)
        self._free.append(lane)
        # Those who were answered have their turn first, and what comes by then shares the next commit.
        asyncio.get_running_loop().call_soon(self._go)

    def _next_batch(self) -> list[_Waiting]:
        """The next appends, each of another session, up to the cap; a session's second one stays for the next time."""
        batch: list[_Waiting] = []
        left: deque[_Waiting] = deque()
        sessions = set(self._under_way)
        size = 0
        while self._waiting:
            item = self._waiting.popleft()
            append = item[0]
            adds = append.size
            if append.session_id in sessions or (batch and size + adds > CAP):
                left.append(item)
            else:
                batch.append(item)
                size += adds
            sessions.add(append.session_id)
        self._waiting = left
        return batch


class _Lane:
    """A connection that writes one batch after another; `done` is told what came of each."""

    def __init__(self, pool: Pool, done: Callable[[_Lane, list[_Waiting], list[bool | Exception]], None]) -> None:
        self._pool = pool
        self._done = done
        self._slow: asyncio.Task[None] | None = None
        self._lent = AsyncExitStack()
        self._connection: Connection | None = None

    def write(self, batch: list[_Waiting]) -> None:
        """Sends a batch over the connection that is there; a task sees to whatever is not as it should be."""
        writing = self._connection
        failed: Exception | None = None
        try:
            if writing is not None and usable(writing):
                writing.warnings.clear()
                if send(writing, _carrying(batch), partial(self._sent, writing, batch)):
                    return
        except Exception as error:
            # Nothing was sent; each is tried alone, and whoever's it is hears of it.
            failed = error
        self._slow = asyncio.create_task(self._slowly(batch, failed))

    def _sent(self, writing: Connection, batch: list[_Waiting], answers: Answers) -> None:
        if isinstance(answers, list) and not writing.warnings:
            self._done(self, batch, _written(batch, answers))
        else:
            error = answers if isinstance(answers, BaseException) else None
            self._slow = asyncio.create_task(self._slowly(batch, in_doubt(writing, error) or error))

    async def _slowly(self, batch: list[_Waiting], failed: BaseException | None = None) -> None:
        """Writes a batch that could not be sent at once, or has failed."""
        self._done(self, batch, await (self._write(batch) if failed is None else self._failed(batch, failed)))

    async def _write(self, batch: list[_Waiting]) -> list[bool | Exception]:
        """One answer for each append: was it written, or why that is not known or not possible."""
        try:
            writing = await self._writing()
            async with certain(writing):
                results = await sent(writing, _carrying(batch))
            return _written(batch, results)
        except (Exception, asyncio.CancelledError) as error:
            return await self._failed(batch, error)

    async def _failed(self, batch: list[_Waiting], error: BaseException) -> list[bool | Exception]:
        """The same where an error undid the batch: each append alone, unless that would help none of them."""
        match error:
            case InDoubt() | Unavailable():
                await self.let_go()
                return [type(error)(*error.args) for _ in batch]
            case asyncio.CancelledError():
                await self.let_go()
                return [InDoubt("the service stopped while it was writing") for _ in batch]
            case psycopg.Error():
                pass
            case _:
                # Whatever it is, the callers must hear of it, and the queue goes on for the others.
                await self.let_go()
        if len(batch) == 1:
            return [await self._why(batch[0][0], error)]
        return [(await self._write([one]))[0] for one in batch]

    async def _why(self, append: Append, error: BaseException) -> bool | Exception:
        """What to tell of a single append that failed: that the head has moved on, or the error."""
        try:
            if isinstance(error, psycopg.Error) and await moved_on(await self._writing(), append, error):
                return False
        except (psycopg.Error, Unavailable, asyncio.CancelledError):
            pass
        return error if isinstance(error, Exception) else InDoubt(str(error))

    async def _writing(self) -> Connection:
        """The queue's own connection, or a new one where the server has closed it."""
        if self._connection is not None:
            if usable(self._connection):
                return self._connection
            await self.let_go()
        try:
            self._connection = await self._lent.enter_async_context(self._pool.connection())
        except (PoolTimeout, PoolClosed, TooManyRequests) as error:
            raise Unavailable("the database does not answer") from error
        return self._connection

    async def let_go(self) -> None:
        """Gives the connection back; the pool throws a broken one away."""
        lent, self._lent, self._connection = self._lent, AsyncExitStack(), None
        # One that broke in the middle of sending says so once more; whoever has to know has been told.
        with suppress(psycopg.Error):
            await lent.aclose()


def _carrying(batch: list[_Waiting]) -> list[Also]:
    return [statement for append, _ in batch for statement in statements(append)]


def _written(batch: list[_Waiting], results: list[PGresult]) -> list[bool | Exception]:
    told: list[bool | Exception] = []
    at = 0
    for append, _ in batch:
        told.append(written(append, results[at]))
        at += 2 + len(append.also) if append.also else 1
    return told


def written(append: Append, result: PGresult) -> bool:
    """Were the events of an append written? `result` is that of the first of its statements."""
    return result.command_tuples == len(append.events)


async def moved_on(writing: Connection, append: Append, error: psycopg.Error) -> bool:
    """Did an append fail because its session has moved on from where it builds?"""
    if isinstance(error, errors.UniqueViolation):
        return error.diag.table_name == "events"
    if not isinstance(error, errors.DivisionByZero):
        return False
    head = await (await writing.execute(query("read_head"), {"session": append.session_id}, binary=True)).fetchone()
    # Where the head is as expected it was not the guard that divided.
    return append.base != 0 if head is None else (append.base, append.base_hash, False) != (head[0], head[1], head[4])


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
