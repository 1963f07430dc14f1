"""Verification finds a flipped byte of any column, and tells what it cannot see without a checkpoint."""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec
import psycopg
import pytest
from click.testing import CliRunner

from ops.cli import main
from ops.verify import Mark, verify, verify_lines
from service.envelope import decode, link
from tests.log.world import broken_links, evening, new_session, world

pytestmark = pytest.mark.log


def record(url: str, *names: str) -> list[str]:
    """Records evenings with a few free texts; their session ids."""
    sessions = [new_session() for _ in names]

    async def tell() -> None:
        async with world(url) as here:
            for session, name in zip(sessions, names, strict=True):
                for at in range(0, 120, 30):
                    await here.take(session, evening(name)[at : at + 30])

    asyncio.run(tell())
    return sessions


def tamper(url: str, statement: str, arguments: dict[str, object]) -> None:
    """What only a database administrator in bad faith, or a failing disk, could do."""
    with psycopg.connect(url) as connection:
        connection.execute("ALTER TABLE boston.events DISABLE TRIGGER append_only")
        assert connection.execute(statement, arguments).rowcount >= 1
        connection.execute("ALTER TABLE boston.events ENABLE TRIGGER append_only")


FLIPS = {
    "version": "version = 100000 + version",
    "entry": "entry = entry + 1",
    "entry_id": "entry_id = 'x' || entry_id",
    "type": "type = 'shuffled'",
    "recorded_at": "recorded_at = recorded_at + interval '1 microsecond'",
    "body": "body = set_byte(body, octet_length(body) / 2, get_byte(body, octet_length(body) / 2) # 1)",
    "hash": "hash = set_byte(hash, 7, get_byte(hash, 7) # 1)",
    "session_id": "session_id = translate(session_id::text, '0123456789abcdef', '123456789abcdef0')::uuid",
}


@pytest.mark.parametrize("column", FLIPS)
@pytest.mark.parametrize("place", ["first", "middle", "last"])
def test_a_flipped_byte_of_any_column_is_found(database: str, column: str, place: str) -> None:
    (session,) = record(database, "american-1")
    assert verify(database).problems == []
    with psycopg.connect(database) as connection:
        held = connection.execute("SELECT version FROM boston.events WHERE entry_id IS NOT NULL ORDER BY version")
        versions = [version for (version,) in held]
    version = {"first": versions[0], "middle": versions[len(versions) // 2], "last": versions[-1]}[place]
    tamper(
        database,
        f"UPDATE boston.events SET {FLIPS[column]} WHERE session_id = %(session)s AND version = %(version)s",
        {"session": session, "version": version},
    )
    report = verify(database)
    assert not report.sound
    assert report.problems
    if column in ("body", "hash"):
        assert (session, version) in broken_links(database)


def test_every_column_is_among_the_flipped(database: str) -> None:
    with psycopg.connect(database) as connection:
        columns = connection.execute(
            "SELECT attname FROM pg_attribute WHERE attrelid = 'boston.events'::regclass AND attnum > 0"
        ).fetchall()
    assert {column for (column,) in columns} == set(FLIPS)


@pytest.mark.parametrize(
    "change",
    [
        "version = version - 1",
        "hash = sha256(hash)",
        "club_id = gen_random_uuid()",
        "entries = entries + 1",
        "phase = 'closed'",
        "date = date + 1",
        "ruleset = 'russian'",
        "table_name = 'other'",
        "changed_at = changed_at + interval '1 hour'",
        "opened_at = opened_at + interval '1 hour'",
    ],
)
def test_a_changed_head_is_found(database: str, change: str) -> None:
    (session,) = record(database, "american-1")
    tamper(database, f"UPDATE boston.sessions SET {change} WHERE session_id = %(session)s", {"session": session})
    assert [problem.kind for problem in verify(database).problems] == ["head"]


def test_a_forged_event_with_a_forged_chain_is_found_by_judging_anew(database: str) -> None:
    """Whoever can write the whole chain anew still cannot make another settlement follow from the same play."""
    (session,) = record(database, "scripted-results")
    with psycopg.connect(database) as connection:
        rows = connection.execute("SELECT version, body FROM boston.events ORDER BY version").fetchall()
        connection.execute("ALTER TABLE boston.events DISABLE TRIGGER append_only")
        head, forged = bytes(32), 0
        for version, body in rows:
            if b'"deal_settled"' in body and not forged:
                envelope = decode(body)
                data = msgspec.structs.replace(envelope.data, price=envelope.data.price + 10)
                body, forged = msgspec.json.encode(msgspec.structs.replace(envelope, data=data)), version
            head = link(head, body)
            connection.execute(
                "UPDATE boston.events SET body = %s, hash = %s WHERE version = %s", (body, head, version)
            )
        connection.execute("UPDATE boston.sessions SET hash = %s", (head,))
    assert broken_links(database) == []
    assert [(p.version, p.kind) for p in verify(database).problems] == [(forged, "judgement")]
    assert session in str(verify(database).problems[0])


def test_a_settlement_of_an_older_engine_is_no_fault(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import domain.settlement
    import ops.verify

    record(database, "scripted-results")
    monkeypatch.setattr(domain.settlement, "ENGINE", 2)
    monkeypatch.setattr(ops.verify, "ENGINE", 2)
    report = verify(database)
    assert report.sound
    assert {problem.kind for problem in report.problems} == {"engine"}


def test_a_cut_tail_shows_only_against_a_checkpoint(database: str, tmp_path: Path) -> None:
    """Head and all, the stream is still a valid chain: verify says so, and the checkpoint proves otherwise."""
    cut, gone, whole = record(database, "american-1", "american-2", "whist-22")
    checkpoint = tmp_path / "checkpoint"
    run = CliRunner()
    saved = run.invoke(main, ["verify", "--database", database, "--save-checkpoint", str(checkpoint)])
    assert saved.exit_code == 0, saved.output
    assert "no checkpoint was given" in saved.output
    with psycopg.connect(database) as connection:
        connection.execute("ALTER TABLE boston.events DISABLE TRIGGER append_only")
        connection.execute("DELETE FROM boston.events WHERE session_id = %s", (gone,))
        connection.execute("DELETE FROM boston.sessions WHERE session_id = %s", (gone,))
        connection.execute("DELETE FROM boston.events WHERE session_id = %s AND entry > 90", (cut,))
        connection.execute(
            """
            UPDATE boston.sessions s
            SET version = e.version, hash = e.hash, entries = e.entry, changed_at = e.recorded_at, phase = 'play'
            FROM (SELECT * FROM boston.events WHERE session_id = %s ORDER BY version DESC LIMIT 1) e
            WHERE s.session_id = e.session_id
            """,
            (cut,),
        )
    assert broken_links(database) == []
    assert [problem.kind for problem in verify(database).problems if problem.kind != "head"] == []
    found = run.invoke(main, ["verify", "--database", database, "--checkpoint", str(checkpoint)])
    assert found.exit_code == 1
    assert f"{cut}: ends at version" in found.output
    assert f"{gone}: is gone" in found.output
    assert whole not in found.output


def test_texts_are_held_to_their_digests(database: str) -> None:
    record(database, "american-1")
    tamper(database, "UPDATE boston.texts SET text = 'the other tablet' WHERE text LIKE '%% window'", {})
    assert [problem.kind for problem in verify(database).problems] == ["text"]


@pytest.mark.parametrize(
    "change",
    [
        pytest.param("body = set_byte(body, 0, 0)", id="does not read"),
        pytest.param(
            """body = convert_to(replace(convert_from(body, 'UTF8'), '"type":"', '"type":"un'), 'UTF8')""",
            id="no event",
        ),
        pytest.param(
            """body = convert_to(regexp_replace(convert_from(body, 'UTF8'), '"data":.*',
            '"data":{"type":"tricks_reported","tricks":{"N":13,"E":0,"S":0,"W":0}}}'), 'UTF8')""",
            id="cannot have followed",
        ),
    ],
)
def test_the_command_names_an_event_from_which_nothing_can_be_computed(database: str, change: str) -> None:
    session, whole = record(database, "american-1", "american-2")
    where = "WHERE session_id = %(session)s AND version = 3"
    tamper(database, f"UPDATE boston.events SET {change} {where}", {"session": session})
    found = CliRunner().invoke(main, ["verify", "--database", database])
    assert found.exit_code == 1, found.output
    assert f"{session} version 3: the hash is not" in found.output
    assert whole not in found.output


def test_rows_are_not_rebuilt_from_an_event_that_does_not_read(database: str) -> None:
    record(database, "scripted-results")
    tamper(database, "UPDATE boston.events SET body = set_byte(body, 0, 0) WHERE version = 3", {})
    rebuilt = CliRunner().invoke(main, ["rebuild", "--database", database])
    assert rebuilt.exit_code == 1
    assert "not rebuilt, for an event is damaged" in rebuilt.output


def test_one_session_or_one_file(database: str, tmp_path: Path) -> None:
    session, other = record(database, "american-1", "american-2")
    run = CliRunner()
    one = run.invoke(main, ["verify", "--database", database, "--session", session])
    assert one.exit_code == 0
    assert one.output.startswith("1 sessions")
    missing = run.invoke(main, ["verify", "--database", database, "--session", new_session()])
    assert missing.exit_code == 2
    with psycopg.connect(database) as connection:
        bodies = [
            body
            for (body,) in connection.execute(
                "SELECT body FROM boston.events WHERE session_id = %s ORDER BY version", (other,)
            )
        ]
        (head,) = connection.execute("SELECT hash FROM boston.sessions WHERE session_id = %s", (other,)).fetchone()
    mark = msgspec.json.encode(Mark(other, len(bodies), head.hex()))
    exported = tmp_path / "log.jsonl"
    exported.write_bytes(b"\n".join([*bodies, mark]) + b"\n")
    assert run.invoke(main, ["verify", str(exported)]).exit_code == 0
    exported.write_bytes(b"\n".join([*bodies[:-1], mark]) + b"\n")
    assert run.invoke(main, ["verify", str(exported)]).exit_code == 1
    assert not verify_lines(bodies).sound
    assert verify_lines(bodies, [Mark(other, len(bodies), head.hex())]).sound
    altered = [body.replace(b'"S"', b'"W"') for body in bodies]
    assert not verify_lines([*altered, mark]).sound
    unreachable = run.invoke(main, ["verify", "--database", "postgresql://nobody@127.0.0.1:1/none"])
    assert unreachable.exit_code == 2
