"""The main line: the entries that are in force, as if they had been recorded right from the start.

Undone and withdrawn entries are left out, restored ones stand in their place again. What is computed
from the main line needs no notion of taking back.
"""

from collections.abc import Iterable
from typing import Generic, TypeVar

import msgspec

from domain import events
from domain.events import ENTRY_EVENTS, AnyEvent

_OWN_EVENTS = frozenset(ENTRY_EVENTS.values())

T = TypeVar("T")


class Recorded(msgspec.Struct, Generic[T], frozen=True):
    """An entry in force: its number, and its events, each with what the caller keeps of it."""

    number: int
    events: tuple[tuple[AnyEvent, T], ...]


def main_line(log: Iterable[tuple[int, AnyEvent, T]]) -> list[Recorded[T]]:
    """The entries in force in a log of (entry number, event, anything), in order.

    Each event of an entry must carry the entry's number; the log must be a session's whole log up to some event.
    """
    line: list[Recorded[T]] = []
    taken: dict[int, list[Recorded[T]]] = {}
    undone: list[Recorded[T]] = []
    gathered: list[tuple[AnyEvent, T]] = []
    at = 0

    def close() -> None:
        if gathered:
            line.append(Recorded(at, tuple(gathered)))
            gathered.clear()

    for number, event, kept in log:
        if type(event) not in _OWN_EVENTS:
            gathered.append((event, kept))
            continue
        close()
        match event:
            case events.EntryUndone():
                step = line.pop()
                line += taken.get(step.number, ())
                undone.append(step)
            case events.EntryRedone():
                step = undone.pop()
                if step.number in taken:
                    del line[len(line) - len(taken[step.number]) :]
                line.append(step)
            case events.EntriesWithdrawn():
                undone.clear()
                cut = len(line) - len(event.taken)
                taken[number] = line[cut:]
                del line[cut:]
                at = number
                gathered.append((event, kept))
            case _:
                undone.clear()
                at = number
                gathered.append((event, kept))
    close()
    return line
