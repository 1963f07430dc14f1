"""`boston export`: the records of a club as files, one an evening, to be kept or taken elsewhere."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from uuid import UUID

import click
from rich.console import Console
from rich.progress import Progress

from domain.entries import AnyEntry
from domain.record import format_entry
from ops.doors import club_called
from ops.exporting import Exporter, Kept
from ops.where import database_options, opened
from ops.wholefile import put
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
                sys.stdout.buffer.writelines(_lines(record))
            else:
                put(to / kept.file_name, _lines(record))
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


def _lines(record: Iterable[AnyEntry]) -> Iterator[bytes]:
    return (format_entry(entry) + b"\n" for entry in record)
