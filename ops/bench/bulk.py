"""psycopg COPY of event rows, binary: the reference of the import, and how a long log is filled."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from uuid import UUID, uuid4

import psycopg

from ops.bench import evenings as written
from service.envelope import Sealed
from service.queries import query

TRANSACTION = 70
"""Rows a transaction of the COPY that imports are held against."""

_TYPES = ["uuid", "int4", "int4", "text", "text", "timestamptz", "bytea", "bytea"]
_HEAD_TYPES = ["uuid", "uuid", "int4", "bytea", "int4", "text", "date", "text", "timestamptz", "timestamptz"]

Values = tuple[UUID, int, int, str | None, str, datetime, bytes, bytes]


def values(session: UUID, rows: Iterable[Sealed]) -> list[Values]:
    """The rows as the driver takes them."""
    return [
        (session, r.version, r.entry, r.entry_id, r.type, datetime.fromisoformat(r.at), r.body, r.hash) for r in rows
    ]


def copied(url: str, rows: Sequence[Values]) -> float:
    """Copies rows into the reference's table, 70 a transaction; rows a second."""
    with psycopg.connect(url) as connection:
        start = time.perf_counter()
        for first in range(0, len(rows), TRANSACTION):
            _copy(connection, query("reference_copy", "ops.bench"), _TYPES, rows[first : first + TRANSACTION])
            connection.commit()
        return len(rows) / (time.perf_counter() - start)


def fill(url: str, events: int) -> None:
    """Fills a log up to so many events with copies of evenings under new session ids."""
    streams = [written.sealed(entries)[1] for entries in written.written(24)]
    with psycopg.connect(url) as connection:
        held = count(connection)
        while held < events:
            for rows in streams:
                session, last = uuid4(), rows[-1]
                at = datetime.fromisoformat(last.at)
                stands = (session, UUID(written.CLUB), last.version, last.hash, last.entry, "closed")
                held_on = (date(2026, 11, 30), "american-decimal", at, at)
                _copy(connection, query("fill_heads", "ops.bench"), _HEAD_TYPES, [stands + held_on])
                _copy(connection, query("fill_events", "ops.bench"), _TYPES, values(session, rows))
                held += len(rows)
            connection.commit()
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("VACUUM ANALYZE boston.events")
        connection.execute("VACUUM ANALYZE boston.sessions")
        connection.execute("CHECKPOINT")


def count(connection: psycopg.Connection) -> int:
    """How many events the log holds."""
    row = connection.execute("SELECT count(*) FROM boston.events").fetchone()
    assert row is not None
    return int(row[0])


def _copy(
    connection: psycopg.Connection, statement: bytes, types: list[str], rows: Iterable[tuple[object, ...]]
) -> None:
    with connection.cursor().copy(statement) as copy:
        copy.set_types(types)
        for row in rows:
            copy.write_row(row)
