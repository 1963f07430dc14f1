"""The pools after every event that moves them: why, and who took or doubled which (rules 38 to 43)."""

from collections.abc import Iterator

from domain.pool import total
from projections.evening import Evening, Move
from projections.projection import Projection, Row
from projections.walk import MONEY

REASONS = {"pool_win": "taken", "pool_doubling": "doubled", "reversal": "reversed", "division": "divided"}


def rows(told: Evening) -> Iterator[Row]:
    """The movements of the pools in their order, numbered from 1."""
    meta, opened = told.meta, told.opened
    cap, full, number = opened.rule_set.cap, 0, 0
    for move in told.moves:
        after = move.pool_after
        if after is None:
            continue
        number += 1
        yield (
            meta.session_id,
            number,
            meta.club_id,
            opened.date,
            opened.ruleset,
            opened.table,
            move.version,
            move.entry,
            move.place,
            move.number,
            REASONS.get(move.kind, move.reason),
            move.seat,
            told.seats(move.number)[move.seat] if move.seat else None,
            move.pool,
            _which(move, full),
            after.full,
            after.open,
            total(after, cap),
            told.void,
        )
        full = after.full


def _which(move: Move, full: int) -> str | None:
    """Which pool was taken or doubled: a full one where there was any, else the open one (rule 42)."""
    if move.kind not in ("pool_win", "pool_doubling"):
        return None
    return "full" if full else "open"


POOLS = Projection(
    name="pools",
    version=1,
    key=2,
    columns=(
        "session_id",
        "number",
        "club_id",
        "date",
        "ruleset",
        "table_name",
        "version",
        "entry",
        "place",
        "deal",
        "reason",
        "seat",
        "player_id",
        "amount",
        "which",
        "full_pools",
        "open_pool",
        "total",
        "void",
    ),
    handles=MONEY,
    rows=rows,
)
