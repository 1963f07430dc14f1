"""What a box has signed is held against its log: every byte of either, and what was cut or taken out since."""

from __future__ import annotations

import asyncio
from pathlib import Path

import psycopg
import pytest
from click.testing import CliRunner

from ops.cli import main
from ops.signed import verify_signed
from ops.verify import verify
from service.database import connected
from service.proof.checkpoints import Checkpoints
from service.proof.statement import fingerprint, key_id, public_of
from tests.log.test_verify import record
from tests.log.world import CLUB

pytestmark = pytest.mark.log


def signed(url: str) -> None:
    async def make() -> None:
        async with connected(url) as database:
            await Checkpoints(database).make(CLUB)

    asyncio.run(make())


def tamper(url: str, statement: str, **given: object) -> None:
    with psycopg.connect(url) as connection:
        connection.execute("SET session_replication_role = replica")
        assert connection.execute(statement, given).rowcount >= 1


FLIPS = {
    "signing_keys.club_id": "club_id = gen_random_uuid()",
    "signing_keys.number": "number = number + 1",
    "signing_keys.statement": "statement = overlay(statement PLACING '!' FROM length(statement) - 9)",
    "checkpoints.club_id": "club_id = gen_random_uuid()",
    "checkpoints.number": "number = number + 1",
    "checkpoints.made_at": "made_at = made_at + interval '1 microsecond'",
    "checkpoints.statement": "statement = replace(statement, '&sessions=2', '&sessions=3')",
    "checkpoint_heads.session_id": "session_id = gen_random_uuid()",
    "checkpoint_heads.number": "number = number + 7",
    "checkpoint_heads.club_id": "club_id = gen_random_uuid()",
    "checkpoint_heads.version": "version = version - 1",
    "checkpoint_heads.hash": "hash = sha256(hash)",
    "checkpoint_heads.events": "events = sha256(events)",
}


def test_what_was_signed_holds_and_says_by_whom(database: str) -> None:
    record(database, "american-1", "american-2")
    signed(database)
    told = verify_signed(database)
    assert told.problems == []
    assert (told.checkpoints, told.heads) == (1, 2)
    with psycopg.connect(database) as connection:
        (secret,) = connection.execute("SELECT secret FROM boston.signing_secrets").fetchone()
    assert told.keys == {CLUB: fingerprint(key_id(public_of(secret)))}
    assert verify_signed(database, printed=told.keys[CLUB]).problems == []
    assert verify_signed(database, printed="0" * 32).problems != []


@pytest.mark.parametrize("column", FLIPS)
def test_a_change_of_anything_signed_is_found(database: str, column: str) -> None:
    record(database, "american-1", "american-2")
    signed(database)
    tamper(database, f"UPDATE boston.{column.partition('.')[0]} SET {FLIPS[column]}")
    assert verify_signed(database).problems


def test_every_column_is_among_them(database: str) -> None:
    with psycopg.connect(database) as connection:
        columns = connection.execute(
            """
            SELECT table_name || '.' || column_name FROM information_schema.columns
            WHERE table_schema = 'boston' AND table_name IN ('signing_keys', 'checkpoints', 'checkpoint_heads')
            """
        ).fetchall()
    assert {column for (column,) in columns} == set(FLIPS)


def test_a_tail_that_was_cut_shows_without_any_file(database: str) -> None:
    cut, gone, whole = record(database, "american-1", "american-2", "whist-22")
    signed(database)
    tamper(database, "DELETE FROM boston.events WHERE session_id = %(session)s", session=gone)
    tamper(database, "DELETE FROM boston.sessions WHERE session_id = %(session)s", session=gone)
    tamper(database, "DELETE FROM boston.events WHERE session_id = %(session)s AND entry > 90", session=cut)
    tamper(
        database,
        """
        UPDATE boston.sessions s
        SET version = e.version, hash = e.hash, entries = e.entry, changed_at = e.recorded_at, phase = 'play'
        FROM (SELECT * FROM boston.events WHERE session_id = %(session)s ORDER BY version DESC LIMIT 1) e
        WHERE s.session_id = e.session_id
        """,
        session=cut,
    )
    assert [problem.kind for problem in verify(database).problems if problem.kind != "head"] == []
    found = CliRunner().invoke(main, ["verify", "--database", database])
    assert found.exit_code == 1
    assert f"{cut}: ends at version" in found.output
    assert f"{gone}: is gone" in found.output
    assert whole not in found.output
    alone = CliRunner().invoke(main, ["verify", "--database", database, "--session", cut])
    assert f"{cut}: ends at version" in alone.output


def test_a_damaged_session_is_not_signed_for(database: str) -> None:
    damaged, whole = record(database, "american-1", "american-2")
    tamper(database, "UPDATE boston.sessions SET hash = sha256(hash) WHERE session_id = %(session)s", session=damaged)
    signed(database)
    with psycopg.connect(database) as connection:
        covered = connection.execute("SELECT session_id::text FROM boston.checkpoint_heads").fetchall()
    assert covered == [(whole,)]


def test_files_are_checked_by_the_command(tmp_path: Path) -> None:
    from tests.proof.corpus import corpus

    genuine = corpus().genuine
    for name, content in genuine.items():
        (tmp_path / name).write_bytes(content)
    run = CliRunner()
    told = run.invoke(main, ["verify", *(str(tmp_path / name) for name in genuine)])
    assert told.exit_code == 0, told.output
    assert "was superseded: see entry 18" in told.output
    (tmp_path / "bundle.jsonl").write_bytes(genuine["bundle.jsonl"][:-300])
    cut = run.invoke(main, ["verify", str(tmp_path / "bundle.jsonl"), str(tmp_path / "late.json")])
    assert cut.exit_code == 1
    assert "bundle.jsonl: bundle: DOES NOT HOLD" in cut.output
    assert "late.json: receipt\n" in cut.output
    other = run.invoke(main, ["verify", str(tmp_path / "late.json"), "--key", "0" * 32])
    assert other.exit_code == 1
