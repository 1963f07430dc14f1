"""Who may do what at the table, beyond what the game allows: roles, and how far a recorder may take back."""

from __future__ import annotations

from domain import entries, events
from domain.corrections import after
from domain.game import UnderWay, deal_place
from domain.refusal import Refusal
from domain.session import Session
from service.clubs import ClubSettings
from service.envelope import Envelope
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
    """The version up to which everybody may read: where the last deal ended, if another is under way."""
    game = folded.session.game
    told: list[Envelope] = folded.envelopes[: folded.version]
    if not isinstance(game, UnderWay):
        return folded.version
    place = deal_place(game)
    trail = folded.session.trail
    first = next((s.number for at, s in enumerate(trail) if at and deal_place(after(trail, game, at)) >= place), None)
    upto = 0
    for envelope in told:
        if first is not None and envelope.entry >= first:
            break
        upto = envelope.version
    rests = [e.version for e in told if isinstance(e.data, _RESTS)]
    last = rests[-1] if rests else 0
    # The events that followed from the same entry belong to what ended the deal.
    while last < folded.version and told[last].entry == told[last - 1].entry:
        last += 1
    return min(upto, last)
