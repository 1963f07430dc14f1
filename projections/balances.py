"""Balances after each deal, as sums of postings: the chair's, and the player's over all the chairs he held."""

from collections.abc import Iterator

from domain.seats import SEATS
from projections.evening import Evening
from projections.projection import Projection, Row
from projections.walk import MONEY


def rows(told: Evening) -> Iterator[Row]:
    """Four rows a deal. `money` is what the player has won so far, without the chair's starting balance."""
    meta, opened, void = told.meta, told.opened, told.void
    chairs: list[int | float] = [0, 0, 0, 0]
    players: dict[str, int | float] = {}
    passed = 0
    for deal in told.deals:
        for move in told.moves[passed : deal.moves]:
            seated = told.seats(move.number)
            for at, (amount, player) in enumerate(zip(move.amounts, seated, strict=True)):
                chairs[at] += amount
                if move.kind != "start":
                    players[player] = players.get(player, 0) + amount
        passed = max(passed, deal.moves)
        sitting = told.seats(deal.number)
        for at, seat in enumerate(SEATS):
            player = sitting[seat]
            yield (
                meta.session_id,
                deal.place,
                seat,
                meta.club_id,
                opened.date,
                player,
                deal.number,
                chairs[at],
                players.get(player, 0),
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
)
