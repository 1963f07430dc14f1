"""The disputes: what was disputed on which line of the score sheet, and how each ended."""

from collections.abc import Iterator

from domain import events
from projections.evening import Evening
from projections.projection import Projection, Row


def rows(told: Evening) -> Iterator[Row]:
    """One row a dispute, known by the number of its entry. `reason` is the text or its digest, as the log has it."""
    meta = told.meta
    for dispute in told.disputes:
        raised, resolved, disputed = dispute.raised, dispute.resolved, dispute.told
        yield (
            meta.session_id,
            raised.entry,
            meta.club_id,
            told.opened.date,
            raised.version,
            disputed.line,
            disputed.by,
            disputed.about,
            disputed.target,
            disputed.reason,
            dispute.state,
            resolved.entry if resolved is not None else None,
            told.void,
        )


DISPUTES = Projection(
    name="disputes",
    version=1,
    key=2,
    columns=(
        "session_id",
        "number",
        "club_id",
        "date",
        "version",
        "line",
        "raised_by",
        "about",
        "target",
        "reason",
        "state",
        "resolved",
        "void",
    ),
    handles=frozenset({events.DisputeRaised, events.DisputeResolved}),
    rows=rows,
)
