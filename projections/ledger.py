"""The ledger: double entry. Each movement of money is one row that sums to zero over the chairs, the pool and `issued`.

`issued` is the account that the starting balances come from, so that a balance is a plain sum of
postings (rules 10, 11 and 46). Amounts are exact white units; only the final division may end in .5.

Nothing that was posted goes by a correction: what it put right on each line of the score sheet follows as movements
of the kind `correction`, and both together are what the line shows now. Where a correction takes a line out or puts
one in, what was posted before it keeps the place that it had then.
"""

from collections.abc import Iterator

from projections.evening import Evening
from projections.projection import Projection, Row
from projections.walk import MONEY


def rows(told: Evening) -> Iterator[Row]:
    """The movements in their order, numbered from 1, with the players who held the chairs."""
    meta, opened, void = told.meta, told.opened, told.void
    for number, move in enumerate(told.postings, start=1):
        yield (
            meta.session_id,
            number,
            meta.club_id,
            opened.date,
            move.version,
            move.entry,
            move.place,
            move.number,
            move.kind,
            move.reason,
            move.seat,
            list(told.seats(move.number)),
            *move.amounts,
            move.pool,
            move.issued,
            void,
        )


LEDGER = Projection(
    name="ledger",
    version=2,
    key=2,
    columns=(
        "session_id",
        "number",
        "club_id",
        "date",
        "version",
        "entry",
        "place",
        "deal",
        "kind",
        "reason",
        "seat",
        "players",
        "n",
        "e",
        "s",
        "w",
        "pool",
        "issued",
        "void",
    ),
    handles=MONEY,
    rows=rows,
)
