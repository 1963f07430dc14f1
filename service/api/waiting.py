"""What waits for a director: disputes and findings across a club's sessions, read from their rows."""

from __future__ import annotations

import datetime
from typing import Annotated, Literal, TypeVar
from uuid import UUID

import msgspec
from litestar import get
from litestar.datastructures import State
from litestar.params import FromQuery, QueryParameter

from domain.seats import Four, Seat
from service import texts
from service.api.pages import Limit, cut, read_cursor, write_cursor
from service.principal import AUDITORS, Asking, Principal
from service.rows import fetch
from service.state import DisputeStanding, Seated

LAST_DAY, LAST_ID, LAST_NUMBER = datetime.date(9999, 12, 31), UUID(int=2**128 - 1), 2**31 - 1


class OfClub(msgspec.Struct, frozen=True, kw_only=True):
    """Something of an evening, with who sat in its deal; `number` tells it from others of the evening."""

    session_id: str
    date: str
    table: str | None
    ruleset: str
    number: int
    line: int
    seats: Four[Seated] | None = None


class ClubDispute(OfClub, frozen=True, kw_only=True):
    """A dispute, known by the number of its entry."""

    by: Literal["N", "E", "S", "W", "director"]
    about: Literal["deal", "trick", "card", "call", "settlement"]
    target: int | None
    reason: str
    state: DisputeStanding
    resolved: int | None


class ClubFinding(OfClub, frozen=True, kw_only=True):
    """A finding in force; `acknowledged` is the entry by which the director has done so."""

    kind: str
    rule: int | None
    seat: Seat | None
    cards: list[str]
    entries: list[int]
    text: str
    acknowledged: int | None
    published: bool


class _DisputeRow(ClubDispute, frozen=True, kw_only=True):
    said: str | None
    players: list[str]


class _FindingRow(ClubFinding, frozen=True, kw_only=True):
    players: list[str]


class DisputePage(msgspec.Struct, frozen=True):
    """Disputes of a club, the latest evening first; `next` leads to those behind them."""

    items: list[ClubDispute]
    next: str | None


class FindingPage(msgspec.Struct, frozen=True):
    """Findings of a club, the latest evening first; `next` leads to those behind them."""

    items: list[ClubFinding]
    next: str | None


@get("/disputes", opt={"roles": AUDITORS})
async def disputes(
    request: Asking,
    state: State,
    standing: Annotated[Literal["open", "withdrawn", "ruled"] | None, QueryParameter(name="state")] = None,
    cursor: FromQuery[str | None] = None,
    limit: Limit = 50,
) -> DisputePage:
    """The club's disputes."""
    rows, following = await _page(state, request.user, "disputes_page", _DisputeRow, standing, cursor, limit)
    told = [msgspec.structs.replace(row, reason=texts.told(row.reason, row.said), seats=seats) for row, seats in rows]
    return DisputePage([_as(ClubDispute, row) for row in told], following)


@get("/findings", opt={"roles": AUDITORS})
async def club_findings(
    request: Asking,
    state: State,
    standing: Annotated[Literal["open", "acknowledged", "published"] | None, QueryParameter(name="state")] = None,
    cursor: FromQuery[str | None] = None,
    limit: Limit = 50,
) -> FindingPage:
    """What the club's records prove against themselves."""
    rows, following = await _page(state, request.user, "findings_page", _FindingRow, standing, cursor, limit)
    told = [msgspec.structs.replace(row, seats=seats) for row, seats in rows]
    return FindingPage([_as(ClubFinding, row) for row in told], following)


R = TypeVar("R", _DisputeRow, _FindingRow)
S = TypeVar("S", ClubDispute, ClubFinding)


async def _page(
    state: State, who: Principal, name: str, into: type[R], standing: str | None, cursor: str | None, limit: int
) -> tuple[list[tuple[R, Four[Seated]]], str | None]:
    """The rows of a page, each with who sat there, and the cursor of the next one."""
    before = read_cursor(cursor, (datetime.date, UUID, int)) if cursor else (LAST_DAY, LAST_ID, LAST_NUMBER)
    found = await fetch(
        state.database.reads,
        name,
        into,
        club=who.club_id,
        state=standing,
        before_date=before[0],
        before_id=before[1],
        before_number=before[2],
        limit=limit + 1,
    )
    page, more = cut(found, limit)
    names = await state.register.names(who.club_id, {player for row in page for player in row.players})
    told = [(row, Four(*(Seated(player, names[player]) for player in row.players))) for row in page]
    last = page[-1] if more else None
    return told, None if last is None else write_cursor(last.date, last.session_id, last.number)


def _as(kind: type[S], row: S) -> S:
    return kind(**{name: getattr(row, name) for name in kind.__struct_fields__})


ROUTES = [disputes, club_findings]
