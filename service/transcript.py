"""The record of a session: its entries as they were reported, in the record format.

Players are called by name where that is clear in the session, and by id where it is not; free texts stand in
their places again. What was erased says so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from domain.corrections import is_marker
from domain.entries import AnyEntry
from domain.entry_events import entry_of
from service import texts
from service.folded import Folded
from service.names import fold
from service.seating import seated
from service.texts import ERASED

Called = Mapping[str, str]
"""What each player is called in a record, by id."""


def all_entries(folded: Folded, names: dict[str, str], upto: int | None = None) -> list[AnyEntry]:
    """Every entry up to a version, undos and undone ones included, in the order of recording."""
    called = called_by(names)
    told = []
    for envelope in folded.envelopes[: folded.version if upto is None else upto]:
        entry = entry_of(envelope.data, envelope.id, envelope.tablet)
        if entry is not None:
            told.append(shown(entry, folded, called))
    return told


def entries_in_force(folded: Folded, names: dict[str, str]) -> list[AnyEntry]:
    """The main line: what was taken back left out, what a correction put in in its place."""
    called = called_by(names)
    first = {e.entry: e for e in reversed(folded.told)}
    told = []
    for step in folded.session.trail:
        envelope = first[step.number]
        known = (envelope.id, envelope.tablet) if not step.part else (None, None)
        entry = None if is_marker(step) else entry_of(step.events[0], *known)
        if entry is not None:
            told.append(shown(entry, folded, called))
    return told


def called_by(names: Mapping[str, str]) -> Called:
    """What each player is called in the record: the name, unless somebody else has the same one or it is gone."""
    many = Counter(fold(name) for name in names.values())
    return {player: name if many[fold(name)] == 1 and name != ERASED else player for player, name in names.items()}


def shown(entry: AnyEntry, folded: Folded, called: Called) -> AnyEntry:
    """The entry as it was reported: names for ids, and its free texts."""
    return seated(texts.show(entry, folded.texts), called)
