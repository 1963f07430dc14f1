"""Records out of a club, in the form that import takes.

Players are written by their names. Where a name is not one player's alone in the club, or was erased, the id stands
in its place; the club itself takes the id back as that player.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterable

import msgspec
from psycopg.rows import class_row

from domain.entries import AnyEntry
from service.database import Database
from service.log import Log, connection
from service.queries import query
from service.record import Recorder
from service.register import Register
from service.texts import ERASED
from service.transcript import all_entries, entries_in_force


class Kept(msgspec.Struct, frozen=True):
    """A session that a club keeps. What was recorded stays recorded, so a `voided` one is exported too."""

    session_id: str
    date: str
    table_name: str | None
    voided: bool

    @property
    def file_name(self) -> str:
        """A name for its record that sorts by evening and says which table it was."""
        table = re.sub(r"[^\w]+", "-", self.table_name or "").strip("-").casefold()[:60]
        return "-".join(filter(None, (self.date, table, self.session_id))) + ".jsonl"


class Exporter:
    """Reads the records of one club; `effective` leaves out what was taken back, `by_id` writes no names."""

    def __init__(self, database: Database, club_id: str, effective: bool = False, by_id: bool = False) -> None:
        self._database, self._club_id = database, club_id
        self._effective, self._by_id = effective, by_id
        self._recorder = Recorder(Log(database), Register(database), keep=1)

    async def sessions(self) -> list[Kept]:
        """The club's sessions, the oldest evening first."""
        async with connection(self._database.reads) as lent:
            cursor = lent.cursor(row_factory=class_row(Kept))
            await cursor.execute(query("club_sessions", "ops"), {"club": self._club_id})
            return await cursor.fetchall()

    async def records(self, kept: Iterable[Kept]) -> AsyncIterator[tuple[Kept, list[AnyEntry]]]:
        """The entries of each session; raises `LookupError` for one that the club does not have."""
        names = {} if self._by_id else await self._names()
        for session in kept:
            folded = await self._recorder.load(session.session_id, self._club_id)
            if folded is None:
                raise LookupError(session.session_id)
            yield session, (entries_in_force if self._effective else all_entries)(folded, names)

    async def _names(self) -> dict[str, str]:
        async with connection(self._database.reads) as lent:
            told = await lent.execute(query("club_players", "ops"), {"club": self._club_id, "erased": ERASED})
            return dict(await told.fetchall())
