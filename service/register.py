"""The club's register: players by id or name. Names stand apart from the log and can be erased.

A name is looked up without case and accents and added when it is new. Two players of one name are never taken for
one another: an entry that means one of them has to give the id. Two who add the same new name at the same moment add
one player: a name that came up by itself is claimed, and the second finds it taken and looks again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from uuid import UUID

import msgspec
from psycopg import errors
from uuid_utils import uuid7

from domain.refusal import Refusal
from domain.text import Malformed
from service.append import Also
from service.database import Database
from service.filters import person
from service.log import connection
from service.names import fold, spelled
from service.principal import utcnow
from service.queries import query
from service.record import Players
from service.rows import carry_out, fetch, first
from service.texts import ERASED
from service.trusted import Trusted


class Known(msgspec.Struct, frozen=True):
    """A player of the register; the name is gone when it was erased. `person` is the id that stands for him."""

    player_id: str
    name: str | None
    folded: str | None
    guest: bool
    person: str


class Player(msgspec.Struct, frozen=True):
    """A player as the API shows one."""

    player_id: str
    name: str
    guest: bool


class Listed(msgspec.Struct, frozen=True):
    """A row of a search, with the folded name that it is sorted by."""

    player_id: str
    name: str
    folded: str
    guest: bool

    def player(self) -> Player:
        return Player(self.player_id, self.name, self.guest)


class Named(msgspec.Struct, frozen=True):
    player_id: str
    name: str


_Wanted = tuple[str, tuple[str, ...]]
"""A club and players of it, by their ids."""


def as_id(text: str) -> str | None:
    """The text as a player's id, if it is one."""
    try:
        return str(UUID(text)) if len(text) == 36 else None
    except ValueError:
        return None


class Register:
    """Looks players up for the recorder, and names for whoever reads.

    With `adopts` an id that the club does not know becomes a player of that id, called by it until somebody says his
    name: records from elsewhere name those so whose name is not theirs alone, or was erased.
    """

    def __init__(self, database: Database, trust: float = 5.0, adopts: bool = False) -> None:
        self._database = database
        self._adopts = adopts
        # A player that is not known may be on his way into the register, with the evening that he sits at.
        self._trusted = Trusted(trust, self._names, lambda told: ERASED not in told.values())

    async def players(
        self, club_id: str, names: Sequence[str], beside: Collection[str] = ()
    ) -> Players | Refusal:  # fmt: skip
        """The ids of players called so; the statements that add the new ones come along (see `service.record`).

        Refused where one of them is the person of another of them, or of an id in `beside`: one person sits in a
        session under one id.
        """
        ids = [*beside, *(one for name in names if (one := as_id(name)))]
        folded = [fold(name) for name in names if not as_id(name)]
        known = await fetch(self._database.reads, "players_known", Known, club=club_id, ids=ids, folded=folded)
        told: dict[str, str] = {}
        also: list[Also] = []
        for name in names:
            found = self._meant(name, known)
            if isinstance(found, Refusal):
                return found
            if found is None:
                player_id = as_id(name) or str(uuid7())
                found = Known(player_id, spelled(name), fold(name), False, player_id)
                also.append(add(club_id, player_id, name))
                known.append(found)
            told[name] = found.player_id
        # In one order for everybody, so that two who add the same names never wait for each other.
        also.sort(key=lambda statement: str(statement.arguments["folded"]))
        return _two_of_one(known, [*told.values(), *beside]) or Players(told, tuple(also))

    async def names(self, club_id: str, ids: Iterable[str]) -> dict[str, str]:
        """What players are called now; whoever was erased is called so."""
        return await self._trusted.get((club_id, tuple(ids)))

    async def _names(self, wanted: _Wanted) -> dict[str, str]:
        club_id, ids = wanted
        asked = [player_id for player_id in ids if as_id(player_id)]
        if not asked:
            return {}
        rows = await fetch(self._database.reads, "player_names", Named, club=club_id, ids=asked)
        return dict.fromkeys(asked, ERASED) | {row.player_id: row.name for row in rows}

    async def player(self, club_id: str, player_id: str) -> Player | None:
        """One player of the club; nothing where there is none of this id."""
        known = await first(self._database.reads, "players_known", Known, club=club_id, ids=[player_id], folded=[])
        return None if known is None else Player(known.player_id, known.name or ERASED, known.guest)

    async def same_person(self, club_id: str, player_id: str | None) -> frozenset[str]:
        """All ids of the person behind an id, that one included; none where no player is meant."""
        if player_id is None:
            return frozenset()
        async with connection(self._database.reads) as lent:
            return frozenset((await person(lent, club_id, player_id)).ids)

    async def search(self, club_id: str, words: str, after: tuple[str, str] | None, limit: int) -> list[Listed]:
        """Players whose name has every one of some words, by name; `after` is the last (folded name, id) seen."""
        patterns = [f"%{_plain(word)}%" for word in fold(words).split()] or ["%"]
        name, player_id = after or ("", "00000000-0000-0000-0000-000000000000")
        return await fetch(
            self._database.reads,
            "players_search",
            Listed,
            club=club_id,
            patterns=patterns,
            after_name=name,
            after_id=player_id,
            limit=limit,
        )

    async def add(self, club_id: str, name: str, guest: bool, another: bool) -> Player | list[Known]:
        """Adds a player; gives those of the same name instead, unless this is said to be another one."""
        player = Player(str(uuid7()), spelled(name), guest)
        called = await self._called(club_id, name)
        if called and not another:
            return called
        statement = add(club_id, player.player_id, name, guest, another)
        try:
            async with connection(self._database.reads) as lent:
                await lent.execute(statement.sql, statement.arguments)
        except errors.UniqueViolation:
            return await self._called(club_id, name)
        return player

    async def _called(self, club_id: str, name: str) -> list[Known]:
        return await fetch(self._database.reads, "players_known", Known, club=club_id, ids=[], folded=[fold(name)])

    async def rename(self, club_id: str, player_id: str, name: str) -> bool:
        """Changes a name; false where there is no such player, or the name was erased."""
        plain = spelled(name)
        found = await carry_out(
            self._database.reads, "player_rename", club=club_id, player=player_id, name=plain, folded=fold(name)
        )
        self.forget()
        return found == 1

    def _meant(self, name: str, known: Sequence[Known]) -> Known | Refusal | None:
        """The player that a name or an id means; nothing where there is none yet."""
        if player_id := as_id(name):
            found = next((player for player in known if player.player_id == player_id), None)
            if found is not None or self._adopts:
                return found
            return Refusal("player_unknown", f"no player of this club has the id {player_id}", family="not_found")
        try:
            spelled(name)
        except Malformed as error:
            return Refusal("name_unreadable", str(error), family="malformed", facts={"name": name})
        called = [player for player in known if player.folded == fold(name)]
        if len(called) > 1:
            ids = tuple(player.player_id for player in called)
            text = f"{len(called)} players are called {name}; give the id of the one who sits here"
            return Refusal("name_ambiguous", text, family="conflict", facts={"name": name, "player_ids": ids})
        return called[0] if called else None

    def forget(self) -> None:
        """Looks every name up anew from now on."""
        self._trusted.forget()


def _plain(word: str) -> str:
    """The word with what LIKE would read as a pattern made plain."""
    return word.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")


def _two_of_one(known: Sequence[Known], sitting: Iterable[str]) -> Refusal | None:
    """The refusal where two of the ids that sit in a session stand for one person."""
    by_id = {player.player_id: player for player in known}
    sits: dict[str, Known] = {}
    for player in (by_id[one] for one in sitting if one in by_id):
        other = sits.setdefault(player.person, player)
        if other.player_id != player.player_id:
            called = [one.name or ERASED for one in (player, other)]
            text = f"{called[0]} and {called[1]} were merged as one person, who sits in a session under one of the two"
            ids = (player.player_id, other.player_id)
            return Refusal("same_person", text, family="conflict", facts={"player_ids": ids})
    return None


def add(club_id: str, player_id: str, name: str, guest: bool = False, another: bool = False) -> Also:
    """The statement that adds a player; unless this is said to be another one, nobody else takes the name meanwhile."""
    arguments = {
        "club": club_id,
        "player": player_id,
        "name": spelled(name),
        "folded": fold(name),
        "claimed": not another,
        "guest": guest,
        "now": utcnow(),
    }
    return Also(query("player_insert"), arguments)
