"""`boston replay`: folds a record without a database and prints what came of it as one JSON object.

The object is printed whatever the input was. Exit 0 when every entry was accepted, 1 when one was
refused, 2 when one was malformed or nothing could be read.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import click
import msgspec

from domain.record import Refused, Replay, replay, replay_object
from domain.session import initial
from ops.recordfile import BYTE_ORDER_MARK


@click.command(name="replay")
@click.argument("file", type=click.Path(allow_dash=True), default="-")
@click.option("--keep-going", is_flag=True, help="Skip an entry that is not taken, and list them all.")
def command(file: str, keep_going: bool) -> None:
    """Fold the record in FILE (or standard input) and print the deals, the money and what was refused."""
    replayed = replay_file(file, keep_going)
    click.echo(msgspec.json.encode(replay_object(replayed)))
    sys.exit(2 if replayed.malformed else 1 if replayed.refused else 0)


def replay_file(file: str, keep_going: bool = False) -> Replay:
    """The record in a file (`-` is standard input) as far as it folds; a file without entries is malformed."""
    try:
        with click.open_file(file, "rb") as lines:
            replayed = replay(_entries(lines), keep_going)
    except OSError as error:
        return _unread(f"cannot read {file}: {error.strerror or error}")
    if not replayed.session.number and not replayed.refused:
        return _unread("there is no entry in the record; it begins with open")
    return replayed


def _entries(lines: Iterator[bytes]) -> Iterator[bytes]:
    """The lines of a file, without the mark that some editors put in front of the first."""
    for place, line in enumerate(lines):
        yield line if place else line.removeprefix(BYTE_ORDER_MARK)


def _unread(message: str) -> Replay:
    return Replay(initial(), (Refused(1, 1, None, "malformed", None, message),))
