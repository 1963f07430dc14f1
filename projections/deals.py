"""The deals: one row for each deal that has come to an end, its calls and plays as arrays.

`place` numbers all deals of the session, misdeals and void ones included; `deal` is the number at the
table. Seats of arrays are clockwise from N.
"""

from collections.abc import Iterator
from typing import Any

from domain.seats import Four
from projections.evening import Deal, Evening, clock
from projections.projection import Projection, Row
from projections.walk import DEALING, MONEY


def rows(told: Evening) -> Iterator[Row]:
    """One row a deal, in order."""
    meta, opened = told.meta, told.opened
    for deal in told.deals:
        began, ended, seconds = pace(deal)
        yield (
            meta.session_id,
            deal.place,
            meta.club_id,
            opened.date,
            opened.ruleset,
            opened.table,
            deal.number,
            list(told.seats(deal.number)),
            deal.dealer,
            deal.counts,
            deal.outcome,
            deal.contract,
            deal.preference,
            deal.caller,
            deal.trumps,
            deal.trump_class if deal.contract else None,
            deal.first,
            deal.second,
            [f"{seat}:{call}" for seat, call in deal.calls],
            [f"{seat}:{card}" for seat, card in deal.plays],
            _list(deal.tricks),
            deal.shortfall,
            deal.conceded,
            list(deal.conceders),
            deal.revoker,
            deal.price,
            deal.pool_paid,
            deal.rule,
            _list(deal.deltas),
            _list(deal.balances),
            [deal.pool.full, deal.pool.open],
            deal.evidence,
            deal.findings,
            deal.first_entry,
            deal.last_entry,
            deal.version,
            began,
            ended,
            seconds,
            told.void,
            deal.corrected,
        )


def pace(deal: Deal) -> tuple[Any, Any, int | None]:
    """When the deal began and ended, and the seconds between; none where the record has no pace of its own."""
    if deal.ended is None:
        return None, None, None
    began, ended = clock(deal.began), clock(deal.ended)
    same_clock = (deal.began.tablet is None) == (deal.ended.tablet is None)
    seconds = round((ended - began).total_seconds()) if same_clock else 0
    return began, ended, seconds if 0 < seconds < 86_400 else None


def _list(values: Four[int] | None) -> list[int] | None:
    return None if values is None else [values.N, values.E, values.S, values.W]


DEALS = Projection(
    name="deals",
    version=3,
    key=2,
    columns=(
        "session_id",
        "place",
        "club_id",
        "date",
        "ruleset",
        "table_name",
        "deal",
        "players",
        "dealer",
        "counts",
        "outcome",
        "contract",
        "preference",
        "caller",
        "trumps",
        "trump_class",
        "first_suit",
        "second_suit",
        "calls",
        "plays",
        "tricks",
        "shortfall",
        "conceded",
        "conceders",
        "revoker",
        "price",
        "pool_paid",
        "rule",
        "deltas",
        "balances",
        "pool",
        "evidence",
        "findings",
        "first_entry",
        "last_entry",
        "version",
        "began_at",
        "ended_at",
        "seconds",
        "void",
        "corrected",
    ),
    handles=MONEY | DEALING,
    rows=rows,
    by_deal=True,
)
