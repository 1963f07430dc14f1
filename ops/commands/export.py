"""`boston export`: the records of a club as files, one an evening, to be kept or taken elsewhere."""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import IO
from uuid import UUID

import click
from rich.console import Console
from rich.progress import Progress

from domain.entries import AnyEntry
from domain.record import format_entry
from ops.doors import club_called
from ops.exporting import Exporter, Kept
from ops.where import database_options, opened
from service.database import connected


@click.command(name="export")
@click.argument("to", metavar="FOLDER|-", type=click.Path(path_type=Path))
@click.option("--club", "wanted", help="Name or id of the club; not needed where there is one.")
@click.option("--session", "sessions", type=click.UUID, multiple=True, help="Only this session; may be repeated.")
@click.option("--effective", is_flag=True, help="Leave out what was undone, withdrawn or corrected away.")
@click.option("--ids", is_flag=True, help="Write players by their ids, without a name.")
@database_options
def command(
    to: Path,
    wanted: str | None,
    sessions: tuple[UUID, ...],
    effective: bool,
    ids: bool,
    data: Path,
    url: str | None,
) -> None:
    """Write each record of a club to a file of its own in FOLDER; `-` writes a single one to standard output.

    A file of the same name is replaced. `boston import` takes them back.
    """
    if str(to) == "-" and len(sessions) != 1:
        raise click.UsageError("name the one session to write to standard output by --session")
    screen = Console(stderr=True)
    with opened(data, url) as owner, Progress(console=screen, disable=not screen.is_terminal) as progress:
        task = progress.add_task("Records", total=None)

        def write(all_: int, kept: Kept, record: Iterable[AnyEntry]) -> None:
            if str(to) == "-":
                _lines(sys.stdout.buffer, record)
            else:
                _file(to / kept.file_name, record)
            progress.update(task, total=all_, advance=1)

        written = asyncio.run(_export(owner, wanted, [str(one) for one in sessions], effective, ids, write))
    click.echo(f"{written} records exported to {to}", err=True)


async def _export(
    url: str,
    wanted: str | None,
    sessions: list[str],
    effective: bool,
    ids: bool,
    write: Callable[[int, Kept, Iterable[AnyEntry]], None],
) -> int:
    async with connected(url) as database:
        club = await club_called(database, wanted)
        exporter = Exporter(database, club.club_id, effective, ids)
        kept = await exporter.sessions()
        if sessions:
            missing = sorted(set(sessions) - {one.session_id for one in kept})
            if missing:
                raise click.ClickException(f"{club.name} has no session {missing[0]}")
            kept = [one for one in kept if one.session_id in sessions]
        async for one, record in exporter.records(kept):
            write(len(kept), one, record)
    return len(kept)


def _lines(file: IO[bytes], record: Iterable[AnyEntry]) -> None:
    for entry in record:
        file.write(format_entry(entry) + b"\n")


def _file(path: Path, record: Iterable[AnyEntry]) -> None:
    """Writes a file whole or not at all, so that an export cut short leaves no half a record."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".", delete=False) as part:
            _lines(part.file, record)
        os.replace(part.name, path)
    except OSError as error:
        raise click.ClickException(f"{path} cannot be written: {error.strerror or error}") from error
