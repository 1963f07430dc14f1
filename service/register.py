"""The club's register: players by id or name. Names stand apart from the log and can be erased.

A name is looked up without case and accents and added when it is new. Two players of one name are never taken for
one another: an entry that means one of them has to give the id.
"""

from __future__ import annotations

import time
import unicodedata
from collections.abc import Iterable, Sequence
from uuid import UUID

import msgspec
from uuid_utils import uuid7

from domain.refusal import Refusal
from domain.text import Malformed
from service.append import Also
from service.database import Database
from service.log import connection
from service.principal import utcnow
from service.queries import query
from service.record import Players
from service.rows import carry_out, fetch, first
from service.texts import ERASED


class Known(msgspec.Struct, frozen=True):
    """A player of the register; the name is gone when it was erased."""

    player_id: str
    name: str | None
    folded: str | None
    guest: bool


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


_STROKES = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ħ": "h", "ŧ": "t", "ı": "i", "æ": "ae", "œ": "oe", "ð": "d"})
"""Letters that Unicode does not take apart, as people type them who do not have them."""


def fold(name: str) -> str:
    """A name as it is searched for: without case, accents and superfluous space."""
    plain = unicodedata.normalize("NFKD", name)
    folded = "".join(c for c in plain if not unicodedata.combining(c)).casefold()
    return " ".join(folded.translate(_STROKES).split())


def as_id(text: str) -> str | None:
    """The text as a player's id, if it is one."""
    try:
        return str(UUID(text)) if len(text) == 36 else None
    except ValueError:
        return None


class Register:
    """Looks players up for the recorder, and names for whoever reads."""

    def __init__(self, database: Database, trust: float = 5.0) -> None:
        self._database = database
        self._trust = trust
        self._names: dict[tuple[str, str], tuple[float, str]] = {}

    async def players(self, club_id: str, names: Sequence[str]) -> Players | Refusal:
        """The ids of players called so; the statements that add the new ones come along (see `service.record`)."""
        ids = [one for name in names if (one := as_id(name))]
        folded = [fold(name) for name in names if not as_id(name)]
        known = await fetch(self._database.reads, "players_known", Known, club=club_id, ids=ids, folded=folded)
        told: dict[str, str] = {}
        also: list[Also] = []
        for name in names:
            found = _meant(name, known)
            if isinstance(found, Refusal):
                return found
            if found is None:
                found = str(uuid7())
                also.append(add(club_id, found, name))
                known.append(Known(found, name, fold(name), False))
            told[name] = found
        return Players(told, tuple(also))

    async def names(self, club_id: str, ids: Iterable[str]) -> dict[str, str]:
        """What players are called now; whoever was erased is called so."""
        now = time.monotonic()
        wanted = set(ids)
        told = {i: kept[1] for i in wanted if (kept := self._names.get((club_id, i))) and kept[0] > now}
        missing = [i for i in wanted if i not in told and as_id(i)]
        if missing:
            rows = await fetch(self._database.reads, "player_names", Named, club=club_id, ids=missing)
            found = {row.player_id: row.name for row in rows}
            for player_id in missing:
                told[player_id] = found.get(player_id, ERASED)
                self._names[club_id, player_id] = (now + self._trust, told[player_id])
        return told

    async def player(self, club_id: str, player_id: str) -> Player | None:
        """One player of the club; nothing where there is none of this id."""
        known = await first(self._database.reads, "players_known", Known, club=club_id, ids=[player_id], folded=[])
        return None if known is None else Player(known.player_id, known.name or ERASED, known.guest)

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
        if not fold(name):
            raise Malformed("a player's name has at least one letter")
        called = await fetch(self._database.reads, "players_known", Known, club=club_id, ids=[], folded=[fold(name)])
        if called and not another:
            return called
        player = Player(str(uuid7()), " ".join(name.split()), guest)
        statement = add(club_id, player.player_id, name, guest)
        async with connection(self._database.reads) as lent:
            await lent.execute(statement.sql, statement.arguments)
        return player

    async def rename(self, club_id: str, player_id: str, name: str) -> bool:
        """Changes a name; false where there is no such player, or the name was erased."""
        if not fold(name):
            raise Malformed("a player's name has at least one letter")
        plain = " ".join(name.split())
        self.forget()
        found = await carry_out(
            self._database.reads, "player_rename", club=club_id, player=player_id, name=plain, folded=fold(name)
        )
        return found == 1

    def forget(self) -> None:
        """Looks every name up anew from now on."""
        self._names.clear()


def _plain(word: str) -> str:
    """The word with what LIKE would read as a pattern made plain."""
    return word.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")


def _meant(name: str, known: Sequence[Known]) -> str | Refusal | None:
    if player_id := as_id(name):
        if any(player.player_id == player_id for player in known):
            return player_id
        return Refusal("player_unknown", f"no player of this club has the id {player_id}", family="not_found")
    if not (folded := fold(name)):
        return Refusal("name_empty", "a player's name has at least one letter", family="malformed")
    called = [player for player in known if player.folded == folded]
    if len(called) > 1:
        ids = tuple(player.player_id for player in called)
        text = f"{len(called)} players are called {name}; give the id of the one who sits here"
        return Refusal("name_ambiguous", text, family="conflict", facts={"name": name, "player_ids": ids})
    return called[0].player_id if called else None


def add(club_id: str, player_id: str, name: str, guest: bool = False) -> Also:
    """The statement that adds a player."""
    arguments = {
        "club": club_id,
        "player": player_id,
        "name": " ".join(name.split()),
        "folded": fold(name),
        "guest": guest,
        "now": utcnow(),
    }
    return Also(query("player_insert"), arguments)
