"""Where a command finds its database: the embedded one of a data folder, or the server that a URL names.

Every command takes `--data` and `--database` alike and works on `data/` beside the program where neither is given;
what is typed goes before what the environment says. The embedded server is started for the command, or the running
one is used when a service on this folder has started it already. Only `boston serve` and `boston restore` make a new
folder: a mistyped one is an error.
"""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote

import click
from click.core import ParameterSource

from ops.embedded import EmbeddedError, EmbeddedPostgres, postmaster
from ops.embedded.cluster import locate
from ops.embedded.server import DATABASE
from ops.migrate import MigrationFailed, migrate

F = TypeVar("F", bound=Callable[..., Any])
DATA = Path(__file__).parents[1] / "data"
_TYPED = (ParameterSource.COMMANDLINE, ParameterSource.PROMPT)


def data_option(command: F) -> F:
    """The option `--data`."""
    return click.option(
        "--data", type=click.Path(file_okay=False, path_type=Path), envvar="BOSTON_DATA", default=DATA,
        help="The box's data folder.  [default: data/ beside the program]",
    )(command)  # fmt: skip


def database_options(command: F) -> F:
    """The options `--data` and `--database`."""
    url = click.option("--database", "url", envvar="DATABASE_URL", help="URL of a server's database, for no folder.")
    return data_option(url(command))


def meant(data: Path, url: str | None) -> str | None:
    """The URL where a server is meant, None where it is the data folder; raises `click.UsageError` where both are."""
    asked = click.get_current_context()
    data_typed, url_typed = (asked.get_parameter_source(name) in _TYPED for name in ("data", "url"))
    if data_typed and url_typed:
        raise click.UsageError(f"--data {data} and --database are two places; name the one that is meant")
    return None if data_typed else url


@contextmanager
def found(data: Path, url: str | None) -> Iterator[str]:
    """The owner's URL of the database, for a block. Raises `click.ClickException` with what to do."""
    try:
        if (server := meant(data, url)) is not None:
            yield server
        elif not is_box(data):
            serve = typed("serve", data)
            raise click.ClickException(f"there is no box in {data}: name its folder by --data, or make one by: {serve}")
        elif (running := running_url(data)) is not None:
            yield running
        else:
            with EmbeddedPostgres(data) as embedded:
                yield embedded.owner_url
    except (EmbeddedError, MigrationFailed) as error:
        raise click.ClickException(str(error)) from error


@contextmanager
def opened(data: Path, url: str | None) -> Iterator[str]:
    """The same, of a database that is brought up to date first."""
    with found(data, url) as owner:
        migrate(owner)
        yield owner


@contextmanager
def as_it_stands(data: Path, url: str | None) -> Iterator[str]:
    """The same for what changes no table: a database that a URL names is taken as it is, without migrating it."""
    if (server := meant(data, url)) is not None:
        yield server
        return
    with opened(data, None) as owner:
        yield owner


def is_box(data: Path) -> bool:
    """Was a box made in this folder? Also where what it links to has gone since, which its opening then tells."""
    return os.path.lexists(data / "postgres")


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


def typed(words: str, data: Path | None = None) -> str:
    """`boston WORDS` as one types it here: with this program's path, and the box that this command works on."""
    program = Path(sys.argv[0])
    if program.name != "boston" or shutil.which("boston") == str(program):
        program = Path("boston")
    elif program.is_relative_to(Path.cwd()):
        program = program.relative_to(Path.cwd())
    line = f"{shlex.quote(str(program))} {words}"
    asked = click.get_current_context(silent=True)
    if data is None and asked is not None:
        if asked.get_parameter_source("data") in _TYPED:
            data = asked.params["data"]
        elif asked.get_parameter_source("url") in _TYPED:
            # A URL holds a password, which belongs on no screen.
            return f"{line} --database URL"
    return line if data in (None, DATA) else f"{line} --data {shlex.quote(str(data))}"
