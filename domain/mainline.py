"""The main line: the entries that are in force, as if they had been recorded right from the start.

Undone and withdrawn entries are left out, restored ones stand in their place again, and a correction puts
its entries where they belong. What is computed from the main line needs no notion of taking back. It follows
the same moves as the trail of `domain.session`, without folding the game.
"""

from collections.abc import Iterable, Iterator
from typing import Generic, TypeVar

import msgspec

from domain import events
from domain.events import ASIDES, ENTRY_EVENTS, AnyEvent
from domain.seats import Seat
from domain.value import Value

_OWN_EVENTS = frozenset(ENTRY_EVENTS.values())
_MARKERS = frozenset({events.EntriesWithdrawn, events.CorrectionMade})
_MOVES = _MARKERS | ASIDES | {events.EntryUndone, events.EntryRedone}
"""The entries that are more than one more step of the line."""

_DEALING = (
    events.PackCut,
    events.PacksShuffled,
    events.PreferenceExposed,
    events.CardsDealt,
    events.ContractReported,
)

T = TypeVar("T")


class Recorded(Value, Generic[T], frozen=True):
    """An entry in force: its number, its `part` if a correction put it in, and its events, each with what the
    caller keeps of it; for an event that a correction told anew that is what was kept of the correction.
    """

    number: int
    events: tuple[tuple[AnyEvent, T], ...]
    part: int = 0
    taken: "tuple[Recorded[T], ...]" = ()
    stands_for: int = 0
    dealer: Seat | None = None
    """In a corrected line: between deals, who dealt next as recorded, whatever the line alone would say."""
    own: T | None = None
    """What was kept when the entry was recorded, or the one that it is put at, if a correction has told it anew."""

    @property
    def recorded(self) -> T:
        """What was kept of the entry itself when it came from the table: it tells when that was."""
        return self.events[0][1] if self.own is None else self.own

    @property
    def ref(self) -> tuple[int, int]:
        return self.number, self.part

    @property
    def marker(self) -> bool:
        """Does it stand for what was taken out, and not for something that happened at the table?"""
        return type(self.events[0][0]) in _MARKERS


_ByRef = dict[tuple[int, int], Recorded[T]]
"""Entries by their number and part."""


def main_line(log: Iterable[tuple[int, AnyEvent, T]], corrected: bool = True) -> list[Recorded[T]]:
    """The entries in force in a log of (entry number, event, anything), in order.

    Each event of an entry carries the entry's number; the log is a session's whole log up to some event. Withdrawals
    and acts beside the game (`ASIDES`) are no part of the line. A correction is none either, since what it put in
    place stands in the line; unless `corrected` is false: then everything stands as it was first recorded and the
    correction is an entry of its own, with what it changed. Either way the amounts sum to the same balances.
    """
    trail: list[Recorded[T]] = []
    undone: list[list[Recorded[T]]] = []
    for number, told in _entries(log):
        own = told[0][0]
        if type(own) not in _MOVES:
            undone.clear()
            trail.append(Recorded(number, told))
            continue
        if type(own) in ASIDES:
            continue
        if isinstance(own, events.EntryUndone):
            keep = len(trail) - 1 - trail[-1].stands_for
            undone.append(trail[keep:])
            trail[keep:] = undone[-1][-1].taken
            continue
        if isinstance(own, events.EntryRedone):
            back = undone.pop()
            trail[len(trail) - len(back[-1].taken) :] = back
            continue
        undone.clear()
        match own:
            case events.EntriesWithdrawn():
                cut = len(trail) - len(own.taken)
                trail[cut:] = [Recorded(number, told, taken=tuple(trail[cut:]))]
            case events.CorrectionMade() if corrected:
                trail = _corrected(trail, own, number, told)
            case events.CorrectionMade():
                trail.insert(_open_from(trail, own.above), Recorded(number, told))
    return [step for step in trail if not step.marker or (not corrected and not step.taken)]


def _entries(log: Iterable[tuple[int, AnyEvent, T]]) -> Iterator[tuple[int, tuple[tuple[AnyEvent, T], ...]]]:
    """The log entry by entry: each with its own event first, then those that followed from it."""
    at = 0
    told: list[tuple[AnyEvent, T]] = []
    for number, event, kept in log:
        if type(event) in _OWN_EVENTS and told:
            yield at, tuple(told)
            told = []
        at = number
        told.append((event, kept))
    if told:
        yield at, tuple(told)


def _open_from(trail: list[Recorded[T]], above: int) -> int:
    """Where the last `above` entries that are no markers begin."""
    at = len(trail)
    while above:
        at -= 1
        above -= not trail[at].marker
    return at


def _corrected(
    trail: list[Recorded[T]], event: events.CorrectionMade, number: int, told: tuple[tuple[AnyEvent, T], ...]
) -> list[Recorded[T]]:
    kept = told[0][1]
    old = [step for step in _dealt(trail)[event.first :] if not step.marker]
    first_told, put_at = _first_told(trail), _put_at(event, number, old)
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
                line.append(_stands(piece, kept, first_told, put_at))
    done = len(line) - event.above
    taken = tuple(trail[event.first : _open_from(trail, event.above)])
    marker = Recorded(number, told, taken=taken, stands_for=done)
    return [*trail[: event.first], *line[:done], marker, *line[done:]]


def _stands(piece: events.Stands, kept: T, first_told: _ByRef[T], put_at: _ByRef[T]) -> Recorded[T]:
    """An entry as a correction tells it: as it was first told, where that is the same."""
    at = (piece.number, piece.part)
    was = first_told.get(at)
    if was is not None and piece.events == tuple(event for event, _ in was.events):
        return msgspec.structs.replace(was, dealer=piece.dealer)
    recorded = was or put_at.get(at)
    told = tuple((event, kept) for event in piece.events)
    return Recorded(piece.number, told, piece.part, dealer=piece.dealer, own=recorded.recorded if recorded else None)


def _first_told(trail: list[Recorded[T]]) -> _ByRef[T]:
    """Each entry in force, and each that a correction took out, as it was first told."""
    corrections: list[Recorded[T]] = []
    look = list(trail)
    while look:
        step = look.pop()
        if isinstance(step.events[0][0], events.CorrectionMade):
            corrections.append(step)
            look += step.taken
    told: _ByRef[T] = {}
    for correction in sorted(corrections, key=lambda step: step.number):
        for step in correction.taken:
            told.setdefault(step.ref, step)
    for step in trail:
        told.setdefault(step.ref, step)
    return told


def _put_at(event: events.CorrectionMade, number: int, old: list[Recorded[T]]) -> _ByRef[T]:
    """For each entry that a correction puts in the one that it is put at."""
    changes = {(change.at, change.part): change for change in event.changes}
    at = [step for step in old for _ in (changes[step.ref].put if step.ref in changes else ())]
    return {(number, part): step for part, step in enumerate(at, start=1)}


def _dealt(trail: list[Recorded[T]]) -> list[Recorded[T]]:
    """The same steps; those recorded between deals with whose turn it was to deal."""
    dealer: Seat | None = None
    dealt: Seat | None = None
    resting = False
    steps: list[Recorded[T]] = []
    for step in trail:
        dealer = step.dealer or dealer if resting else dealer
        steps.append(msgspec.structs.replace(step, dealer=dealer if resting else None))
        for event, _ in () if step.marker else step.events:
            match event:
                case events.FirstDealerDrawn():
                    dealer, resting = event.seat, True
                case events.DealSettled() | events.DealThrownIn() | events.DealMisdealt():
                    # A ruling settles a deal again that was settled already; its dealer stays.
                    dealt = dealt if resting else dealer
                    dealer, resting = event.next_dealer, True
                case events.DealCancelled():
                    dealer, resting = dealt if resting else dealer, True
                case _ if isinstance(event, _DEALING):
                    resting = False
                case _:
                    pass
    return steps
