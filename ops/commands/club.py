"""`boston club`: the clubs of a box."""

from __future__ import annotations

from pathlib import Path

import click

from domain.rulesets import AMERICAN_DECIMAL, RULESETS
from domain.text import Malformed
from ops.doors import club_called, named, with_database
from ops.removal import remove_club
from ops.where import database_options, opened, typed
from service.clubs import Clubs


@click.group(name="club")
def command() -> None:
    """Make, list and remove clubs."""


@command.command()
@click.argument("name")
@click.option("--time-zone", default="Europe/London", show_default=True, help="Evenings belong to the club's own day.")
@click.option("--rules", type=click.Choice(list(RULESETS)), default=AMERICAN_DECIMAL.id, show_default=True)
@database_options
def make(name: str, time_zone: str, rules: str, data: Path, url: str | None) -> None:
    """Make a club."""
    called = named(name)
    try:
        with opened(data, url) as owner:
            club = with_database(owner, lambda database: Clubs(database).make(called, time_zone, rules))
    except Malformed as error:
        raise click.UsageError(str(error)) from error
    click.echo(f"{club.club_id}  {club.name}")
    more = typed(f'key make "the admin" --role admin --qr --club {club.club_id}')
    click.echo(f"next: {more}", err=True)


@command.command(name="list")
@database_options
def list_(data: Path, url: str | None) -> None:
    """List the clubs, the oldest first."""
    with opened(data, url) as owner:
        clubs = with_database(owner, lambda database: Clubs(database).all())
    for club in clubs:
        click.echo(f"{club.club_id}  {club.name}  {club.time_zone}  {club.ruleset}{'  (demo)' if club.demo else ''}")


@command.command()
@click.argument("club")
@click.option("--yes", is_flag=True, help="Do not ask; needed where no one can be asked.")
@database_options
def remove(club: str, yes: bool, data: Path, url: str | None) -> None:
    """Remove a club for good, with its sessions, players and keys. CLUB is its name or id."""
    with opened(data, url) as owner:
        found = with_database(owner, lambda database: club_called(database, club))
        if not yes:
            click.confirm(f"Remove {found.name} ({found.club_id}) and all its evenings for good?", abort=True)
        sessions = remove_club(owner, found.club_id)
    click.echo(f"removed {found.name} ({found.club_id}) with {sessions} evenings")
