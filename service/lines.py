"""The lines of the score sheet as the log knows them: what settled or last changed each, and what it was at the table.

A line keeps its identity through a correction by the entries that stand in it before and after. Whatever is bound to
a line, a signature or a receipt, is bound to the hash of the last event of the entry that changed it last.
"""

from __future__ import annotations

import msgspec

from domain import events
from domain.corrections import after, is_marker
from domain.events import AnyEvent
from domain.game import DealRow, Step, Unopened, deal_place
from domain.session import Session


class Line(msgspec.Struct, frozen=True):
    """What the log says of a line: the version of the last event of the entry that changed it last, and when it
    was settled, by the server's time. `was` is the row as the table recorded it, where a correction made it another;
    a line that a correction put in is `corrected` and was nothing before.
    """

    version: int
    settled_at: str
    was: DealRow | None = None
    corrected: bool = False


Lines = tuple[Line, ...]
Steps = tuple[Step, ...]


def rows_of(session: Session) -> tuple[DealRow, ...]:
    """The score sheet's rows; none before the session is open."""
    return () if isinstance(session.game, Unopened) else session.game.base.rows


def followed(lines: Lines, before: Session, now: Session, own: AnyEvent, version: int, at: str) -> Lines:
    """The lines after one more entry: its own event, the version of its last one, and when it was recorded."""
    was, rows = rows_of(before), rows_of(now)
    if _corrects(before, own):
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
    was, rows = rows_of(before), rows_of(now)
    old, new = steps_of_lines(before), steps_of_lines(now)
    told: list[Line] = []
    for place, earlier in enumerate(same_lines(old, new)):
        if earlier is None:
            told.append(Line(version, at, None, True))
            continue
        line, row = lines[earlier], rows[place]
        if row == was[earlier] and _events(old[earlier]) == _events(new[place]):
            told.append(line)
            continue
        first = None if line.corrected and line.was is None else line.was or was[earlier]
        first = None if first == row else first
        told.append(Line(version, line.settled_at, first, first is not None or (line.corrected and line.was is None)))
    return tuple(told)


def steps_of_lines(session: Session) -> list[Steps]:
    """The entries in force of each line of the score sheet, `open` and markers left out."""
    found: list[list[Step]] = [[] for _ in rows_of(session)]
    for at, step in enumerate(session.trail):
        if at and not is_marker(step):
            place = deal_place(after(session.trail, session.game, at))
            if place < len(found):
                found[place].append(step)
    return [tuple(steps) for steps in found]


def same_lines(old: list[Steps], new: list[Steps]) -> list[int | None]:
    """For each line of `new` the place of the same one in `old`: the one with which it shares most entries.

    A line that shares none is the same as the one in its place, if that one has no other place in `new` either.
    """
    keys = [{(step.number, step.part) for step in steps} for steps in old]
    found: list[int | None] = []
    last = -1
    for steps in new:
        mine = {(step.number, step.part) for step in steps}
        shared = max(range(last + 1, len(old)), key=lambda place: len(keys[place] & mine), default=None)
        if shared is not None and keys[shared] & mine:
            last = shared
            found.append(shared)
        else:
            found.append(None)
    return _filled(found, len(old))


def _filled(found: list[int | None], count: int) -> list[int | None]:
    """The same, where as many lines in a row found no other as are left over between their neighbours."""
    told = list(found)
    at = 0
    while at < len(told):
        if told[at] is not None:
            at += 1
            continue
        end = next((place for place in range(at, len(told)) if told[place] is not None), len(told))
        low = told[at - 1] + 1 if at else 0  # type: ignore[operator]
        high = told[end] if end < len(told) else count
        if high is not None and high - low == end - at:
            told[at:end] = list(range(low, high))
        at = end
    return told


def _events(steps: Steps) -> list[tuple[AnyEvent, ...]]:
    return [step.events for step in steps]
