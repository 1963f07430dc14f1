"""Audit: a line of the score sheet with all that is behind it, and what a ruling would lead to."""

from __future__ import annotations

import datetime
from typing import Annotated, Literal, TypeVar
from uuid import UUID

import msgspec
from litestar import get, post
from litestar.datastructures import State
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter

from domain.entries import Change, Correct
from domain.game import DealRow
from domain.refusal import Refusal
from domain.rulings import Effect, Ruling, admissible, combined, line_entries, on_disputes
from domain.seats import Four, Seat, Some
from domain.sheet import LineEntry, text_of
from service import texts
from service.api.pages import Limit, cut, read_cursor, write_cursor
from service.api.sessions import seen
from service.findings import Finding, Named, findings, told_all
from service.folded import Folded
from service.principal import ROLES, Asking, Principal
from service.problems import Problem, not_found, refused
from service.rows import fetch
from service.seating import called as names_in
from service.state import Disputed, DisputeStanding, Seated, Signed, line_states, players
from service.transcript import called_by, shown

AUDITORS = ("director", "auditor")
LAST_DAY, LAST_ID, LAST_NUMBER = datetime.date(9999, 12, 31), UUID(int=2**128 - 1), 2**31 - 1
Number = Annotated[int, msgspec.Meta(ge=1, le=2_000_000_000)]


class LineDetail(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the score sheet with the entries behind it: what a correction starts from."""

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
    findings: tuple[Finding, ...]
    entries: tuple[LineEntry, ...]


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
    of, behind = told[line - 1], line_entries(folded.session, line)
    assert behind is not None, "a line of the score sheet has entries"
    called, entries = called_by(names), list[LineEntry]()
    for one in behind.entries:
        entry = shown(one.entry, folded, called)
        entries.append(LineEntry(one.number, one.part, one.of, entry, text_of(entry)))
    club = await state.clubs.get(request.user.club_id)
    found = findings(folded, told_all(request.user.role, club.settings))
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
        findings=tuple(one for one in found if one.line == line),
        entries=tuple(entries),
    )


class Findings(msgspec.Struct, frozen=True):
    """The findings in force, and those that the director has acknowledged, by kind and entries."""

    findings: tuple[Finding, ...]
    acknowledged: tuple[Named, ...]
    version: int


@get("/sessions/{session_id:uuid}/findings", opt={"roles": ROLES})
async def session_findings(session_id: FromPath[UUID], request: Asking, state: State) -> Findings:
    """What the record proves against itself; whoever is not told everything hears what a ruling has published."""
    club = await state.clubs.get(request.user.club_id)
    saw = await seen(request, state, session_id)
    everything, docket = told_all(request.user.role, club.settings), saw.folded.session.docket
    found = tuple(findings(saw.folded, everything))
    if not saw.whole:
        told = saw.folded.envelopes[saw.upto - 1].entry
        found = tuple(finding for finding in found if max(finding.entries, default=0) <= told)
    return Findings(found, docket.acknowledged if everything else docket.published, saw.folded.version)


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


@post("/sessions/{session_id:uuid}/rulings/simulate", opt={"roles": AUDITORS}, status_code=200)
async def simulate(
    session_id: FromPath[UUID], data: JSONBody[SimulateRequest], request: Asking, state: State
) -> Simulated:
    """Every admissible ruling side by side: money, pool, each line that changes, and who would win the evening."""
    folded = (await seen(request, state, session_id)).folded
    proposals: dict[int, list[Correct]] = {}
    for one in data.corrections:
        proposal = Correct(changes=one.changes, reason="corrected")
        await _check_names(state, request.user.club_id, proposal)
        proposals.setdefault(one.line, []).append(proposal)
    choices = _on_disputes(folded, data, proposals) if data.disputes else _on_lines(folded, data, proposals)
    try:
        effects = combined(folded.session, choices)
    except ValueError as error:
        raise Problem(422, "too_many_rulings", str(error)) from error
    return Simulated(folded.version, effects)


def _on_disputes(folded: Folded, data: SimulateRequest, proposals: dict[int, list[Correct]]) -> list[list[Ruling]]:
    if data.lines:
        raise Problem(400, "malformed", "name lines or disputes, not both")
    disputed = {d.number: d.raised.line for d in folded.session.docket.disputes if d.number in data.disputes}
    if stray := [line for line in proposals if line not in disputed.values()]:
        raise Problem(
            400, "malformed", f"a correction of line {stray[0]} is proposed, which none of the disputes is about"
        )
    first = {line: number for number, line in reversed(disputed.items())}
    choices = on_disputes(folded.session, data.disputes, {first[line]: told for line, told in proposals.items()})
    if isinstance(choices, Refusal):
        raise refused(choices)
    return choices


def _on_lines(folded: Folded, data: SimulateRequest, proposals: dict[int, list[Correct]]) -> list[list[Ruling]]:
    asked = {one.line: one.trick for one in data.lines}
    if len(asked) < len(data.lines):
        raise Problem(400, "malformed", "each line is named once")
    asked |= {line: 1 for line in proposals if line not in asked}
    if not asked:
        raise Problem(400, "malformed", "name lines, disputes or corrections to compare")
    for line in asked:
        if line_entries(folded.session, line) is None:
            raise not_found(f"line {line} on the score sheet of this session")
    return [admissible(folded.session, line, trick, proposals.get(line, ())) for line, trick in sorted(asked.items())]


async def _check_names(state: State, club_id: str, entry: Correct) -> None:
    """Raises a problem where an entry names players in a way that recording would refuse; nobody is added."""
    if names := names_in(entry):
        found = await state.register.players(club_id, names)
        if isinstance(found, Refusal):
            raise refused(found)


ROUTES = [line_detail, session_findings, disputes, club_findings, simulate]
