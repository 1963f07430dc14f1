"""A named query and its rows as values: each row becomes a Struct whose fields are the columns."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec
from psycopg.rows import dict_row

from service.database import Pool
from service.log import connection
from service.queries import query

S = TypeVar("S", bound=msgspec.Struct)


async def fetch(pool: Pool, name: str, into: type[S], /, **arguments: Any) -> list[S]:
    """All rows of a query; raises `Unavailable` where the database is away."""
    async with connection(pool) as lent:
        cursor = lent.cursor(row_factory=dict_row)
        await cursor.execute(query(name), arguments, prepare=True)
        rows: list[dict[str, Any]] = await cursor.fetchall()
    return [into(**{field: row[field] for field in into.__struct_fields__ if field in row}) for row in rows]


async def first(pool: Pool, name: str, into: type[S], /, **arguments: Any) -> S | None:
    """The first row of a query, or nothing."""
    rows = await fetch(pool, name, into, **arguments)
    return rows[0] if rows else None


async def carry_out(pool: Pool, name: str, /, **arguments: Any) -> int:
    """Carries a statement out and gives the number of rows that it touched."""
    async with connection(pool) as lent:
        cursor = await lent.execute(query(name), arguments, prepare=True)
        return cursor.rowcount
