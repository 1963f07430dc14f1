"""Records brought into a club: whole or not at all, the same one once, each problem with its file, line and rule."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

import psycopg
import pytest

from domain.record import format_entry, parse_line
from domain.refusal import Refusal
from ops.importing import Brought, Importer
from ops.recordfile import Fault, Record, digest, found, parsed, read, session_id
from service.append import Also
from service.database import connected
from service.envelope import Actor
from service.facts import Writer
from service.log import Log
from service.record import Players, Recorder
from tests.log.world import CLUB, SESSIONS, broken_links, player

EVENINGS = sorted(SESSIONS.glob("*.jsonl"))
OPEN = b'{"entry":"open","ruleset":"russian","seats":{"N":"Ann","E":"Bea","S":"Cal","W":"Dan"},"date":"2026-11-30"}\n'
DEALER = b'{"entry":"first_dealer","seat":"S"}\n'


class Book:
    """A register that counts who was new, as a real one would add them: once the append is through."""

    def __init__(self) -> None:
        self.known: set[str] = set()
        self.added: list[str] = []
        self.asked_at_once = 0
        self._asking = 0

    async def players(self, club_id: str, names: Sequence[str], beside: Collection[str] = ()) -> Players | Refusal:
        self._asking += 1
        self.asked_at_once = max(self.asked_at_once, self._asking)
        new = [name for name in names if name not in self.known]
        await asyncio.sleep(0.01)
        if "Nobody" in names:
            self._asking -= 1
            return Refusal("player_ambiguous", "two players are called Nobody; name one by the id")
        self.added += new
        self.known.update(new)
        self._asking -= 1
        return Players({name: player(name, club_id) for name in names}, tuple[Also, ...]())


def bring(
    url: str, records: Iterable[tuple[str, Record | list[Fault]]], club: str = CLUB, book: Book | None = None
) -> dict[str, Brought]:
    async def run() -> dict[str, Brought]:
        async with connected(url) as database:
            log = Log(database)
            recorder = Recorder(log, book or Book(), Writer())
            importer = Importer(database, recorder, club, Actor(role="admin"))
            brought = {each.source: each async for each in importer.bring_all(records)}
            await log.close()
            return brought

    return asyncio.run(run())


def sources(paths: Iterable[Path] = EVENINGS) -> list[tuple[str, Record | list[Fault]]]:
    return [(path.name, read(path)) for path in paths]


@pytest.mark.log
def test_the_same_files_twice_are_in_once(database: str) -> None:
    first = bring(database, sources())
    again = bring(database, sources())
    assert {each.outcome for each in first.values()} == {"imported"}
    assert {each.outcome for each in again.values()} == {"known"}
    assert {name: each.session_id for name, each in again.items()} == {n: each.session_id for n, each in first.items()}
    with psycopg.connect(database) as connection:
        rows = connection.execute("SELECT session_id, entries, digest FROM boston.sessions").fetchall()
    assert len(rows) == len(EVENINGS)
    records = {each.session_id: read(SESSIONS / name) for name, each in first.items()}
    for session, entries, stored in rows:
        record = records[str(session)]
        assert isinstance(record, Record)
        assert (entries, stored) == (len(record.entries), record.digest)
    assert broken_links(database) == []


@pytest.mark.log
def test_a_refused_record_leaves_nothing_and_the_others_go_on(database: str) -> None:
    good = parsed(OPEN + DEALER)
    refused = parsed(OPEN + b"\n" + DEALER + b'{"entry":"close"}\n' + b'{"entry":"end","reason":"no"}\n')
    ambiguous = parsed(OPEN.replace(b"Ann", b"Nobody"))
    broken = parsed(OPEN + b'{"entry":"clap"}\n\n{"entry"\n')
    records = [("refused", refused), ("ambiguous", ambiguous), ("broken", broken), ("good", good)]
    brought = bring(database, records)
    assert {name: each.outcome for name, each in brought.items()} == {
        "refused": "refused", "ambiguous": "refused", "broken": "refused", "good": "imported",
    }  # fmt: skip
    assert [(fault.line, fault.code, fault.rule) for fault in brought["refused"].faults] == [
        (4, "not_now", 46),
        (5, "no_deal_counted", 46),
    ]
    assert [fault.line for fault in brought["broken"].faults] == [2, 4]
    assert brought["ambiguous"].faults[0].line == 1
    with psycopg.connect(database) as connection:
        assert connection.execute("SELECT count(*) FROM boston.sessions").fetchone() == (1,)


@pytest.mark.log
def test_the_same_record_at_the_same_time_is_in_once(database: str) -> None:
    record = parsed(OPEN + DEALER)
    brought = bring(database, [(str(copy), record) for copy in range(8)])
    assert sorted(each.outcome for each in brought.values()) == ["imported"] + ["known"] * 7


@pytest.mark.log
def test_two_clubs_keep_the_same_record_apart(database: str) -> None:
    other = "01890a5d-ac96-774b-bcce-b302099a8058"
    here = bring(database, [("a", parsed(OPEN))])["a"]
    there = bring(database, [("a", parsed(OPEN))], other)["a"]
    assert (here.outcome, there.outcome) == ("imported", "imported")
    assert here.session_id != there.session_id


@pytest.mark.log
def test_a_new_name_in_many_records_is_one_player(database: str) -> None:
    book = Book()
    records = [(str(day), parsed(OPEN.replace(b"30", b"%02d" % day))) for day in range(1, 13)]
    brought = bring(database, records, book=book)
    assert {each.outcome for each in brought.values()} == {"imported"}
    assert sorted(book.added) == ["Ann", "Bea", "Cal", "Dan"]


def test_a_record_is_known_by_what_it_says_and_not_by_its_spaces() -> None:
    spaced = parsed(
        b"\xef\xbb\xbf\r\n" + OPEN.replace(b",", b" , ").replace(b"\n", b"\r\n") + b"\n \n" + DEALER.rstrip()
    )
    plain = parsed(OPEN + DEALER)
    assert isinstance(spaced, Record)
    assert isinstance(plain, Record)
    assert spaced.digest == plain.digest == digest(map(parse_line, (OPEN, DEALER)))
    assert (spaced.lines, plain.lines) == ((2, 5), (1, 2))
    assert (
        session_id(CLUB, plain.digest)
        == session_id(CLUB, spaced.digest)
        != session_id(CLUB, digest([parse_line(OPEN)]))
    )


@pytest.mark.parametrize(
    ("text", "line", "code"),
    [
        (b"", 0, "malformed"),
        (b"\n\n", 0, "malformed"),
        (b"\n" + DEALER, 2, "not_open"),
        (OPEN + b"[]", 2, "malformed"),
        (b"\xff\xfe", 1, "malformed"),
    ],
)
def test_what_is_no_record_says_where_it_is_not(text: bytes, line: int, code: str) -> None:
    faults = parsed(text)
    assert isinstance(faults, list)
    assert (faults[0].line, faults[0].code) == (line, code)
    assert faults[0].message


def test_folders_are_searched_and_files_are_taken_as_named(tmp_path: Path) -> None:
    (tmp_path / "2026" / "autumn").mkdir(parents=True)
    for name in ("b.jsonl", "a.jsonl", "note.txt", "2026/autumn/c.jsonl"):
        (tmp_path / name).write_bytes(OPEN)
    named = [path.relative_to(tmp_path).as_posix() for path in found([tmp_path, tmp_path / "note.txt"])]
    assert named == ["2026/autumn/c.jsonl", "a.jsonl", "b.jsonl", "note.txt"]
    unreadable = read(tmp_path / "missing.jsonl")
    assert isinstance(unreadable, list)
    assert unreadable[0].code == "unreadable"


def test_every_worked_evening_is_a_record() -> None:
    for path in EVENINGS:
        record = read(path)
        assert isinstance(record, Record)
        assert parsed(b"\n".join(map(format_entry, record.entries))) == Record(
            record.entries, tuple(range(1, len(record.entries) + 1))
        )
