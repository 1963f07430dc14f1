"""The service's way to PostgreSQL: two pools that come back by themselves.

`reads` serves queries, `writes` the log's appends, whose plans are pinned to index look-ups so that
an append costs the same in a long log as in an empty one. Whoever signs in, every connection acts
as the role `boston_service`. A connection is checked before it is handed out, without a round
trip: what the server has closed shows in the socket. A pool that gave up on a server which stayed away
for minutes is set going again, for as long as the service lives.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg import AsyncConnection
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg_pool import AsyncConnectionPool


class Connection(AsyncConnection[tuple[Any, ...]]):
    """A connection that keeps the server's warnings until somebody clears them, and names of prepared statements."""

    warnings: list[str]
    prepared: dict[bytes, bytes]


Pool = AsyncConnectionPool[Connection]

ROLE = "boston_service"
WAIT = 5.0
"""Seconds that a request waits for a connection before it is told that the database is away."""

GIVE_UP = 60.0
"""Seconds after which a pool stops knocking by itself and asks to be set going again."""

INDEX_ONLY = ("enable_seqscan=off", "enable_hashjoin=off", "enable_mergejoin=off", "plan_cache_mode=force_generic_plan")

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Database:
    """The open pools."""

    reads: Pool
    writes: Pool


@asynccontextmanager
async def connected(url: str, *, reads: int = 6, writes: int = 4, give_up: float = GIVE_UP) -> AsyncIterator[Database]:
    """Opens both pools; they close with the block. Does not wait for the server: it may come up later."""
    reading, writing = pool(url, reads, give_up=give_up), pool(url, writes, INDEX_ONLY, give_up=give_up)
    async with reading, writing:
        yield Database(reading, writing)


def pool(url: str, size: int, settings: tuple[str, ...] = (), *, give_up: float = GIVE_UP) -> Pool:
    """A pool, not yet open, of at most `size` connections in autocommit with these server settings."""
    return AsyncConnectionPool(
        as_service(url, settings),
        connection_class=Connection,
        kwargs={"autocommit": True, "prepare_threshold": 2, "connect_timeout": 5},
        min_size=1,
        max_size=size,
        timeout=WAIT,
        configure=_configure,
        check=check,
        reconnect_timeout=give_up,
        reconnect_failed=_knock_again,
        open=False,
        name="boston",
    )


def as_service(url: str, settings: tuple[str, ...] = ()) -> str:
    """The same server, acting as the service's role."""
    options = [conninfo_to_dict(url).get("options"), *(f"-c {setting}" for setting in (f"role={ROLE}", *settings))]
    defaults = {"application_name": "boston", "keepalives_idle": "30", "tcp_user_timeout": "30000"}
    return make_conninfo(url, options=" ".join(str(option) for option in options if option), **defaults)


async def check(connection: Connection) -> None:
    """Raises `OperationalError` when the server has closed the connection."""
    if not usable(connection):
        raise psycopg.OperationalError("the connection is closed")


def usable(connection: Connection) -> bool:
    """Is the connection open, as far as the socket tells? The server is not asked."""
    try:
        connection.pgconn.consume_input()
        # The first look may find the server's farewell, the second what came after it: the end.
        connection.pgconn.consume_input()
    except psycopg.OperationalError:
        return False
    return connection.pgconn.status == psycopg.pq.ConnStatus.OK


async def _configure(connection: Connection) -> None:
    connection.prepared = {}
    connection.warnings = warnings = []

    def heard(diagnostic: psycopg.errors.Diagnostic) -> None:
        if diagnostic.severity_nonlocalized == "WARNING":
            warnings.append(diagnostic.message_primary or "")

    connection.add_notice_handler(heard)


async def _knock_again(pool: AsyncConnectionPool[Any]) -> None:
    log.warning("the database does not answer; trying on")
    await pool.check()
