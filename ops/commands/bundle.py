"""`boston bundle`: sessions with all that proves them, and the page that checks them anywhere."""

from __future__ import annotations

from pathlib import Path
from uuid import UUID

import click

from ops.bundling import Bundler
from ops.doors import club_called, with_database
from ops.where import database_options, opened
from ops.wholefile import put
from service.database import Database
from service.proof.checkpoints import Checkpoints
from service.proof.page import page


@click.command(name="bundle")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--club", "wanted", help="Name or id of the club; not needed where there is one.")
@click.option("--session", "sessions", type=click.UUID, multiple=True, help="Only this session; may be repeated.")
@database_options
def command(folder: Path, wanted: str | None, sessions: tuple[UUID, ...], data: Path, url: str | None) -> None:
    """Write a bundle of each session of a club into FOLDER, and verify.html beside them.

    A bundle holds record, events, hashes, keys and checkpoints. A checkpoint is made first where anything has moved.
    Open verify.html in any browser, from the folder itself, and drop the bundles on it; or run boston verify.
    """

    async def act(database: Database) -> int:
        club = await club_called(database, wanted)
        bundler = Bundler(database, club.club_id)
        kept = await bundler.sessions()
        missing = {str(one) for one in sessions} - {one.session_id for one in kept}
        if missing:
            raise click.ClickException(f"{club.name} has no session {min(missing)}")
        if sessions:
            kept = [one for one in kept if UUID(one.session_id) in sessions]
        await Checkpoints(database).make(club.club_id)
        async for name, content in bundler.bundles(kept):
            put(folder / name, [content])
        return len(kept)

    with opened(data, url) as owner:
        written = with_database(owner, act)
    put(folder / "verify.html", [page()])
    click.echo(f"{written} bundles and verify.html written to {folder}", err=True)
