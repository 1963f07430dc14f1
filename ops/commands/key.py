"""`boston key`: who may come in."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import click

from ops.doors import DEFAULT_URL, club_called, link, named, pairing, player_called, show_qr, with_database
from ops.where import database_options, opened, typed
from service.database import Database
from service.keys import KeyInfo, NewKey, Pairing, Safe
from service.principal import ROLES, Role

CLUB = click.option("--club", help="The club's name or id; may be left out while there is only one.")
PAGE = 500


@click.group(name="key")
def command() -> None:
    """Make, list and revoke access keys."""


@command.command()
@click.argument("name")
@click.option("--role", type=click.Choice(ROLES), required=True)
@click.option("--player", help="Whose key it is, by name or id; for the role player, and only for it.")
@click.option("--qr", is_flag=True, help="No key but a link that signs one browser in once, and its QR code.")
@click.option("--lasts", type=click.IntRange(1, 10_080), default=15, show_default=True, help="Minutes, for --qr.")
@click.option("--public-url", envvar="BOSTON_PUBLIC_URL", default=DEFAULT_URL, show_default=True, help="For --qr.")
@CLUB
@database_options
def make(
    name: str,
    role: str,
    player: str | None,
    qr: bool,
    lasts: int,
    public_url: str,
    club: str | None,
    data: Path,
    url: str | None,
) -> None:
    """Make a key called NAME. It is shown this once; nobody can read it again."""
    called = named(name)
    if (role == "player") != (player is not None):
        raise click.UsageError("a player's key names its player with --player, and no other key does")

    async def act(database: Database) -> NewKey | Pairing:
        found = await club_called(database, club)
        whose = None if player is None else await player_called(database, found, player)
        if qr:
            return await pairing(database, found, called, cast(Role, role), whose, lasts * 60.0)
        return await Safe(database).make_key(found.club_id, called, cast(Role, role), whose)

    with opened(data, url) as owner:
        made = with_database(owner, act)
    if isinstance(made, NewKey):
        click.echo(made.key)
        click.echo(f"key {made.key_id}, shown this once", err=True)
    else:
        address = link(public_url, made.code)
        show_qr(address)
        click.echo(address)
        click.echo(f"works once, until {made.expires_at:%Y-%m-%d %H:%M:%S} UTC", err=True)


@command.command(name="list")
@CLUB
@database_options
def list_(club: str | None, data: Path, url: str | None) -> None:
    """List the keys, the oldest first, without their secrets."""

    async def act(database: Database) -> list[KeyInfo]:
        found = await club_called(database, club)
        safe, keys = Safe(database), list[KeyInfo]()
        while page := await safe.keys(found.club_id, (keys[-1].created_at, keys[-1].key_id) if keys else None, PAGE):
            keys += page
        return keys

    with opened(data, url) as owner:
        keys = with_database(owner, act)
    for key in keys:
        state = f"revoked {key.revoked_at:%Y-%m-%d %H:%M}" if key.revoked_at else "in force"
        click.echo(f"{key.key_id}  {key.role:8}  {key.created_at:%Y-%m-%d %H:%M}  {state}  {key.name}")


@command.command()
@click.argument("key_id", type=click.UUID)
@CLUB
@database_options
def revoke(key_id: object, club: str | None, data: Path, url: str | None) -> None:
    """Revoke a key for good. It is dead in every running worker within seconds."""

    async def act(database: Database) -> bool:
        found = await club_called(database, club)
        return await Safe(database).revoke(found.club_id, str(key_id))

    with opened(data, url) as owner:
        done = with_database(owner, act)
    if not done:
        raise click.ClickException(f"the club has no key {key_id}; see: {typed('key list')}")
    click.echo(f"revoked {key_id}")
