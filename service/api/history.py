"""History: who did what, what an evening looked like at another time, and what the director's rulings changed."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from typing import Annotated, Any, Literal
from uuid import UUID

import msgspec
from litestar import Response, get
from litestar.datastructures import State
from litestar.params import FromPath, FromQuery, QueryParameter

from domain.comparison import aligned
from domain.entries import Acknowledge
from domain.game import DealRow
from domain.record import format_entry
from domain.session import Session
from service.api.pages import Limit, aware, read_cursor, write_cursor
from service.api.recording import Version
from service.api.sessions import Moment, sat_there, seen, told_state
from service.changes import Changed, changes
from service.findings import named, told_all
from service.lines import rows_of
from service.principal import AUDITORS, ROLES, Asking
from service.problems import Problem
from service.rows import fetch
from service.state import SessionState, players
from service.tables import columns, lines
from service.timeline import Item, KeyName, Wanted, keys_of, timeline
from service.transcript import called_by

CSV = "text/csv; charset=utf-8"
JSON = "application/json"
OfLine = Annotated[int | None, QueryParameter(ge=1, le=9_999, description="A line of the score sheet, from 1.")]


class TimelinePage(msgspec.Struct, frozen=True):
    """Items in order; `next` leads to those behind them."""

    items: list[Item]
    next: str | None


@get(
    "/sessions/{session_id:uuid}/timeline",
    opt={"roles": (*AUDITORS, "player"), "also": {CSV: str}},
)
async def session_timeline(
    session_id: FromPath[UUID],
    request: Asking,
    state: State,
    line: OfLine = None,
    kind: Annotated[str | None, QueryParameter(max_length=40)] = None,
    key: FromQuery[UUID | None] = None,
    device: Annotated[str | None, QueryParameter(max_length=100)] = None,
    since: Annotated[datetime.datetime | None, QueryParameter(name="from", description="With its offset.")] = None,
    until: Annotated[datetime.datetime | None, QueryParameter(name="to", description="With its offset.")] = None,
    form: Annotated[Literal["json", "csv"] | None, QueryParameter(name="format")] = None,
    cursor: FromQuery[str | None] = None,
    limit: Limit = 200,
) -> Response[TimelinePage]:
    """Who did what, when, from which device, and what has become of it; as CSV all of it at once.

    A player reads those of the evenings that he sat at.
    """
    who = request.user
    saw = await seen(request, state, session_id)
    await sat_there(request, state, saw.folded)
    wanted = Wanted(
        line,
        kind,
        None if key is None else str(key),
        device,
        aware(since) if since else None,
        aware(until) if until else None,
    )
    takings = await state.leases.takings(str(session_id))
    known = await key_names(state, who.club_id, keys_of(saw.folded, takings))
    names = await state.register.names(who.club_id, players(saw.folded))
    club = await state.clubs.get(who.club_id)
    everything, published = told_all(who.role, club.settings), saw.folded.session.docket.published
    items = [
        item
        for item in timeline(saw.folded, takings, known, called_by(names), saw.upto)
        if wanted(item) and (everything or not isinstance(item.entry, Acknowledge) or named(item.entry) in published)
    ]
    headers = {"cache-control": "no-store"}
    if form == "csv" or (form is None and "text/csv" in request.headers.get("accept", "")):
        table = lines([columns(Item), *map(_cells, items)])
        headers["content-disposition"] = 'attachment; filename="timeline.csv"'
        return Response(table, media_type=CSV, headers=headers)  # type: ignore[arg-type]
    after = read_cursor(cursor, (str, int)) if cursor else ("", 0)
    rest = [item for item in items if item.place > after]
    page = rest[:limit]
    following = write_cursor(*page[-1].place) if len(rest) > limit else None
    return Response(TimelinePage(page, following), media_type=JSON, headers=headers)


def _cells(item: Item) -> list[Any]:
    """An item as a row of the table: its entry as the record has it, its lines by their numbers."""
    told = {name: getattr(item, name) for name in columns(Item)}
    told["entry"] = None if item.entry is None else format_entry(item.entry).decode()
    told["lines"] = " ".join(map(str, item.lines))
    return list(told.values())


async def key_names(state: State, club_id: str, keys: set[str]) -> dict[str, str]:
    """What keys are called, by their ids."""
    found = await fetch(state.database.reads, "key_names", KeyName, club=club_id, keys=sorted(keys))
    return {key.key_id: key.name for key in found}


class ComparedLine(msgspec.Struct, frozen=True):
    """A line of the score sheet by its number now, or by that of then where it is gone."""

    line: int
    then: DealRow | None
    now: DealRow | None


class Compared(msgspec.Struct, frozen=True):
    """A session at another time and now, whole, and its lines side by side: the same line beside itself."""

    then: SessionState
    now: SessionState
    lines: list[ComparedLine]


@get("/sessions/{session_id:uuid}/compare", opt={"roles": ROLES})
async def compare(
    session_id: FromPath[UUID],
    request: Asking,
    state: State,
    at: FromQuery[Version | None] = None,
    at_time: Moment = None,
) -> Compared:
    """What stood on the table at a version or a time, and what stands there now."""
    if at is None and at_time is None:
        raise Problem(400, "malformed", "say which version or time to compare with: at or at_time")
    then = await seen(request, state, session_id, at, at_time)
    now = await seen(request, state, session_id)
    side_by_side = list(_side_by_side(then.folded.session, now.folded.session))
    return Compared(await told_state(request, state, then), await told_state(request, state, now), side_by_side)


def _side_by_side(then: Session, now: Session) -> Iterator[ComparedLine]:
    was_at = is_at = 0
    for was, row in aligned(rows_of(then), rows_of(now)):
        was_at += was is not None
        is_at += row is not None
        yield ComparedLine(was_at if row is None else is_at, was, row)


@get("/sessions/{session_id:uuid}/changes", opt={"roles": ROLES})
async def session_changes(session_id: FromPath[UUID], request: Asking, state: State) -> list[Changed]:
    """Every correction and transfer with all that it changed, old beside new."""
    folded = (await seen(request, state, session_id)).folded
    known = await key_names(state, request.user.club_id, keys_of(folded, ()))
    return changes(folded, known)


ROUTES = [session_timeline, compare, session_changes]
