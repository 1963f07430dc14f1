"""Bringing records into a club: one transaction a record, taken whole or not at all, the same evening only once.

A record that goes on where the club's own of that session ends adds what is new. Several records are on their way at a
time, so that a commit is not waited for by the next. Records that bring new players go one after another: a name that
stands in two of them is one player.
"""

import asyncio
from collections.abc import AsyncIterator, Iterable
from typing import Literal
from weakref import WeakValueDictionary

import msgspec

from ops.recognition import Evenings
from ops.recordfile import Fault, Record
from service.database import Database
from service.envelope import Actor
from service.record import Batch, Recorded, Recorder, Rejected
from service.seating import called

AT_ONCE = 4
"""Records on their way to the database at a time."""


class Brought(msgspec.Struct, frozen=True):
    """What became of a record. `source` is whatever the caller knows it by."""

    source: str
    outcome: Literal["imported", "known", "refused"]
    session_id: str | None = None
    faults: tuple[Fault, ...] = ()


class Importer:
    """Brings records into one club."""

    def __init__(self, database: Database, recorder: Recorder, club_id: str, actor: Actor) -> None:
        self._recorder, self._club_id, self._actor = recorder, club_id, actor
        self._evenings = Evenings(database, recorder, club_id)
        self._known: set[str] = set()
        self._naming = asyncio.Lock()
        self._alike: WeakValueDictionary[tuple[str, int], asyncio.Lock] = WeakValueDictionary()

    async def bring_all(self, records: Iterable[tuple[str, Record | list[Fault]]]) -> AsyncIterator[Brought]:
        """Brings records in, each with the name of its source; tells what became of each, not always in their order.

        Takes the next record only when there is room for it, so there may be any number.
        """
        under_way: set[asyncio.Task[Brought]] = set()
        try:
            for source, record in records:
                under_way.add(asyncio.create_task(self.bring(source, record)))
                while len(under_way) >= AT_ONCE:
                    done, under_way = await asyncio.wait(under_way, return_when=asyncio.FIRST_COMPLETED)
                    for task in done:
                        yield task.result()
            while under_way:
                done, under_way = await asyncio.wait(under_way, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    yield task.result()
        finally:
            # An append under way ends by itself; only its answer is not waited for.
            for task in under_way:
                task.cancel()

    async def bring(self, source: str, record: Record | list[Fault]) -> Brought:
        """Brings one record in. Raises what `Recorder.record` raises: then it is not known whether it is in."""
        if not isinstance(record, Record):
            return Brought(source, "refused", None, tuple(record))
        names = {name for entry in record.entries for name in called(entry)}
        if names <= self._known:
            return await self._record(source, record)
        async with self._naming:
            brought = await self._record(source, record)
            if brought.outcome == "imported":
                self._known |= names
        return brought

    async def _record(self, source: str, record: Record) -> Brought:
        # The second of two copies that come at the same time has to find the first.
        copies = (record.opening.date, len(record.entries))
        async with self._alike.setdefault(copies, asyncio.Lock()):
            digest = record.digest
            place = await self._evenings.place(record, digest)
            if isinstance(place, Fault):
                return Brought(source, "refused", None, (place,))
            if place.held:
                return Brought(source, "known", place.session)
            return await self._append(source, record, place.session, digest)

    async def _append(self, source: str, record: Record, session: str, digest: bytes) -> Brought:
        batch = Batch(
            club_id=self._club_id,
            session_id=session,
            entries=record.entries,
            expected=0,
            actor=self._actor,
            digest=digest,
        )
        answer = await self._recorder.record(batch)
        if isinstance(answer, Recorded):
            known = all(entry.replayed for entry in answer.entries)
            return Brought(source, "known" if known else "imported", session)
        if isinstance(answer, Rejected):
            faults = (
                Fault(record.lines[problem.index], problem.refusal.code, problem.refusal.rule, problem.refusal.message)
                for problem in answer.problems
            )
            return Brought(source, "refused", None, tuple(faults))
        text = f"session {session} is being recorded at this moment; import the record again when it rests"
        return Brought(source, "refused", None, (Fault(0, "version_conflict", None, text),))
