"""The correction window: how long one director's key is enough to change what has been settled.

It runs from the settlement of the earliest line that is touched, by the server's time, for the club's minutes or
until anything of the next deal, or the session's end, is recorded. After it, and for a transfer at any time, a
second key has to agree.
"""

from __future__ import annotations

import datetime

from domain import entries, events
from domain.corrections import after
from domain.game import Resting, deal_place
from domain.session import Session, decide
from service.clubs import ClubSettings
from service.lines import Lines, rows_of


def needs_second(
    session: Session, lines: Lines, entry: entries.AnyEntry, settings: ClubSettings, now: datetime.datetime
) -> bool:
    """Does the entry change what one key alone may not change any more?"""
    match entry:
        case entries.Transfer():
            return True
        case entries.Correct():
            decided = decide(session, entry)
            made = decided[0] if isinstance(decided, tuple) else None
            return _closed(session, lines, made, settings, now)
        case entries.Undo() if session.trail and session.trail[-1].number == entry.target:
            made = session.trail[-1].events[0]
            return _closed(session, lines, made, settings, now)
        case entries.Redo() if session.undone and session.undone[-1].steps[-1].number == entry.target:
            made = session.undone[-1].steps[-1].events[0]
            return _closed(session, lines, made, settings, now)
        case _:
            return False


def _closed(
    session: Session,
    lines: Lines,
    made: events.AnyEvent | None,
    settings: ClubSettings,
    now: datetime.datetime,
) -> bool:
    """Is a ruling, about to be made, taken back or restored, one that one key alone may not touch any more?"""
    if isinstance(made, events.TransferRuled):
        return True
    if not isinstance(made, events.CorrectionMade):
        return False
    place = deal_place(after(session.trail, session.game, made.first))
    if place >= len(lines):
        return False
    if settings.correction_window == "until_next_deal":
        return not (isinstance(session.game, Resting) and place == len(rows_of(session)) - 1)
    settled = datetime.datetime.fromisoformat(lines[place].settled_at)
    return now - settled > datetime.timedelta(minutes=settings.correction_window)
