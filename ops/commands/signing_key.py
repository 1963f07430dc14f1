"""`boston signing-key`: the keys that a club signs its checkpoints and receipts with."""

from __future__ import annotations

from pathlib import Path

import click

from ops.doors import club_called, with_database
from ops.where import database_options, opened
from service.database import Database
from service.log import connection
from service.proof.checkpoints import Checkpoints
from service.proof.keyring import Signer, keys_of, replace_key
from service.proof.statement import KeyMade, Signed, fingerprint, key_id

CLUB = click.option("--club", help="The club's name or id; may be left out while there is only one.")


@click.group(name="signing-key")
def command() -> None:
    """List and replace the keys that a club signs with."""


@command.command(name="list")
@CLUB
@database_options
def list_(club: str | None, data: Path, url: str | None) -> None:
    """List the keys with their fingerprints, the first one first; the last is in force."""

    async def act(database: Database) -> tuple[Signed, ...]:
        found = await club_called(database, club)
        async with connection(database.reads) as lent:
            return await keys_of(lent, found.club_id)

    with opened(data, url) as owner:
        keys = with_database(owner, act)
    if not keys:
        click.echo("nothing has been signed yet; the first key is made with the first checkpoint or receipt", err=True)
    for key in keys:
        click.echo(_told(key))


@command.command()
@CLUB
@click.option("--yes", is_flag=True, help="Do not ask; needed where no one can be asked.")
@database_options
def replace(club: str | None, yes: bool, data: Path, url: str | None) -> None:
    """Make a new key, vouched for by the old one, whose secret is deleted. A checkpoint under the new key follows.

    Tell the players the new fingerprint, and print it with the old one for a while.
    """
    if not yes:
        click.confirm("Replace the club's signing key? The old one signs nothing any more.", abort=True)

    async def act(database: Database) -> Signer:
        found = await club_called(database, club)
        async with connection(database.reads) as lent, lent.transaction():
            made = await replace_key(lent, found.club_id)
        await Checkpoints(database).make(found.club_id)
        return made

    with opened(data, url) as owner:
        made = with_database(owner, act)
    click.echo(_told(made.keys[-1]))


def _told(key: Signed) -> str:
    made = key.statement
    assert isinstance(made, KeyMade)
    return f"{made.number}  {made.at[:16].replace('T', ' ')}  {fingerprint(key_id(made.public))}"
