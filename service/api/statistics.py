"""Statistics: every list with the same filters, as JSON or as CSV with the same numbers, each with n and as of when."""

from __future__ import annotations

import datetime
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from typing import Annotated, Any, Generic, Literal, TypeVar
from uuid import UUID

import msgspec
from litestar import Response, Router, get
from litestar.datastructures import State
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath, FromQuery, QueryParameter
from litestar.response import Stream

from domain.ladder import Contract
from domain.seats import Seat
from service.api.pages import Limit, cut, read_cursor, write_cursor
from service.explain import Explanation, explain
from service.filters import Evidence, Filters, Role, season
from service.principal import ROLES, Asking, Principal
from service.problems import Problem
from service.statistics import (
    CHUNK,
    AsOf,
    By,
    ContractRow,
    CurveRow,
    LeaderRow,
    PairRow,
    Part,
    PlayerFigures,
    PoolFigures,
    RecordRow,
    Snapshot,
    Statistics,
    TakeRow,
)
from service.tables import columns, flat, lines

T = TypeVar("T")
Format = Literal["json", "csv"]
CSV = "text/csv; charset=utf-8"


class Page(msgspec.Struct, Generic[T], frozen=True):
    """A page of rows: `n` is how many parts in deals they rest on, `as_of` the snapshot; `next` leads on."""

    as_of: AsOf
    n: int
    rows: list[T]
    next: str | None = None


async def filters(
    request: Asking,
    state: State,
    player: FromQuery[UUID | None] = None,
    ruleset: Annotated[str | None, QueryParameter(max_length=64)] = None,
    since: Annotated[
        datetime.date | None, QueryParameter(name="from", description="The first day, club-local.")
    ] = None,
    until: Annotated[datetime.date | None, QueryParameter(name="to", description="The last day, club-local.")] = None,
    year: Annotated[
        int | None, QueryParameter(name="season", ge=1, le=9998, description="Begins in this year.")
    ] = None,
    seat: FromQuery[Seat | None] = None,
    role: FromQuery[Role | None] = None,
    contract: FromQuery[Contract | None] = None,
    opponent: FromQuery[UUID | None] = None,
    evidence: Annotated[Evidence | None, QueryParameter(description="`cards`: only deals seen card by card.")] = None,
    table: Annotated[str | None, QueryParameter(max_length=100)] = None,
) -> Filters:
    """The filters that every statistic takes."""
    if year is not None:
        if since is not None or until is not None:
            raise Problem(400, "malformed", "a season has its own first and last day: give it without from and to")
        club = await state.clubs.get(request.user.club_id)
        since, until = season(year, club.settings.season_start)
    if since is not None and until is not None and since > until:
        raise Problem(400, "malformed", f"the first day, {since}, lies after the last, {until}")
    return Filters(
        player=None if player is None else str(player),
        ruleset=ruleset,
        since=since,
        until=until,
        seat=seat,
        role=role,
        contract=contract,
        opponent=None if opponent is None else str(opponent),
        evidence=evidence,
        table=table,
    )


def _of_player(chosen: Filters, player_id: UUID) -> Filters:
    return msgspec.structs.replace(chosen, player=str(player_id))


Read = Callable[[Snapshot, int, Sequence[Any] | None], Coroutine[Any, Any, list[Any]]]


async def _page(
    state: State, club_id: str, chosen: Filters, read: Read, key: tuple[str, ...], kinds: tuple[type, ...],
    cursor: str | None, limit: int,
) -> Page[Any]:  # fmt: skip
    after = read_cursor(cursor, kinds) if cursor else None
    async with Statistics(state.database).snapshot(club_id, chosen) as snapshot:
        page, more = cut(await read(snapshot, limit + 1, after), limit)
        following = write_cursor(*(getattr(page[-1], field) for field in key)) if more else None
        return Page(await snapshot.covered(), await snapshot.count(), page, following)


async def _csv(
    state: State, club_id: str, chosen: Filters, kind: type[Any], read: Read, key: tuple[str, ...], name: str
) -> Stream:
    """All rows, in one snapshot, without a cap."""
    # What is asked for is looked for before the answer begins; afterwards it could not be refused any more.
    async with Statistics(state.database).snapshot(club_id, chosen):
        pass

    async def written() -> AsyncIterator[str]:
        yield lines([columns(kind)])
        after: Sequence[Any] | None = None
        async with Statistics(state.database).snapshot(club_id, chosen) as snapshot:
            while rows := await read(snapshot, CHUNK, after):
                yield lines([value for _, value in flat(row)] for row in rows)
                if len(rows) < CHUNK:
                    break
                after = [getattr(rows[-1], field) for field in key]

    return Stream(written(), media_type=CSV, headers=_attached(name))


def _whole_csv(kind: type[Any], rows: Sequence[Any], name: str) -> Response[str]:
    text = lines([columns(kind), *([value for _, value in flat(row)] for row in rows)])
    return Response(text, media_type=CSV, headers=_attached(name))


def _attached(name: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="{name}.csv"'}


PART_KEY = ("date", "session_id", "place", "seat")
PART_KINDS: tuple[type, ...] = (datetime.date, UUID, int, str)


@get("/players/{player_id:uuid}", opt={"roles": ROLES})
async def player_figures(
    player_id: FromPath[UUID], request: Asking, state: State, chosen: NamedDependency[Filters]
) -> PlayerFigures:
    """All figures of one player, under the filters."""
    async with Statistics(state.database).snapshot(request.user.club_id, _of_player(chosen, player_id)) as snapshot:
        return await snapshot.player()


@get("/players/{player_id:uuid}/csv", opt={"roles": ROLES}, media_type=CSV)
async def player_csv(
    player_id: FromPath[UUID], request: Asking, state: State, chosen: NamedDependency[Filters]
) -> Response[str]:
    """The same figures, one a line."""
    async with Statistics(state.database).snapshot(request.user.club_id, _of_player(chosen, player_id)) as snapshot:
        figures = await snapshot.player()
    return Response(lines([("figure", "value"), *flat(figures)]), media_type=CSV, headers=_attached("player"))


@get("/players/{player_id:uuid}/curve", opt={"roles": ROLES})
async def curve(
    player_id: FromPath[UUID],
    request: Asking,
    state: State,
    chosen: NamedDependency[Filters],
    cursor: FromQuery[str | None] = None,
    limit: Limit = 500,
) -> Page[CurveRow]:
    """A player's evenings in order, with the money so far."""
    key, kinds = ("date", "session_id"), (datetime.date, UUID)
    mine = _of_player(chosen, player_id)
    return await _page(state, request.user.club_id, mine, Snapshot.curve, key, kinds, cursor, limit)


@get("/players/{player_id:uuid}/curve/csv", opt={"roles": ROLES}, media_type=CSV)
async def curve_csv(
    player_id: FromPath[UUID], request: Asking, state: State, chosen: NamedDependency[Filters]
) -> Stream:
    """The same evenings, all of them."""
    mine = _of_player(chosen, player_id)
    return await _csv(state, request.user.club_id, mine, CurveRow, Snapshot.curve, ("date", "session_id"), "curve")


@get("/deals", opt={"roles": ROLES})
async def deals(
    request: Asking,
    state: State,
    chosen: NamedDependency[Filters],
    cursor: FromQuery[str | None] = None,
    limit: Limit = 100,
) -> Page[Part]:
    """The players' parts in deals that every figure is made of, the oldest first."""
    return await _page(
        state, request.user.club_id, chosen, Snapshot.parts, PART_KEY, PART_KINDS, cursor, limit
    )  # fmt: skip


@get("/deals/csv", opt={"roles": ROLES}, media_type=CSV)
async def deals_csv(request: Asking, state: State, chosen: NamedDependency[Filters]) -> Stream:
    """The same parts, all of them."""
    return await _csv(state, request.user.club_id, chosen, Part, Snapshot.parts, PART_KEY, "deals")


async def _list(state: State, who: Principal, chosen: Filters, read: Callable[[Snapshot], Any]) -> Page[Any]:
    async with Statistics(state.database).snapshot(who.club_id, chosen) as snapshot:
        rows = await read(snapshot)
        return Page(await snapshot.covered(), await snapshot.count(), rows)


@get("/contracts", opt={"roles": ROLES})
async def contracts(request: Asking, state: State, chosen: NamedDependency[Filters]) -> Page[ContractRow]:
    """How often each contract was played and made, and what it brought its caller, by the class of its trumps.

    With `role=defender` the same from the defenders' side.
    """
    return await _list(state, request.user, chosen, Snapshot.contracts)


@get("/contracts/csv", opt={"roles": ROLES}, media_type=CSV)
async def contracts_csv(request: Asking, state: State, chosen: NamedDependency[Filters]) -> Response[str]:
    """The same contracts."""
    page = await _list(state, request.user, chosen, Snapshot.contracts)
    return _whole_csv(ContractRow, page.rows, "contracts")


@get("/head-to-head", opt={"roles": ROLES})
async def head_to_head(request: Asking, state: State, chosen: NamedDependency[Filters]) -> Page[PairRow]:
    """Who paid whom how much in settlements, pools apart; all pairs that met under the filters."""
    return await _list(state, request.user, chosen, Snapshot.head_to_head)


@get("/head-to-head/csv", opt={"roles": ROLES}, media_type=CSV)
async def head_to_head_csv(request: Asking, state: State, chosen: NamedDependency[Filters]) -> Response[str]:
    """The same pairs."""
    page = await _list(state, request.user, chosen, Snapshot.head_to_head)
    return _whole_csv(PairRow, page.rows, "head-to-head")


Least = Annotated[int, QueryParameter(name="least_deals", ge=1, le=1_000_000, description="Who has fewer is left out.")]


def _leaders(by: By, least: int) -> Read:
    return lambda snapshot, limit, after: snapshot.leaderboard(by, least, limit, after)


@get("/leaderboard", opt={"roles": ROLES})
async def leaderboard(
    request: Asking,
    state: State,
    chosen: NamedDependency[Filters],
    by: FromQuery[By] = "money",
    least: Least = 1,
    cursor: FromQuery[str | None] = None,
    limit: Limit = 100,
) -> Page[LeaderRow]:
    """The ranking of the club's players, ties kept; with `season` or from and to for a while only."""
    read, key = _leaders(by, least), ("rank", "player_id")
    return await _page(state, request.user.club_id, chosen, read, key, (int, UUID), cursor, limit)


@get("/leaderboard/csv", opt={"roles": ROLES}, media_type=CSV)
async def leaderboard_csv(
    request: Asking, state: State, chosen: NamedDependency[Filters], by: FromQuery[By] = "money", least: Least = 1
) -> Stream:  # fmt: skip
    """The same ranking, to its end."""
    key = ("rank", "player_id")
    return await _csv(state, request.user.club_id, chosen, LeaderRow, _leaders(by, least), key, "leaderboard")


Top = Annotated[int, QueryParameter(ge=1, le=100, description="How many ranks of each record.")]


@get("/records", opt={"roles": ROLES})
async def records(request: Asking, state: State, chosen: NamedDependency[Filters], top: Top = 1) -> Page[RecordRow]:
    """The longest auctions, largest settlements, largest pools and longest deals, ties kept."""
    return await _list(state, request.user, chosen, lambda snapshot: snapshot.records(top))


@get("/records/csv", opt={"roles": ROLES}, media_type=CSV)
async def records_csv(request: Asking, state: State, chosen: NamedDependency[Filters], top: Top = 1) -> Response[str]:
    """The same records."""
    page = await _list(state, request.user, chosen, lambda snapshot: snapshot.records(top))
    return _whole_csv(RecordRow, page.rows, "records")


@get("/pools", opt={"roles": ROLES})
async def pools(request: Asking, state: State, chosen: NamedDependency[Filters]) -> PoolFigures:
    """The pools in short: how many were taken and doubled, the largest ever, how long they live in deals."""
    async with Statistics(state.database).snapshot(request.user.club_id, chosen) as snapshot:
        return await snapshot.pools()


TAKE_KEY = ("date", "session_id", "number")
TAKE_KINDS: tuple[type, ...] = (datetime.date, UUID, int)


@get("/pools/moves", opt={"roles": ROLES})
async def pool_moves(
    request: Asking,
    state: State,
    chosen: NamedDependency[Filters],
    cursor: FromQuery[str | None] = None,
    limit: Limit = 100,
) -> Page[TakeRow]:
    """Who took or doubled which pool, the oldest first."""
    return await _page(state, request.user.club_id, chosen, Snapshot.takes, TAKE_KEY, TAKE_KINDS, cursor, limit)


@get("/pools/moves/csv", opt={"roles": ROLES}, media_type=CSV)
async def pool_moves_csv(request: Asking, state: State, chosen: NamedDependency[Filters]) -> Stream:
    """The same, all of them."""
    return await _csv(state, request.user.club_id, chosen, TakeRow, Snapshot.takes, TAKE_KEY, "pools")


@get("/sessions/{session_id:uuid}/explain", opt={"roles": ROLES})
async def explained(
    session_id: FromPath[UUID],
    request: Asking,
    state: State,
    place: Annotated[
        int, QueryParameter(ge=0, le=100_000, description="The deal's place in the list of deals, from 1.")
    ],
    seat: FromQuery[Seat | None] = None,
) -> Explanation:
    """Why a deal moved the money that it moved: its postings, the tariff's row, the rule, and a sentence for each.

    With `seat` for one chair. Place 0 is what came before the first deal.
    """
    async with Statistics(state.database).snapshot(request.user.club_id) as snapshot:
        return await explain(snapshot.lent, request.user.club_id, str(session_id), place, seat)


FILTERED = Router(
    "/statistics",
    dependencies={"chosen": Provide(filters)},
    route_handlers=[
        player_figures,
        player_csv,
        curve,
        curve_csv,
        deals,
        deals_csv,
        contracts,
        contracts_csv,
        head_to_head,
        head_to_head_csv,
        leaderboard,
        leaderboard_csv,
        records,
        records_csv,
        pools,
        pool_moves,
        pool_moves_csv,
    ],
)
ROUTES = [FILTERED, explained]
