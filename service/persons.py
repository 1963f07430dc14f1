"""Persons behind players' ids: two ids found to be one person, a person who leaves, a person who asks for his data.

The log knows ids and never changes. Ids of one person are tied by an alias, which can be taken back; a
person who leaves takes the name along, also out of what others wrote, and every sum and everybody else's figures stay
as they are. Reasons, laws, devices and keys that speak of the person are erased: wherever they hold the whole name, and
in sessions where the person sat already with one word of it. What is erased too much is a remark; what is erased too
little is a name.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from typing import Any

import msgspec
from psycopg.rows import dict_row

from service.database import Connection, Database
from service.filters import Person, person
from service.log import connection
from service.names import speaks_of
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


class Erased(Person, frozen=True):
    """A person whose name is gone, and how many texts of others went with it."""

    texts: int = 0


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

    async def erase(self, club_id: str, player_id: str) -> Erased:
        """Erases the name under all of the person's ids, wherever it stands; doing it again changes nothing."""
        async with connection(self._database.reads) as lent, lent.transaction():
            who = await person(lent, club_id, player_id)
            given = {"club": club_id, "ids": who.ids, "now": utcnow()}
            called = [row["name"] for row in await _rows(lent, "player_names", given)]
            anywhere, nearby = await _speaking_of(lent, called, given)
            texts = {"anywhere": anywhere, "nearby": nearby}
            (gone,) = await _rows(lent, "person_texts_erase", given | texts) if anywhere or nearby else ({"count": 0},)
            await lent.execute(query("person_erase"), given)
            left = await person(lent, club_id, player_id)
            return Erased(left.player_id, left.name, left.ids, gone["count"])

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


async def _speaking_of(
    lent: Connection, called: Iterable[str], given: dict[str, Any]
) -> tuple[list[str], list[str]]:  # fmt: skip
    """The texts that hold one of the names whole, and those of sessions with the person that hold a word of one."""
    anywhere, nearby = set[str](), set[str]()
    names = list(called)
    for row in await _rows(lent, "person_texts", given) if names else ():
        spoken = [speaks_of(row["text"], name) for name in names]
        if any(whole for whole, _ in spoken):
            anywhere.add(row["text"])
        elif row["sat"] and any(some for _, some in spoken):
            nearby.add(row["text"])
    return sorted(anywhere), sorted(nearby)


async def _rows(lent: Connection, name: str, given: dict[str, Any]) -> list[dict[str, Any]]:
    cursor = lent.cursor(row_factory=dict_row)
    await cursor.execute(query(name), given, prepare=False)
    found: list[dict[str, Any]] = await cursor.fetchall()
    return found
