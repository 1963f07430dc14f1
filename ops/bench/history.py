"""`ops/bench/history`: statistics, appends and rebuilds on a history of many evenings of one club.

Loads a demo club of so many sessions through the import path, then measures, references included: rebuilding against
reading and decoding, appending with rows against appending without, and a player's page with what it reads. Loading
twenty thousand evenings takes far longer than measuring them; `--keep` leaves them for the next measurement.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from datetime import date
from itertools import pairwise
from typing import Any
from uuid import uuid4

import click
import msgspec
import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo
from rich.console import Console
from rich.table import Table

from ops.bench import evenings as written
from ops.bench.__main__ import _database, _machine, _row, _server
from ops.bench.pairs import Line, line
from ops.demo import Plan, load
from ops.facts import CHUNK
from ops.migrate import migrate
from ops.rebuild import rebuild
from service.append import Append, Opening
from service.database import connected
from service.envelope import Envelope, Sealed, decode
from service.facts import Writer
from service.filters import Filters
from service.folded import Folded
from service.log import Log
from service.queries import query
from service.statistics import Snapshot, Statistics

PAGES = 300
EXPLAINED = ("player", "curve", "head_to_head", "parts", "contracts", "records", "pool_takes", "pool_summary")


@click.command()
@click.option("--sessions", default=20_000, show_default=True, type=click.IntRange(20), help="Evenings of the history.")
@click.option("--players", default=200, show_default=True, type=click.IntRange(8), help="Members of the club.")
@click.option("--pairs", default=9, show_default=True, type=click.IntRange(1), help="Pairs of measurements a line.")
@click.option("--workers", default=2, show_default=True, type=click.IntRange(1), help="Processes of a rebuild.")
@click.option("--keep", metavar="NAME", help="Leave the history in this database of DATABASE_URL's server, or find it.")
def main(sessions: int, players: int, pairs: int, workers: int, keep: str | None) -> None:
    """Measure Boston on a long history."""
    told, log = Console(width=150), Console(stderr=True)
    with ExitStack() as stack:
        server = stack.enter_context(_server())
        told.print(_machine(server))
        plan = Plan(1, sessions, date(2016, 1, 1), date(2025, 12, 31), players=players)
        log.log(f"loading {sessions:,} evenings")
        if keep:
            told.print(_kept(server, keep, plan))
        url = stack.enter_context(_database(server, like=keep))
        if not keep:
            told.print(_loaded(url, plan))
        empty = stack.enter_context(_database(server))
        club = _one(url, "SELECT club_id::text FROM boston.clubs")
        events = _one(url, "SELECT count(*) FROM boston.events")
        _settle(url)
        told.print(asyncio.run(_pages(url, club, min(PAGES, sessions))))
        told.print(asyncio.run(_explained(url, club)))
        log.log("rebuilds")
        lines = [_rebuilding(url, min(pairs, 3), workers, events)]
        # The evenings appended here know their players by name alone, so they come after the rebuilds.
        log.log("appends")
        lines += _appends(url, empty, pairs)
    table = Table("", "Boston", "reference", "ratio", "range of ratios", "limit", "", title="On a long history")
    for each in lines:
        table.add_row(*_row(each))
    told.print(table)
    sys.exit(0 if all(each.holds for each in lines) else 1)


def _kept(server: str, name: str, plan: Plan) -> str:
    """Loads the plan into the database of that name, unless it is there; measuring goes on in a copy of it."""
    with psycopg.connect(server, autocommit=True) as connection:
        found = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone()
        if found is None:
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    url = make_conninfo(server, dbname=name)
    migrate(url)
    if _one(url, "SELECT count(*) FROM boston.sessions") == plan.sessions:
        return f"{plan.sessions:,} evenings in database {name}"
    return _loaded(url, plan)


def _loaded(url: str, plan: Plan) -> str:
    """Loads the plan; what that came to."""
    start = time.perf_counter()
    load(url, plan)
    taken = time.perf_counter() - start
    deals = _one(url, "SELECT count(*) FROM facts.deals")
    events = _one(url, "SELECT count(*) FROM boston.events")
    return f"{plan.sessions:,} evenings, {deals:,} deals, {events:,} events imported in {taken:,.0f} s"


def _one(url: str, statement: str) -> Any:
    with psycopg.connect(url) as connection:
        row = connection.execute(statement).fetchone()
        assert row is not None
        return row[0]


def _settle(url: str) -> None:
    """What autovacuum would have done by then in a history of years."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("VACUUM ANALYZE")
        connection.execute("CHECKPOINT")


async def _busiest(url: str, club: str) -> list[tuple[str, int]]:
    """The club's players with their deals, the busiest first."""
    async with await psycopg.AsyncConnection.connect(url) as connection:
        cursor = await connection.execute(
            "SELECT player_id::text, count(*) FROM facts.deal_players WHERE club_id = %s AND counts"
            " GROUP BY 1 ORDER BY 2 DESC",
            [club],
        )
        return [(row[0], row[1]) for row in await cursor.fetchall()]


async def _pages(url: str, club: str, pages: int) -> Table:
    """How long a player's page takes: all figures and the curve, of players taken in turns."""
    ranked = await _busiest(url, club)
    taken = []
    async with connected(url) as database:
        statistics = Statistics(database)
        for turn in range(pages + 10):
            player, _ = ranked[turn % len(ranked)]
            start = time.perf_counter()
            async with statistics.snapshot(club, Filters(player=player)) as snapshot:
                await snapshot.player()
                await snapshot.curve(500)
            taken.append((time.perf_counter() - start) * 1000)
    taken = sorted(taken[10:])
    table = Table("pages", "players", "deals each, most", "median", "p99", "longest", title="A player's page, ms")
    p99 = taken[min(len(taken) - 1, round(len(taken) * 0.99))]
    shown = (taken[len(taken) // 2], p99, taken[-1])
    table.add_row(str(len(taken)), str(len(ranked)), str(ranked[0][1]), *(f"{value:.1f}" for value in shown))
    return table


async def _explained(url: str, club: str) -> Table:
    """What each statistic of the busiest and of the least busy player reads, and in proportion to the deals."""
    ranked = await _busiest(url, club)
    table = Table(
        "statistic", "deals", "rows", "buffers", "buffers a deal", "ms", title="What a player's statistic reads"
    )
    async with connected(url) as database:
        statistics = Statistics(database)
        for name in EXPLAINED:
            for player, deals in (ranked[0], ranked[-1]):
                async with statistics.snapshot(club, Filters(player=player)) as snapshot:
                    plan = await _plan(snapshot, name)
                root = plan["Plan"]
                buffers = root["Shared Hit Blocks"] + root["Shared Read Blocks"]
                cells = (deals, _read(root), buffers, f"{buffers / deals:.1f}", f"{plan['Execution Time']:.1f}")
                table.add_row(name, *map(str, cells))
    return table


async def _plan(snapshot: Snapshot, name: str) -> dict[str, Any]:
    more = {"limit": 500, "after": None, "top": 1}
    statement = b"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) " + query(name, "projections")
    cursor = await snapshot.lent.execute(statement, snapshot.arguments | more, prepare=False)
    row = await cursor.fetchone()
    assert row is not None
    plan: dict[str, Any] = row[0][0]
    return plan


def _read(node: dict[str, Any]) -> int:
    """The rows that the scans of tables gave or threw away."""
    here = 0
    if "Relation Name" in node:
        lost = node.get("Rows Removed by Filter", 0) + node.get("Rows Removed by Index Recheck", 0)
        here = int((node["Actual Rows"] + lost) * node["Actual Loops"])
    return here + sum(_read(inner) for inner in node.get("Plans", ()))


def _appends(url: str, empty: str, pairs: int) -> Iterator[Line]:
    """A card with and without the projections, and on the history and on an empty log."""
    with asyncio.Runner() as runner:
        doors = [connected(one) for one in (url, empty)]
        long, short = (Log(runner.run(door.__aenter__())) for door in doors)
        yield line(
            "append a card with projections, against without",
            "us",
            pairs,
            _appending(runner, long, projected=True),
            _appending(runner, long, projected=False),
            at_most=1.05,
        )
        yield line(
            "append on the history with projections, against an empty one",
            "us",
            pairs,
            _appending(runner, long, projected=True),
            _appending(runner, short, projected=True),
            at_most=1.1,
        )
        for log, door in zip((long, short), doors, strict=True):
            runner.run(log.close())
            runner.run(door.__aexit__(None, None, None))


def _appending(runner: asyncio.Runner, log: Log, projected: bool) -> Callable[[], float]:
    """Appends an evening's first entries one by one; the median of an append in microseconds."""
    _, rows = written.sealed(written.written(1)[0])

    async def appends() -> float:
        session, writer, taken = str(uuid4()), Writer(), []
        envelopes = [msgspec.structs.replace(decode(row.body), session=session) for row in rows]
        opening = Opening(club_id=written.CLUB, date="2026-11-30", ruleset="american-decimal")
        await log.append(_made(session, b"\0" * 32, 0, rows[:2], opening))
        folded = Folded(session, written.CLUB, version=2, envelopes=envelopes[:2])
        for at, (before, row) in enumerate(pairwise(rows[1:400]), start=2):
            start = time.perf_counter()
            also = writer(folded, [envelopes[at]]) if projected else ()
            # What the first two events gave was not written here, so a deal's end is left out on both sides.
            append = _made(session, before.hash, before.version, [row], None)
            await log.append(append)
            if not also:
                taken.append(time.perf_counter() - start)
            folded = _moved(folded, envelopes[at])
        return sorted(taken)[len(taken) // 2] * 1e6

    return lambda: runner.run(appends())


def _moved(folded: Folded, envelope: Envelope) -> Folded:
    return folded.moved(folded.session, [envelope], [folded.hash])


def _made(session: str, base_hash: bytes, base: int, rows: Sequence[Sealed], opening: Opening | None) -> Append:
    named = [row if row.entry_id is None else msgspec.structs.replace(row, entry_id=f"{row.entry_id}x") for row in rows]
    return Append(
        session_id=session, base=base, base_hash=base_hash, events=named, phase="play", opening=opening
    )  # fmt: skip


def _rebuilding(url: str, pairs: int, workers: int, events: int) -> Line:
    """Rebuilding all projections, against one core that reads and decodes the same events."""

    def rebuilt() -> float:
        start = time.perf_counter()
        rebuild(url, workers=workers)
        return events / (time.perf_counter() - start)

    def decoded() -> float:
        with psycopg.connect(url) as connection:
            ids = [row[0] for row in connection.execute(query("facts_sessions", "ops"), {"session": None})]
            start = time.perf_counter()
            for first in range(0, len(ids), CHUNK):
                read = connection.execute(query("facts_events", "ops"), [ids[first : first + CHUNK]], binary=True)
                for _, body in read:
                    decode(body)
            return events / (time.perf_counter() - start)

    return line(f"rebuild with {workers} workers, events", "/s", pairs, rebuilt, decoded, at_least=0.15)


if __name__ == "__main__":
    main()
