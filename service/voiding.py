"""Voiding: a session is taken out of every statistic and stays in the log."""

from __future__ import annotations

from collections.abc import Iterable

from service.append import Also
from service.database import Database
from service.folded import Folded
from service.log import connection
from service.principal import utcnow
from service.queries import query


class Voiding:
    """Voids sessions, rows of projections included, in one transaction."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def __call__(self, folded: Folded, reason: str, also: Iterable[Also]) -> bool:
        """Voids the session as it was folded, which again changes nothing; false where it has moved on meanwhile."""
        arguments = {"session": folded.session_id, "club": folded.club_id, "version": folded.version}
        async with connection(self._database.reads) as lent, lent.transaction():
            done = await lent.execute(query("session_void"), arguments | {"reason": reason, "now": utcnow()})
            if done.rowcount == 0:
                return False
            for each in also if not folded.voided else ():
                await lent.execute(each.sql, each.arguments)
        return True
