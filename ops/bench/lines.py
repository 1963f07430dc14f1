"""The lines of the table: what is measured, against what, and the limit of each ratio."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import pairwise
from typing import TypeVar
from uuid import UUID, uuid4

import msgspec
import psycopg
from rich.console import Console

from domain.entries import AnyEntry, Open, Reseat
from ops.bench import evenings as written
from ops.bench.bulk import Values, copied, count, fill, values
from ops.bench.load import Inserter, Recorder, latency, rate
from ops.bench.pairs import Line, line
from ops.bench.reference import DATABASE
from ops.bench.servers import served
from ops.importing import Importer
from ops.memory import settle
from ops.recordfile import Record
from ops.serving import TOLD
from service.append import Append, Opening
from service.clubs import Club, Clubs
from service.database import connected
from service.envelope import Actor, Sealed, decode
from service.facts import Writer
from service.folded import Folded
from service.keys import Safe
from service.log import Log
from service.record import Players
from service.record import Recorder as LogRecorder
from service.register import Register
from service.seating import seated
from service.settings import Settings

T = TypeVar("T")

TURNS = 12
"""Short turns that make a measurement over HTTP."""


def http(url: str, pairs: int, console: Console) -> Iterator[Line]:
    """One entry a request, authenticated, judged, chained; against a handler with one INSERT and nothing else."""
    club, key = asyncio.run(_club(url))
    evenings = asyncio.run(_known(url, club, written.written(24)))
    settings = Settings(database_url=url)
    ours = served("ops.serving:application", {TOLD: msgspec.json.encode(settings, enc_hook=str).decode()})
    theirs = served("ops.bench.reference:application", {DATABASE: url})
    with ours as our_port, theirs as their_port:
        console.log("append over HTTP, 1 client")
        yield line(
            "append over HTTP, 1 client, median latency",
            "us",
            pairs,
            latency(our_port, Recorder(key, evenings, 0), 400),
            latency(their_port, Inserter(), 400),
            at_most=1.2,
            turns=TURNS,
        )
        console.log("append over HTTP, 32 clients on 32 sessions")
        yield line(
            "append over HTTP, 32 clients on 32 sessions, rate",
            "/s",
            pairs,
            rate(our_port, [Recorder(key, evenings, place) for place in range(32)], 0.5),
            rate(their_port, [Inserter() for _ in range(32)], 0.5),
            at_least=1.0,
            turns=TURNS,
        )


async def _club(url: str) -> tuple[Club, str]:
    async with connected(url) as database:
        club = await Clubs(database).make("Bench", "Europe/Berlin", "american-decimal")
        made = await Safe(database).make_key(club.club_id, "bench", "recorder")
        return club, made.key


async def _known(url: str, club: Club, evenings: Sequence[list[AnyEntry]]) -> list[list[AnyEntry]]:
    """The same evenings of players whom the register knows, by their ids."""
    entries = [entry for evening in evenings for entry in evening if isinstance(entry, Open | Reseat)]
    async with connected(url) as database:
        players = await Register(database).players(club.club_id, sorted({name for e in entries for name in e.seats}))
        assert isinstance(players, Players), players
        async with database.writes.connection() as connection:
            for also in players.also:
                await connection.execute(also.sql, also.arguments)
    return [[seated(entry, players.ids) for entry in evening] for evening in evenings]


def importing(url: str, pairs: int, console: Console) -> Iterator[Line]:
    """Whole evenings, one process, judged and chained, then with their rows too; against psycopg COPY of event rows."""
    club, _ = asyncio.run(_club(url))
    for name, rows, limit in (("", None, 0.4), (" with all projections", Writer(), 0.25)):
        console.log(f"import{name}")
        seed = 1000 if rows is None else 3000
        batches = iter([written.written(12, seed=seed + n) for n in range(pairs + 1)])
        copies = iter([_rows(written.written(12, seed=seed + 500 + n)) for n in range(pairs + 1)])
        settle()
        with _importer(url, club, rows) as bring:
            yield line(
                f"import of whole evenings{name}, events",
                "/s",
                pairs,
                partial(_next, bring, batches),
                partial(_next, partial(copied, url), copies),
                at_least=limit,
            )


def _next(measure: Callable[[T], float], batches: Iterator[T]) -> float:
    return measure(next(batches))


def _rows(evenings: Sequence[list[AnyEntry]]) -> list[Values]:
    sealed = map(written.sealed, evenings)
    return [row for session, rows in sealed for row in values(UUID(session), rows)]


@contextmanager
def _importer(url: str, club: Club, rows: Writer | None) -> Iterator[Callable[[Sequence[list[AnyEntry]]], float]]:
    """Imports evenings and gives the events a second; the connections are made before."""
    with asyncio.Runner() as runner:
        entered = connected(url)
        database = runner.run(entered.__aenter__())
        log = Log(database)
        importer = Importer(database, LogRecorder(log, Register(database), rows), club.club_id, Actor(role="admin"))

        async def bring(records: Sequence[Record]) -> int:
            sessions = []
            async for brought in importer.bring_all((str(n), record) for n, record in enumerate(records)):
                assert brought.outcome == "imported", brought
                sessions.append(brought.session_id)
            return len(sessions)

        def measure(evenings: Sequence[list[AnyEntry]]) -> float:
            records = [Record(tuple(entries), tuple(range(1, len(entries) + 1))) for entries in evenings]
            before = _events(url)
            start = time.perf_counter()
            runner.run(bring(records))
            taken = time.perf_counter() - start
            return (_events(url) - before) / taken

        yield measure
        runner.run(log.close())
        runner.run(entered.__aexit__(None, None, None))


def _events(url: str) -> int:
    with psycopg.connect(url) as connection:
        return count(connection)


def folding(pairs: int, console: Console) -> Iterator[Line]:
    """From stored bytes to the state, one core, as the service does it; against decoding the same bytes alone."""
    console.log("fold")
    streams = [[row.body for row in written.sealed(entries)[1]] for entries in written.written(24)]
    events = sum(map(len, streams))
    settle()

    def fold() -> float:
        start = time.perf_counter()
        for bodies in streams:
            Folded("", "").read(bodies)
        return events / (time.perf_counter() - start)

    def only_decode() -> float:
        start = time.perf_counter()
        for bodies in streams:
            for body in bodies:
                decode(body)
        return events / (time.perf_counter() - start)

    yield line("fold from stored bytes to state, events", "/s", pairs, fold, only_decode, at_least=0.1)


def long_log(url: str, empty: str, pairs: int, events: int, console: Console) -> Iterator[Line]:
    """An append, and the opening of a session, in a log of millions of events; against the same in an empty one."""
    console.log(f"filling a log with {events:,} events")
    fill(url, events)
    console.log("append and open in the long log")
    with asyncio.Runner() as runner:
        doors = [connected(one) for one in (url, empty)]
        long, short = (Log(runner.run(door.__aenter__())) for door in doors)
        name = f"append in a log of {events:,} events, median latency"
        yield line(name, "us", pairs, _appending(runner, long), _appending(runner, short), at_most=1.1)
        name = f"open a session in a log of {events:,} events"
        yield line(name, "us", pairs, _opening(runner, long), _opening(runner, short), at_most=1.1)
        for log, door in zip((long, short), doors, strict=True):
            runner.run(log.close())
            runner.run(door.__aexit__(None, None, None))


def _appending(runner: asyncio.Runner, log: Log) -> Callable[[], float]:
    entries = written.written(1)[0]
    _, rows = written.sealed(entries)

    async def appends() -> float:
        session, taken = str(uuid4()), []
        await log.append(_first(session, rows[:2]))
        for before, row in pairwise(rows[1:400]):
            append = Append(
                session_id=session, base=before.version, base_hash=before.hash, events=[_renamed(row)], phase="play"
            )
            start = time.perf_counter()
            assert await log.append(append)
            taken.append(time.perf_counter() - start)
        return sorted(taken)[len(taken) // 2] * 1e6

    return lambda: runner.run(appends())


def _opening(runner: asyncio.Runner, log: Log) -> Callable[[], float]:
    _, rows = written.sealed(written.written(1)[0])
    session = str(uuid4())
    runner.run(log.append(_first(session, rows)))

    async def opens() -> float:
        taken = []
        for _ in range(40):
            start = time.perf_counter()
            head, bodies = await log.head(session), await log.read(session)
            taken.append(time.perf_counter() - start)
            assert head is not None
            assert len(bodies) == head.version
        return sorted(taken)[len(taken) // 2] * 1e6

    return lambda: runner.run(opens())


def _renamed(row: Sealed) -> Sealed:
    return row if row.entry_id is None else msgspec.structs.replace(row, entry_id=row.entry_id + "x")


def _first(session: str, rows: list[Sealed]) -> Append:
    opening = Opening(club_id=written.CLUB, date="2026-11-30", ruleset="american-decimal")
    return Append(session_id=session, base=0, base_hash=bytes(32), events=rows, phase="play", opening=opening)
