"""The rows in the database: written with the append, equal to a fresh fold, verified, rebuilt while appends go on."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from uuid import uuid4

import psycopg
import pytest
from click.testing import CliRunner
from hypothesis import given, settings

from domain.entries import AnyEntry
from ops.cli import main
from ops.facts import stored, verify_facts
from ops.rebuild import rebuild
from projections import ALL, Meta, evening, rows
from service.envelope import GENESIS, decode
from service.facts import Writer
from service.folded import Folded
from service.record import Recorder
from tests import evenings
from tests.log.world import CLUB, Names, World
from tests.log.world import world as log_world
from tests.postgres import Server
from tests.postgres import fresh as fresh_database
from tests.projections.logs import META, read, steps
from tests.projections.test_walk import GOLDEN

pytestmark = pytest.mark.log


@asynccontextmanager
async def world(url: str) -> AsyncIterator[World]:
    """A log whose appends write their rows."""
    async with log_world(url) as here:
        here.recorder = Recorder(here.log, Names(), rows=Writer())
        yield here


async def record(here: World, entries: list[AnyEntry], parcel: int = 7) -> str:
    """Records entries in a new session, some at a time; its id."""
    session, version = str(uuid4()), 0
    for start in range(0, len(entries), parcel):
        taken = await here.take(session, entries[start : start + parcel], version)
        version = taken.folded.version
    return session


@pytest.fixture(scope="module")
def golden() -> list[list[AnyEntry]]:
    return [read(path.read_bytes()) for path in GOLDEN]


@pytest.fixture(scope="module")
def filled_once(postgres: Server, template: str, golden: list[list[AnyEntry]]) -> Iterator[str]:
    """The name of a database with all golden evenings, to be cloned."""

    async def fill(url: str) -> None:
        async with world(url) as here:
            for entries in golden:
                await record(here, entries, 60)

    name = f"boston_filled_{uuid4().hex[:12]}"
    with fresh_database(postgres, name, template) as url:
        asyncio.run(fill(url))
        yield name


@pytest.fixture
def filled(postgres: Server, filled_once: str) -> Iterator[str]:
    """A database of the test's own with all golden evenings."""
    with fresh_database(postgres, f"boston_test_{uuid4().hex[:12]}", filled_once) as url:
        yield url


def held(url: str) -> Iterator[tuple[str, dict[str, object], dict[str, object]]]:
    """Each session with its rows in the tables and those of a fold that knows nothing of the tables."""
    with psycopg.connect(url) as connection:
        ids = [str(row[0]) for row in connection.execute("SELECT session_id FROM boston.sessions")]
        tables = stored(connection, ids)
        for id_ in ids:
            bodies = connection.execute("SELECT body FROM boston.events WHERE session_id = %s ORDER BY version", [id_])
            yield id_, tables[id_], rows(evening(Meta(id_, CLUB), [decode(row[0]) for row in bodies]))  # type: ignore[misc]


def test_golden_evenings_are_in_the_tables_as_they_are_folded(filled: str) -> None:
    sessions = list(held(filled))
    assert len(sessions) == len(GOLDEN)
    for id_, tables, told in sessions:
        assert tables == told, id_
    assert verify_facts(filled) == []


def test_any_evening_written_live_is_what_a_rebuild_and_a_fold_make_of_it(database: str) -> None:
    """Recorded, undone, redone, withdrawn, cancelled, corrected, reseated: live = rebuilt = folded."""

    @settings(max_examples=8)
    @given(evenings.evenings(most_deals=2))
    def check(told: evenings.Evening) -> None:
        async def run() -> None:
            async with world(database) as here:
                await record(here, told.entries(), 3)

        asyncio.run(run())

    check()
    live = {id_: tables for id_, tables, _ in held(database)}
    assert all(tables == told for _, tables, told in held(database))
    report = rebuild(database)
    assert report.changed == []
    assert report.sessions == len(live)
    assert {id_: tables for id_, tables, _ in held(database)} == live


BROKEN = {
    "sessions": "UPDATE facts.sessions SET deals = deals + 1",
    "session_players": "UPDATE facts.session_players SET money = money + 10 WHERE 'N' = ANY (seats)",
    "deals": "UPDATE facts.deals SET trumps = 'S', price = price + 5 WHERE place = 2",
    "deal_players": "DELETE FROM facts.deal_players WHERE seat = 'E' AND place = 1",
    "balances": "UPDATE facts.balances SET balance = balance - 1 WHERE place = 1",
    "ledger": "UPDATE facts.ledger SET n = n + 10, pool = pool - 10 WHERE number = 3",
    "pools": "UPDATE facts.pools SET full_pools = full_pools + 1 WHERE number = 1",
    "findings": "INSERT INTO facts.findings SELECT session_id, 99, club_id, date, 1, 1, 1, 'revoke', 26, 'N', '{}',"
    " '{1}', 'made up', false FROM facts.sessions",
    "disputes": "INSERT INTO facts.disputes SELECT session_id, 99, club_id, date, 1, 1, 'N', 'deal', NULL, 'made up',"
    " 'open', NULL, false FROM facts.sessions",
}


@pytest.mark.parametrize("name", [projection.name for projection in ALL])
def test_a_corrupted_table_is_found_and_mended(filled: str, name: str) -> None:
    with psycopg.connect(filled, autocommit=True) as connection:
        assert connection.execute(BROKEN[name]).rowcount > 0
    problems = verify_facts(filled)
    assert problems
    assert all(problem.kind == "projection" and problem.message.startswith(name) for problem in problems)
    told = CliRunner().invoke(main, ["verify", "--database", filled])
    assert told.exit_code == 1
    assert problems[0].message in told.output
    mended = CliRunner().invoke(main, ["rebuild", name, "--database", filled])
    assert mended.exit_code == 0, mended.output
    assert f"{len(problems)} difference" in mended.output
    assert verify_facts(filled) == []
    assert CliRunner().invoke(main, ["verify", "--database", filled]).exit_code == 0


def test_a_difference_names_session_deal_and_column(filled: str) -> None:
    with psycopg.connect(filled, autocommit=True) as connection:
        row = connection.execute(
            "UPDATE facts.deals SET shortfall = 9 WHERE (session_id, place) ="
            " (SELECT session_id, place FROM facts.deals LIMIT 1) RETURNING session_id::text, place"
        ).fetchone()
    (problem,) = verify_facts(filled)
    assert row is not None
    assert problem.session == row[0]
    assert problem.message.startswith(f"deals, place {row[1]}: the column shortfall says 9, the log ")


def test_the_table_itself_refuses_a_movement_that_does_not_sum_to_zero(filled: str) -> None:
    with psycopg.connect(filled, autocommit=True) as connection, pytest.raises(psycopg.errors.CheckViolation):
        connection.execute("UPDATE facts.ledger SET n = n + 0.5")


def test_rows_of_a_session_that_the_log_does_not_know_are_found(filled: str) -> None:
    with psycopg.connect(filled, autocommit=True) as connection:
        connection.execute("CREATE TEMP TABLE stray AS SELECT * FROM facts.pools LIMIT 1")
        connection.execute("UPDATE stray SET session_id = gen_random_uuid()")
        connection.execute("INSERT INTO facts.pools SELECT * FROM stray")
    (problem,) = verify_facts(filled)
    assert "not in the log" in problem.message
    rebuild(filled, ["pools"])
    assert verify_facts(filled) == []


def test_a_rebuild_loses_nothing_that_is_recorded_meanwhile(filled: str, golden: list[list[AnyEntry]]) -> None:
    """Two workers rebuild over and over while evenings are recorded; every row is that of its log at the end."""
    over, rebuilt = threading.Event(), []

    def again() -> None:
        while not over.is_set():
            rebuilt.append(rebuild(filled, workers=1))

    async def run() -> list[str]:
        async with world(filled) as here:
            return [await record(here, entries, 4) for entries in golden[:5]]

    thread = threading.Thread(target=again)
    thread.start()
    try:
        recorded = asyncio.run(run())
    finally:
        over.set()
        thread.join()
    assert len(rebuilt) > 1
    assert all(report.changed == [] for report in rebuilt)
    assert len(recorded) == 5
    assert verify_facts(filled) == []


def test_two_workers_rebuild_the_same(filled: str) -> None:
    before = {id_: tables for id_, tables, _ in held(filled)}
    with psycopg.connect(filled, autocommit=True) as connection:
        connection.execute("DELETE FROM facts.deals")
    report = rebuild(filled, workers=2)
    assert report.sessions == len(GOLDEN)
    assert {difference.table for difference in report.changed} == {"deals"}
    assert {id_: tables for id_, tables, _ in held(filled)} == before
    with psycopg.connect(filled) as connection:
        names = connection.execute("SELECT indexname FROM pg_indexes WHERE schemaname = 'facts'").fetchall()
        assert ("deal_players_by_player",) in names
        assert connection.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'facts_next'").fetchone() == (0,)


def test_what_a_killed_rebuild_left_is_cleared_away(filled: str) -> None:
    with psycopg.connect(filled, autocommit=True) as connection:
        connection.execute("CREATE TABLE facts_next.deals (LIKE facts.deals)")
    rebuild(filled)
    assert verify_facts(filled) == []


def test_a_card_writes_no_row_and_the_end_of_a_deal_does(golden: list[list[AnyEntry]]) -> None:
    folded, writer, wrote = Folded(META.session_id, CLUB), Writer(), list[str]()
    for session, added in steps(golden[0]):
        if writer(folded, added):
            wrote += {type(envelope.data).__name__ for envelope in added}
        folded = folded.moved(session, added, [GENESIS] * len(added))
    assert "DealSettled" in wrote
    assert folded.version > 500
    assert len(wrote) < 60
