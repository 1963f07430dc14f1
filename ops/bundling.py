"""Bundles of a club's sessions, made on the box itself."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

from ops.exporting import Exporter, Kept
from service.database import Database
from service.log import Log
from service.proof.bundles import Bundles
from service.record import Recorder
from service.register import Register

SUFFIX = ".bundle.jsonl"


class Bundler:
    """Makes bundles of one club's sessions, open deals included: who owns the box can read them anyway."""

    def __init__(self, database: Database, club_id: str) -> None:
        self._club_id = club_id
        self._exporter = Exporter(database, club_id)
        log, register = Log(database), Register(database)
        self._recorder = Recorder(log, register, keep=1)
        self._bundles = Bundles(database, log, register)

    async def sessions(self) -> list[Kept]:
        """The club's sessions, the oldest evening first."""
        return await self._exporter.sessions()

    async def bundles(self, kept: Sequence[Kept]) -> AsyncIterator[tuple[str, bytes]]:
        """The name of a file and its content for each session; raises `LookupError` for one that is gone."""
        for session in kept:
            folded = await self._recorder.load(session.session_id, self._club_id)
            if folded is None:
                raise LookupError(session.session_id)
            yield session.file_name.removesuffix(".jsonl") + SUFFIX, await self._bundles.make(folded, folded.version)
