"""`boston checkpoint`, `bundle` and `signing-key` on a real database, and what `verify` says of it."""

from __future__ import annotations

from pathlib import Path

import psycopg
import pytest

from service.proof.page import page
from tests.ops.test_record_commands import GOLDEN, boston, club

pytestmark = pytest.mark.log
EVENINGS = [GOLDEN / f"{name}.jsonl" for name in ("american-1", "scripted-results")]


@pytest.fixture
def here(database: str) -> str:
    club(database, "Here")
    assert boston("import", *EVENINGS, database=database).exit_code == 0
    return database


def test_bundles_are_written_with_the_page_that_checks_them(here: str, tmp_path: Path) -> None:
    told = boston("bundle", tmp_path, database=here)
    assert told.exit_code == 0, told.output
    bundles = sorted(tmp_path.glob("*.bundle.jsonl"))
    assert len(bundles) == len(EVENINGS)
    assert (tmp_path / "verify.html").read_bytes() == page()
    checked = boston("verify", *bundles)
    assert checked.exit_code == 0, checked.output
    assert checked.output.count("is covered by checkpoint 1") == len(bundles)
    one = bundles[0].name.removesuffix(".bundle.jsonl")[-36:]
    assert boston("bundle", tmp_path / "one", "--session", one, database=here).exit_code == 0
    assert [file.name for file in (tmp_path / "one").glob("*.jsonl")] == [bundles[0].name]
    missing = boston("bundle", tmp_path, "--session", "01890a5d-ac96-774b-bcce-b302099a8057", database=here)
    assert missing.exit_code == 1
    assert "has no session 01890a5d" in missing.output


def test_a_checkpoint_kept_elsewhere_shows_what_was_cut(here: str, tmp_path: Path) -> None:
    told = boston("checkpoint", "--to", tmp_path / "kept.json", database=here)
    assert told.exit_code == 0, told.output
    assert told.output.startswith("checkpoint 1 of ")
    assert boston("checkpoint", database=here).output == told.output
    assert boston("verify", tmp_path / "kept.json").exit_code == 0
    assert boston("verify", database=here).exit_code == 0
    # Whoever owns the box forgets that anything was signed, cuts a session, and signs what is left.
    with psycopg.connect(here) as connection:
        connection.execute("SET session_replication_role = replica")
        for table in ("signing_keys", "signing_secrets", "checkpoints", "checkpoint_heads"):
            connection.execute(f"DELETE FROM boston.{table}")
        (cut,) = connection.execute("SELECT session_id::text FROM boston.sessions WHERE version > 100").fetchone()
        connection.execute("DELETE FROM boston.events WHERE session_id = %s AND version > 60", (cut,))
        connection.execute(
            "UPDATE boston.sessions SET version = 60, hash = (SELECT hash FROM boston.events e "
            "WHERE e.session_id = sessions.session_id AND e.version = 60) WHERE session_id = %s",
            (cut,),
        )
    with psycopg.connect(here) as connection:
        (entries,) = connection.execute(
            "SELECT entry FROM boston.events WHERE session_id = %s AND version = 60", (cut,)
        ).fetchone()
        connection.execute("UPDATE boston.sessions SET entries = %s WHERE session_id = %s", (entries, cut))
    assert boston("bundle", tmp_path, "--session", cut, database=here).exit_code == 0
    (forged,) = tmp_path.glob("*.bundle.jsonl")
    assert boston("verify", forged).exit_code == 0, "by itself it is whole, which is why a checkpoint is kept elsewhere"
    found = boston("verify", tmp_path / "kept.json", forged)
    assert found.exit_code == 1
    assert f"session {cut}: the end of the session was cut" in found.output
    assert "signed with another key than the club's" in found.output
    # The same file serves against the whole box.
    found = boston("verify", "--checkpoint", tmp_path / "kept.json", database=here)
    assert found.exit_code == 1
    assert f"{cut}: ends at version 60; it had come to" in found.output
    spoilt = tmp_path / "spoilt.json"
    spoilt.write_bytes((tmp_path / "kept.json").read_bytes().replace(b'"version":', b'"version":1', 1))
    refused = boston("verify", "--checkpoint", spoilt, database=here)
    assert refused.exit_code == 2
    assert "is no checkpoint that holds" in refused.output


def test_a_new_key_is_vouched_for_by_the_old_one(here: str, tmp_path: Path) -> None:
    assert "nothing has been signed yet" in boston("signing-key", "list", database=here).output
    boston("checkpoint", "--to", tmp_path / "old.json", database=here)
    assert boston("signing-key", "replace", database=here).exit_code == 1, "nobody said yes"
    replaced = boston("signing-key", "replace", "--yes", database=here)
    assert replaced.exit_code == 0, replaced.output
    first, second = boston("signing-key", "list", database=here).output.splitlines()
    assert (first[0], second) == ("1", replaced.output.rstrip("\n"))
    boston("checkpoint", "--to", tmp_path / "new.json", database=here)
    both = boston("verify", tmp_path / "old.json", tmp_path / "new.json", "--key", first[21:])
    assert both.exit_code == 0, both.output
    assert boston("verify", database=here).exit_code == 0
    assert boston("verify", "--key", second[21:], database=here).exit_code == 0
    assert boston("verify", "--key", "0" * 32, database=here).exit_code == 1
    with psycopg.connect(here) as connection:
        assert connection.execute("SELECT number FROM boston.signing_secrets").fetchall() == [(2,)]


def test_a_lost_secret_is_named(here: str) -> None:
    boston("checkpoint", database=here)
    with psycopg.connect(here) as connection:
        connection.execute("UPDATE boston.signing_secrets SET secret = sha256(secret)")
    for command in (("signing-key", "replace", "--yes"), ("bundle", "nowhere")):
        told = boston(*command, database=here)
        assert told.exit_code == 1
        assert "restore it from a backup" in told.output
