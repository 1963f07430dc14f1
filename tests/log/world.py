"""A log with its recorder on a database, and evenings to record in it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from uuid import UUID, uuid4, uuid5

import msgspec
import psycopg

from domain.entries import AnyEntry
from domain.record import parse_line
from domain.refusal import Refusal
from service.database import Database, connected
from service.envelope import Actor
from service.facts import Writer
from service.log import Log
from service.queries import query
from service.record import Batch, Conflicted, Players, Recorded, Recorder, Rejected

SESSIONS = Path(__file__).parent.parent / "golden" / "sessions"
CLUB = "01890a5d-ac96-774b-bcce-b302099a8057"
TABLET = Actor(key="01890a5d-0000-7000-8000-000000000001", role="recorder", device="the tablet by the window")


class Names:
    """A register that knows everybody: a name's id is computed from it, an id stands for itself."""

    async def players(self, club_id: str, names: Sequence[str], beside: Collection[str] = ()) -> Players | Refusal:
        return Players({name: player(name, club_id) for name in names})


def player(name: str, club_id: str = CLUB) -> str:
    try:
        return str(UUID(name))
    except ValueError:
        return str(uuid5(UUID(club_id), name))


class World:
    """One process's view of the log."""

    def __init__(self, database: Database, club: str = CLUB) -> None:
        self.database = database
        self.log = Log(database)
        self.recorder = Recorder(self.log, Names(), Writer())
        self.club = club

    async def send(
        self, session: str, entries: Sequence[AnyEntry], expected: int | None = None, dry_run: bool = False
    ) -> Recorded | Rejected | Conflicted:
        batch = Batch(
            club_id=self.club,
            session_id=session,
            entries=tuple(entries),
            expected=expected,
            actor=TABLET,
            dry_run=dry_run,
        )
        return await self.recorder.record(batch)

    async def take(self, session: str, entries: Sequence[AnyEntry], expected: int | None = None) -> Recorded:
        """Sends entries that must be taken."""
        answer = await self.send(session, entries, expected)
        assert isinstance(answer, Recorded), answer
        return answer

    async def bodies(self, session: str) -> list[bytes]:
        return await self.log.read(session)


@asynccontextmanager
async def world(url: str, *, club: str = CLUB, give_up: float = 60) -> AsyncIterator[World]:
    async with connected(url, give_up=give_up) as database:
        here = World(database, club)
        try:
            yield here
        finally:
            await here.log.close()


def evening(name: str) -> list[AnyEntry]:
    """The entries of one of the worked evenings, each with an id."""
    lines = (SESSIONS / f"{name}.jsonl").read_bytes().splitlines()
    entries = [parse_line(line) for line in lines if line.strip()]
    return [msgspec.structs.replace(entry, id=f"{name}-{at}") for at, entry in enumerate(entries)]


def new_session() -> str:
    return str(uuid4())


def broken_links(url: str, session: str | None = None) -> list[tuple[str, int]]:
    """What the shipped query says against the chains."""
    with psycopg.connect(url) as connection:
        return connection.execute(query("verify_chain"), {"session": session}).fetchall()
