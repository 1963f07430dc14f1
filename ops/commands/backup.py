"""`boston backup`: all of a box in one file."""

from __future__ import annotations

import datetime
import shlex
from pathlib import Path

import click

from ops.backup import BackupFailed, back_up
from ops.where import database_options, found, meant, typed


@click.command(name="backup")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@database_options
def command(folder: Path, data: Path, url: str | None) -> None:
    """Write all of a box into one new file in FOLDER: every club, evening and key. The service may go on meanwhile.

    The file opens everything to whoever has it. `boston restore` makes a box of it again.
    """
    box = data if meant(data, url) is None else None
    try:
        with found(data, url) as owner:
            file = back_up(owner, box, folder, datetime.datetime.now().astimezone())
    except BackupFailed as error:
        raise click.ClickException(str(error)) from error
    click.echo(file)
    click.echo(f"take it back by: {typed(f'restore {shlex.quote(str(file))}', Path('NEW-FOLDER'))}", err=True)
