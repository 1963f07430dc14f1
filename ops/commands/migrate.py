"""`boston migrate`: brings the database up to date."""

from __future__ import annotations

from pathlib import Path

import click

from ops.migrate import migrate
from ops.where import database_options, found


@click.command(name="migrate")
@database_options
def command(data: Path, url: str | None) -> None:
    """Bring the database up to date; safe to run again, and from several machines at once.

    Every other command does so by itself, but for verify and rebuild on a server. The URL is that of the owner.
    """
    with found(data, url) as owner:
        applied = migrate(owner)
    for name in applied:
        click.echo(f"applied {name}")
    if not applied:
        click.echo("nothing to do")
