"""Statistics: figures of players, contracts, pools and pairs, each read in one snapshot with what it rests on.

Every figure is a fold of the parts in deals (`facts.parts`), so the page, the CSV and the parts exported
give the same numbers. Voided and abandoned sessions are no part of any of them.
"""

from __future__ import annotations

import datetime
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, Literal, TypeVar

import msgspec
from psycopg.rows import dict_row

from domain.ladder import LADDER
from projections.figures import Mean, Rate, mean, rate, whole
from service.database import Connection, Database
from service.filters import Filters, Person, arguments, person
from service.log import connection
from service.queries import query

T = TypeVar("T", bound=msgspec.Struct)
By = Literal["money", "per_deal", "made", "evenings", "won"]
CHUNK = 5000
"""Rows that an export reads at a time."""


class AsOf(msgspec.Struct, frozen=True):
    """What a figure rests on: the snapshot's time, and the sessions and events it covers."""

    at: datetime.datetime
    sessions: int
    events: int


class Line(msgspec.Struct, frozen=True):
    """A player's deals in one role and contract, or over several of them (then these are null).

    `made` is there for a caller, `beaten` for a defender, `highest` for a misère partout.
    """

    role: str | None
    contract: str | None
    deals: int
    money: Mean
    made: Rate | None
    beaten: Rate | None
    highest: Rate | None
    shortfall: Mean | None
    tricks: Mean
    pools_taken: int
    pool_won: int
    pools_doubled: int
    pool_paid: int
    concessions: int
    irregularities: int
    revokes: int


class Bidding(msgspec.Struct, frozen=True):
    """How a player bids: turns at which he passed, calls by contract, keeps, re-entries after a pass."""

    passes: Rate
    calls: dict[str, int]
    auctions_won: Rate
    keeps: int
    keeps_over: int
    reentries: int


class Evenings(msgspec.Struct, frozen=True):
    """A player's sessions; `money` is all he won or paid in them, contributions, fines and divisions included."""

    sessions: int
    won: Rate
    shared: int
    money: Mean


class EveningRow(msgspec.Struct, frozen=True):
    session_id: str
    date: str
    money: float


class DealRow(msgspec.Struct, frozen=True):
    session_id: str
    date: str
    place: int
    deal: int
    role: str
    contract: str | None
    money: int


class Streaks(msgspec.Struct, frozen=True):
    """Runs of deals with and without a gain; `current` is negative while it is one of losses."""

    longest_winning: int
    longest_losing: int
    current: int


class PlayerFigures(msgspec.Struct, frozen=True):
    """All figures of one player."""

    as_of: AsOf
    player: Person
    total: Line
    by_role: list[Line]
    by_contract: list[Line]
    bidding: Bidding
    evenings: Evenings
    misdeals: int
    thrown_in: int
    cancelled: int
    streaks: Streaks
    best_deal: DealRow | None
    worst_deal: DealRow | None
    best_evening: EveningRow | None
    worst_evening: EveningRow | None


class Part(msgspec.Struct, frozen=True):
    """One player's part in one counted deal."""

    session_id: str
    place: int
    seat: str
    player_id: str
    date: str
    ruleset: str
    table: str | None
    deal: int
    role: str
    outcome: str
    contract: str | None
    trump_class: str | None
    shortfall: int
    evidence: str
    money: int
    pool_money: int
    tricks: int | None
    conceded: bool
    irregular: int


class CurveRow(msgspec.Struct, frozen=True):
    """An evening of a player, with the money of all evenings so far."""

    session_id: str
    date: str
    deals: int
    money: int | float
    total: int | float


class ContractRow(msgspec.Struct, frozen=True):
    """A contract, as a whole (`trump_class` is `all`) or under one class of trumps (null where it cannot be told)."""

    contract: str
    trump_class: str | None
    played: Rate
    made: Rate
    money: Mean
    shortfall: Mean


class PairRow(msgspec.Struct, frozen=True):
    """What one player got from and paid to another, and what came of it on the whole."""

    player_id: str
    opponent_id: str
    got: int
    paid: int
    net: Mean


class LeaderRow(msgspec.Struct, frozen=True):
    """A player's place in the ranking; equals share a rank."""

    rank: int
    player_id: str
    money: Mean
    made: Rate
    won: Rate
    evening_money: int | float


class RecordRow(msgspec.Struct, frozen=True):
    """A deal that stands out. The amount is calls, white units or seconds."""

    record: str
    rank: int
    amount: int
    session_id: str
    place: int
    deal: int
    date: str
    contract: str | None
    outcome: str
    caller_id: str | None


class TakeRow(msgspec.Struct, frozen=True):
    """A pool that was taken or doubled; `life` is how many deals a taken one lasted."""

    session_id: str
    number: int
    place: int
    deal: int
    date: str
    reason: str
    which: str | None
    player_id: str | None
    amount: int
    total: int
    life: int | None


class PoolFigures(msgspec.Struct, frozen=True):
    """All pools in short."""

    as_of: AsOf
    taken: Mean
    doubled: Mean
    largest: int
    life: Mean


class Snapshot:
    """A connection in one snapshot of the database, with a club's filters as arguments."""

    def __init__(self, lent: Connection, club_id: str, filters: Filters, given: dict[str, Any]) -> None:
        self.lent, self.club_id, self.filters, self.arguments = lent, club_id, filters, given

    async def rows(self, name: str, **more: Any) -> list[dict[str, Any]]:
        """The rows of a statistic, planned for these very arguments: a filter that is not given costs nothing."""
        cursor = self.lent.cursor(row_factory=dict_row)
        await cursor.execute(query(name, "projections"), self.arguments | more, prepare=False)
        found: list[dict[str, Any]] = await cursor.fetchall()
        return found

    async def covered(self) -> AsOf:
        """What the figures of these filters rest on."""
        return AsOf(**(await self.rows("covered"))[0])

    async def count(self) -> int:
        """How many parts in deals pass the filters."""
        n: int = (await self.rows("parts_count"))[0]["n"]
        return n

    async def player(self) -> PlayerFigures:
        """The figures of the person whom the filter names."""
        assert self.filters.player is not None
        who = await person(self.lent, self.club_id, self.filters.player)
        (row,) = await self.rows("player")
        lines = [(group["level"], _line(group)) for group in row["groups"]]
        total = next(line for level, line in lines if level == 3)
        by_role = sorted((line for level, line in lines if level == 1), key=lambda line: str(line.role))
        by_contract = sorted(
            (line for level, line in lines if level == 0), key=lambda line: (str(line.role), str(line.contract))
        )
        turns, evenings = row["turns"], row["evenings"]
        called = sum(line.deals for line in by_role if line.role == "caller")
        return PlayerFigures(
            as_of=AsOf(row["at"], row["covered_sessions"], row["covered_events"]),
            player=who,
            total=total,
            by_role=by_role,
            by_contract=by_contract,
            bidding=Bidding(
                passes=rate(turns["passes"], turns["turns"]),
                calls=row["calls"],
                auctions_won=rate(called, sum(line.deals for line in by_role if line.role != "partout")),
                keeps=int(turns["keeps"]),
                keeps_over=int(turns["keeps_over"]),
                reentries=turns["reentries"],
            ),
            evenings=Evenings(
                sessions=evenings["sessions"],
                won=rate(evenings["won"], evenings["sessions"]),
                shared=evenings["shared"],
                money=mean(evenings["sessions"], evenings["money"], evenings["money_squares"]),
            ),
            misdeals=turns["misdeals"],
            thrown_in=turns["thrown_in"],
            cancelled=turns["cancelled"],
            streaks=Streaks(**row["streaks"]),
            best_deal=_struct(row["best_deal"], DealRow),
            worst_deal=_struct(row["worst_deal"], DealRow),
            best_evening=_struct(row["best_evening"], EveningRow),
            worst_evening=_struct(row["worst_evening"], EveningRow),
        )

    async def parts(self, limit: int, after: Sequence[Any] | None = None) -> list[Part]:
        """The parts in deals that the filters let through, in order."""
        return [Part(**row) for row in await self.rows("parts", limit=limit, after=_after(after))]

    async def curve(self, limit: int, after: Sequence[Any] | None = None) -> list[CurveRow]:
        """A person's evenings in order, with the money so far."""
        return [
            CurveRow(row["session_id"], row["date"], int(row["deals"]), whole(row["money"]), whole(row["total"]))
            for row in await self.rows("curve", limit=limit, after=_after(after))
        ]

    async def contracts(self) -> list[ContractRow]:
        """The contracts by how high they are, each as a whole first."""
        order = {contract: place for place, contract in enumerate((*LADDER, "partout"))}
        rows = [
            ContractRow(
                contract=row["contract"],
                trump_class="all" if row["whole"] else row["trump_class"],
                played=rate(row["n"], int(row["of_all"])),
                made=rate(row["made"], row["n"]),
                money=mean(row["n"], row["money"], row["money_squares"]),
                shortfall=mean(row["n"], row["shortfall"], row["shortfall_squares"]),
            )
            for row in await self.rows("contracts")
            if row["whole"] or row["contract"][0].isdigit()
        ]
        return sorted(rows, key=lambda row: (order[row.contract], row.trump_class != "all", str(row.trump_class)))

    async def head_to_head(self) -> list[PairRow]:
        """Each pair that met, from the view of each who passes the filters."""
        return [
            PairRow(
                row["player_id"], row["opponent_id"], row["got"], row["paid"],
                mean(row["n"], row["net"], row["net_squares"]),
            )
            for row in await self.rows("head_to_head")
        ]  # fmt: skip

    async def leaderboard(self, by: By, least: int, limit: int, after: Sequence[Any] | None = None) -> list[LeaderRow]:
        """The ranking of all with at least so many deals."""
        return [
            LeaderRow(
                rank=row["rank"],
                player_id=row["player_id"],
                money=mean(row["n"], row["money"], row["money_squares"]),
                made=rate(row["made"], row["called"]),
                won=rate(row["won"], row["sessions"]),
                evening_money=whole(row["evening_money"]),
            )
            for row in await self.rows("leaderboard", by=by, least=least, limit=limit, after=_after(after))
        ]

    async def records(self, top: int) -> list[RecordRow]:
        """The first `top` ranks of each record, all equals among them."""
        return [RecordRow(**row) for row in await self.rows("records", top=top)]

    async def takes(self, limit: int, after: Sequence[Any] | None = None) -> list[TakeRow]:
        """The pools that were taken or doubled, in order."""
        return [TakeRow(**row) for row in await self.rows("pool_takes", limit=limit, after=_after(after))]

    async def pools(self) -> PoolFigures:
        """All pools in short."""
        (row,) = await self.rows("pool_summary")
        row = {name: whole(value) for name, value in row.items()}
        return PoolFigures(
            as_of=await self.covered(),
            taken=mean(int(row["taken"]), row["taken_amount"], row["taken_squares"]),
            doubled=mean(int(row["doubled"]), row["doubled_amount"], row["doubled_squares"]),
            largest=int(row["largest"]),
            life=mean(int(row["lives"]), row["life"], row["life_squares"]),
        )


class Statistics:
    """Reads figures."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @asynccontextmanager
    async def snapshot(self, club_id: str, filters: Filters = Filters()) -> AsyncIterator[Snapshot]:  # noqa: B008
        """One snapshot for all that an answer needs; raises a problem for a player whom the club does not know."""
        async with connection(self._database.reads) as lent, lent.transaction():
            # Compiling a statement that reads a few thousand rows takes longer than carrying it out.
            await lent.execute(
                "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL jit = off", prepare=False
            )
            if filters.player is not None:
                # One person's figures read that person's rows, whatever the planner thinks of a small table.
                await lent.execute("SET LOCAL enable_seqscan = off")
            yield Snapshot(lent, club_id, filters, await arguments(lent, club_id, filters))


def _line(group: dict[str, Any]) -> Line:
    role, n = group["role"], group["deals"]
    return Line(
        role=role,
        contract=group["contract"],
        deals=n,
        money=mean(n, group["money"], group["money_squares"]),
        made=rate(group["made"], n) if role == "caller" else None,
        beaten=rate(group["failed"], n) if role == "defender" else None,
        highest=rate(group["highest"], n) if role == "partout" else None,
        shortfall=mean(n, group["shortfall"], group["shortfall_squares"]) if role == "caller" else None,
        tricks=mean(group["tricks_known"], group["tricks"], group["tricks_squares"]),
        pools_taken=group["pools_taken"],
        pool_won=group["pool_won"],
        pools_doubled=group["pools_doubled"],
        pool_paid=group["pool_paid"],
        concessions=group["concessions"],
        irregularities=group["irregularities"],
        revokes=group["revokes"],
    )


def _struct(row: dict[str, Any] | None, into: type[T]) -> T | None:
    return None if row is None else into(**row)


def _after(after: Sequence[Any] | None) -> list[str] | None:
    return None if after is None else [str(value) for value in after]
