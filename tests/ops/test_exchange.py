"""Evenings between clubs and boxes: exported, imported and exported again they are the same bytes, each once."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Iterator, Sequence
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest
from click.testing import CliRunner, Result

from domain.entries import AnyEntry
from domain.record import format_entry, parse_line
from domain.rulesets import RULESETS
from ops.cli import main
from ops.evenings import evening
from ops.recordfile import session_named
from ops.verify import verify
from service.database import connected
from service.facts import Writer
from service.log import Log
from service.persons import Persons
from service.record import Batch, Recorded, Recorder
from service.register import Register
from tests import postgres as servers

pytestmark = pytest.mark.log


def boston(database: str, *arguments: str | Path) -> Result:
    told = CliRunner().invoke(main, [str(a) for a in arguments], env={"DATABASE_URL": database, "BOSTON_DATA": None})
    assert told.exception is None or isinstance(told.exception, SystemExit), told.exception
    return told


def club(database: str, name: str) -> str:
    return boston(database, "club", "make", name).stdout.split()[0]


def imported(database: str, club_id: str, *paths: Path) -> tuple[int, int, int]:
    """How many records were imported, known and refused."""
    told = boston(database, "import", "--club", club_id, *paths).stdout
    new, known, refused = (int(word) for word in told.rpartition(":")[2].split() if word.isdigit())
    return new, known, refused


def exported(database: str, club_id: str, folder: Path) -> dict[str, bytes]:
    assert boston(database, "export", "--club", club_id, folder).exit_code == 0
    return {file.name: file.read_bytes() for file in folder.glob("*.jsonl")}


def recorded_live(database: str, club_id: str, records: Sequence[Sequence[AnyEntry]]) -> list[str]:
    """Records evenings as tablets do, in several parcels each; the ids of their sessions."""

    async def run() -> list[str]:
        sessions = []
        async with connected(database) as pools:
            log = Log(pools)
            recorder = Recorder(log, Register(pools), Writer())
            for record in records:
                session = str(uuid4())
                for start in range(0, len(record), 100):
                    parcel = tuple(record[start : start + 100])
                    answer = await recorder.record(Batch(club_id=club_id, session_id=session, entries=parcel))
                    assert isinstance(answer, Recorded), answer
                sessions.append(session)
            await log.close()
        return sessions

    return asyncio.run(run())


def player(database: str, club_id: str, name: str, another: bool = False) -> str:
    async def run() -> str:
        async with connected(database) as pools:
            register = Register(pools)
            if another:
                added = await register.add(club_id, name, guest=False, another=True)
                assert not isinstance(added, list)
                return added.player_id
            return (await register.search(club_id, name, None, 1))[0].player_id

    return asyncio.run(run())


def persons(database: str, club_id: str, act: str, *ids: str) -> None:
    async def run() -> None:
        async with connected(database) as pools:
            await getattr(Persons(pools), act)(club_id, *ids, *([None] if act == "merge" else []))

    asyncio.run(run())


def opened(names: Sequence[str], *, date: str = "2026-11-29", bare: bool = False) -> list[AnyEntry]:
    """An evening that ends after its opening; a bare one says nothing that another could not say too."""
    seats = ",".join(f'"{seat}":"{name}"' for seat, name in zip("NESW", names, strict=True))
    ids = ("", "") if bare else (f',"id":"{uuid4()}"', f',"id":"{uuid4()}","time":"2026-11-29T20:00:00+01:00"')
    return [
        parse_line(f'{{"entry":"open","ruleset":"russian","date":"{date}","seats":{{{seats}}}{ids[0]}}}'),
        parse_line(f'{{"entry":"abandon","reason":"nobody stayed"{ids[1]}}}'),
    ]


@pytest.fixture
def another_box(postgres: servers.Server, template: str) -> Iterator[str]:
    """The database of a second box."""
    with servers.fresh(postgres, f"boston_test_{secrets.token_hex(6)}", template) as url:
        yield url


@pytest.fixture
def home(database: str) -> str:
    """A club with live evenings of each rule set, namesakes, a merged and an erased player among them."""
    here = club(database, "Home")
    recorded_live(database, here, [evening(rules, f"exchange {n}") for rules in RULESETS for n in range(2)])
    namesake = player(database, here, "Ann", another=True)
    first = player(database, here, "Ann")
    ids = sorted({namesake, first})
    recorded_live(database, here, [opened([*ids, "Leaving", "Other"]), opened(["Bea", "Cal", "Dan", "Beate"])])
    recorded_live(database, here, [opened(["Beate", "Cal", "Dan", "Leaving"])])
    recorded_live(database, here, [opened(["Bea", "Cal", "Dan", "Eve"], bare=True)] * 2)
    persons(database, here, "merge", player(database, here, "Eve"), player(database, here, "Other"))
    persons(database, here, "erase", player(database, here, "Leaving"))
    return here


def test_evenings_go_to_another_club_and_another_box_and_back_as_the_same_bytes(
    database: str, another_box: str, home: str, tmp_path: Path
) -> None:
    out = tmp_path / "home"
    kept = exported(database, home, out)
    assert len(kept) == 11
    assert imported(database, home, out) == (0, len(kept), 0), "a club knows its own evenings"
    assert exported(database, home, tmp_path / "home again") == kept

    # In one box no two clubs have the same id, so two evenings that say the same are one next door.
    for where, name, alike in ((database, "next door", 1), (another_box, "far away", 0)):
        there = club(where, name)
        assert imported(where, there, out) == (len(kept) - alike, alike, 0)
        assert imported(where, there, out) == (0, len(kept), 0), "twice changes nothing"
        back = exported(where, there, tmp_path / name)
        assert set(back.values()) == set(kept.values())
        assert (back == kept) == (where == another_box), "in another box an evening keeps its session's id"
        assert imported(database, home, tmp_path / name) == (0, len(back), 0), "and comes home as the same evening"
        assert verify(where).problems == []
    assert exported(database, home, tmp_path / "home at last") == kept


def test_a_record_without_a_name_is_the_evening_that_it_tells(database: str, home: str, tmp_path: Path) -> None:
    kept = exported(database, home, tmp_path / "home")
    nameless = tmp_path / "nameless"
    nameless.mkdir()
    for number, text in enumerate(kept.values()):
        (nameless / f"{number}.jsonl").write_bytes(b"\xef\xbb\xbf" + text.replace(b"\n", b"\r\n"))
    # Two live evenings that say the same are two; a record that says the same is one of them.
    assert imported(database, home, nameless) == (0, len(kept), 0)
    there = club(database, "There")
    assert imported(database, there, nameless) == (len(kept) - 1, 1, 0)
    assert imported(database, there, tmp_path / "home") == (0, len(kept), 0)
    assert imported(database, there, nameless, tmp_path / "home") == (0, 2 * len(kept), 0)


def test_another_evening_under_the_id_of_one_is_refused_and_what_follows_is_added(
    database: str, another_box: str, home: str, tmp_path: Path
) -> None:
    exported(database, home, tmp_path)
    file = max(tmp_path.glob("*.jsonl"), key=lambda path: path.stat().st_size)
    lines = file.read_bytes().splitlines(keepends=True)
    there = club(another_box, "There")

    file.write_bytes(b"".join(lines[:40]))
    assert imported(another_box, there, file) == (1, 0, 0)
    file.write_bytes(b"".join(lines[:20]))
    assert imported(another_box, there, file) == (0, 1, 0), "an earlier copy of the same evening"
    file.write_bytes(b"".join([*lines[:10], b'\n{"entry":"shuffle"}\n', *lines[11:]]))
    told = boston(another_box, "import", file)
    assert told.exit_code == 1
    assert f"{file}:12: session_differs: session {session_named(file.name)} is in the club already" in told.stderr
    assert "its entry 11 says something else" in told.stderr
    file.write_bytes(b"".join(lines))
    assert imported(another_box, there, file) == (1, 0, 0), "the rest of the same evening"
    assert exported(another_box, there, tmp_path / "back") == {file.name: b"".join(lines)}
    assert verify(another_box).problems == []


def test_what_an_unknown_id_stands_for_is_a_player_to_be_named(database: str, tmp_path: Path) -> None:
    here = club(database, "Here")
    unknown = "01890a5d-0000-7000-8000-00000000000f"
    first, _ = opened([unknown, "Bea", "Cal", "Dan"])
    (tmp_path / "one.jsonl").write_bytes(format_entry(first))
    assert imported(database, here, tmp_path) == (1, 0, 0)
    with psycopg.connect(database) as connection:
        known = connection.execute("SELECT name FROM boston.player_names WHERE player_id = %s", [unknown]).fetchall()
    assert known == [(unknown,)]


@pytest.mark.parametrize(
    ("name", "session"),
    [
        ("2026-11-30-table-1-01890a5d-0000-7000-8000-00000000000f.jsonl", "01890a5d-0000-7000-8000-00000000000f"),
        ("01890A5D-0000-7000-8000-00000000000F.jsonl", "01890a5d-0000-7000-8000-00000000000f"),
        ("evening.jsonl", None),
        ("01890a5d-0000-7000-8000-00000000000f (copy).jsonl", None),
        ("2026-11-30.jsonl", None),
    ],
)
def test_the_name_of_a_file_says_which_session_it_is(name: str, session: str | None) -> None:
    assert session_named(name) == session
