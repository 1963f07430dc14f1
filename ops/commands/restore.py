"""`boston restore`: a box from a backup."""

from __future__ import annotations

from pathlib import Path

import click

from ops.backup import BackupFailed, restore
from ops.embedded import EmbeddedError
from ops.migrate import MigrationFailed
from ops.where import data_option, is_box, typed


@click.command(name="restore")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@data_option
def command(file: Path, data: Path) -> None:
    """Make a new box from FILE, which `boston backup` wrote. A folder that has a box already is left alone.

    What was erased after the backup was made is there again: erase it anew.
    """
    if is_box(data):
        raise click.ClickException(f"there is a box in {data} already; name a new folder by --data")
    try:
        restore(file, data)
    except (BackupFailed, EmbeddedError, MigrationFailed) as error:
        raise click.ClickException(str(error)) from error
    click.echo(f"a box was made in {data}")
    click.echo(f"check it by: {typed('verify', data)}    start it by: {typed('serve', data)}", err=True)
