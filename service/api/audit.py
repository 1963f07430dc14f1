"""Audit: who did what, a line of the score sheet with all that is behind it, and what a ruling would lead to."""

from __future__ import annotations

import datetime
from typing import Annotated, Literal
from uuid import UUID

import msgspec
from litestar import Response, get, post
from litestar.datastructures import State
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter

from domain.entries import AnyEntry, Change, Correct
from domain.entry_events import entry_of
from domain.events import FindingMade
from domain.game import DealRow
from domain.refusal import Refusal
from domain.rulings import Effect, Ruling, admissible, combined
from domain.seats import Some
from service.api.pages import Limit, read_cursor, write_cursor
from service.api.sessions import seen
from service.filters import person
from service.folded import Folded
from service.lines import rows_of, steps_of_lines
from service.log import connection
from service.principal import ROLES, Asking, Principal
from service.problems import Problem, not_found, refused
from service.rows import fetch
from service.seating import called as names_in
from service.seating import seated
from service.state import Disputed, EntryInForce, Signed, line_states, players
from service.tables import columns, lines
from service.timeline import Item, KeyName, Wanted, keys_of, timeline
from service.transcript import called_by, shown

CSV = "text/csv; charset=utf-8"
JSON = "application/json"
Number = Annotated[int, msgspec.Meta(ge=1, le=2_000_000_000)]
OfLine = Annotated[int | None, QueryParameter(ge=1, le=9_999, description="A line of the score sheet, from 1.")]


class LineDetail(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the score sheet with the entries behind it: what a correction starts from.

    `findings` are there for the director and the auditor alone.
    """

    session_id: str
    version: int
    line: int
    number: int
    row: DealRow
    was: DealRow | None
    hash: str
    settled_at: str
    signed: Some[Signed]
    disputes: tuple[Disputed, ...]
    corrected: bool
    findings: tuple[FindingMade, ...]
    entries: tuple[EntryInForce, ...]


@get("/sessions/{session_id:uuid}/lines/{line:int}", opt={"roles": ROLES})
async def line_detail(
    session_id: FromPath[UUID],
    line: FromPath[int],
    request: Asking,
    state: State,
) -> LineDetail:
    """A finished line of the score sheet, with the entries in force behind it."""
    saw = await seen(request, state, session_id)
    folded = saw.folded
    told = line_states(folded)
    if not 1 <= line <= len(told):
        raise not_found(f"line {line} on the score sheet of this session")
    names = await state.register.names(request.user.club_id, players(folded))
    called, steps, of = called_by(names), steps_of_lines(folded.session)[line - 1], told[line - 1]
    behind = []
    for step in steps:
        entry = entry_of(step.events[0])
        if entry is not None:
            behind.append(EntryInForce(step.number, shown(entry, folded, called), step.part))
    found = tuple(event for step in steps for event in step.events if isinstance(event, FindingMade))
    return LineDetail(
        session_id=str(session_id),
        version=folded.version,
        line=line,
        number=of.number,
        row=of.row,
        was=of.was,
        hash=of.hash,
        settled_at=of.settled_at,
        signed=of.signed,
        disputes=of.disputes,
        corrected=of.corrected,
        findings=found if request.user.role in ("director", "auditor") else (),
        entries=tuple(behind),
    )


class TimelinePage(msgspec.Struct, frozen=True):
    """Items in order; `next` leads to those behind them."""

    items: list[Item]
    next: str | None


@get(
    "/sessions/{session_id:uuid}/timeline",
    opt={"roles": ("director", "auditor", "player"), "also": {CSV: str}},
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
    await sat_there(state, who, saw.folded)
    wanted = Wanted(line, kind, None if key is None else str(key), device, aware(since), aware(until))
    takings = await state.leases.takings(str(session_id))
    known = await key_names(state, who.club_id, keys_of(saw.folded, takings))
    names = await state.register.names(who.club_id, players(saw.folded))
    items = [i for i in timeline(saw.folded, takings, known, called_by(names), saw.upto) if wanted(i)]
    headers = {"cache-control": "no-store"}
    if form == "csv" or (form is None and "text/csv" in request.headers.get("accept", "")):
        table = lines([columns(Item), *([getattr(item, name) for name in columns(Item)] for item in items)])
        headers["content-disposition"] = 'attachment; filename="timeline.csv"'
        return Response(table, media_type=CSV, headers=headers)  # type: ignore[arg-type]
    after = read_cursor(cursor, (str, int)) if cursor else ("", 0)
    rest = [item for item in items if item.place > after]
    page = rest[:limit]
    following = write_cursor(*page[-1].place) if len(rest) > limit else None
    return Response(TimelinePage(page, following), media_type=JSON, headers=headers)


def aware(time: datetime.datetime | None) -> datetime.datetime | None:
    """The same time; raises a problem where it does not say its offset from UTC."""
    if time is not None and time.tzinfo is None:
        raise Problem(400, "malformed", f"the time {time.isoformat()} lacks its offset; Z stands for UTC")
    return time


async def key_names(state: State, club_id: str, keys: set[str]) -> dict[str, str]:
    """What keys are called, by their ids."""
    found = await fetch(state.database.reads, "key_names", KeyName, club=club_id, keys=sorted(keys))
    return {key.key_id: key.name for key in found}


async def sat_there(state: State, who: Principal, folded: Folded) -> None:
    """Raises a problem where a player asks who never sat at the table of the session."""
    if who.role != "player":
        return
    sat = players(folded)
    if who.player_id in sat:
        return
    if who.player_id is not None:
        async with connection(state.database.reads) as lent:
            if sat & set((await person(lent, who.club_id, who.player_id)).ids):
                return
    raise Problem(403, "not_allowed", "a player reads the timeline of the evenings that he sat at")


class DisputedLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line of the score sheet, from 1; `trick` is the one in which a revoke would be ruled."""

    line: Annotated[int, msgspec.Meta(ge=1, le=9_999)]
    trick: Annotated[int, msgspec.Meta(ge=1, le=13)] = 1


class CorrectedLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Changes to compare with the other rulings on a line, as a correction would make them."""

    line: Annotated[int, msgspec.Meta(ge=1, le=9_999)]
    changes: Annotated[tuple[Change, ...], msgspec.Meta(min_length=1, max_length=200)]


class SimulateRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The disputed lines, or disputes by the numbers of their entries; every combination of their rulings is tried."""

    lines: Annotated[tuple[DisputedLine, ...], msgspec.Meta(max_length=8)] = ()
    disputes: Annotated[tuple[Number, ...], msgspec.Meta(max_length=8)] = ()
    corrections: Annotated[tuple[CorrectedLine, ...], msgspec.Meta(max_length=16)] = ()


class Simulated(msgspec.Struct, frozen=True):
    """Each ruling, or combination of rulings, with what it would lead to on top of this version."""

    version: int
    effects: list[Effect]


@post("/sessions/{session_id:uuid}/rulings/simulate", opt={"roles": ("director", "auditor")}, status_code=200)
async def simulate(
    session_id: FromPath[UUID], data: JSONBody[SimulateRequest], request: Asking, state: State
) -> Simulated:
    """Every admissible ruling side by side: money, pool, each line that changes, and who would win the evening."""
    folded = (await seen(request, state, session_id)).folded
    asked = {one.line: one.trick for one in data.lines}
    if len(asked) < len(data.lines):
        raise Problem(400, "malformed", "each line is named once")
    for number in data.disputes:
        line, trick = _disputed(folded, number)
        asked.setdefault(line, trick)
    for correction in data.corrections:
        asked.setdefault(correction.line, 1)
    if not asked:
        raise Problem(400, "malformed", "name lines, disputes or corrections to compare")
    for line in asked:
        if line > len(rows_of(folded.session)):
            raise not_found(f"line {line} on the score sheet of this session")
    choices = {line: admissible(folded.session, line, trick) for line, trick in asked.items()}
    for correction in data.corrections:
        put = await _by_ids(state, request.user.club_id, Correct(changes=correction.changes, reason="corrected"))
        nth = sum(ruling.name.startswith("corrected") for ruling in choices[correction.line])
        choices[correction.line].append(Ruling(f"corrected {nth + 1}" if nth else "corrected", (put,)))
    try:
        effects = combined(folded.session, list(choices.values()))
    except ValueError as error:
        raise Problem(422, "too_many_rulings", str(error)) from error
    return Simulated(folded.version, effects)


def _disputed(folded: Folded, number: int) -> tuple[int, int]:
    """The line that a dispute is about, and the trick, where it names one."""
    dispute = next((d for d in folded.session.docket.disputes if d.number == number), None)
    if dispute is None:
        raise not_found(f"dispute {number} in this session")
    raised = dispute.raised
    trick = raised.target if raised.about == "trick" and raised.target is not None and raised.target <= 13 else 1
    return raised.line, trick


async def _by_ids(state: State, club_id: str, entry: Correct) -> AnyEntry:
    """The entry with the ids of the players that it names; nobody is added to the register."""
    names = names_in(entry)
    if not names:
        return entry
    found = await state.register.players(club_id, names)
    if isinstance(found, Refusal):
        raise refused(found)
    return seated(entry, found.ids)


ROUTES = [line_detail, session_timeline, simulate]
