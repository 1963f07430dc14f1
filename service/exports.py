"""Exports of the fact tables as CSV and Parquet, and of records, for a club's own use elsewhere.

A table is read session by session through the list of sessions that the filters choose, in one snapshot, so an
export holds one group of rows at a time however long the history is. Amounts are exact in both forms.
"""

from __future__ import annotations

import datetime
import io
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, Literal

import msgspec
import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.parquet as pq  # type: ignore[import-untyped]
from psycopg import sql

from projections import BY_NAME
from service.database import Connection, Database
from service.log import connection
from service.queries import query
from service.tables import lines

Table = Literal["sessions", "session_players", "deals", "deal_players", "balances", "ledger", "pools"]
GROUP = 200
"""Sessions whose rows make one group of an export."""

_MONEY = pa.decimal128(12, 1)
_TYPES: dict[str, pa.DataType] = {
    "uuid": pa.string(),
    "text": pa.string(),
    "date": pa.date32(),
    "integer": pa.int32(),
    "boolean": pa.bool_(),
    "numeric(12,1)": _MONEY,
    "timestamp with time zone": pa.timestamp("us", tz="UTC"),
}


class Chosen(msgspec.Struct, frozen=True):
    """The sessions to export; dates are club-local and both inclusive."""

    ruleset: str | None = None
    since: datetime.date | None = None
    until: datetime.date | None = None
    table: str | None = None
    void: bool = False


class Exports:
    """Reads a club's fact tables whole."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def csv(self, club_id: str, table: Table, chosen: Chosen) -> AsyncIterator[str]:
        """The table as CSV, piece by piece; arrays are JSON in their field."""
        columns = BY_NAME[table].columns
        yield lines([columns])
        async with self._snapshot() as lent:
            async for rows in _groups(lent, club_id, table, chosen):
                yield lines([_plain(value) for value in row] for row in rows)

    async def parquet(self, club_id: str, table: Table, chosen: Chosen) -> AsyncIterator[bytes]:
        """The table as one Parquet file, piece by piece."""
        async with self._snapshot() as lent:
            schema = await _schema(lent, table)
            sink = Sink()
            with pq.ParquetWriter(pa.PythonFile(sink, mode="w"), schema, compression="zstd") as writer:
                async for rows in _groups(lent, club_id, table, chosen):
                    columns = list(zip(*rows, strict=True))
                    arrays = [
                        pa.array([_arrow(value) for value in column], field.type)
                        for column, field in zip(columns, schema, strict=True)
                    ]
                    writer.write_table(pa.Table.from_arrays(arrays, schema=schema))
                    yield sink.drained()
            yield sink.drained()

    async def sessions(self, club_id: str, chosen: Chosen) -> list[str]:
        """The ids of the sessions that the filters choose, by date."""
        async with self._snapshot() as lent:
            return await _sessions(lent, club_id, chosen)

    @asynccontextmanager
    async def _snapshot(self) -> AsyncIterator[Connection]:
        async with connection(self._database.reads) as lent, lent.transaction():
            await lent.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            yield lent


async def _sessions(lent: Connection, club_id: str, chosen: Chosen) -> list[str]:
    given = msgspec.structs.asdict(chosen) | {"club": club_id}
    cursor = await lent.execute(query("export_sessions"), given, prepare=False)
    return [row[0] for row in await cursor.fetchall()]


async def _groups(
    lent: Connection, club_id: str, table: Table, chosen: Chosen
) -> AsyncIterator[Sequence[tuple[Any, ...]]]:  # fmt: skip
    projection = BY_NAME[table]
    read = sql.SQL("SELECT {} FROM {} WHERE session_id = ANY (%s::uuid[]) ORDER BY date, {}").format(
        sql.SQL(", ").join(map(sql.Identifier, projection.columns)),
        sql.Identifier("facts", table),
        sql.SQL(", ").join(map(sql.Identifier, projection.columns[: projection.key])),
    )
    ids = await _sessions(lent, club_id, chosen)
    for start in range(0, len(ids), GROUP):
        cursor = await lent.execute(read, [ids[start : start + GROUP]], prepare=False)
        if rows := await cursor.fetchall():
            yield rows


async def _schema(lent: Connection, table: Table) -> pa.Schema:
    """The columns of a table with the types that the database gives them."""
    cursor = await lent.execute(query("export_columns"), {"table": f"facts.{table}"})
    fields = []
    for name, kind, required in await cursor.fetchall():
        inner = kind.removesuffix("[]")
        type_ = pa.list_(_TYPES[inner]) if inner != kind else _TYPES[inner]
        fields.append(pa.field(name, type_, nullable=not required))
    return pa.schema(fields)


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return msgspec.json.encode(value, enc_hook=str).decode()
    if isinstance(value, bool | int | str) or value is None:
        return value
    return str(value) if not isinstance(value, datetime.datetime) else value.isoformat()


def _arrow(value: Any) -> Any:
    if isinstance(value, list):
        return [_arrow(inner) for inner in value]
    return str(value) if type(value).__name__ == "UUID" else value


class Sink(io.RawIOBase):
    """Holds what was written until it is drained; its position goes on, for Parquet writes offsets into its footer."""

    def __init__(self) -> None:
        super().__init__()
        self._parts: list[bytes] = []
        self._at = 0

    def writable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def write(self, data: Any) -> int:
        part = bytes(data)
        self._parts.append(part)
        self._at += len(part)
        return len(part)

    def drained(self) -> bytes:
        """What was written since the last time."""
        written = b"".join(self._parts)
        self._parts.clear()
        return written
