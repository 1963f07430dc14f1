"""The filters that every statistic takes, and the persons that they name.

One person may be known by several ids (`service.persons`); a filter by any of them means the person.
"""

from __future__ import annotations

import datetime
from typing import Any, Literal

import msgspec

from domain.ladder import Contract
from domain.seats import Seat
from service.database import Connection
from service.problems import Problem, not_found
from service.queries import query

Role = Literal["caller", "defender", "partout"]
Evidence = Literal["cards", "partial", "result"]


class Filters(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a figure is about; dates are club-local and both inclusive. Nothing given lets everything through."""

    player: str | None = None
    ruleset: str | None = None
    since: datetime.date | None = None
    until: datetime.date | None = None
    seat: Seat | None = None
    role: Role | None = None
    contract: Contract | None = None
    opponent: str | None = None
    evidence: Evidence | None = None
    table: str | None = None


class Person(msgspec.Struct, frozen=True):
    """Somebody with all the ids that stand for him; the name is null when it was erased."""

    player_id: str
    name: str | None
    ids: list[str]


async def person(lent: Connection, club_id: str, player_id: str) -> Person:
    """The person behind an id; raises a problem where the club knows none."""
    cursor = await lent.execute(query("person", "projections"), {"club": club_id, "player": player_id}, prepare=False)
    row = await cursor.fetchone()
    if row is None:
        raise not_found("player")
    return Person(row[0], row[1], row[2])


async def arguments(lent: Connection, club_id: str, filters: Filters) -> dict[str, Any]:
    """The filters as arguments of a statistic's SQL."""
    who = await person(lent, club_id, filters.player) if filters.player else None
    against = await person(lent, club_id, filters.opponent) if filters.opponent else None
    return {
        "club": club_id,
        "players": None if who is None else who.ids,
        "ruleset": filters.ruleset,
        "since": filters.since,
        "until": filters.until,
        "seat": filters.seat,
        "role": filters.role,
        "contract": filters.contract,
        "against": None if against is None else against.ids,
        "evidence": filters.evidence,
        "table": filters.table,
    }


def season(year: int, start: str) -> tuple[datetime.date, datetime.date]:
    """The first and the last day of the season that begins in a year on the club's day `start`, written MM-DD."""
    month, day = (int(part) for part in start.split("-"))
    try:
        first = datetime.date(year, month, day)
        following = datetime.date(year + 1, month, day)
    except ValueError as error:
        raise Problem(400, "malformed", f"the season of {year} cannot begin on {start}") from error
    return first, following - datetime.timedelta(days=1)
