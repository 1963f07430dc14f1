"""Clubs: who they are, and what each decides for itself."""

from __future__ import annotations

from typing import Annotated, Literal
from zoneinfo import available_timezones

import msgspec
from uuid_utils import uuid7

from domain.entries import Name
from domain.rulesets import RULESETS
from domain.text import Malformed
from service.database import Database
from service.principal import utcnow
from service.rows import carry_out, fetch, first
from service.trusted import Trusted

Minutes = Annotated[int, msgspec.Meta(ge=1, le=525_600)]


class ClubSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a club decides for itself."""

    recorder_undo: Literal["deal", "previous_deal", "session"] = "previous_deal"
    """How far a recorder may take entries back; further back is the director's."""
    live_view: Literal["finished", "current_trick"] = "finished"
    """What players and guests see of an open deal: nothing, or the trick on the table and the last one."""
    findings_for_recorder: bool = False
    """A club without a director may let the recorder see what the record proves against itself."""
    correction_window: Minutes | Literal["until_next_deal"] = "until_next_deal"
    """How long a settled deal is corrected by one key; after it a second one has to agree."""
    season_start: Annotated[str, msgspec.Meta(pattern=r"^(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$")] = "01-01"
    """The day, as MM-DD, on which a season begins."""


class Club(msgspec.Struct, frozen=True):
    """A club as it stands."""

    club_id: str
    name: str
    time_zone: str
    ruleset: str
    settings: ClubSettings
    demo: bool = False


class ClubChange(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The fields to change; what is left out stays as it is."""

    name: Name | None = None
    time_zone: Annotated[str, msgspec.Meta(max_length=64)] | None = None
    ruleset: str | None = None
    settings: ClubSettings | None = None


class _Row(msgspec.Struct):
    club_id: str
    name: str
    time_zone: str
    ruleset: str
    settings: str
    demo: bool

    def club(self) -> Club:
        settings = msgspec.json.decode(self.settings, type=ClubSettings)
        return Club(self.club_id, self.name, self.time_zone, self.ruleset, settings, self.demo)


def check_club(time_zone: str, ruleset: str) -> None:
    """Raises `Malformed` for a time zone or a rule set that does not exist."""
    if time_zone not in available_timezones():
        raise Malformed(f"{time_zone!r} is no time zone; one is called like Europe/Moscow")
    if ruleset not in RULESETS:
        raise Malformed(f"{ruleset!r} is not a rule set; there are {', '.join(RULESETS)}")


class Clubs:
    """Reads and writes clubs; a club's settings are trusted for a few seconds."""

    def __init__(self, database: Database, trust: float = 3.0) -> None:
        self._database = database
        self._trusted = Trusted(trust, self._look_up)

    async def get(self, club_id: str) -> Club:
        """The club; raises `LookupError` where there is none."""
        club = await self._trusted.get(club_id)
        if club is None:
            raise LookupError(club_id)
        return club

    async def _look_up(self, club_id: str) -> Club | None:
        row = await first(self._database.reads, "club_by_id", _Row, club=club_id)
        return None if row is None else row.club()

    async def all(self) -> list[Club]:
        """Every club of the box, the oldest first."""
        return [row.club() for row in await fetch(self._database.reads, "clubs", _Row)]

    async def make(self, name: str, time_zone: str, ruleset: str, demo: bool = False) -> Club:
        """A new club; raises `Malformed`."""
        check_club(time_zone, ruleset)
        club = Club(str(uuid7()), name, time_zone, ruleset, ClubSettings(), demo)
        await carry_out(
            self._database.reads,
            "club_insert",
            club=club.club_id,
            name=name,
            time_zone=time_zone,
            ruleset=ruleset,
            settings=msgspec.json.encode(club.settings).decode(),
            demo=demo,
            now=utcnow(),
        )
        return club

    async def change(self, club: Club, change: ClubChange) -> Club:
        """The club with some fields changed; raises `Malformed`."""
        asked = {name: value for name in change.__struct_fields__ if (value := getattr(change, name)) is not None}
        changed = msgspec.structs.replace(club, **asked)
        check_club(changed.time_zone, changed.ruleset)
        await carry_out(
            self._database.reads,
            "club_update",
            club=changed.club_id,
            name=changed.name,
            time_zone=changed.time_zone,
            ruleset=changed.ruleset,
            settings=msgspec.json.encode(changed.settings).decode(),
        )
        self._trusted.forget()
        return changed
