"""Who may do what at the table, beyond what the game allows: roles, and how far a recorder may take back."""

from __future__ import annotations

from collections.abc import Iterator

from domain import entries, events
from domain.corrections import after
from domain.game import Over, Trail, UnderWay, deal_place
from domain.refusal import Refusal
from domain.session import Session
from service.clubs import ClubSettings
from service.folded import Folded
from service.principal import Principal, Role

_DIRECTORS = (entries.Correct, entries.Transfer, entries.Resolve, entries.Acknowledge)
_PLAYERS = (entries.Sign, entries.Dispute)
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


def check_entry(session: Session, entry: entries.AnyEntry, who: Principal, settings: ClubSettings) -> Refusal | None:
    """Why the one who asks may not enter this; nothing where he may."""
    kind = str(entry.__struct_config__.tag)
    if who.role == "director":
        return None
    if who.role == "player":
        if not isinstance(entry, _PLAYERS):
            return _not_allowed("entry_not_allowed", f"a player signs and disputes, and does not enter {kind}")
        return _not_own_seat(session, entry, who)
    if isinstance(entry, _DIRECTORS):
        return _not_allowed("director_only", f"{kind} is the director's act")
    if isinstance(entry, entries.Undo) and session.trail and entry.target == session.trail[-1].number:
        return _too_far_back(session, settings)
    return None


def _not_allowed(code: str, text: str) -> Refusal:
    return Refusal(code, text, family="not_allowed")


def _not_own_seat(session: Session, entry: entries.AnyEntry, who: Principal) -> Refusal | None:
    seat = entry.seat if isinstance(entry, entries.Sign) else entry.by if isinstance(entry, entries.Dispute) else None
    base = getattr(session.game, "base", None)
    if base is None or seat not in ("N", "E", "S", "W") or who.player_id is None:
        return _not_allowed("not_your_seat", "a player acts for his own seat")
    if all(seating.seats[seat] != who.player_id for seating in base.seatings):
        return _not_allowed("not_your_seat", f"seat {seat} is not yours in this session")
    return None


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
    for envelope in folded.envelopes[: folded.version]:
        if envelope.entry != entry:
            entry, shown = envelope.entry, envelope.entry <= last or isinstance(envelope.data, _TELL_NOTHING)
        if not shown:
            break
        upto = envelope.version
    return upto


def _ends(trail: Trail) -> Iterator[int]:
    """The numbers of the entries with which deals ended; of corrected deals those that ended them at the table."""
    for step in trail:
        if not step.part and any(isinstance(event, _RESTS) for event in step.events):
            yield step.number
        if isinstance(step.events[0], events.CorrectionMade):
            yield from _ends(step.taken)
