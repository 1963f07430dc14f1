"""Where a command finds its database: the server that a URL names, or the embedded one of a data folder.

The embedded server is started for the command, or the running one is used when a service on this folder has
started it already.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote

import click

from ops.embedded import EmbeddedError, EmbeddedPostgres, postmaster
from ops.embedded.cluster import locate
from ops.embedded.server import DATABASE
from ops.migrate import MigrationFailed, migrate

F = TypeVar("F", bound=Callable[..., Any])


def database_options(command: F) -> F:
    """The options `--database` and `--data`, one of which a command needs."""
    data = click.option(
        "--data", type=click.Path(file_okay=False, path_type=Path), envvar="BOSTON_DATA", help="Data folder of the box."
    )
    url = click.option("--database", "url", envvar="DATABASE_URL", help="URL of the database, in place of a folder.")
    return url(data(command))


@contextmanager
def opened(data: Path | None, url: str | None) -> Iterator[str]:
    """The owner's URL of an up-to-date database, for a block. Raises `click.ClickException` with what to do."""
    try:
        if url is not None:
            migrate(url)
            yield url
        elif data is None:
            raise click.UsageError("name the data folder by --data, or a database by --database or DATABASE_URL")
        elif (running := running_url(data)) is not None:
            migrate(running)
            yield running
        else:
            with EmbeddedPostgres(data) as server:
                migrate(server.owner_url)
                yield server.owner_url
    except (EmbeddedError, MigrationFailed) as error:
        raise click.ClickException(str(error)) from error


@contextmanager
def as_it_stands(data: Path | None, url: str | None) -> Iterator[str]:
    """The same for what changes no table: a database that a URL names is taken as it is, without migrating it."""
    if url is not None:
        yield url
        return
    with opened(data, None) as owner:
        yield owner


def running_url(data: Path) -> str | None:
    """The owner's URL of the embedded server that another process runs in a data folder; None when none does."""
    if not (data / "postgres").exists():
        return None
    cluster = locate(data)
    server = postmaster.recall(cluster)
    if server is None or not server.process.alive():
        return None
    password = quote(cluster.password("owner"), safe="")
    return f"postgresql://{postmaster.OWNER}:{password}@{postmaster.LOOPBACK}:{server.port}/{DATABASE}"
