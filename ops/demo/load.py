"""The demo club in a database: its evenings go in by import, like anybody's records, and go out with the club."""

from __future__ import annotations

import asyncio
import datetime
from collections import Counter
from collections.abc import Callable, Iterator

import msgspec
import psycopg

from domain.rulesets import AMERICAN_DECIMAL
from ops.demo.evenings import MIXED, Plan, evenings
from ops.importing import Importer
from ops.recordfile import Record
from ops.removal import remove_club
from service.clubs import Club, Clubs
from service.database import Database, connected
from service.envelope import Actor
from service.facts import Writer
from service.log import Log
from service.queries import query
from service.record import Recorder
from service.register import Register

NAME = "Demo club"
ROLE = "demo"
"""Who recorded the demo's evenings, as the log tells it: by this they are told from evenings recorded by hand."""


class Loaded(msgspec.Struct, frozen=True):
    """What a load came to; `known` evenings were there already."""

    club: Club
    imported: int
    known: int


def first_plan(today: datetime.date) -> Plan:
    """The demo of a new data folder: a year's evenings, one table still playing; it loads in a few seconds."""
    return Plan(1, 60, today - datetime.timedelta(365), today, under_way=True)


def load(url: str, plan: Plan, name: str = NAME, progress: Callable[[int], None] = lambda done: None) -> Loaded:
    """Loads a plan's evenings into a demo club of this name, made when there is none; twice is once.

    Raises `ValueError` where the plan cannot be carried out.
    """
    return asyncio.run(_load(url, plan, name, progress))


async def _load(url: str, plan: Plan, name: str, progress: Callable[[int], None]) -> Loaded:
    records = _records(plan)
    # A plan that cannot be carried out must not leave an empty club behind.
    first = next(records)
    async with connected(url) as database:
        club = await _club(database, plan, name)
        log = Log(database)
        recorder = Recorder(log, Register(database), Writer(), keep=8)
        importer = Importer(database, recorder, club.club_id, Actor(role=ROLE))
        outcomes: Counter[str] = Counter()
        try:
            async for brought in importer.bring_all(_chain(first, records)):
                if brought.faults:
                    raise AssertionError(f"evening {brought.source}: {brought.faults[0]}")
                outcomes[brought.outcome] += 1
                progress(outcomes.total())
        finally:
            await log.close()
    return Loaded(club, outcomes["imported"], outcomes["known"])


def _records(plan: Plan) -> Iterator[tuple[str, Record]]:
    for number, entries in enumerate(evenings(plan), start=1):
        yield str(number), Record(tuple(entries), tuple(range(1, len(entries) + 1)))


def _chain(first: tuple[str, Record], rest: Iterator[tuple[str, Record]]) -> Iterator[tuple[str, Record]]:
    yield first
    yield from rest


async def _club(database: Database, plan: Plan, name: str) -> Club:
    clubs = Clubs(database)
    for club in await clubs.all():
        if club.demo and club.name == name:
            return club
    ruleset = AMERICAN_DECIMAL.id if plan.rules == MIXED else plan.rules
    return await clubs.make(name, plan.time_zone, ruleset, demo=True)


class RecordedByHand(Exception):
    """A demo club holds evenings that are not the demo's; `sessions` is how many."""

    def __init__(self, club: Club, sessions: int) -> None:
        super().__init__(club.name)
        self.club, self.sessions = club, sessions


def remove(url: str, name: str | None = None, with_recorded: bool = False) -> list[tuple[Club, int]]:
    """Removes the demo club of this name, or all, each with the number of its sessions; `url` is the owner's.

    Raises `RecordedByHand`, and removes nothing, where other evenings would go too and `with_recorded` is false.
    """
    clubs = asyncio.run(_demo_clubs(url, name))
    if not with_recorded:
        with psycopg.connect(url) as connection:
            for club in clubs:
                found = connection.execute(query("recorded_sessions", "ops"), {"club": club.club_id}).fetchone()
                if found is not None and found[0]:
                    raise RecordedByHand(club, found[0])
    return [(club, remove_club(url, club.club_id)) for club in clubs]


async def _demo_clubs(url: str, name: str | None) -> list[Club]:
    async with connected(url) as database:
        return [club for club in await Clubs(database).all() if club.demo and name in (None, club.name)]
