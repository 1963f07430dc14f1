"""Persons behind players' ids: two ids found to be one person, a person who leaves, a person who asks for his data.

The log knows ids and never changes. Ids of one person are tied by an alias, which can be taken back; a
person who leaves takes the name along, and every sum and everybody else's figures stay as they are.
"""

from __future__ import annotations

import datetime
from typing import Any

import msgspec
from psycopg.rows import dict_row

from service.database import Connection, Database
from service.filters import Person, person
from service.log import connection
from service.principal import utcnow
from service.problems import Problem, not_found
from service.queries import query


class PersonData(msgspec.Struct, frozen=True):
    """All that is kept of a person: what he is called, his keys, evenings, deals with his calls and cards, postings."""

    as_of: datetime.datetime
    person: Person
    keys: list[dict[str, Any]]
    sessions: list[dict[str, Any]]
    deals: list[dict[str, Any]]
    postings: list[dict[str, Any]]


class Persons:
    """Ties, unties, erases and exports persons of a club."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def merge(self, club_id: str, player_id: str, into: str, key_id: str | None) -> Person:
        """Lets `player_id` stand for the person of `into` in every figure; refused where both sat in one session."""
        async with connection(self._database.reads) as lent, lent.transaction():
            # One merge at a time in a club, so that two at once cannot make a chain or a circle.
            await lent.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 1))", [club_id])
            given = {"club": club_id, "player": player_id, "into": into, "key": key_id, "now": utcnow()}
            (row,) = await _rows(lent, "person_merge", given)
            if not row["known"]:
                raise not_found("player")
            if row["same"]:
                raise Problem(409, "same_person", "these two ids stand for one person already")
            if row["taken"]:
                text = "this id is tied to another one already; untie that first"
                raise Problem(409, "tied_already", text, facts={"player_id": player_id})
            if row["together"]:
                text = "the two sat in one session together, so they are two persons"
                raise Problem(409, "sat_together", text, facts={"session_id": row["together"]})
            return await person(lent, club_id, into)

    async def part(self, club_id: str, player_id: str) -> Person:
        """Takes a merge back; a problem where the id was not merged into another."""
        async with connection(self._database.reads) as lent:
            cursor = await lent.execute(query("person_part"), {"club": club_id, "player": player_id})
            if cursor.rowcount != 1:
                raise Problem(404, "not_merged", "this id was not merged into another")
            return await person(lent, club_id, player_id)

    async def erase(self, club_id: str, player_id: str) -> Person:
        """Erases the name under all of the person's ids; doing it again changes nothing."""
        async with connection(self._database.reads) as lent, lent.transaction():
            who = await person(lent, club_id, player_id)
            await lent.execute(query("person_erase"), {"club": club_id, "ids": who.ids, "now": utcnow()})
            return await person(lent, club_id, player_id)

    async def export(self, club_id: str, player_id: str) -> PersonData:
        """All that is kept of a person, in one snapshot."""
        async with connection(self._database.reads) as lent, lent.transaction():
            await lent.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            who = await person(lent, club_id, player_id)
            given = {"club": club_id, "ids": who.ids}
            return PersonData(
                as_of=utcnow(),
                person=who,
                keys=await _rows(lent, "person_keys", given),
                sessions=await _rows(lent, "person_sessions", given),
                deals=await _rows(lent, "person_deals", given),
                postings=await _rows(lent, "person_postings", given),
            )


async def _rows(lent: Connection, name: str, given: dict[str, Any]) -> list[dict[str, Any]]:
    cursor = lent.cursor(row_factory=dict_row)
    await cursor.execute(query(name), given, prepare=False)
    found: list[dict[str, Any]] = await cursor.fetchall()
    return found
