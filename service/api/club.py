"""The club: its settings, its players, and the rule sets that there are."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

import msgspec
from litestar import get, patch, post
from litestar.datastructures import State
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter

from domain.entries import Name
from domain.rulesets import RULESETS, RuleSet
from service.api.pages import Limit, cut, read_cursor, write_cursor
from service.clubs import Club, ClubChange
from service.principal import ROLES, Asking
from service.problems import Problem, not_found
from service.register import Player


class PlayerRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A player to add. `another` says that this is somebody else than the one of that name who is there already."""

    name: Name
    guest: bool = False
    another: bool = False


class Rename(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: Name


class PlayerPage(msgspec.Struct, frozen=True):
    players: list[Player]
    next: str | None


@get("/club", opt={"roles": ROLES})
async def club(request: Asking, state: State) -> Club:
    """The club that the key belongs to."""
    found: Club = await state.clubs.get(request.user.club_id)
    return found


@patch("/club", opt={"roles": ("admin",)})
async def change_club(data: JSONBody[ClubChange], request: Asking, state: State) -> Club:
    """Changes the club's name, time zone, default rule set or settings."""
    changed: Club = await state.clubs.change(await state.clubs.get(request.user.club_id), data)
    return changed


@get("/rulesets", opt={"roles": ROLES})
async def rulesets() -> dict[str, RuleSet]:
    """The rule sets with all their tables."""
    return RULESETS


@get("/players", opt={"roles": ROLES})
async def players(
    request: Asking,
    state: State,
    q: Annotated[
        str, QueryParameter(max_length=100, description="Parts of the name; case and accents do not matter.")
    ] = "",
    cursor: FromQuery[str | None] = None,
    limit: Limit = 50,
) -> PlayerPage:
    """The club's players by name."""
    after = None
    if cursor:
        folded, player_id = read_cursor(cursor, (str, UUID))
        after = (folded, str(player_id))
    found = await state.register.search(request.user.club_id, q, after, limit + 1)
    page, more = cut(found, limit)
    return PlayerPage(
        [row.player() for row in page], write_cursor(page[-1].folded, page[-1].player_id) if more else None
    )


@post("/players", opt={"roles": ("admin", "director", "recorder")})
async def add_player(data: JSONBody[PlayerRequest], request: Asking, state: State) -> Player:
    """Adds a player; one of the same name is never merged with another silently."""
    added = await state.register.add(request.user.club_id, data.name, data.guest, data.another)
    if isinstance(added, list):
        ids = tuple(player.player_id for player in added)
        text = f"there is a player called {data.name} already; say that this is another one, or use that one"
        raise Problem(409, "name_taken", text, facts={"name": data.name, "player_ids": ids})
    player: Player = added
    return player


@get("/players/{player_id:uuid}", opt={"roles": ROLES})
async def player(player_id: FromPath[UUID], request: Asking, state: State) -> Player:
    """One player."""
    found: Player | None = await state.register.player(request.user.club_id, str(player_id))
    if found is None:
        raise not_found("player")
    return found


@patch("/players/{player_id:uuid}", opt={"roles": ("admin", "director")})
async def rename_player(player_id: FromPath[UUID], data: JSONBody[Rename], request: Asking, state: State) -> Player:
    """Changes what a player is called; the log knows only the id."""
    if not await state.register.rename(request.user.club_id, str(player_id), data.name):
        raise not_found("player")
    found: Player = await state.register.player(request.user.club_id, str(player_id))
    return found


ROUTES = [club, change_club, rulesets, players, add_player, player, rename_player]
