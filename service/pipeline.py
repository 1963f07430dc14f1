"""Statements sent in one go: one round trip, one transaction, each statement prepared once a connection.

The server begins a transaction with the first of them, commits where the parcel ends, and undoes all of it at the
first error. What is spoken here is the protocol itself, through the driver's own libpq: for statements as small as an
append the driver's general way takes more time than the server does. What arrives is read while there is still
something to send, so that a parcel of any size gets through.
"""

from __future__ import annotations

import asyncio
import datetime
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from operator import itemgetter
from typing import Any

import psycopg
from psycopg import errors
from psycopg.pq import ConnStatus, ExecStatus, Format
from psycopg.pq.abc import PGconn, PGresult

from service.append import Also
from service.database import Connection

Answers = list[PGresult] | BaseException
"""What a parcel came to: the answer to each statement, or the error that undid all of them."""

_ARGUMENT = re.compile(rb"%(?:%|\((\w+)\)([sb]))")
_FORMS = {b"s": int(Format.TEXT), b"b": int(Format.BINARY)}


async def sent(connection: Connection, statements: Iterable[Also]) -> list[PGresult]:
    """The answers to all statements, once they are committed.

    Raises the server's error, and then nothing was done; where the connection is closed afterwards, it is not
    known what was done. Raises `DataError` without a state for a text that no server takes, before anything is sent.
    """
    told = list(statements)
    for sql in {_numbered(statement.sql)[0] for statement in told} - connection.prepared.keys():
        name = b"boston_%d" % len(connection.prepared)
        await _answered(connection.pgconn, connection.pgconn.send_prepare, [(name, sql)])
        connection.prepared[sql] = name
    return await _answered(connection.pgconn, connection.pgconn.send_query_prepared, _bound(connection, told))


def send(connection: Connection, statements: Sequence[Also], told: Callable[[Answers], None]) -> bool:
    """The same for statements which this connection knows: sends them, and tells what came of it when it is there.

    False where one of them is new to the connection, or a text is none that a server takes; then nothing was sent.
    """
    try:
        bound = _bound(connection, statements)
    except (KeyError, psycopg.DataError):
        return False
    _Parcel(connection.pgconn, told).go(connection.pgconn.send_query_prepared, bound)
    return True


def _bound(connection: Connection, statements: Iterable[Also]) -> list[tuple[Any, ...]]:
    """What is sent of each statement: its name, its values and their forms; `KeyError` for one without a name."""
    bound = []
    for statement in statements:
        sql, arguments_of, forms = _numbered(statement.sql)
        values = [_ON_THE_WIRE[type(value)](value) for value in arguments_of(statement.arguments)]
        bound.append((connection.prepared[sql], values, forms))
    return bound


async def _answered(pgconn: PGconn, send: Callable[..., None], requests: Iterable[tuple[Any, ...]]) -> list[PGresult]:
    """Sends a parcel and waits for all answers; a caller that goes away closes the connection."""
    waiting: asyncio.Future[Answers] = asyncio.get_running_loop().create_future()

    def told(answers: Answers) -> None:
        if not waiting.done():
            waiting.set_result(answers)

    parcel = _Parcel(pgconn, told)
    parcel.go(send, requests)
    try:
        answers = await waiting
    except BaseException as error:
        parcel.ends(error)
        raise
    if isinstance(answers, BaseException):
        raise answers
    return answers


class _Parcel:
    """A parcel under way on a connection. Unless every answer arrives the connection is closed."""

    def __init__(self, pgconn: PGconn, told: Callable[[Answers], None]) -> None:
        self._pgconn, self._told = pgconn, told
        self._loop, self._descriptor = asyncio.get_running_loop(), pgconn.socket
        self._results: list[PGresult] = []
        self._over = False

    def go(self, send: Callable[..., None], requests: Iterable[tuple[Any, ...]]) -> None:
        """Sends it; whatever comes of that is told, and nothing raised."""
        try:
            self._pgconn.enter_pipeline_mode()
            for request in requests:
                send(*request)
            self._pgconn.pipeline_sync()
            if self._pgconn.flush() != 0:
                self._loop.add_writer(self._descriptor, self._ready)
            self._loop.add_reader(self._descriptor, self._ready)
        except Exception as error:
            self.ends(error)

    def _ready(self) -> None:
        try:
            complete = self._read()
        except Exception as error:
            self.ends(error)
        else:
            if complete:
                self.ends(None)

    def _read(self) -> bool:
        """Takes what has arrived; is it all?"""
        pgconn = self._pgconn
        pgconn.consume_input()
        if pgconn.flush() == 0:
            self._loop.remove_writer(self._descriptor)
        while not pgconn.is_busy():
            result = pgconn.get_result()
            if result is None:
                if pgconn.status != ConnStatus.OK:
                    raise psycopg.OperationalError("the connection is closed")
            elif result.status == ExecStatus.PIPELINE_SYNC:
                return True
            else:
                self._results.append(result)
        return False

    def ends(self, error: BaseException | None) -> None:
        """All answers are there, or an error says that they will not be."""
        if self._over:
            return
        self._over = True
        self._loop.remove_reader(self._descriptor)
        self._loop.remove_writer(self._descriptor)
        if error is None:
            self._pgconn.exit_pipeline_mode()
        else:
            self._pgconn.finish()
        failed = next((result for result in self._results if result.status == ExecStatus.FATAL_ERROR), None)
        self._told(error or (self._results if failed is None else errors.error_from_result(failed)))


@cache
def _numbered(sql: bytes) -> tuple[bytes, Callable[[Mapping[str, Any]], Sequence[Any]], tuple[int, ...]]:
    """The statement as the server wants it, with numbers for names; what gives arguments their order; their forms."""
    names: dict[bytes, int] = {}
    forms: list[int] = []

    def number(found: re.Match[bytes]) -> bytes:
        name, form = found.groups()
        if name is None:
            return b"%"
        if name not in names:
            names[name] = len(names) + 1
            forms.append(_FORMS[form])
        return b"$%d" % names[name]

    numbered, order = _ARGUMENT.sub(number, sql), [name.decode() for name in names]
    if len(order) < 2:
        return numbered, lambda arguments: [arguments[name] for name in order], tuple(forms)
    return numbered, itemgetter(*order), tuple(forms)


def _text(value: str) -> bytes:
    if "\0" in value:
        raise psycopg.DataError("PostgreSQL text fields cannot contain NUL (0x00) bytes")
    return value.encode()


_ON_THE_WIRE: dict[type[Any], Callable[[Any], bytes | None]] = {
    bytes: lambda value: value,
    str: _text,
    bool: lambda value: b"true" if value else b"false",
    int: lambda value: b"%d" % value,
    datetime.datetime: lambda value: value.isoformat().encode(),
    type(None): lambda value: None,
}
"""Each kind of value on the wire: bytes as they are, all else as text."""
