"""`boston serve`: the service, with its database where no other is named."""

from __future__ import annotations

import datetime
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from ops.demo import first_plan, load
from ops.doors import link, pairing, with_database
from ops.embedded import EmbeddedError, EmbeddedPostgres
from ops.migrate import MigrationFailed, migrate
from ops.serving import CannotServe, check_port, serve, settings_from
from service.clubs import Club, Clubs
from service.database import Database
from service.principal import Role

DATA = Path(__file__).parents[2] / "data"
SIGN_IN_MINUTES = 60
_ROLES: tuple[tuple[Role, str], ...] = (
    ("director", "to record, rule and look at everything"),
    ("admin", "to look after the club and its keys"),
)


@click.command(name="serve")
@click.option("--data", type=click.Path(file_okay=False, path_type=Path), envvar="BOSTON_DATA", default=DATA,
              help="Data folder of the embedded database.  [default: data/ beside the program]")  # fmt: skip
@click.option("--database", "url", envvar="DATABASE_URL", help="URL of a database; nothing is embedded then.")
@click.option("--host", default="127.0.0.1", show_default=True, help="0.0.0.0 answers the whole network.")
@click.option("--port", type=click.IntRange(1, 65_535), default=8700, show_default=True)
@click.option("--public-url", envvar="BOSTON_PUBLIC_URL", help="The address that tablets use, if it is another.")
@click.option("--workers", type=click.IntRange(1, 64), default=1, show_default=True, help="Processes that answer.")
@click.option(
    "--demo/--no-demo",
    default=None,
    help="Load a demo club into a database without clubs.  [default: only if embedded]",
)
def command(
    data: Path, url: str | None, host: str, port: int, public_url: str | None, workers: int, demo: bool | None
) -> None:
    """Start the service; stop it with Ctrl-C. What was acknowledged is kept, whatever happens."""
    try:
        check_port(host, port)
        with _database(data, url) as (owner, service):
            clubs = with_database(owner, lambda database: Clubs(database).all())
            if not clubs and (url is None if demo is None else demo):
                click.echo("loading the demo club ...", err=True)
                clubs = [load(owner, first_plan(datetime.date.today())).club]
            address = public_url or f"http://{_reached(host)}:{port}"
            settings = settings_from(
                os.environ, database_url=service, public_url=address, secure_cookies=address.startswith("https:")
            )
            serve(settings, host, port, workers, lambda: _welcome(owner, address, clubs))
    except (CannotServe, EmbeddedError, MigrationFailed) as error:
        raise click.ClickException(str(error)) from error


@contextmanager
def _database(data: Path, url: str | None) -> Iterator[tuple[str, str]]:
    """The owner's URL and the service's, of an up-to-date database, for a block."""
    if url is not None:
        migrate(url)
        yield url, url
        return
    with EmbeddedPostgres(data) as server:
        migrate(server.owner_url)
        yield server.owner_url, server.url


def _reached(host: str) -> str:
    """The name by which a browser on this machine reaches what listens on `host`."""
    if host in ("", "0.0.0.0", "::"):
        return "127.0.0.1"
    return f"[{host}]" if ":" in host else host


def _welcome(owner: str, address: str, clubs: list[Club]) -> None:
    click.echo(f"Boston is ready at {address}")
    if not clubs:
        click.echo("There is no club yet. Make one with: boston club make NAME", err=True)
        return
    club = next((club for club in clubs if club.demo), clubs[0])

    async def codes(database: Database) -> list[str]:
        lasts = SIGN_IN_MINUTES * 60.0
        return [(await pairing(database, club, "this box", role, None, lasts)).code for role, _ in _ROLES]

    click.echo(f"Sign in to {club.name}; each link works once, within {SIGN_IN_MINUTES} minutes:")
    for (role, purpose), code in zip(_ROLES, with_database(owner, codes), strict=True):
        click.echo(f"  {link(address, code)}  {role}, {purpose}")
    click.echo("More links: boston key make NAME --role ROLE --qr    Stop: Ctrl-C", err=True)
