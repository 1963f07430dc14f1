"""`boston verify`: the whole log with all that was signed of it, one session, or files that somebody brings."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from uuid import UUID

import click
import msgspec
import psycopg

from domain.record import replay
from domain.text import UNREAD
from ops.facts import verify_facts
from ops.proof.check import check
from ops.proof.compare import compare
from ops.proof.judged import judge
from ops.recordfile import BYTE_ORDER_MARK
from ops.signed import verify_signed
from ops.verify import Mark, Report, verify, verify_lines
from ops.where import as_it_stands, database_options


@click.command(name="verify")
@click.argument("files", type=click.Path(exists=True, dir_okay=False, path_type=Path), nargs=-1)
@database_options
@click.option("--session", type=click.UUID, help="Only this session.")
@click.option(
    "--checkpoint",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="An earlier one, signed or plain.",
)
@click.option("--save-checkpoint", type=click.Path(dir_okay=False, path_type=Path), help="Where to write a new one.")
@click.option("--key", "fingerprint", help="The fingerprint of the club's key, as it is printed on a score sheet.")
def command(
    files: tuple[Path, ...],
    data: Path,
    url: str | None,
    session: UUID | None,
    checkpoint: Path | None,
    save_checkpoint: Path | None,
    fingerprint: str | None,
) -> None:
    """Check that the log is what was recorded and signed, and folds to the same with its rows.

    FILES are receipts, checkpoints, bundles, exported logs or records; no database is asked then. Several of them are
    also held against one another: a receipt or a checkpoint shows whether a bundle was cut or replaced.

    A checkpoint of --save-checkpoint is a plain list of the version and hash of every session. Kept elsewhere, it
    shows later whether a stream was cut at its end or replaced as a whole.

    Exit 0: all holds. 1: something does not. 2: it could not be verified.
    """
    try:
        marks = [] if checkpoint is None else _read(checkpoint)
        if files:
            sys.exit(0 if _files(files, marks, fingerprint) else 1)
        only = None if session is None else str(session)
        with as_it_stands(data, url) as owner:
            report = verify(owner, only, marks)
            report.problems += verify_facts(owner, only, report.broken)
            signed = verify_signed(owner, only, fingerprint)
            report.problems += signed.problems
        if session is not None and not report.sessions:
            raise click.ClickException(f"there is no session {session}")
    except (psycopg.Error, OSError, msgspec.DecodeError) as error:
        click.echo(f"Error: could not verify: {str(error).strip()}", err=True)
        sys.exit(2)
    except click.ClickException as error:
        error.show()
        sys.exit(2)
    _tell(report)
    click.echo(signed.told)
    if not marks and not signed.heads:
        click.echo("no checkpoint was given: a stream cut at its end would not show")
    if save_checkpoint is not None and report.sound:
        save_checkpoint.write_bytes(b"".join(msgspec.json.encode(mark) + b"\n" for mark in report.marks))
    sys.exit(0 if report.sound else 1)


def _tell(report: Report) -> None:
    for problem in report.problems:
        click.echo(str(problem))
    grave = sum(problem.grave for problem in report.problems)
    newer = len(report.problems) - grave
    click.echo(
        f"{report.sessions} sessions, {report.events} events: {grave or 'no'} problem{'' if grave == 1 else 's'}"
    )
    if newer:
        click.echo(f"{newer} settlements would come out otherwise under the newer engine; the record stands")


def _read(checkpoint: Path) -> list[Mark]:
    """How far the sessions had come: the heads of a signed checkpoint, or the plain list of --save-checkpoint."""
    content = checkpoint.read_bytes()
    lines = [line for line in content.splitlines() if line.strip()]
    if _kind(lines[0] if lines else b"") != "signed":
        return [msgspec.json.decode(line, type=Mark) for line in lines]
    told = check(str(checkpoint), content)
    if told.heads is None or not told.sound:
        raise click.ClickException(f"{checkpoint} is no checkpoint that holds; see boston verify {checkpoint}")
    return [Mark(head.session_id, head.version, head.hash.hex()) for head in told.heads[1].values()]


def _files(files: Sequence[Path], marks: list[Mark], fingerprint: str | None) -> bool:
    """Checks files, the signed ones also against one another; true where all holds."""
    sound = True
    proofs = []
    for file in files:
        content = file.read_bytes()
        lines = content.removeprefix(BYTE_ORDER_MARK).splitlines()
        kind = _kind(next((line for line in lines if line.strip()), b""))
        if kind == "record":
            sound &= _record(file, lines)
        elif kind == "log":
            report = verify_lines(lines, marks)
            _tell(report)
            sound &= report.sound
        else:
            proofs.append(check(str(file), content))
    for told in proofs:
        judge(told)
    compare(proofs, fingerprint)
    for told in proofs:
        click.echo(f"{told.name}: {told.kind}{'' if told.sound else ': DOES NOT HOLD'}")
        for finding in sorted(told.findings, key=lambda finding: not finding.grave):
            click.echo(f"  {finding}")
    return sound and all(told.sound for told in proofs)


def _kind(first: bytes) -> str:
    """What the first line of a file says that it is: of a record, of a log, or of something signed."""
    try:
        read = msgspec.json.decode(first)
    except UNREAD:
        # A line that does not read is of a record unless it looks like something signed.
        return "signed" if b'"type":"' in first[:12] or b"type=" in first or not first.startswith(b"{") else "record"
    if isinstance(read, dict) and "type" not in read:
        return "log" if "session" in read else "record"
    return "signed"


def _record(file: Path, lines: Sequence[bytes]) -> bool:
    """A record has no chain and is only folded."""
    replayed = replay(lines, keep_going=True)
    for refused in replayed.refused:
        click.echo(f"{file}:{refused.line}: {refused.code}: {refused.message}")
    click.echo(f"{file} is a record: {replayed.session.number} entries fold, there is no chain to check")
    return not replayed.refused
