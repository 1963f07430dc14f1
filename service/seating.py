"""What entries call players: names or ids in a record, ids in the log."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from domain.entries import AnyEntry, Correct, Open, Reseat
from domain.seats import four

_CALLING = frozenset({Open, Reseat, Correct})


def called(entry: AnyEntry) -> list[str]:
    """What an entry calls players, those of the entries inside a correction included."""
    if type(entry) not in _CALLING:
        return []
    match entry:
        case Open() | Reseat():
            return list(entry.seats)
        case Correct():
            return [name for change in entry.changes for put in change.put for name in called(put)]
        case _:
            return []


def seated(entry: AnyEntry, names: Mapping[str, str]) -> AnyEntry:
    """The entry with ids for what a record calls its players, or names for their ids; an unknown one stays."""
    match entry:
        case Open() | Reseat():
            seats = entry.seats
            return msgspec.structs.replace(entry, seats=four(lambda seat: names.get(seats[seat], seats[seat])))
        case Correct():
            changes = tuple(
                msgspec.structs.replace(change, put=tuple(seated(put, names) for put in change.put))
                for change in entry.changes
            )
            return msgspec.structs.replace(entry, changes=changes)
        case _:
            return entry
