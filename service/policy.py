"""Who may do what at the table, beyond what the game allows: roles, signatures, how far a recorder may take back."""

from __future__ import annotations

from collections.abc import Iterator

from domain import entries, events
from domain.corrections import after
from domain.game import Base, Over, Steps, UnderWay, Unopened, deal_place, seats_at
from domain.refusal import Refusal
from domain.seats import SEATS, Four
from domain.session import Session
from domain.view import score_sheet
from service.clubs import ClubSettings
from service.folded import Folded
from service.principal import Principal, Role, utcnow
from service.record import Standing
from service.window import needs_second

_DIRECTORS = (entries.Correct, entries.Transfer, entries.Resolve, entries.Acknowledge)
_PLAYERS = (entries.Sign, entries.Dispute, entries.Resolve)
_GUARDED: frozenset[type[entries.Entry]] = frozenset({*_DIRECTORS, *_PLAYERS, entries.Undo, entries.Redo})
"""The entries that not everybody who records may enter at any time."""
WRITERS: tuple[Role, ...] = ("recorder", "director", "player")
"""The roles that may send entries at all."""

_RESTS = (
    events.SessionOpened,
    events.FirstDealerDrawn,
    events.DealSettled,
    events.DealThrownIn,
    events.DealMisdealt,
    events.DealCancelled,
)
"""After these no deal is under way."""

_TELL_NOTHING: tuple[type[events.Event], ...] = (
    events.PacksShuffled,
    events.HandsShown,
    events.RevokeRuled,
    events.SeatsCorrected,
    events.CorrectionMade,
    *events.ASIDES,
)
"""The entries that concern deals which have ended, or none."""


class Permission:
    """May the one who asks enter each entry of a request, alone or with a second key that agrees?

    `mine` are the ids of the player whose key it is. A dry run is not refused for want of a second key;
    `second_needed` tells whether one would be wanted.
    """

    def __init__(
        self, who: Principal, mine: frozenset[str], settings: ClubSettings, second: Principal | None, dry_run: bool
    ) -> None:
        self.second_needed = False
        self._who, self._mine, self._settings, self._now = who, mine, settings, utcnow()
        self._one_is_enough = second is not None or dry_run

    def __call__(self, standing: Standing, entry: entries.AnyEntry) -> Refusal | None:
        if type(entry) not in _GUARDED and self._who.role != "player":
            return None
        if refusal := check_entry(standing, entry, self._who, self._mine, self._settings):
            return refusal
        if needs_second(standing.session, standing.lines, entry, self._settings, self._now):
            self.second_needed = True
            if not self._one_is_enough:
                text = "one key is not enough for this any more: another director's or an admin's has to agree"
                return _not_allowed("second_key_needed", text)
        return None


def check_entry(
    standing: Standing, entry: entries.AnyEntry, who: Principal, mine: frozenset[str], settings: ClubSettings
) -> Refusal | None:  # fmt: skip
    """Why the one who asks may not enter this; nothing where he may."""
    session = standing.session
    if who.role == "player":
        if not isinstance(entry, _PLAYERS):
            return _not_allowed("entry_not_allowed", f"a player signs and disputes, and does not enter {_kind(entry)}")
        if refusal := _not_own_seat(session, entry, mine):
            return refusal
    if isinstance(entry, entries.Sign):
        return _not_signed(standing, entry, who)
    if who.role in ("director", "player"):
        return None
    if isinstance(entry, entries.Resolve) and _withdraws(session, entry):
        return None
    if isinstance(entry, entries.Dispute) and entry.by == "director":
        return _not_allowed("director_only", "the director disputes in his own name")
    if isinstance(entry, _DIRECTORS):
        return _not_allowed("director_only", f"{_kind(entry)} is the director's act")
    if isinstance(entry, entries.Undo) and session.trail and entry.target == session.trail[-1].number:
        return _too_far_back(session, settings)
    return None


def _kind(entry: entries.AnyEntry) -> str:
    return str(entry.__struct_config__.tag)


def _not_allowed(code: str, text: str) -> Refusal:
    return Refusal(code, text, family="not_allowed")


def _not_own_seat(session: Session, entry: entries.AnyEntry, mine: frozenset[str]) -> Refusal | None:
    """A player signs, disputes, and withdraws what he disputed, for the chair that he held in that deal."""
    seat: str | None = None
    match entry:
        case entries.Sign():
            seat, line = entry.seat, entry.line
        case entries.Dispute():
            seat, line = entry.by, entry.line
        case entries.Resolve() if _withdraws(session, entry):
            raised = next(d.raised for d in session.docket.disputes if d.number == entry.dispute)
            seat, line = raised.by, raised.line
        case _:
            return _not_allowed("entry_not_allowed", "a player withdraws a dispute of his own, and rules none")
    if isinstance(session.game, Unopened) or seat not in SEATS:
        return _not_allowed("not_your_seat", "a player acts for his own seat")
    if held_at(session.game.base, line)[seat] not in mine:
        return _not_allowed("not_your_seat", f"seat {seat} is not yours in that deal")
    return None


def _withdraws(session: Session, entry: entries.Resolve) -> bool:
    """Does the entry withdraw a dispute that a seat has raised?"""
    disputes = session.docket.disputes
    return entry.outcome == "withdrawn" and any(d.number == entry.dispute and d.raised.by in SEATS for d in disputes)


def held_at(base: Base, line: int) -> Four[str]:
    """Who held which chair in the deal of a line of the score sheet; behind the last line, in the deal to come."""
    rows = score_sheet(base)
    return seats_at(base, rows[line - 1].number if line <= len(rows) else base.counted + 1)


def _not_signed(standing: Standing, entry: entries.Sign, who: Principal) -> Refusal | None:
    """A signature is given on the device that it names, and for the line as it stands now."""
    if (entry.device == "own") != (who.role == "player"):
        mine = "own" if who.role == "player" else "recorder"
        return _not_allowed("device_differs", f"this key signs on the device {mine!r}, not {entry.device!r}")
    if entry.line > len(standing.lines):
        return None
    now = standing.hash_of(entry.line)
    if entry.hash == now:
        return None
    text = f"line {entry.line} has changed since; read it again before it is signed"
    return Refusal("hash_differs", text, family="conflict", facts={"line": entry.line, "hash": now})


def _too_far_back(session: Session, settings: ClubSettings) -> Refusal | None:
    """A recorder's undo stays within the deal in progress and, until anything of it is in force, the one before."""
    if isinstance(session.trail[-1].events[0], events.CorrectionMade | events.TransferRuled):
        return _not_allowed("director_only", "what the director ruled is taken back by the director")
    if settings.recorder_undo == "session":
        return None
    furthest = max((u.after for u in session.undone), key=deal_place, default=session.game)
    furthest = session.game if deal_place(session.game) >= deal_place(furthest) else furthest
    reach = deal_place(furthest)
    if settings.recorder_undo == "previous_deal" and isinstance(furthest, UnderWay):
        reach -= 1
    place = deal_place(after(session.trail, session.game, len(session.trail) - 1))
    if place < reach:
        return _not_allowed("undo_too_far", "this deal is closed to the recorder; the director may correct it")
    return None


def sees_open_deal(role: Role, holds: bool) -> bool:
    """Are the cards of an open deal shown? To its recorder and to the director alone."""
    return role == "director" or (role == "recorder" and holds)


def shown_upto(folded: Folded) -> int:
    """The version up to which everybody may read: what the last deal in force ended with, and what tells no cards.

    What was entered after it stays hidden until the next deal has ended, also where it was taken back in between.
    """
    if isinstance(folded.session.game, Over):
        return folded.version
    last = max(_ends(folded.session.trail), default=0)
    upto, entry, shown = 0, 0, True
    for envelope in folded.told:
        if envelope.entry != entry:
            entry, shown = envelope.entry, envelope.entry <= last or _tells_nothing(envelope.data)
        if not shown:
            break
        upto = envelope.version
    return upto


def _tells_nothing(event: events.AnyEvent) -> bool:
    """Is it of no open deal, or at least without its hands?"""
    if isinstance(event, events.CorrectionMade):
        left = event.above
        for piece in reversed(event.line):
            if left <= 0:
                break
            if isinstance(piece, events.Stands) and any(
                isinstance(e, events.CardsDealt) and e.hands for e in piece.events
            ):
                return False
            left -= piece.count if isinstance(piece, events.Kept) else isinstance(piece, events.Stands)
    return isinstance(event, _TELL_NOTHING)


def _ends(trail: Steps) -> Iterator[int]:
    """The numbers of the entries with which deals ended; of corrected deals those that ended them at the table."""
    for step in trail:
        if not step.part and any(isinstance(event, _RESTS) for event in step.events):
            yield step.number
        if isinstance(step.events[0], events.CorrectionMade):
            yield from _ends(step.taken)
