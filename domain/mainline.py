"""The main line: the entries that are in force, as if they had been recorded right from the start.

Undone and withdrawn entries are left out, restored ones stand in their place again, and a correction puts
its entries where they belong. What is computed from the main line needs no notion of taking back. It follows
the same moves as the trail of `domain.session`, without folding the game.
"""

from collections.abc import Iterable
from typing import Generic, TypeVar

import msgspec

from domain import events
from domain.events import ASIDES, ENTRY_EVENTS, AnyEvent

_OWN_EVENTS = frozenset(ENTRY_EVENTS.values())

T = TypeVar("T")


class Recorded(msgspec.Struct, Generic[T], frozen=True):
    """An entry in force: its number, its `part` if a correction put it in, and its events, each with what the
    caller keeps of it; for an event of a corrected line that is what was kept of the correction.
    """

    number: int
    events: tuple[tuple[AnyEvent, T], ...]
    part: int = 0
    taken: "tuple[Recorded[T], ...]" = ()
    stands_for: int = 0

    @property
    def marker(self) -> bool:
        """Does it stand for what was taken out, and not for something that happened at the table?"""
        return isinstance(self.events[0][0], events.EntriesWithdrawn | events.CorrectionMade)


def main_line(log: Iterable[tuple[int, AnyEvent, T]]) -> list[Recorded[T]]:
    """The entries in force in a log of (entry number, event, anything), in order, withdrawals and corrections left out.

    Each event of an entry carries the entry's number; the log is a session's whole log up to some event. Acts beside
    the game (`ASIDES`) are no part of it.
    """
    trail: list[Recorded[T]] = []
    undone: list[list[Recorded[T]]] = []
    told: list[tuple[AnyEvent, T]] = []
    at = 0

    def close() -> None:
        if told:
            trail.append(Recorded(at, tuple(told)))
            told.clear()

    for number, event, kept in log:
        if type(event) not in _OWN_EVENTS:
            if not isinstance(event, events.DealCorrected):
                told.append((event, kept))
            continue
        if type(event) in ASIDES:
            continue
        close()
        match event:
            case events.EntryUndone():
                step = trail[-1]
                undone.append(trail[len(trail) - 1 - step.stands_for :])
                trail[len(trail) - 1 - step.stands_for :] = step.taken
            case events.EntryRedone():
                back = undone.pop()
                trail[len(trail) - len(back[-1].taken) :] = back
            case events.EntriesWithdrawn():
                undone.clear()
                cut = len(trail) - len(event.taken)
                trail[cut:] = [Recorded(number, ((event, kept),), taken=tuple(trail[cut:]))]
            case events.CorrectionMade():
                undone.clear()
                trail = _corrected(trail, event, number, kept)
            case _:
                undone.clear()
                at = number
                told.append((event, kept))
    close()
    return [step for step in trail if not step.marker]


def _corrected(trail: list[Recorded[T]], event: events.CorrectionMade, number: int, kept: T) -> list[Recorded[T]]:
    old = [step for step in trail[event.first :] if not step.marker]
    line: list[Recorded[T]] = []
    place = 0
    for piece in event.line:
        match piece:
            case events.Kept():
                line += old[place : place + piece.count]
                place += piece.count
            case events.Dropped():
                place += piece.count
            case events.Stands():
                line.append(Recorded(piece.number, tuple((one, kept) for one in piece.events), piece.part))
    open_from, above = len(trail), event.above
    while above:
        open_from -= 1
        above -= not trail[open_from].marker
    done = len(line) - event.above
    marker = Recorded(number, ((event, kept),), taken=tuple(trail[event.first : open_from]), stands_for=done)
    return [*trail[: event.first], *line[:done], marker, *line[done:]]
