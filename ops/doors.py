"""What the command line does with clubs, keys and one-time codes, on the owner's database."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

import click
import msgspec
import segno

from domain.entries import Name
from domain.refusal import Refusal
from domain.text import composed, said
from ops.where import typed
from service.clubs import Club, Clubs
from service.database import Database, connected
from service.keys import Pairing, Safe
from service.principal import Role
from service.proof.keyring import NoKey
from service.register import Register

T = TypeVar("T")
DEFAULT_URL = "http://127.0.0.1:8700"


def named(name: str) -> str:
    """The name of a club or a key as it is kept; raises `click.UsageError` for one that cannot be."""
    try:
        return msgspec.convert(composed(name), Name)
    except msgspec.ValidationError as error:
        raise click.UsageError(f"this name cannot be: {said(error)}") from error


def with_database(url: str, act: Callable[[Database], Awaitable[T]]) -> T:
    """What `act` gives with the service's pools open; a club that cannot sign is told as the command's error."""

    async def run() -> T:
        async with connected(url, reads=1, writes=1) as database:
            return await act(database)

    try:
        return asyncio.run(run())
    except NoKey as error:
        raise click.ClickException(str(error)) from error


async def club_called(database: Database, wanted: str | None) -> Club:
    """The club of that name or id, or the only one there is; raises `click.ClickException` with what to do."""
    clubs = await Clubs(database).all()
    if not clubs:
        raise click.ClickException(f"there is no club yet; make one with: {typed('club make NAME')}")
    if wanted is None:
        if len(clubs) > 1:
            names = ", ".join(club.name for club in clubs)
            raise click.ClickException(f"there are {len(clubs)} clubs ({names}); say which with --club")
        return clubs[0]
    found = [club for club in clubs if wanted in (club.name, club.club_id)]
    if not found:
        raise click.ClickException(f"there is no club called {wanted}; see: {typed('club list')}")
    if len(found) > 1:
        raise click.ClickException(f"{len(found)} clubs are called {wanted}; give the id, see: {typed('club list')}")
    return found[0]


async def player_called(database: Database, club: Club, wanted: str) -> str:
    """The id of the club's player of that name or id; raises `click.ClickException` where that is not one."""
    told = await Register(database).players(club.club_id, [wanted])
    if isinstance(told, Refusal):
        raise click.ClickException(told.message)
    if told.also:
        raise click.ClickException(f"{club.name} has no player called {wanted}")
    return told.ids[wanted]


async def pairing(
    database: Database, club: Club, name: str, role: Role, player_id: str | None, lasts: float
) -> Pairing:
    """A one-time code that signs one browser in; good for `lasts` seconds."""
    return await Safe(database, pairing_lasts=lasts).pair(club.club_id, name, role, player_id)


def link(public_url: str, code: str) -> str:
    """The address that carries a code in its fragment, which no server and no log ever sees."""
    return f"{public_url.rstrip('/')}/#pair={code}"


def show_qr(text: str) -> None:
    """Draws a QR code in the terminal."""
    segno.make(text, error="m").terminal(compact=True)
