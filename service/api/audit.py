"""Audit: a line of the score sheet with all that is behind it, and what a record proves against itself."""

from __future__ import annotations

from uuid import UUID

import msgspec
from litestar import get
from litestar.datastructures import State
from litestar.params import FromPath

from domain.rulings import line_entries
from domain.sheet import LineEntry, text_of
from service.api.sessions import seen
from service.findings import Finding, Named, findings, told_all
from service.principal import ROLES, Asking
from service.problems import not_found
from service.state import LineState, line_states, players
from service.transcript import called_by, shown


class LineDetail(LineState, frozen=True, kw_only=True):
    """A line of the score sheet with the entries behind it: what a correction starts from."""

    session_id: str
    version: int
    line: int
    findings: tuple[Finding, ...]
    entries: tuple[LineEntry, ...]


@get("/sessions/{session_id:uuid}/lines/{line:int}", opt={"roles": ROLES})
async def line_detail(session_id: FromPath[UUID], line: FromPath[int], request: Asking, state: State) -> LineDetail:
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
        **{name: getattr(of, name) for name in of.__struct_fields__},
        session_id=str(session_id),
        version=folded.version,
        line=line,
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


ROUTES = [line_detail, session_findings]
