"""Entries: what a recorder reports, one line each of the record format. Vocabulary only.

`domain.session.decide` turns an entry into events or refuses it. An entry's field names are its
wire names; an unknown field, a card or a call that does not read, is malformed.
"""

import datetime
import re
from typing import Annotated, Any, Literal

import msgspec

from domain.cards import parse_card, parse_suit
from domain.ladder import Contract, Preference, parse_call
from domain.rulesets import Options
from domain.seats import Four, Seat, Some
from domain.text import SHA256, WITHOUT_NUL, WITHOUT_UNSEEN, Malformed, composed
from domain.value import Value

EntryId = Annotated[str, msgspec.Meta(min_length=1, max_length=64, pattern=WITHOUT_NUL)]
Line = Annotated[str, msgspec.Meta(min_length=1, max_length=500, pattern=WITHOUT_NUL)]
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=100, pattern=WITHOUT_UNSEEN)]
Number = Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]
Count = Annotated[int, msgspec.Meta(ge=0, le=13)]
Cards = Annotated[tuple[str, ...], msgspec.Meta(max_length=14)]
Evidence = Literal["seen", "inferred", "reconstructed"]
Pack = Literal["dealt", "still"]

_RFC3339 = re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)")


class Entry(Value, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, tag_field="entry"):
    """What every entry may carry: the client's id of it, and the tablet's clock (RFC 3339)."""

    id: EntryId | None = None
    time: str | None = None

    def __post_init__(self) -> None:
        if self.time is not None:
            check_time(self.time)


class Open(Entry, frozen=True, kw_only=True, tag="open"):
    """Opens the session."""

    ruleset: str
    seats: Four[Name]
    date: str
    club: Name | None = None
    table: Name | None = None
    options: Options | None = None
    rules: dict[str, Any] | None = None
    format: Literal[1] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        check_date(self.date)
        # A club or table is the same one however its letters are put together; players' names are the register's.
        for field in ("club", "table"):
            if (name := getattr(self, field)) is not None:
                _set(self, field, composed(name) or name)


class Shuffle(Entry, frozen=True, kw_only=True, tag="shuffle"):
    """The packs are shuffled (rule 4)."""

    pack: Pack | None = None


class FirstDealer(Entry, frozen=True, kw_only=True, tag="first_dealer"):
    """The first dealer is drawn by lot, or cut for: ace low, lowest deals (rule 5)."""

    seat: Seat
    cards: Some[str] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.cards is not None:
            _set(self, "cards", Some(**{seat: parse_card(card) for seat, card in self.cards.items()}))


class Cut(Entry, frozen=True, kw_only=True, tag="cut"):
    """A pack is cut (rules 7 and 9); `at` is the number of cards lifted off."""

    by: Seat
    pack: Pack | None = None
    at: Annotated[int, msgspec.Meta(ge=4, le=48)] | None = None


class PreferenceCard(Entry, frozen=True, kw_only=True, tag="preference"):
    """The card that shows the preference suit (rule 8)."""

    card: str

    def __post_init__(self) -> None:
        super().__post_init__()
        _set(self, "card", parse_card(self.card))


class Deal(Entry, frozen=True, kw_only=True, tag="deal"):
    """The cards are dealt (rule 6); hands stay unknown unless given."""

    hands: Some[Cards] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.hands is not None:
            _set(self, "hands", _parse_hands(self.hands))


class Misdeal(Entry, frozen=True, kw_only=True, tag="misdeal"):
    """The dealer erred: fine and redeal (rule 33)."""

    reason: Line


class Call(Entry, frozen=True, kw_only=True, tag="call"):
    """One turn of the auction (rule 17)."""

    seat: Seat
    call: str

    def __post_init__(self) -> None:
        super().__post_init__()
        parse_call(self.call)


class ContractEntry(Entry, frozen=True, kw_only=True, tag="contract"):
    """The auction's result, where its turns were not recorded."""

    contract: Contract | Literal["partout"]
    caller: Seat | None = None
    preference: Preference | None = None
    trumps: str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.trumps is not None:
            _set(self, "trumps", parse_suit(self.trumps))
        if self.contract == "partout":
            if self.caller or self.preference or self.trumps:
                raise Malformed("partout has no caller, preference or trumps: all four passed")
        elif self.caller is None:
            raise Malformed("a contract needs its caller")
        elif not self.contract.isdigit() and (self.preference or self.trumps):
            raise Malformed(f"{self.contract} carries no suit, so neither preference nor trumps")


class Trumps(Entry, frozen=True, kw_only=True, tag="trumps"):
    """The caller names trumps (rule 24)."""

    suit: str

    def __post_init__(self) -> None:
        super().__post_init__()
        _set(self, "suit", parse_suit(self.suit))


class Discard(Entry, frozen=True, kw_only=True, tag="discard"):
    """A seat lays one card aside, face down (rules 14, 16 and 28)."""

    seat: Seat
    card: str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.card is not None:
            _set(self, "card", parse_card(self.card))


class Expose(Entry, frozen=True, kw_only=True, tag="expose"):
    """The caller lays down a spread (rules 16 and 28)."""

    seat: Seat
    cards: Cards

    def __post_init__(self) -> None:
        super().__post_init__()
        _set(self, "cards", tuple(map(parse_card, self.cards)))


class Concede(Entry, frozen=True, kw_only=True, tag="concede"):
    """A defender says "I pay" (rules 40 and 41)."""

    seat: Seat


class Play(Entry, frozen=True, kw_only=True, tag="play"):
    """A card is played; `irregular` says that it really happened although the rules forbid it."""

    seat: Seat
    card: str
    irregular: bool = False
    evidence: Evidence = "seen"

    def __post_init__(self) -> None:
        super().__post_init__()
        _set(self, "card", parse_card(self.card))


class Tricks(Entry, frozen=True, kw_only=True, tag="tricks"):
    """The tricks that each seat won, instead of the plays or of the rest of them."""

    tricks: Four[Count]


class Show(Entry, frozen=True, kw_only=True, tag="show"):
    """The remaining cards are laid open after an early ending (rule 32)."""

    hands: Some[Cards]

    def __post_init__(self) -> None:
        super().__post_init__()
        _set(self, "hands", _parse_hands(self.hands))


class Revoke(Entry, frozen=True, kw_only=True, tag="revoke"):
    """A revoke is ruled, where the rule set has a price for it."""

    seat: Seat
    trick: Annotated[int, msgspec.Meta(ge=1, le=13)]


class Cancel(Entry, frozen=True, kw_only=True, tag="cancel"):
    """The disputed deal is void by agreement of all four (rule 34)."""

    agreed: Annotated[tuple[Seat, ...], msgspec.Meta(max_length=4)]
    reason: Line


class Undo(Entry, frozen=True, kw_only=True, tag="undo"):
    """Takes the last effective entry back: the recorder's own slip."""

    target: Number


class Redo(Entry, frozen=True, kw_only=True, tag="redo"):
    """Restores the last undone entry."""

    target: Number


class Withdraw(Entry, frozen=True, kw_only=True, tag="withdraw", rename={"start": "from"}):
    """Takes back every effective entry of the current deal from a number on."""

    start: Number


class Reseat(Entry, frozen=True, kw_only=True, tag="reseat"):
    """Who sits on which chair from a deal on: seats entered wrongly, or a substitute."""

    seats: Four[Name]
    from_deal: Annotated[int, msgspec.Meta(ge=1, le=9_999)]
    reason: Line


class End(Entry, frozen=True, kw_only=True, tag="end"):
    """The session ends early, between deals (rule 46)."""

    reason: Line


class Close(Entry, frozen=True, kw_only=True, tag="close"):
    """The session closes after its last deal (rule 46)."""


class Abandon(Entry, frozen=True, kw_only=True, tag="abandon"):
    """The session is void."""

    reason: Line


class Dispute(Entry, frozen=True, kw_only=True, tag="dispute"):
    """A seat or the director disputes something of a deal; `line` is the deal's line on the score sheet, from 1."""

    line: Number
    by: Seat | Literal["director"]
    about: Literal["deal", "trick", "card", "call", "settlement"] = "deal"
    target: Number | None = None
    """The trick, from 1, or the number of the card's or the call's entry."""
    reason: Line

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.about == "trick" and self.target is not None and self.target > 13:
            raise Malformed(f"a deal has 13 tricks, so there is none with the number {self.target}")


class Resolve(Entry, frozen=True, kw_only=True, tag="resolve"):
    """A dispute comes to its end; what was changed for it stands in entries of its own."""

    dispute: Number
    outcome: Literal["withdrawn", "stands", "cancelled", "corrected", "adjusted"]
    law: Line | None = None
    reason: Line


class Acknowledge(Entry, frozen=True, kw_only=True, tag="acknowledge"):
    """The director has seen a finding, named by its kind and the entries that prove it; it does not come back.

    With `publish` that is a ruling on it, which players and recorder may see.
    """

    kind: Name
    entries: Annotated[tuple[Number, ...], msgspec.Meta(max_length=100)]
    reason: Line
    publish: bool = False


class Sign(Entry, frozen=True, kw_only=True, tag="sign"):
    """A seat confirms a settlement, bound to the chain's hash at that deal; on its own device or the recorder's."""

    seat: Seat
    line: Number
    hash: Annotated[str, msgspec.Meta(pattern=SHA256)]
    device: Literal["own", "recorder"]


class Transfer(Entry, frozen=True, kw_only=True, tag="transfer"):
    """A ruling moves money between seats; the amounts sum to zero."""

    deltas: Four[Annotated[int, msgspec.Meta(ge=-1_000_000, le=1_000_000)]]
    law: Line
    reason: Line
    dispute: Number | None = None


class Change(Value, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What stands in place of an entry in force: `put`, or nothing to withdraw it; with `after`, behind it.

    Entries that an earlier correction put in are named by its number and their `part`, from 1.
    """

    at: Number
    put: "Annotated[tuple[AnyEntry, ...], msgspec.Meta(max_length=200)]" = ()
    after: bool = False
    part: Annotated[int, msgspec.Meta(ge=0, le=10_000)] = 0


class Correct(Entry, frozen=True, kw_only=True, tag="correct"):
    """The director changes, inserts or withdraws entries of any deal, or undoes an earlier correction.

    All settlements and pools that follow are computed again.
    """

    changes: Annotated[tuple[Change, ...], msgspec.Meta(max_length=200)] = ()
    undoes: Number | None = None
    reason: Line
    law: Line | None = None
    dispute: Number | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if bool(self.changes) == (self.undoes is not None):
            raise Malformed("a correction has either changes or the number of the correction that it undoes")


AnyEntry = (
    Open
    | Shuffle
    | FirstDealer
    | Cut
    | PreferenceCard
    | Deal
    | Misdeal
    | Call
    | ContractEntry
    | Trumps
    | Discard
    | Expose
    | Concede
    | Play
    | Tricks
    | Show
    | Revoke
    | Cancel
    | Undo
    | Redo
    | Withdraw
    | Reseat
    | End
    | Close
    | Abandon
    | Dispute
    | Resolve
    | Acknowledge
    | Sign
    | Transfer
    | Correct
)


def check_date(text: str) -> None:
    """Raises `Malformed` unless the text is a calendar date such as 2026-11-30."""
    try:
        if len(text) == 10:
            datetime.date.fromisoformat(text)
            return
    except ValueError:
        pass
    raise Malformed(f"{text!r} is not a date; a date is written 2026-11-30")


def check_time(text: str) -> None:
    """Raises `Malformed` unless the text is an RFC 3339 time with its offset."""
    try:
        if _RFC3339.fullmatch(text):
            datetime.datetime.fromisoformat(text[:19] + (text[-6:] if text[-1] not in "Zz" else "+00:00"))
            return
    except ValueError:
        pass
    raise Malformed(f"{text!r} is not a time; a time is written 2026-11-30T21:43:05+01:00")


def _parse_hands(hands: Some[Cards]) -> Some[Cards]:
    return Some(**{seat: tuple(map(parse_card, cards)) for seat, cards in hands.items()})


def _set(entry: Entry, field: str, value: object) -> None:
    """Puts the normal form of a field in place while the entry is being made."""
    msgspec.structs.force_setattr(entry, field, value)
