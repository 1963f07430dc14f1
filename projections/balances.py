"""Balances after each deal, as sums of postings: the chair's, and the player's over all the chairs he held."""

from collections import defaultdict
from collections.abc import Iterator
from operator import add

from domain.seats import SEATS
from projections.evening import Evening
from projections.projection import Projection, Row
from projections.walk import MONEY


def rows(told: Evening) -> Iterator[Row]:
    """Four rows a deal. `money` is what the player has won so far, without the chair's starting balance."""
    meta, opened, void = told.meta, told.opened, told.void
    chairs: list[int | float] = [0, 0, 0, 0]
    players: defaultdict[str, int | float] = defaultdict(int)
    passed = 0
    for deal in told.deals:
        for move in told.moves[passed : deal.moves]:
            chairs = list(map(add, chairs, move.amounts))
            if move.kind != "start":
                for player, amount in zip(told.seats(move.number), move.amounts, strict=True):
                    players[player] += amount
        passed = max(passed, deal.moves)
        sitting = told.seats(deal.number)
        for seat, player, balance in zip(SEATS, sitting, chairs, strict=True):
            yield (
                meta.session_id,
                deal.place,
                seat,
                meta.club_id,
                opened.date,
                player,
                deal.number,
                balance,
                players[player],
                void,
            )


BALANCES = Projection(
    name="balances",
    version=1,
    key=3,
    columns=(
        "session_id",
        "place",
        "seat",
        "club_id",
        "date",
        "player_id",
        "deal",
        "balance",
        "money",
        "void",
    ),
    handles=MONEY,
    rows=rows,
    by_deal=True,
)
