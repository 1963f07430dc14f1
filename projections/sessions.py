"""The evenings: one row a session, with its players, where it stands and how it came out."""

from collections.abc import Iterator

from domain.pool import total
from projections.evening import Evening
from projections.projection import Projection, Row
from projections.walk import LASTING


def rows(told: Evening) -> Iterator[Row]:
    """The session's one row. `final` and `winners` are there once its pools are divided (rule 46)."""
    meta, opened = told.meta, told.opened
    cap = opened.rule_set.cap
    yield (
        meta.session_id,
        meta.club_id,
        opened.date,
        opened.ruleset,
        opened.table,
        told.status,
        list(told.seats(max(1, told.counted))),
        told.counted,
        len(told.deals),
        sum(deal.outcome == "misdeal" for deal in told.deals),
        opened.rule_set.start,
        max((total(move.pool_after, cap) for move in told.moves if move.pool_after is not None), default=0),
        list(told.final) if told.final is not None else None,
        list(told.winners),
        len(told.findings),
        opened.digest,
        told.void,
    )


SESSIONS = Projection(
    name="sessions",
    version=2,
    key=1,
    columns=(
        "session_id",
        "club_id",
        "date",
        "ruleset",
        "table_name",
        "status",
        "players",
        "deals",
        "places",
        "misdeals",
        "start",
        "largest_pool",
        "final",
        "winners",
        "findings",
        "digest",
        "void",
    ),
    handles=LASTING,
    rows=rows,
)
