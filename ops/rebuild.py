"""Rebuilding projections: computed again from the log into a second set of tables, while the service goes on.

Triggers let every append write both sets from before the first session is read. A session is read with its
head locked, so an append to it comes wholly before or wholly after. The new rows are read back and must equal
the fold they come from, the sums must hold, and what was appended meanwhile is folded once more under the
lock in which the second set takes the place of the first. What the first set had otherwise is reported, no more.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from typing import Any

import msgspec
import psycopg
from psycopg import sql

from ops.copytext import copy_text
from ops.facts import CHUNK, Difference, differences, fresh, stored
from ops.memory import settle
from projections import BY_NAME, Projection
from service.queries import query

LOCK = 0x72656275696C64
"""Held while a rebuild runs: "rebuild" in ASCII."""

NEXT = "facts_next"
PIECE = 500
"""Rows that are sent to the server at a time."""


class RebuildFailed(Exception):
    """The new rows were not put in place; the message says why. The old ones stand as they were."""


class Built(msgspec.Struct, frozen=True):
    """What was made of some sessions: the versions folded, how much, and how the old rows differed."""

    versions: dict[str, int]
    events: int
    rows: int
    changed: list[Difference]


class Rebuilt(msgspec.Struct):
    """What a rebuild did."""

    sessions: int = 0
    events: int = 0
    rows: int = 0
    changed: list[Difference] = []


def rebuild(
    url: str,
    names: Sequence[str] = (),
    workers: int = 1,
    progress: Callable[[int, int], None] = lambda done, all_: None,
) -> Rebuilt:
    """Rebuilds the named projections, or all, for a database's owner; `progress` is told the sessions done and all.

    Raises `RebuildFailed`; the old rows are then still in place and in use.
    """
    tables = [BY_NAME[name] for name in names or BY_NAME]
    report, versions = Rebuilt(), dict[str, int]()
    with psycopg.connect(url, autocommit=True) as connection:
        if not connection.execute("SELECT pg_try_advisory_lock(%s)", [LOCK]).fetchone()[0]:  # type: ignore[index]
            raise RebuildFailed("another rebuild is running; wait for it to end")
        _clear(connection)
        try:
            _prepare(connection, tables)
            ids = [row[0] for row in connection.execute(query("facts_sessions", "ops"), {"session": None})]
            for built in _build(url, ids, tables, workers):
                versions |= built.versions
                report.sessions += len(built.versions)
                report.events += built.events
                report.rows += built.rows
                report.changed += built.changed
                progress(report.sessions, len(ids))
            _index(connection, tables)
            _swap(connection, tables, versions)
        finally:
            _clear(connection)
    return report


def _build(url: str, ids: list[str], tables: list[Projection], workers: int) -> Iterator[Built]:
    names = [projection.name for projection in tables]
    jobs = [(url, names, ids[start : start + CHUNK]) for start in range(0, len(ids), CHUNK)]
    if workers <= 1:
        yield from map(build, jobs)
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=context, initializer=settle) as pool, _cancelling(pool):
        yield from pool.map(build, jobs)


@contextmanager
def _cancelling(pool: Executor) -> Iterator[None]:
    """Lets no job begin that nobody waits for."""
    try:
        yield
    except BaseException:
        pool.shutdown(cancel_futures=True)
        raise


_connections: dict[str, psycopg.Connection[Any]] = {}


def build(job: tuple[str, list[str], list[str]]) -> Built:
    """Makes the new rows of some sessions, in a process of its own that keeps its connection."""
    url, names, ids = job
    connection = _connections.get(url)
    if connection is None or connection.closed:
        connection = _connections[url] = psycopg.connect(url)
        # Should the server fall, the rebuild begins anew; it need not wait for every disk write.
        connection.execute("SET synchronous_commit = off")
        connection.commit()
    tables = [BY_NAME[name] for name in names]
    with connection.transaction():
        return _build_some(connection, tables, ids)


def _build_some(connection: psycopg.Connection[Any], tables: list[Projection], ids: list[str]) -> Built:
    connection.execute(query("rebuild_hold", "ops"), [ids])
    told, versions = {}, {}
    for id_, version, rows in fresh(connection, ids):
        told[id_], versions[id_] = rows, version
    count = 0
    for projection in tables:
        target = sql.Identifier(NEXT, projection.name)
        connection.execute(sql.SQL("DELETE FROM {} WHERE session_id = ANY (%s::uuid[])").format(target), [ids])
        columns = sql.SQL(", ").join(map(sql.Identifier, projection.columns))
        made = [row for rows in told.values() for row in rows[projection.name].values()]
        statement = sql.SQL("COPY {} ({}) FROM STDIN").format(target, columns)
        with connection.cursor() as cursor, cursor.copy(statement) as copy:
            for start in range(0, len(made), PIECE):
                copy.write(copy_text(made[start : start + PIECE]))
        count += len(made)
    _check(stored(connection, ids, tables, NEXT), told)
    return Built(versions, sum(versions.values()), count, list(_changed(connection, tables, ids, told)))


def _check(held: dict[str, Any], told: dict[str, Any]) -> None:
    for id_, rows in told.items():
        for difference in differences(id_, held[id_], rows):
            raise RebuildFailed(f"session {id_} does not read back as it was written: {difference}")


def _changed(
    connection: psycopg.Connection[Any], tables: list[Projection], ids: list[str], told: dict[str, Any]
) -> Iterator[Difference]:
    """How the old rows of some sessions differ; only sessions for which the server finds a difference are read."""
    for projection in tables:
        old, new = sql.Identifier("facts", projection.name), sql.Identifier(NEXT, projection.name)
        statement = sql.SQL(
            "WITH old AS (SELECT * FROM {old} WHERE session_id = ANY (%(ids)s::uuid[])),"
            " new AS (SELECT * FROM {new} WHERE session_id = ANY (%(ids)s::uuid[]))"
            " SELECT session_id::text FROM (TABLE old EXCEPT TABLE new) AS gone"
            " UNION SELECT session_id::text FROM (TABLE new EXCEPT TABLE old) AS come"
        ).format(old=old, new=new)
        otherwise = [row[0] for row in connection.execute(statement, {"ids": ids})]
        if otherwise:
            held = stored(connection, otherwise, [projection])
            for id_ in otherwise:
                yield from differences(id_, held[id_], told[id_])


def _prepare(connection: psycopg.Connection[Any], tables: list[Projection]) -> None:
    """The empty second set, and the triggers by which appends write both."""
    with connection.transaction():
        connection.execute(query("rebuild_mirror", "ops"))
        for projection in tables:
            old, new = sql.Identifier("facts", projection.name), sql.Identifier(NEXT, projection.name)
            connection.execute(
                sql.SQL("CREATE TABLE {} (LIKE {} INCLUDING CONSTRAINTS INCLUDING COMMENTS)").format(new, old)
            )
            key = sql.SQL(", ").join(map(sql.Identifier, projection.columns[: projection.key]))
            connection.execute(sql.SQL("ALTER TABLE {} ADD PRIMARY KEY ({})").format(new, key))
            same = " AND ".join(f"f.{name} = ($1).{name}" for name in projection.columns[: projection.key])
            connection.execute(
                sql.SQL(
                    "CREATE TRIGGER mirror AFTER INSERT OR DELETE ON {} FOR EACH ROW"
                    " EXECUTE FUNCTION facts_next.mirror({})"
                ).format(old, sql.Literal(same))
            )


def _index(connection: psycopg.Connection[Any], tables: list[Projection]) -> None:
    """The other indexes, the same as the first set has; made at the end, which is faster than filling them."""
    for projection in tables:
        for (definition,) in connection.execute(query("rebuild_indexes", "ops"), [projection.name]).fetchall():
            connection.execute(definition)
        connection.execute(sql.SQL("ANALYZE {}").format(sql.Identifier(NEXT, projection.name)))


def _swap(connection: psycopg.Connection[Any], tables: list[Projection], versions: dict[str, int]) -> None:
    """Puts the second set in the place of the first, if it holds."""
    with connection.transaction():
        connection.execute("SET LOCAL lock_timeout = '30s'")
        for projection in tables:
            connection.execute(
                sql.SQL("LOCK TABLE {} IN ACCESS EXCLUSIVE MODE").format(sql.Identifier("facts", projection.name))
            )
        moved = [
            id_ for id_, version in connection.execute(query("rebuild_heads", "ops")) if versions.get(id_) != version
        ]
        for start in range(0, len(moved), CHUNK):
            chunk = moved[start : start + CHUNK]
            held = stored(connection, chunk, tables, NEXT)
            _check(held, {id_: rows for id_, _, rows in fresh(connection, chunk)})
        if any(projection.name == "ledger" for projection in tables):
            for id_, amount in connection.execute(query("rebuild_sums", "ops")):
                raise RebuildFailed(f"the ledger of session {id_} is out by {amount}")
        for projection in tables:
            old, new = sql.Identifier("facts", projection.name), sql.Identifier(NEXT, projection.name)
            connection.execute(sql.SQL("DROP TABLE {}").format(old))
            connection.execute(sql.SQL("ALTER TABLE {} SET SCHEMA facts").format(new))
            connection.execute(sql.SQL("GRANT SELECT, INSERT, DELETE ON {} TO boston_service").format(old))


def _clear(connection: psycopg.Connection[Any]) -> None:
    """Takes away what a rebuild, this one or one that was killed, has left."""
    for projection in BY_NAME.values():
        old, new = sql.Identifier("facts", projection.name), sql.Identifier(NEXT, projection.name)
        connection.execute(sql.SQL("DROP TRIGGER IF EXISTS mirror ON {}").format(old))
        connection.execute(sql.SQL("DROP TABLE IF EXISTS {}").format(new))
    connection.execute("DROP FUNCTION IF EXISTS facts_next.mirror()")
