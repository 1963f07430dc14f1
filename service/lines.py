"""The lines of the score sheet as the log knows them: what settled or last changed each, and what it was at the table.

Whatever is bound to a line, a signature or a receipt, is bound to the hash of the last event of the entry that
settled it or changed it last. A correction changes the lines whose money or entries are others than before it.
"""

from __future__ import annotations

from domain import events
from domain.comparison import aligned
from domain.corrections import deals_of
from domain.events import AnyEvent
from domain.game import DealRow, Steps, Unopened
from domain.session import Session
from domain.sheet import refs_of_settlement
from domain.value import Value


class Line(Value, frozen=True):
    """What the log says of a line: the version of the last event of the entry that changed it last, and when it
    was settled, by the server's time. `was` is the row as the table recorded it, where a correction made it another;
    a line that a correction put in is `corrected` and was nothing before.
    """

    version: int
    settled_at: str
    was: DealRow | None = None
    corrected: bool = False


Lines = tuple[Line, ...]
_CORRECTING = frozenset({events.CorrectionMade, events.EntryUndone, events.EntryRedone})


def rows_of(session: Session) -> tuple[DealRow, ...]:
    """The score sheet's rows; none before the session is open."""
    return () if isinstance(session.game, Unopened) else session.game.base.rows


def followed(lines: Lines, before: Session, now: Session, own: AnyEvent, version: int, at: str) -> Lines:
    """The lines after one more entry: its own event, the version of its last one, and when it was recorded."""
    was, rows = rows_of(before), rows_of(now)
    if type(own) in _CORRECTING and _corrects(before, own):
        return _corrected(lines, before, now, version, at)
    if was is rows:
        return lines
    kept = next((place for place, (old, new) in enumerate(zip(was, rows, strict=False)) if old is not new), len(rows))
    kept = min(kept, len(was))
    return (*lines[:kept], *(Line(version, at) for _ in rows[kept:]))


def _corrects(before: Session, own: AnyEvent) -> bool:
    """Does the entry correct finished deals, or take such a correction back, or restore it?"""
    match own:
        case events.CorrectionMade():
            return True
        case events.EntryUndone():
            step = before.trail[-1]
        case events.EntryRedone():
            step = before.undone[-1].steps[-1]
        case _:
            return False
    return isinstance(step.events[0], events.CorrectionMade)


def _corrected(lines: Lines, before: Session, now: Session, version: int, at: str) -> Lines:
    old, new = steps_of_lines(before), steps_of_lines(now)
    earlier = 0
    told: list[Line] = []
    for was, row in aligned(rows_of(before), rows_of(now)):
        place = earlier
        earlier += was is not None
        if row is None:
            continue
        if was is None:
            told.append(Line(version, at, None, True))
            continue
        line = lines[place]
        if was == row and refs_of_settlement(old[place]) == refs_of_settlement(new[len(told)]):
            told.append(line)
            continue
        put_in = line.corrected and line.was is None
        first = None if put_in or (line.was or was) == row else line.was or was
        told.append(Line(version, line.settled_at, first, put_in or first is not None))
    return tuple(told)


def steps_of_lines(session: Session) -> list[Steps]:
    """The entries in force of each line of the score sheet, `open` left out."""
    return deals_of(session.trail, session.game)[: len(rows_of(session))]
