"""The projections' tables against the log: the rows of a fresh fold, the rows in the tables, and how they differ."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

import msgspec
import psycopg
from psycopg import sql
from psycopg.adapt import Loader
from psycopg.types.string import TextLoader

from ops.verify import Problem
from projections import ALL, BY_NAME, Meta, Projection, Row, Rows, evening
from projections import rows as rows_of
from service.envelope import decode
from service.queries import query

CHUNK = 40
"""Sessions that are read at a time."""

SHOWN: tuple[tuple[str, type[Loader]], ...] = (("uuid", TextLoader), ("date", TextLoader))
"""Ids and dates are text in events and stay so when rows are read, in order to compare."""


class Difference(msgspec.Struct, frozen=True):
    """A column of a row that is not what the log says; `column` is None where a whole row is missing or too much."""

    session: str
    table: str
    key: Row
    column: str | None
    held: Any
    told: Any

    def __str__(self) -> str:
        at = ", ".join(
            f"{name} {value}" for name, value in zip(BY_NAME[self.table].columns[1:], self.key[1:], strict=False)
        )
        where = f"{self.table}, {at}" if at else self.table
        if self.column is None:
            return f"{where}: a row that {'should be there is missing' if self.held is None else 'should not be there'}"
        return f"{where}: the column {self.column} says {self.held}, the log {self.told}"


def fresh(connection: psycopg.Connection[Any], sessions: Sequence[str]) -> Iterator[tuple[str, int, Rows]]:
    """Folds sessions from their events: for each its id, the version folded, and its rows."""
    heads = {id_: (club, void) for id_, club, void in connection.execute(query("facts_heads", "ops"), [list(sessions)])}
    read = connection.execute(query("facts_events", "ops"), [list(sessions)], binary=True)
    for id_, bodies in groupby(read, key=lambda row: row[0]):
        envelopes = [decode(row[1]) for row in bodies]
        club, void = heads[id_]
        yield id_, envelopes[-1].version, rows_of(evening(Meta(id_, club, void), envelopes))


def stored(
    connection: psycopg.Connection[Any],
    sessions: Sequence[str],
    tables: Iterable[Projection] = ALL,
    schema: str = "facts",
) -> dict[str, Rows]:
    """The rows in the tables, by session."""
    held: dict[str, Rows] = {id_: {projection.name: {} for projection in tables} for id_ in sessions}
    for projection in tables:
        with connection.cursor() as cursor:
            for name, loader in SHOWN:
                cursor.adapters.register_loader(name, loader)
            statement = sql.SQL("SELECT {} FROM {} WHERE session_id = ANY (%s::uuid[])").format(
                sql.SQL(", ").join(map(sql.Identifier, projection.columns)), sql.Identifier(schema, projection.name)
            )
            for row in cursor.execute(statement, [list(sessions)]):
                held[row[0]][projection.name][row[: projection.key]] = row
    return held


def differences(session: str, held: Rows, told: Rows) -> Iterator[Difference]:
    """Where a session's rows in the tables are not those of its log."""
    for name, rows in held.items():
        columns, due = BY_NAME[name].columns, told[name]
        for key in rows.keys() | due.keys():
            row, other = rows.get(key), due.get(key)
            if row is None or other is None:
                yield Difference(session, name, key, None, row, other)
                continue
            for column, has, says in zip(columns, row, other, strict=True):
                if has != says:
                    yield Difference(session, name, key, column, has, says)


def verify_facts(url: str, session: str | None = None, broken: Container[str] = ()) -> list[Problem]:
    """Compares all rows of all sessions, or of one, with a fresh fold, as of one moment; `broken` ones do not fold."""
    problems: list[Problem] = []
    with psycopg.connect(url) as connection:
        connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        connection.read_only = True
        known = connection.execute(query("facts_sessions", "ops"), {"session": session})
        ids = [id_ for (id_,) in known if id_ not in broken]
        for start in range(0, len(ids), CHUNK):
            chunk = ids[start : start + CHUNK]
            held = stored(connection, chunk)
            for id_, version, told in fresh(connection, chunk):
                found = list(differences(id_, held[id_], told))
                problems += [Problem(id_, version, "projection", str(difference)) for difference in found]
        for name, orphan in connection.execute(query("facts_orphans", "ops"), {"session": session}):
            problems.append(Problem(orphan, None, "projection", f"{name}: rows of a session that is not in the log"))
    return problems
