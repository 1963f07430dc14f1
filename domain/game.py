"""The game as it stands: a union of phases, each holding what its decisions need.

Values only. What all phases share is the `Base`; a deal that is under way adds its `Deal`, and
from the auction's end its `Contracted`. Sets of cards are bits (see `domain.cards`).
"""

from collections.abc import Sequence
from itertools import product
from typing import Literal

from domain.cards import SAME_COLOUR, SUITS
from domain.events import AnyEvent, FindingMade, SessionOpened
from domain.ladder import Bid, Contract, Preference
from domain.pool import Pool
from domain.rulesets import RuleSet
from domain.seats import LEFT, SEATS, Four, Seat, Some, clockwise
from domain.value import Value

Outcome = Literal["made", "failed", "misere_partout", "thrown_in", "misdeal", "cancelled"]
Phase = Literal[
    "opening",
    "dealing",
    "auction",
    "trumps",
    "discards",
    "exposing",
    "play",
    "between_deals",
    "finished",
    "closed",
    "ended",
    "abandoned",
]


class DealRow(Value, frozen=True, kw_only=True):
    """One line of the score sheet. Balances and pool are those right after the deal, in white units."""

    dealer: Seat
    counts: bool
    outcome: Outcome
    contract: Contract | None = None
    preference: Preference | None = None
    caller: Seat | None = None
    trumps: str | None = None
    tricks: Four[int] | None = None
    shortfall: int = 0
    conceded: bool = False
    deltas: Four[int] | None = None
    balances: Four[int]
    pool: Pool


class Seating(Value, frozen=True):
    """Who sits where from a counted deal on, 1 being the first."""

    from_deal: int
    seats: Four[str]


class Base(Value, frozen=True):
    """What every phase of an open session shares."""

    opened: SessionOpened
    seatings: tuple[Seating, ...]
    balances: Four[int]
    pool: Pool
    dealer: Seat = "N"
    counted: int = 0
    rows: tuple[DealRow, ...] = ()
    senior: str | None = None
    junior: str | None = None
    standing: str | None = None
    """The preference suit of a deal that is dealt again; it stands until another card is turned."""
    staked: bool = False
    """Has the stake of the coming deal been paid already, for a deal that came to nothing?"""
    findings: tuple[FindingMade, ...] = ()

    @property
    def rules(self) -> RuleSet:
        return self.opened.rule_set


class CallAt(Value, frozen=True):
    """A turn of the auction, with the number of its entry; no bid is a pass."""

    number: int
    seat: Seat
    bid: Bid | None


class Deal(Value, frozen=True):
    """The dealing of a deal and its auction. `hands` are the cards still held, where they are known."""

    first_entry: int
    preference: str | None = None
    hands: Some[int] = Some()
    told: Some[int] = Some()
    """The entry that told each known hand."""
    calls: tuple[CallAt, ...] = ()


class Contracted(Value, frozen=True):
    """What the caller undertook. `reported` says that the auction was entered as its result."""

    caller: Seat
    contract: Contract
    preference: Preference | None = None
    trumps: str | None = None
    reported: bool = False


class Discarded(Value, frozen=True):
    """A card laid aside, known only if it was seen."""

    number: int
    seat: Seat
    card: str | None


class PlayAt(Value, frozen=True):
    """A card on the table, with the number of its entry."""

    number: int
    seat: Seat
    card: str
    irregular: bool = False


class Trick(Value, frozen=True):
    """A quitted trick: four cards in the order they fell, and who won it."""

    plays: tuple[PlayAt, ...]
    winner: Seat


class Unopened(Value, frozen=True):
    """Nothing has been recorded."""


class Opening(Value, frozen=True):
    """The session is open and the first dealer is not known."""

    base: Base


class Dealing(Value, frozen=True):
    """A deal has begun and its cards are not dealt."""

    base: Base
    deal: Deal


class Auction(Value, frozen=True):
    """The cards are dealt; the seats speak in turn."""

    base: Base
    deal: Deal


class Naming(Value, frozen=True):
    """A numeric contract waits for its trumps."""

    base: Base
    deal: Deal
    contract: Contracted
    conceded: tuple[Seat, ...] = ()


class Discarding(Value, frozen=True):
    """Each seat lays a card aside before a little misère or a little spread."""

    base: Base
    deal: Deal
    contract: Contracted
    discards: tuple[Discarded, ...] = ()
    conceded: tuple[Seat, ...] = ()


class Exposing(Value, frozen=True):
    """A spread waits for the caller's hand to be laid open."""

    base: Base
    deal: Deal
    contract: Contracted
    discards: tuple[Discarded, ...] = ()
    conceded: tuple[Seat, ...] = ()


class Playing(Value, frozen=True):
    """Cards are played. No contract means a misère partout."""

    base: Base
    deal: Deal
    contract: Contracted | None
    turn: Seat
    tricks: Four[int]
    done: tuple[Trick, ...] = ()
    trick: tuple[PlayAt, ...] = ()
    played: int = 0
    voids: int = 0
    """One bit for each seat and suit (`void_bit`): the seat did not follow when that suit was led."""
    discards: tuple[Discarded, ...] = ()
    exposed: tuple[str, ...] | None = None
    conceded: tuple[Seat, ...] = ()
    concession_dead: bool = False
    reported: bool = False
    """Were the totals entered instead of the plays, or of the rest of them?"""


Contracting = Naming | Discarding | Exposing | Playing
UnderWay = Dealing | Auction | Contracting


class Ended(Value, frozen=True):
    """The deal that came to its end last, as it stood right before: what a cancel or a ruling goes back to."""

    deal: UnderWay
    outcome: Outcome
    ruled: bool = False
    shown: Some[int] = Some()


class BetweenDeals(Value, frozen=True):
    """One deal is over (or none was dealt) and nothing of the next has been recorded."""

    base: Base
    last: Ended | None = None


class Finished(Value, frozen=True):
    """All deals are played and the session is not closed."""

    base: Base
    last: Ended


class Closed(Value, frozen=True):
    """The pools are divided: after the last deal, or early."""

    base: Base
    early: bool
    final: Four[int | float]
    winners: tuple[Seat, ...]


class Abandoned(Value, frozen=True):
    """The session is void."""

    base: Base


Resting = BetweenDeals | Finished
Over = Closed | Abandoned
Game = Unopened | Opening | UnderWay | Resting | Over


def phase(game: Game) -> Phase:
    """The name of the phase, as the record format writes it."""
    if type(game) is BetweenDeals and not game.base.rows:
        return "dealing"
    if type(game) is Closed and game.early:
        return "ended"
    return _PHASES[type(game)]


_PHASES: dict[type[Game], Phase] = {
    Unopened: "opening",
    Opening: "opening",
    Dealing: "dealing",
    Auction: "auction",
    Naming: "trumps",
    Discarding: "discards",
    Exposing: "exposing",
    Playing: "play",
    BetweenDeals: "between_deals",
    Finished: "finished",
    Closed: "closed",
    Abandoned: "abandoned",
}


def preferences(base: Base, deal: Deal | None) -> tuple[str | None, str | None]:
    """The suits of first and second preference, as far as they are known (rule 8)."""
    if base.rules.preferences == "session":
        return base.senior, base.junior
    first = deal.preference if deal is not None and deal.preference else base.standing
    return first, SAME_COLOUR[first] if first else None


def seats_at(base: Base, deal_number: int) -> Four[str]:
    """Who held which chair in a counted deal; what was recorded later overrides what was recorded before."""
    for seating in reversed(base.seatings):
        if seating.from_deal <= deal_number:
            return seating.seats
    raise AssertionError("the opening seats everybody from the first deal on")


def eldest(base: Base) -> Seat:
    """The dealer's left: speaks first (rule 17) and leads to the first trick (rule 25)."""
    return LEFT[base.dealer]


def turn_to_call(base: Base, deal: Deal) -> Seat:
    """Whose turn it is to call or pass (rule 17)."""
    return clockwise(eldest(base))[len(deal.calls) % 4]


def deal_place(game: Game) -> int:
    """The place of the deal that an entry leading here is part of, from 0; misdeals and void deals count."""
    match game:
        case Unopened() | Opening():
            return 0
        case BetweenDeals() | Finished() | Closed() | Abandoned():
            return max(0, len(game.base.rows) - 1)
        case _:
            return len(game.base.rows)


_VOID: dict[str, int] = {seat + suit: 1 << place for place, (seat, suit) in enumerate(product(SEATS, SUITS))}


def void_bit(seat: Seat, suit: str) -> int:
    """The bit of a seat and a suit in `Playing.voids`."""
    return _VOID[seat + suit]


class Step(Value, frozen=True):
    """An entry in force: its number, the game right before it, and its events, its own first.

    A withdrawal or a correction keeps the steps that it took out; a correction `stands_for` as many steps right
    below it. An entry that a correction put in has the correction's number and its own `part`.
    """

    number: int
    before: Game
    events: tuple[AnyEvent, ...]
    part: int = 0
    taken: "tuple[Step, ...]" = ()
    stands_for: int = 0


Steps = Sequence[Step]
"""Entries in force, oldest first: all of them (`domain.trail`) or some."""
