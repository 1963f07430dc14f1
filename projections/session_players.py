"""Each player's evening: the money over all the chairs he held, and whether he won it, alone or with others."""

from collections import defaultdict
from collections.abc import Iterator

import msgspec

from domain.seats import SEATS, Four, Seat
from projections.evening import Evening
from projections.projection import Projection, Row
from projections.walk import LASTING, Amounts


class Part(msgspec.Struct):
    """What adds up for a player while the evening is read."""

    seats: dict[Seat, None] = {}
    deals: int = 0
    money: int | float = 0


def rows(told: Evening) -> Iterator[Row]:
    """One row for each player who sat down, in the order of the chairs and then of arrival.

    `final` is the chair's balance at the end and stands with the player who held it then.
    """
    meta, opened = told.meta, told.opened
    parts: defaultdict[str, Part] = defaultdict(Part)
    sitting = told.seats(max(1, told.counted))
    for seat, player in sitting.items():
        parts[player].seats[seat] = None
    counted: defaultdict[Four[str], int] = defaultdict(int)
    for deal in told.deals:
        counted[told.seats(deal.number)] += deal.counts
    for seats, deals in counted.items():
        for seat, player in seats.items():
            parts[player].seats[seat] = None
            parts[player].deals += deals
    moved: defaultdict[Four[str], list[Amounts]] = defaultdict(list)
    for move in told.moves:
        if move.kind != "start":
            moved[told.seats(move.number)].append(move.amounts)
    for seats, amounts in moved.items():
        for player, money in zip(seats, map(sum, zip(*amounts, strict=True)), strict=True):
            parts[player].money += money
    ended = {sitting[seat]: seat for seat in SEATS} if told.final is not None else {}
    for player, part in parts.items():
        chair = ended.get(player)
        won = chair in told.winners
        yield (
            meta.session_id,
            player,
            meta.club_id,
            opened.date,
            opened.ruleset,
            opened.table,
            told.status,
            list(part.seats),
            part.deals,
            part.money,
            told.final[chair] if told.final is not None and chair is not None else None,
            won,
            won and len(told.winners) > 1,
            told.void,
        )


SESSION_PLAYERS = Projection(
    name="session_players",
    version=1,
    key=2,
    columns=(
        "session_id",
        "player_id",
        "club_id",
        "date",
        "ruleset",
        "table_name",
        "status",
        "seats",
        "deals",
        "money",
        "final",
        "won",
        "shared",
        "void",
    ),
    handles=LASTING,
    rows=rows,
)
