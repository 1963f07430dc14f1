"""`boston rebuild`: projections computed again from the log while the service runs."""

from __future__ import annotations

import sys
from pathlib import Path

import click
import psycopg
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from domain.evolve import Impossible
from domain.text import UNREAD
from ops.memory import settle
from ops.rebuild import RebuildFailed, rebuild
from ops.where import as_it_stands, database_options
from projections import BY_NAME

SHOWN = 20
"""Differences that are listed one by one."""


@click.command(name="rebuild")
@click.argument("name", type=click.Choice(sorted(BY_NAME)), required=False)
@database_options
@click.option("--workers", type=click.IntRange(1, 64), default=1, show_default=True, help="Processes at work.")
def command(name: str | None, data: Path, url: str | None, workers: int) -> None:
    """Compute the rows of all projections, or of NAME, again from the log.

    The service may run meanwhile. The new rows take the place of the old ones when they hold, and what was
    otherwise before is listed.

    Exit 0: rebuilt. 1: not rebuilt, the old rows are still in place.
    """
    settle()
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    try:
        with as_it_stands(data, url) as owner, Progress(*columns, disable=not sys.stderr.isatty()) as bar:
            task = bar.add_task("sessions", total=None)
            report = rebuild(
                owner, [name] if name else (), workers, lambda done, all_: bar.update(task, completed=done, total=all_)
            )
    except (RebuildFailed, psycopg.Error) as error:
        raise click.ClickException(f"not rebuilt: {str(error).strip()}") from error
    except (*UNREAD, Impossible) as error:
        raise click.ClickException(f"not rebuilt, for an event is damaged; see boston verify: {error}") from error
    for difference in report.changed[:SHOWN]:
        click.echo(f"{difference.session}: {difference}")
    if len(report.changed) > SHOWN:
        click.echo(f"and {len(report.changed) - SHOWN} more differences like these")
    click.echo(
        f"{report.rows} rows of {report.sessions} sessions rebuilt from {report.events} events: "
        f"{len(report.changed) or 'no'} difference{'' if len(report.changed) == 1 else 's'} to the rows before"
    )
