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
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

import psycopg
from psycopg import errors
from psycopg.pq import ConnStatus, ExecStatus, Format
from psycopg.pq.abc import PGconn, PGresult

from service.append import Also
from service.database import Connection

_ARGUMENT = re.compile(rb"%(?:%|\((\w+)\)[sb])")
_TEXT, _BINARY = int(Format.TEXT), int(Format.BINARY)


async def sent(connection: Connection, statements: Iterable[Also]) -> list[PGresult]:
    """The answers to all statements, once they are committed.

    Raises the server's error, and then nothing was done; where the connection is closed afterwards, it is not
    known what was done. Raises `DataError` without a state for a text that no server takes, before anything is sent.
    """
    pgconn = connection.pgconn
    bound = []
    for statement in statements:
        sql, names = _numbered(statement.sql)
        values = [_bound(statement.arguments[name]) for name in names]
        name = connection.prepared.get(sql) or await _prepare(connection, sql)
        bound.append((name, [value for value, _ in values], [form for _, form in values]))
    return await _exchanged(pgconn, pgconn.send_query_prepared, bound)


async def _prepare(connection: Connection, sql: bytes) -> bytes:
    name = b"boston_%d" % len(connection.prepared)
    await _exchanged(connection.pgconn, connection.pgconn.send_prepare, [(name, sql)])
    connection.prepared[sql] = name
    return name


async def _exchanged(pgconn: PGconn, send: Callable[..., None], requests: Iterable[tuple[Any, ...]]) -> list[PGresult]:
    """Sends a parcel and waits for all answers; unless every one arrives the connection is closed."""
    loop, descriptor = asyncio.get_running_loop(), pgconn.socket
    results: list[PGresult] = []
    done: asyncio.Future[None] = loop.create_future()

    def ready() -> None:
        if done.done():
            return
        try:
            pgconn.consume_input()
            if pgconn.flush() == 0:
                loop.remove_writer(descriptor)
            while not pgconn.is_busy():
                result = pgconn.get_result()
                if result is None:
                    if pgconn.status != ConnStatus.OK:
                        raise psycopg.OperationalError("the connection is closed")
                elif result.status == ExecStatus.PIPELINE_SYNC:
                    done.set_result(None)
                    return
                else:
                    results.append(result)
        except psycopg.Error as error:
            done.set_exception(error)

    try:
        pgconn.enter_pipeline_mode()
        for request in requests:
            send(*request)
        pgconn.pipeline_sync()
        if pgconn.flush() != 0:
            loop.add_writer(descriptor, ready)
        loop.add_reader(descriptor, ready)
        try:
            await done
        finally:
            loop.remove_reader(descriptor)
            loop.remove_writer(descriptor)
        pgconn.exit_pipeline_mode()
    except BaseException:
        pgconn.finish()
        raise
    for result in results:
        if result.status == ExecStatus.FATAL_ERROR:
            raise errors.error_from_result(result)
    return results


@cache
def _numbered(sql: bytes) -> tuple[bytes, tuple[str, ...]]:
    """The statement as the server wants it, with numbers for names, and the names in their order."""
    names: dict[bytes, int] = {}

    def number(found: re.Match[bytes]) -> bytes:
        name = found[1]
        return b"%" if name is None else b"$%d" % names.setdefault(name, len(names) + 1)

    return _ARGUMENT.sub(number, sql), tuple(name.decode() for name in names)


def _bound(value: Any) -> tuple[bytes | None, int]:
    """A value on the wire and its form: bytes as they are, in PostgreSQL's binary form; anything else as text."""
    match value:
        case bytes():
            return value, _BINARY
        case str():
            if "\0" in value:
                raise psycopg.DataError("PostgreSQL text fields cannot contain NUL (0x00) bytes")
            return value.encode(), _TEXT
        case bool():
            return (b"true" if value else b"false"), _TEXT
        case int():
            return b"%d" % value, _TEXT
        case datetime.datetime():
            return value.isoformat().encode(), _TEXT
        case None:
            return None, _TEXT
        case _:
            raise TypeError(f"{type(value).__name__} is nothing that is sent here")
