"""Is the service alive, can it answer, and if not, why not?"""

from __future__ import annotations

from typing import Literal

import msgspec
from litestar import Response, get
from litestar.datastructures import State

from service.log import Unavailable, connection


class Health(msgspec.Struct, frozen=True):
    """`cause` says in a sentence what is wrong, and is empty when nothing is."""

    live: bool
    ready: bool
    cause: str
    database: Literal["answers", "away"]
    listeners: int


@get("/health/live", opt={"roles": "anyone"})
async def live() -> dict[str, bool]:
    """The process answers."""
    return {"live": True}


@get(["/health", "/health/ready"], opt={"roles": "anyone"})
async def ready(state: State) -> Response[Health]:
    """The service can record: its database answers, and with the tables that it needs."""
    cause = ""
    database: Literal["answers", "away"] = "answers"
    try:
        async with connection(state.database.reads) as lent:
            await lent.execute("SELECT version FROM boston.sessions LIMIT 1")
    except Unavailable:
        cause, database = "the database does not answer; is PostgreSQL running?", "away"
    except Exception as error:
        cause = f"the database cannot be used: {type(error).__name__}; was boston migrate run?"
    told = Health(True, not cause, cause, database, state.watch.listeners)
    return Response(told, status_code=200 if not cause else 503, headers={"cache-control": "no-store"})


ROUTES = [live, ready]
