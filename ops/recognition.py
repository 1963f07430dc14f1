"""Which session of a club a record is: the same evening goes in once, whichever way it comes.

A record that says which session it is, by its file's name, is that one, and has to agree with it entry by entry. Any
other, and one whose session another club of this box keeps, is known by what it says: any session of the club that
says the same is that evening, and where there is none its digest gives the id. Two sessions that were recorded at
tables are two evenings also where their records are alike to the last letter, as long as both keep their ids.
"""

from __future__ import annotations

import msgspec
from psycopg.rows import class_row

from ops.recordfile import Fault, Record, known_by_content, session_id
from service.database import Database
from service.log import connection
from service.queries import query
from service.record import Recorder


class Place(msgspec.Struct, frozen=True):
    """The session that a record is; `held` says that the club has all of it."""

    session: str
    held: bool


class _Candidate(msgspec.Struct, frozen=True):
    session_id: str
    club_id: str


class Evenings:
    """The evenings that a club keeps."""

    def __init__(self, database: Database, recorder: Recorder, club_id: str) -> None:
        self._database, self._recorder, self._club_id = database, recorder, club_id

    async def place(self, record: Record, digest: bytes) -> Place | Fault:
        """Where a record with this digest belongs, or why it cannot be the session that it says it is."""
        by_content = session_id(self._club_id, digest)
        kept = await self._candidates(record, by_content)
        named = record.session
        if named is not None and kept.get(named) == self._club_id:
            return await self._compared(named, record)
        wanted = by_content if named is None or named in kept else named
        for session, club in kept.items():
            # A record may have gone on since it was brought in: the id alone tells which it was.
            alike = club == self._club_id and (known_by_content(session) or known_by_content(wanted))
            if session == by_content or (alike and await self._differing(session, record) is None):
                return Place(session, held=True)
        return Place(wanted, held=False)

    async def _candidates(self, record: Record, by_content: str) -> dict[str, str]:
        """The clubs of the sessions that the record may be."""
        asked = {
            "ids": [by_content, *([record.session] if record.session else [])],
            "club": self._club_id,
            "date": record.opening.date,
            "entries": len(record.entries),
        }
        async with connection(self._database.reads) as lent:
            cursor = lent.cursor(row_factory=class_row(_Candidate))
            await cursor.execute(query("import_candidates", "ops"), asked)
            return {found.session_id: found.club_id for found in await cursor.fetchall()}

    async def _compared(self, session: str, record: Record) -> Place | Fault:
        at = await self._differing(session, record)
        if at is None:
            folded = await self._recorder.load(session, self._club_id)
            return Place(session, held=folded is not None and len(record.entries) <= folded.session.number)
        text = (
            f"session {session} is in the club already, and its entry {at + 1} says something else; "
            "the record of another evening goes into a file without that id in its name"
        )
        return Fault(record.lines[at], "session_differs", None, text)

    async def _differing(self, session: str, record: Record) -> int | None:
        """The place of the first entry that a session has otherwise, as far as both go."""
        folded = await self._recorder.load(session, self._club_id)
        if folded is None:
            return 0
        for at, (kept, sent) in enumerate(zip(folded.primaries(), record.entries, strict=False)):
            if not await self._recorder.same(folded, kept.version, sent):
                return at
        return None
