"""The reference of the HTTP lines: a minimal Litestar handler that does one INSERT a POST and nothing else.

The row has the shape and size of an event of the log, and the table its keys.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from itertools import count
from uuid import UUID

from litestar import Litestar, Response, post
from litestar.datastructures import State
from psycopg import AsyncConnection
from psycopg_pool import AsyncConnectionPool

from ops.bench.evenings import DEVICE, KEY
from ops.memory import settle
from ops.serving import die_with_parent
from service.queries import query

DATABASE = "BOSTON_BENCH_DATABASE"
CONNECTIONS = 8
BODY = (
    '{"session":"%s","version":%d,"entry":%d,"id":"0000-00000-00000008","key":"%s","role":"recorder","device":"%s",'
    '"at":"2026-11-30T20:15:00.000000Z","tablet":"2026-11-30T20:15:00+01:00",'
    '"data":{"type":"card_played","seat":"N","card":"TC"}}'
)


@post("/append/{session:uuid}", status_code=200)
async def append(session: UUID, state: State) -> Response[bytes]:
    """Inserts one row, and answers once it is durable."""
    version = next(state.versions)
    body = (BODY % (session, version, version, KEY, DEVICE)).encode()
    row = (session, version, version, f"{version}", "card_played", datetime.now(UTC), body, bytes(32))
    async with state.pool.connection() as connection:
        await connection.execute(query("reference_insert", "ops.bench"), row, prepare=True)
    return Response(b'{"version":%d}' % version, media_type="application/json")


def application() -> Litestar:
    """The application of a worker."""
    die_with_parent()

    @asynccontextmanager
    async def running(app: Litestar) -> AsyncIterator[None]:
        pool: AsyncConnectionPool[AsyncConnection] = AsyncConnectionPool(
            os.environ[DATABASE], kwargs={"autocommit": True}, min_size=CONNECTIONS, max_size=CONNECTIONS, open=False
        )
        async with pool:
            app.state.pool, app.state.versions = pool, count(1)
            yield

    app = Litestar([append], lifespan=[running], openapi_config=None)
    settle()
    return app
