"""psycopg COPY of event rows, binary: the reference of the import, and how a long log is filled."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, timedelta
from uuid import UUID, uuid4

import psycopg

from ops.bench import evenings as written
from service.envelope import Sealed
from service.queries import query

TRANSACTION = 70
"""Rows a transaction of the COPY that imports are held against."""

_TYPES = ["uuid", "int4", "int4", "text", "text", "timestamptz", "bytea", "bytea"]
_BEGIN, _END = b"PGCOPY\n\xff\r\n\0" + bytes(8), b"\xff\xff"
_ANY = uuid4()
_EPOCH = datetime(2000, 1, 1, tzinfo=UTC)

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
    """Fills a log up to so many events with copies of evenings under new session ids.

    An evening's rows are put into the protocol's form once; a copy of it differs in the sixteen bytes of its session.
    """
    evenings = [_evening(written.sealed(entries)[1]) for entries in written.written(24)]
    with psycopg.connect(url) as connection:
        held = count(connection)
        while held < events:
            heads, rows = [_BEGIN], [_BEGIN]
            for size, head, told in evenings:
                session = uuid4().bytes
                heads.append(head.replace(_ANY.bytes, session))
                rows.append(told.replace(_ANY.bytes, session))
                held += size
            for name, parts in (("fill_heads", heads), ("fill_events", rows)):
                with connection.cursor().copy(query(name, "ops.bench")) as copy:
                    copy.write(b"".join(parts) + _END)
            connection.commit()
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("VACUUM ANALYZE boston.events")
        connection.execute("VACUUM ANALYZE boston.sessions")
        connection.execute("CHECKPOINT")


def _evening(rows: Sequence[Sealed]) -> tuple[int, bytes, bytes]:
    """How many events an evening has, its head and its events, as rows of a binary COPY under the id `_ANY`."""
    last = rows[-1]
    at = datetime.fromisoformat(last.at)
    stands = (_ANY, UUID(written.CLUB), last.version, last.hash, last.entry, "closed")
    head = _row((*stands, date(2026, 11, 30), "american-decimal", at, at))
    return len(rows), head, b"".join(map(_row, values(_ANY, rows)))


def _row(fields: tuple[object, ...]) -> bytes:
    return len(fields).to_bytes(2, "big") + b"".join(map(_field, fields))


def _field(value: object) -> bytes:
    """A value with its length before it, in PostgreSQL's binary form."""
    match value:
        case None:
            return b"\xff\xff\xff\xff"
        case UUID():
            told = value.bytes
        case int():
            told = value.to_bytes(4, "big")
        case str():
            told = value.encode()
        case bytes():
            told = value
        case datetime():
            told = ((value - _EPOCH) // timedelta(microseconds=1)).to_bytes(8, "big")
        case date():
            told = (value - _EPOCH.date()).days.to_bytes(4, "big")
        case _:
            raise TypeError(f"{type(value).__name__} has no place in these rows")
    return len(told).to_bytes(4, "big") + told


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
