"""`boston import`: records from files and folders into a club."""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import click
from rich.console import Console
from rich.progress import Progress

from ops.doors import club_called
from ops.importing import Brought, Importer
from ops.memory import settle
from ops.recordfile import Fault, Record, found, read
from ops.where import database_options, opened
from service.clubs import Club
from service.database import connected
from service.envelope import Actor
from service.facts import Writer
from service.log import InDoubt, Log, Unavailable
from service.record import Recorder
from service.register import Register


@click.command(name="import")
@click.argument("paths", metavar="PATH...", type=click.Path(exists=True, path_type=Path), nargs=-1, required=True)
@click.option("--club", "wanted", help="Name or id of the club; not needed where there is one.")
@database_options
def command(paths: tuple[Path, ...], wanted: str | None, data: Path, url: str | None) -> None:
    """Bring records into a club: files, and of folders every .jsonl file, however deep.

    A record goes in whole or not at all; one that is refused is reported with file, line and rule, and the
    others go on. The same evening goes in once: an exported file carries its session's id in its name, any other is
    known by what it says. Players are looked up by name, and added when they are new.

    Exit 0: all are in. 1: at least one was refused. 2: nothing could be done, or the import broke off.
    """
    files = list(found(paths))
    if not files:
        raise click.UsageError("there is no .jsonl file in what was named")
    screen = Console(stderr=True)
    with opened(data, url) as owner, Progress(console=screen, disable=not screen.is_terminal) as progress:
        task = progress.add_task("Records", total=len(files))

        def tell(brought: Brought) -> None:
            progress.advance(task)
            for fault in brought.faults:
                progress.console.print(_told(brought.source, fault), markup=False, highlight=False, soft_wrap=True)

        settle()
        try:
            club, outcomes = asyncio.run(_import(owner, wanted, files, tell))
        except (InDoubt, Unavailable) as error:
            # What is in doubt shows when the same files are imported again.
            raise _BrokenOff(f"the import broke off: {error}; run it again, what is in stays in once") from error
    click.echo(
        f"{club.name}: {outcomes['imported']} imported, {outcomes['known']} were there already, "
        f"{outcomes['refused']} refused"
    )
    sys.exit(1 if outcomes["refused"] else 0)


class _BrokenOff(click.ClickException):
    exit_code = 2


async def _import(
    url: str, wanted: str | None, files: list[Path], tell: Callable[[Brought], None]
) -> tuple[Club, Counter[str]]:
    outcomes: Counter[str] = Counter()
    async with connected(url) as database:
        club = await club_called(database, wanted)
        log = Log(database)
        recorder = Recorder(log, Register(database, adopts=True), Writer(), keep=8)
        try:
            importer = Importer(database, recorder, club.club_id, Actor(role="admin"))
            async for brought in importer.bring_all(_records(files)):
                outcomes[brought.outcome] += 1
                tell(brought)
        finally:
            await log.close()
    return club, outcomes


def _records(files: list[Path]) -> Iterator[tuple[str, Record | list[Fault]]]:
    return ((str(file), read(file)) for file in files)


def _told(file: str, fault: Fault) -> str:
    where = f"{file}:{fault.line}" if fault.line else file
    rule = f" (rule {fault.rule})" if fault.rule else ""
    return f"{where}: {fault.code}{rule}: {fault.message}"
