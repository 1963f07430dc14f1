"""A session's money, a club's tables and records to take along, and persons merged, erased, exported."""

from __future__ import annotations

import datetime
import zipfile
from collections.abc import AsyncIterator
from typing import Annotated, Any, Generic, Literal, TypeVar
from uuid import UUID

import msgspec
from litestar import Response, delete, get, post
from litestar.datastructures import State
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter
from litestar.response import Stream

from domain.record import format_entry
from service.api.pages import Limit, cut, read_cursor, write_cursor
from service.exports import Chosen, Exports, Sink, Table
from service.filters import Person
from service.persons import Erased, PersonData, Persons
from service.policy import sees_open_deal, shown_upto
from service.principal import ROLES, Asking, Principal
from service.problems import Problem, not_found
from service.state import players
from service.statistics import Snapshot, Statistics
from service.transcript import all_entries

T = TypeVar("T")
CSV = "text/csv; charset=utf-8"
PARQUET = "application/vnd.apache.parquet"
KEEPERS = ("admin", "director", "auditor")
"""Who may take a club's whole tables and records along."""


class LedgerRow(msgspec.Struct, frozen=True):
    """A movement of money; the amounts of the chairs, the pool and `issued` sum to zero."""

    number: int
    version: int
    entry: int
    place: int
    deal: int
    kind: str
    reason: str
    seat: str | None
    players: list[str]
    n: float
    e: float
    s: float
    w: float
    pool: float
    issued: float


class PoolRow(msgspec.Struct, frozen=True):
    """The pools right after an event that moved them."""

    number: int
    version: int
    entry: int
    place: int
    deal: int
    reason: str
    seat: str | None
    player_id: str | None
    amount: float
    which: str | None
    full_pools: int
    open_pool: int
    total: int


class BalanceRow(msgspec.Struct, frozen=True):
    """A chair's balance right after a deal, and the money its player has won so far over all his chairs."""

    place: int
    deal: int
    seat: str
    player_id: str
    balance: float
    money: float


class SessionPage(msgspec.Struct, Generic[T], frozen=True):
    """A page of a session's rows."""

    session_id: str
    rows: list[T]
    next: str | None


async def _session(
    state: State, who: Principal, session_id: UUID, name: str, into: type[Any], limit: int, **after: Any
) -> tuple[list[Any], bool]:
    async with Statistics(state.database).snapshot(who.club_id) as snapshot:
        given = {"session": str(session_id), "limit": limit + 1} | after
        page, more = cut(await snapshot.rows(name, **given), limit)
        if not page and not await _known(snapshot, session_id):
            raise not_found("session")
    return [into(**{key: _number(value) for key, value in row.items()}) for row in page], more


def _number(value: Any) -> Any:
    return float(value) if type(value).__name__ == "Decimal" else value


async def _known(snapshot: Snapshot, session_id: UUID) -> bool:
    return bool(await snapshot.rows("explain_rules", session=str(session_id)))


@get("/sessions/{session_id:uuid}/ledger", opt={"roles": ROLES})
async def ledger(
    session_id: FromPath[UUID],
    request: Asking,
    state: State,
    cursor: FromQuery[str | None] = None,
    limit: Limit = 100,
) -> SessionPage[LedgerRow]:
    """All movements of a session's money, in order."""
    after = read_cursor(cursor, (int,))[0] if cursor else 0
    rows, more = await _session(state, request.user, session_id, "session_ledger", LedgerRow, limit, after=after)
    return SessionPage(str(session_id), rows, write_cursor(rows[-1].number) if more else None)


@get("/sessions/{session_id:uuid}/pools", opt={"roles": ROLES})
async def pools(
    session_id: FromPath[UUID],
    request: Asking,
    state: State,
    cursor: FromQuery[str | None] = None,
    limit: Limit = 100,
) -> SessionPage[PoolRow]:
    """The pools of a session after every event that moved them."""
    after = read_cursor(cursor, (int,))[0] if cursor else 0
    rows, more = await _session(state, request.user, session_id, "session_pools", PoolRow, limit, after=after)
    return SessionPage(str(session_id), rows, write_cursor(rows[-1].number) if more else None)


@get("/sessions/{session_id:uuid}/balances", opt={"roles": ROLES})
async def balances(
    session_id: FromPath[UUID],
    request: Asking,
    state: State,
    cursor: FromQuery[str | None] = None,
    limit: Limit = 100,
) -> SessionPage[BalanceRow]:
    """The balances of a session after each deal, clockwise from N."""
    place, seat = read_cursor(cursor, (int, Literal["N", "E", "S", "W"])) if cursor else (0, "N")  # type: ignore[arg-type]
    rows, more = await _session(
        state, request.user, session_id, "session_balances", BalanceRow, limit,
        after=place, after_seat="NESW".index(seat) + 1,
    )  # fmt: skip
    return SessionPage(str(session_id), rows, write_cursor(rows[-1].place, rows[-1].seat) if more else None)


def _chosen(
    ruleset: str | None, since: datetime.date | None, until: datetime.date | None, table: str | None, void: bool
) -> Chosen:
    if since is not None and until is not None and since > until:
        raise Problem(400, "malformed", f"the first day, {since}, lies after the last, {until}")
    return Chosen(ruleset, since, until, table, void)


From = Annotated[datetime.date | None, QueryParameter(name="from", description="The first day, club-local.")]
To = Annotated[datetime.date | None, QueryParameter(name="to", description="The last day, club-local.")]
OfTable = Annotated[str | None, QueryParameter(name="table", max_length=100)]
Void = Annotated[bool, QueryParameter(name="void", description="Voided and abandoned sessions too.")]


@get("/exports/{name:str}", opt={"roles": KEEPERS, "media": (CSV, PARQUET)})
async def export_table(
    name: FromPath[Table],
    request: Asking,
    state: State,
    form: Annotated[Literal["csv", "parquet"], QueryParameter(name="format")] = "csv",
    ruleset: FromQuery[str | None] = None,
    since: From = None,
    until: To = None,
    table: OfTable = None,
    void: Void = False,
) -> Stream:
    """A whole table of facts of the club, as CSV or Parquet."""
    chosen = _chosen(ruleset, since, until, table, void)
    exports, club = Exports(state.database), request.user.club_id
    headers = {"Content-Disposition": f'attachment; filename="{name}.{form}"', "Cache-Control": "no-store"}
    if form == "csv":
        return Stream(exports.csv(club, name, chosen), media_type=CSV, headers=headers)
    return Stream(exports.parquet(club, name, chosen), media_type=PARQUET, headers=headers)


@get("/exports/records", opt={"roles": KEEPERS, "media": ("application/zip",)})
async def export_records(
    request: Asking,
    state: State,
    ruleset: FromQuery[str | None] = None,
    since: From = None,
    until: To = None,
    table: OfTable = None,
    void: Void = False,
) -> Stream:
    """The records of the club's sessions in the record format, one file each in a ZIP archive."""
    chosen = _chosen(ruleset, since, until, table, void)
    headers = {"Content-Disposition": 'attachment; filename="records.zip"', "Cache-Control": "no-store"}
    return Stream(_records(state, request.user, chosen), media_type="application/zip", headers=headers)


async def _records(state: State, who: Principal, chosen: Chosen) -> AsyncIterator[bytes]:
    """The archive, written as it is read, so that it never lies in memory whole.

    Of a deal in progress nobody but the director is given anything.
    """
    club_id = who.club_id
    sink = Sink()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        for session_id in await Exports(state.database).sessions(club_id, chosen):
            folded = await state.recorder.load(session_id, club_id)
            if folded is None:
                continue
            names = await state.register.names(club_id, players(folded))
            upto = folded.version if sees_open_deal(who.role, holds=False) else shown_upto(folded)
            text = b"".join(format_entry(entry) + b"\n" for entry in all_entries(folded, names, upto))
            archive.writestr(f"{session_id}.jsonl", text)
            yield sink.drained()
    yield sink.drained()


class MergeRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Into whom a player's id is merged."""

    into: UUID


@post("/players/{player_id:uuid}/merge", opt={"roles": ("admin", "director")}, status_code=200)
async def merge(player_id: FromPath[UUID], data: JSONBody[MergeRequest], request: Asking, state: State) -> Person:
    """Lets an id stand for another person in every figure; the log does not change, and it can be taken back.

    Refused for two ids that sat in one session.
    """
    who = request.user
    return await Persons(state.database).merge(who.club_id, str(player_id), str(data.into), who.key_id)


@delete("/players/{player_id:uuid}/merge", opt={"roles": ("admin", "director")}, status_code=200)
async def part(player_id: FromPath[UUID], request: Asking, state: State) -> Person:
    """Takes a merge back."""
    return await Persons(state.database).part(request.user.club_id, str(player_id))


@post("/players/{player_id:uuid}/erase", opt={"roles": ("admin",)}, status_code=200)
async def erase(player_id: FromPath[UUID], request: Asking, state: State) -> Erased:
    """Erases a person's name for good, also from what others wrote; every sum and everybody else's figures stay."""
    erased = await Persons(state.database).erase(request.user.club_id, str(player_id))
    state.register.forget()
    state.secrets.forget()
    return erased


@get("/players/{player_id:uuid}/export", opt={"roles": ("admin", "player")})
async def export_person(player_id: FromPath[UUID], request: Asking, state: State) -> Response[PersonData]:
    """All that is kept of a person; a player's key gives its own player's data alone."""
    who = request.user
    exported = await Persons(state.database).export(who.club_id, str(player_id))
    if who.role == "player" and who.player_id not in exported.person.ids:
        raise Problem(403, "not_allowed", "a player's key gives that player's own data alone")
    headers = {"Content-Disposition": 'attachment; filename="player.json"', "Cache-Control": "no-store"}
    return Response(exported, headers=headers)


ROUTES = [ledger, pools, balances, export_table, export_records, merge, part, erase, export_person]
