"""An evening: one session's main line told as deals and movements of money.

Every projection is a plain reading of this value, which `projections.walk` makes; so the log is walked
once however many projections there are.
"""

import datetime
from typing import Literal, Protocol

import msgspec

from domain import events
from domain.events import AnyEvent, SessionOpened
from domain.game import Outcome, Seating
from domain.ladder import Contract, Preference
from domain.pool import Pool
from domain.seats import Four, Seat
from domain.value import Value

Status = Literal["open", "closed", "ended", "abandoned"]
Evidence = Literal["cards", "partial", "result"]
Kind = Literal[
    "start",
    "contribution",
    "fine",
    "settlement",
    "pool_win",
    "pool_doubling",
    "reversal",
    "ruling",
    "correction",
    "division",
]


class Recorded(Protocol):
    """What a projection reads of an event in the log. Times are RFC 3339 text; `tablet` is the tablet's clock."""

    @property
    def version(self) -> int: ...
    @property
    def entry(self) -> int: ...
    @property
    def at(self) -> str: ...
    @property
    def tablet(self) -> str | None: ...
    @property
    def data(self) -> AnyEvent: ...


class Meta(Value, frozen=True):
    """What is known of a session outside its events; `void` takes it out of every statistic."""

    session_id: str
    club_id: str
    void: bool = False


class Move(Value, frozen=True):
    """One movement of money, summing to zero over the seats (clockwise from N), the pool and `issued`.

    `place` is that of its deal in the list of deals from 1 (0 before the first), `number` the deal's
    number at the table. `seat` is who paid or took, where it was one seat. `pool_after` is set where the pool moved.
    """

    kind: Kind
    reason: str
    version: int
    entry: int
    place: int
    number: int
    amounts: tuple[int | float, int | float, int | float, int | float]
    pool: int | float = 0
    issued: int = 0
    seat: Seat | None = None
    pool_after: Pool | None = None


class Deal(msgspec.Struct):
    """One deal, filled in while the walk passes it; `moves` counts the movements up to its end."""

    place: int
    number: int
    dealer: Seat
    first: str | None
    began: Recorded
    first_entry: int
    second: str | None = None
    ended: Recorded | None = None
    last_entry: int | None = None
    version: int = 0
    outcome: Outcome | None = None
    counts: bool = False
    calls: list[tuple[Seat, str]] = []
    plays: list[tuple[Seat, str]] = []
    irregular: list[Seat] = []
    conceders: list[Seat] = []
    reported: bool = False
    doubted: bool = False
    findings: int = 0
    revoker: Seat | None = None
    contract: Contract | None = None
    caller: Seat | None = None
    preference: Preference | None = None
    trumps: str | None = None
    tricks: Four[int] | None = None
    shortfall: int = 0
    conceded: bool = False
    price: int = 0
    pool_paid: int = 0
    rule: int | None = None
    deltas: Four[int] | None = None
    balances: Four[int] | None = None
    pool: Pool = Pool()
    moves: int = 0
    corrected: bool = False
    """Has a correction told any of it anew, be it only what it paid?"""

    @property
    def evidence(self) -> Evidence:
        """Was the deal seen card by card as far as it went, in part, or is only its result known?"""
        if (self.reported and not self.plays) or not (self.plays or self.calls):
            return "result"
        return "partial" if self.reported or self.doubted else "cards"

    @property
    def trump_class(self) -> Literal["first", "second", "plain"] | None:
        """Which preference the trumps are of; nothing where there are none or it cannot be told (rule 8)."""
        if self.preference is not None:
            return self.preference
        if self.trumps is None or self.first is None:
            return None
        return "first" if self.trumps == self.first else "second" if self.trumps == self.second else "plain"


class Found(msgspec.Struct):
    """A finding, with the place of its deal, the entry by which it was acknowledged, and whether it is published."""

    version: int
    entry: int
    place: int
    finding: events.FindingMade
    acknowledged: int | None = None
    published: bool = False


class Dispute(msgspec.Struct):
    """A dispute as it was raised, and how it ended and by which entry, if it did."""

    raised: Recorded
    told: events.DisputeRaised
    state: Literal["open", "withdrawn", "stands", "cancelled", "corrected", "adjusted"] = "open"
    resolved: Recorded | None = None


class Evening(msgspec.Struct):
    """A session as its main line tells it. `deals` are those that have come to an end. Of the entry that was told
    last `own` is the first event as it was recorded, which carries the tablet's time, and `number` its number.
    """

    meta: Meta
    opened: SessionOpened
    own: Recorded
    seatings: list[Seating]
    number: int = 1
    deals: list[Deal] = []
    moves: list[Move] = []
    postings: list[Move] = []
    findings: list[Found] = []
    disputes: list[Dispute] = []
    status: Status = "open"
    final: Four[int | float] | None = None
    winners: tuple[Seat, ...] = ()
    counted: int = 0
    balances: Four[int] = Four(0, 0, 0, 0)
    pool: Pool = Pool()
    dealer: Seat | None = None
    at_table: Deal | None = None
    standing: str | None = None
    senior: str | None = None
    junior: str | None = None

    @property
    def void(self) -> bool:
        """Does the session count in no statistic: voided, or abandoned?"""
        return self.meta.void or self.status == "abandoned"

    def unaltered(self, before: "Evening") -> frozenset[int]:
        """The places of the deals that the walk has left as they were `before`, under the same head."""
        if (self.meta, self.void, self.seatings) != (before.meta, before.void, before.seatings):
            return frozenset()
        pairs = zip(self.deals, before.deals, strict=False)
        return frozenset([deal.place for deal, known in pairs if deal is known])

    def seats(self, number: int) -> Four[str]:
        """Who held which chair in a deal; what was recorded later overrides what was recorded before."""
        for seating in reversed(self.seatings):
            if seating.from_deal <= number:
                return seating.seats
        return self.opened.seats


def clock(recorded: Recorded) -> datetime.datetime:
    """When it happened: by the tablet where it said, else by the server."""
    return datetime.datetime.fromisoformat((recorded.tablet or recorded.at).upper())
