"""`boston serve`: the service, with its database where no other is named."""

from __future__ import annotations

import datetime
import os
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import click
import segno

from ops.demo import first_plan, load
from ops.doors import DEFAULT_URL, link, pairing, with_database
from ops.embedded import EmbeddedError, EmbeddedPostgres
from ops.migrate import MigrationFailed, migrate
from ops.serving import CannotServe, check_port, serve, settings_from
from ops.tls import CannotCertify, Certificate, box_names, fingerprint, given, own
from ops.trust import offer
from ops.where import database_options, is_box, meant, typed
from service.clubs import Club, Clubs
from service.database import Database
from service.principal import Role

SIGN_IN_MINUTES = 60
_ROLES: tuple[tuple[Role, str], ...] = (
    ("director", "to record, rule and look at everything"),
    ("admin", "to look after the club and its keys"),
)


@click.command(name="serve")
@database_options
@click.option("--owner", envvar="BOSTON_OWNER_URL", help="URL of the same database for migrations alone; --database is "
              "then a login that is a member of boston_service and no more.")  # fmt: skip
@click.option("--host", default="127.0.0.1", show_default=True, help="0.0.0.0 answers the whole network.")
@click.option("--port", type=click.IntRange(1, 65_535), default=8700, show_default=True)
@click.option("--public-url", envvar="BOSTON_PUBLIC_URL", help="The address that tablets use, if it is another.")
@click.option("--workers", type=click.IntRange(1, 64), default=1, show_default=True, help="Processes that answer.")
@click.option(
    "--demo/--no-demo",
    default=None,
    help="Load a demo club into a database without clubs.  [default: only if embedded]",
)
@click.option("--tls", is_flag=True, help="Answer over https with a certificate of the box's own.")
@click.option("--name", "names", multiple=True, help="A further name or address that tablets use; with --tls.")
@click.option("--cert", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="The club's certificate.")
@click.option("--key", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="And its key.")
@click.option("--trust-port", type=click.IntRange(1, 65_535), default=8701, show_default=True,
              help="Where tablets are led through trusting the box; with --tls.")  # fmt: skip
def command(
    data: Path,
    url: str | None,
    owner: str | None,
    host: str,
    port: int,
    public_url: str | None,
    workers: int,
    demo: bool | None,
    tls: bool,
    names: tuple[str, ...],
    cert: Path | None,
    key: Path | None,
    trust_port: int,
) -> None:
    """Start the service; stop it with Ctrl-C. What was acknowledged is kept, whatever happens.

    A data folder that has no box yet gets one, with a database of its own.
    """
    url = meant(data, url)
    try:
        check_port(host, port)
        certified = _certified(data, tls, names, cert, key)
        certificate = certified() if certified else None
        with _database(data, url, owner) as (owner, service):
            clubs = with_database(owner, lambda database: Clubs(database).all())
            if not clubs and (url is None if demo is None else demo):
                click.echo("loading the demo club ...", err=True)
                clubs = [load(owner, first_plan(datetime.date.today())).club]
            address = public_url or _address(host, port, certificate, names)
            settings = settings_from(
                os.environ, database_url=service, public_url=address, secure_cookies=address.startswith("https:")
            )
            if certificate is not None and certificate.authority is not None:
                _offer_trust(certificate.authority, address, host, trust_port)
            reached = "" if address == DEFAULT_URL else f" --public-url {address}"
            which = " --club CLUB" if len(clubs) > 1 else ""
            make, more = typed("club make NAME"), typed(f"key make NAME --role ROLE{which} --qr{reached}")
            serve(settings, host, port, workers, lambda: _welcome(owner, address, clubs, make, more), certified)
    except (CannotCertify, CannotServe, EmbeddedError, MigrationFailed) as error:
        raise click.ClickException(str(error)) from error


def _certified(
    data: Path, tls: bool, names: tuple[str, ...], cert: Path | None, key: Path | None
) -> Callable[[], Certificate] | None:
    """What gives the certificate in force, or nothing where the service answers over plain http."""
    if (cert is None) != (key is None):
        raise click.UsageError("a certificate comes with its key: give both --cert and --key")
    if cert is not None and key is not None:
        return partial(given, cert, key)
    if not tls:
        return None
    return lambda: own(data / "tls", [*box_names(), *names])


def _address(host: str, port: int, certificate: Certificate | None, names: tuple[str, ...]) -> str:
    """The address that tablets use, where none was named."""
    if certificate is None:
        return f"http://{_reached(host)}:{port}"
    if host not in ("", "0.0.0.0", "::"):
        return f"https://{_reached(host)}:{port}"
    host_name = socket.gethostname().split(".")[0].lower()
    return f"https://{names[0] if names else f'{host_name}.local'}:{port}"


def _offer_trust(authority: Path, address: str, host: str, port: int) -> None:
    """Serves the page by which a tablet comes to trust the box, and shows the way to it."""
    here = f"http://{address.removeprefix('https://').rpartition(':')[0]}:{port}/"
    try:
        offer(authority, address, host, port, here)
    except OSError as error:
        raise CannotServe(f"port {port} cannot be used ({error.strerror}); choose another with --trust-port") from error
    click.echo(f"A tablet that is new here begins at {here}")
    segno.make(here, error="m").terminal(compact=True)
    click.echo(f"It should show this fingerprint:\n  {fingerprint(authority)}")


@contextmanager
def _database(data: Path, url: str | None, owner: str | None) -> Iterator[tuple[str, str]]:
    """The owner's URL and the service's, of an up-to-date database, for a block."""
    if url is not None:
        migrate(owner or url)
        yield owner or url, url
        return
    if not is_box(data):
        click.echo(f"making a new box in {data}", err=True)
    with EmbeddedPostgres(data) as server:
        migrate(server.owner_url)
        yield server.owner_url, server.url


def _reached(host: str) -> str:
    """The name by which a browser on this machine reaches what listens on `host`."""
    if host in ("", "0.0.0.0", "::"):
        return "127.0.0.1"
    return f"[{host}]" if ":" in host else host


def _welcome(owner: str, address: str, clubs: list[Club], make: str, more: str) -> None:
    click.echo(f"Boston is ready at {address}")
    if not clubs:
        click.echo(f"There is no club yet. Make one with: {make}", err=True)
        return
    club = next((club for club in clubs if not club.demo), clubs[0])

    async def codes(database: Database) -> list[str]:
        lasts = SIGN_IN_MINUTES * 60.0
        return [(await pairing(database, club, "this box", role, None, lasts)).code for role, _ in _ROLES]

    click.echo(f"Sign in to {club.name}; each link works once, within {SIGN_IN_MINUTES} minutes:")
    for (role, purpose), code in zip(_ROLES, with_database(owner, codes), strict=True):
        click.echo(f"  {link(address, code)}  {role}, {purpose}")
    click.echo(f"More links: {more}    Stop: Ctrl-C", err=True)
