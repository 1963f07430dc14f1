"""Audit: what a ruling would lead to, computed by the functions that record it, and nothing recorded."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

import msgspec
from litestar import post
from litestar.datastructures import State
from litestar.params import FromPath, JSONBody

from domain.rulings import Effect, admissible, combined
from service.principal import Asking
from service.problems import Problem, not_found


class Disputed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line of the score sheet, from 1; `trick` is the one in which a revoke would be ruled."""

    line: Annotated[int, msgspec.Meta(ge=1, le=9_999)]
    trick: Annotated[int, msgspec.Meta(ge=1, le=13)] = 1


class SimulateRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The disputed lines; every combination of their rulings is tried."""

    lines: Annotated[tuple[Disputed, ...], msgspec.Meta(min_length=1, max_length=8)]


class Simulated(msgspec.Struct, frozen=True):
    """Each ruling, or combination of rulings, with what it would lead to on top of this version."""

    version: int
    effects: list[Effect]


@post("/sessions/{session_id:uuid}/rulings/simulate", opt={"roles": ("director",)}, status_code=200)
async def simulate(
    session_id: FromPath[UUID], data: JSONBody[SimulateRequest], request: Asking, state: State
) -> Simulated:
    """Every admissible ruling side by side: money, pool, each line that changes, and who would win the evening."""
    folded = await state.recorder.load(str(session_id), request.user.club_id)
    if folded is None:
        raise not_found("session")
    rows = getattr(getattr(folded.session.game, "base", None), "rows", ())
    for asked in data.lines:
        if asked.line > len(rows):
            raise not_found(f"line {asked.line} on the score sheet of this session")
    if len({asked.line for asked in data.lines}) < len(data.lines):
        raise Problem(400, "malformed", "each line is named once")
    try:
        effects = combined(folded.session, [admissible(folded.session, a.line, a.trick) for a in data.lines])
    except ValueError as error:
        raise Problem(422, "too_many_rulings", str(error)) from error
    return Simulated(folded.version, effects)


ROUTES = [simulate]
