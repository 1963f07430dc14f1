"""`boston checkpoint`: a signed checkpoint of all sessions of a club, to be printed, published and kept elsewhere."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from ops.doors import club_called, with_database
from ops.where import database_options, opened
from ops.wholefile import put
from service.database import Database
from service.proof.checkpoints import CheckpointFile, CheckpointInfo, Checkpoints
from service.proof.page import page


@click.command(name="checkpoint")
@click.option("--club", "wanted", help="Name or id of the club; not needed where there is one.")
@click.option("--to", "file", type=click.Path(dir_okay=False, path_type=Path), help="Write it whole to this file.")
@database_options
def command(wanted: str | None, file: Path | None, data: Path, url: str | None) -> None:
    """Make a checkpoint; the last one holds where nothing has moved since.

    The file holds the head of every session. Who keeps it can show later what was cut, replaced or taken out since,
    with boston verify or the page verify.html, which is written beside it.
    """

    async def act(database: Database) -> tuple[CheckpointInfo, CheckpointFile | None]:
        club = await club_called(database, wanted)
        checkpoints = Checkpoints(database)
        made = CheckpointInfo.of(await checkpoints.make(club.club_id))
        return made, None if file is None else await checkpoints.file(club.club_id, made.number)

    with opened(data, url) as owner:
        made, whole = with_database(owner, act)
    click.echo(f"checkpoint {made.number} of {made.at}: {made.sessions} sessions")
    click.echo(f"  {made.short}")
    click.echo(f"signed with the key\n  {made.key}")
    if file is not None:
        put(file, [msgspec.json.encode(whole)])
        put(file.parent / "verify.html", [page()])
