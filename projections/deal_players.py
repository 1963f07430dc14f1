"""Each player's part in each deal: one row a chair, with all that a player's statistics ask of the deal.

A player's page reads these rows alone, and only the player's own, however long the club's history is.
"""

from collections.abc import Iterator

from domain.seats import SEATS, Four, Seat
from projections.evening import Deal, Evening
from projections.projection import Projection, Row
from projections.walk import DEALING, MONEY


def rows(told: Evening) -> Iterator[Row]:
    """Four rows a deal, in order."""
    meta, opened, void = told.meta, told.opened, told.void
    for deal in told.deals:
        seated = told.seats(deal.number)
        got = transfers(deal, opened.rule_set.partout)
        passed: set[Seat] = set()
        said: dict[Seat, list[str]] = {"N": [], "E": [], "S": [], "W": []}
        reentered: dict[Seat, int] = {}
        for seat, call in deal.calls:
            said[seat].append(call)
            if call == "pass":
                passed.add(seat)
            elif seat in passed:
                reentered[seat] = reentered.get(seat, 0) + 1
        most = max(deal.tricks) if deal.tricks is not None and deal.outcome == "misere_partout" else None
        trump_class = deal.trump_class if deal.contract else None
        for at, seat in enumerate(SEATS):
            calls = said[seat]
            tricks = deal.tricks[seat] if deal.tricks is not None else None
            calling = deal.caller == seat
            yield (
                meta.session_id,
                deal.place,
                seat,
                meta.club_id,
                seated[seat],
                opened.date,
                opened.ruleset,
                opened.table,
                deal.number,
                deal.dealer == seat,
                role(deal, seat),
                deal.counts,
                deal.outcome,
                deal.contract,
                trump_class,
                deal.shortfall if calling else 0,
                deal.evidence,
                deal.deltas[seat] if deal.deltas is not None else 0,
                -deal.pool_paid if calling else 0,
                tricks,
                tricks == most if most is not None else False,
                [call for call in calls if call != "pass"],
                sum(call == "pass" for call in calls),
                reentered.get(seat, 0),
                seat in deal.conceders,
                deal.irregular.count(seat),
                deal.revoker == seat,
                [player for player, chair in zip(seated, SEATS, strict=True) if chair != seat],
                [got[at][other] for other in range(4) if other != at],
                void,
            )


def role(deal: Deal, seat: Seat) -> str | None:
    """What the seat was in a deal that counts: caller, defender, or one of the four of a misère partout."""
    if deal.outcome == "misere_partout":
        return "partout"
    if deal.caller is None:
        return None
    return "caller" if deal.caller == seat else "defender"


def transfers(deal: Deal, unit: int) -> list[list[int]]:
    """What each seat got from each other in the settlement, pools apart; `[to][from]`, negative where it paid.

    A contract is settled between the caller and each defender (rules 35 to 37), a misère partout between
    each of those who won most tricks and each of the others (rule 45).
    """
    got = [[0] * 4 for _ in SEATS]
    if deal.outcome == "misere_partout" and deal.tricks is not None:
        return _partout(deal.tricks, unit, got)
    if deal.caller is not None and deal.deltas is not None:
        caller = SEATS.index(deal.caller)
        for at, delta in enumerate(deal.deltas):
            if at != caller:
                got[at][caller], got[caller][at] = delta, -delta
    return got


def _partout(tricks: Four[int], unit: int, got: list[list[int]]) -> list[list[int]]:
    most = max(tricks)
    leaders = [at for at, won in enumerate(tricks) if won == most]
    for at, won in enumerate(tricks):
        for leader in leaders:
            if won != most:
                paid = unit * (most - won) // len(leaders)
                got[at][leader], got[leader][at] = paid, -paid
    return got


DEAL_PLAYERS = Projection(
    name="deal_players",
    version=1,
    key=3,
    columns=(
        "session_id",
        "place",
        "seat",
        "club_id",
        "player_id",
        "date",
        "ruleset",
        "table_name",
        "deal",
        "dealt",
        "role",
        "counts",
        "outcome",
        "contract",
        "trump_class",
        "shortfall",
        "evidence",
        "money",
        "pool_money",
        "tricks",
        "highest",
        "bids",
        "passes",
        "reentries",
        "conceded",
        "irregular",
        "revoked",
        "opponents",
        "received",
        "void",
    ),
    handles=MONEY | DEALING,
    rows=rows,
    by_deal=True,
)
