"""Rulings: what each would lead to, computed by the functions that record it, and nothing recorded."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

import msgspec
from litestar import post
from litestar.datastructures import State
from litestar.params import FromPath, JSONBody

from domain.entries import Change, Correct
from domain.refusal import Refusal
from domain.rulings import Effect, Ruling, admissible, combined, line_entries, on_disputes
from service.api.sessions import seen
from service.folded import Folded
from service.principal import AUDITORS, Asking
from service.problems import Problem, not_found, refused
from service.seating import called

Number = Annotated[int, msgspec.Meta(ge=1, le=2_000_000_000)]


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
    if names := called(entry):
        found = await state.register.players(club_id, names)
        if isinstance(found, Refusal):
            raise refused(found)


ROUTES = [simulate]
