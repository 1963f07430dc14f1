"""`boston verify`: the chains and folds of all sessions, of one, or of one file."""

from __future__ import annotations

import sys
from pathlib import Path
from uuid import UUID

import click
import msgspec
import psycopg

from domain.record import replay
from ops.facts import verify_facts
from ops.verify import Mark, Report, verify, verify_lines
from ops.where import as_it_stands, database_options


@click.command(name="verify")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path), required=False)
@database_options
@click.option("--session", type=click.UUID, help="Only this session.")
@click.option("--checkpoint", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="An earlier one.")
@click.option("--save-checkpoint", type=click.Path(dir_okay=False, path_type=Path), help="Where to write a new one.")
def command(
    file: Path | None,
    data: Path | None,
    url: str | None,
    session: UUID | None,
    checkpoint: Path | None,
    save_checkpoint: Path | None,
) -> None:
    """Check that the log is what was recorded, and folds to the same with its rows; FILE is an exported log or record.

    A checkpoint is a file with the version and hash of every session. Kept elsewhere, it shows later whether a
    stream was cut at its end or replaced as a whole, which the chain alone cannot show.

    Exit 0: all holds. 1: something does not. 2: it could not be verified.
    """
    try:
        marks = [] if checkpoint is None else _read(checkpoint)
        if file is not None:
            report = _file(file, marks)
        elif url is None and data is None:
            raise click.UsageError(
                "name the data folder by --data, a database by --database or DATABASE_URL, or a FILE"
            )
        else:
            only = None if session is None else str(session)
            with as_it_stands(data, url) as owner:
                report = verify(owner, only, marks)
                report.problems += verify_facts(owner, only)
            if session is not None and not report.sessions:
                raise click.ClickException(f"there is no session {session}")
    except (psycopg.Error, OSError, msgspec.DecodeError) as error:
        click.echo(f"Error: could not verify: {str(error).strip()}", err=True)
        sys.exit(2)
    except click.ClickException as error:
        error.show()
        sys.exit(2)
    for problem in report.problems:
        click.echo(str(problem))
    grave = sum(problem.grave for problem in report.problems)
    newer = len(report.problems) - grave
    click.echo(
        f"{report.sessions} sessions, {report.events} events: {grave or 'no'} problem{'' if grave == 1 else 's'}"
    )
    if newer:
        click.echo(f"{newer} settlements would come out otherwise under the newer engine; the record stands")
    if not marks and file is None:
        click.echo("no checkpoint was given: a stream cut at its end would not show")
    if save_checkpoint is not None and report.sound:
        save_checkpoint.write_bytes(b"".join(msgspec.json.encode(mark) + b"\n" for mark in report.marks))
    sys.exit(0 if report.sound else 1)


def _read(checkpoint: Path) -> list[Mark]:
    return [msgspec.json.decode(line, type=Mark) for line in checkpoint.read_bytes().splitlines() if line.strip()]


def _file(file: Path, marks: list[Mark]) -> Report:
    """An exported log; or a record, which has no chain and is only folded."""
    lines = file.read_bytes().splitlines()
    first = next((line for line in lines if line.strip()), b"")
    if b'"session"' in first:
        return verify_lines(lines, marks)
    replayed = replay(lines, keep_going=True)
    for refused in replayed.refused:
        click.echo(f"{file}:{refused.line}: {refused.code}: {refused.message}")
    click.echo(f"{file} is a record: {replayed.session.number} entries fold, there is no chain to check")
    sys.exit(1 if replayed.refused else 0)
