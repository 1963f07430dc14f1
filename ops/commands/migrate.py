"""`boston migrate`: brings the database up to date."""

from __future__ import annotations

import sys

import click

from ops.migrate import MigrationFailed, migrate


@click.command(name="migrate")
@click.option("--database", "url", envvar="DATABASE_URL", required=True, help="URL of the database's owner.")
def command(url: str) -> None:
    """Bring the database up to date; safe to run again, and from several machines at once."""
    try:
        applied = migrate(url)
    except MigrationFailed as failure:
        click.echo(f"Error: {failure}.", err=True)
        sys.exit(1)
    for name in applied:
        click.echo(f"applied {name}")
    if not applied:
        click.echo("nothing to do")
