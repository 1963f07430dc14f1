"""An append: the events, the head they build on, what else must be written with them, and its SQL arguments."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from service import packed
from service.envelope import Sealed
from service.queries import query


class Also(msgspec.Struct, frozen=True):
    """A statement that belongs to an append: it is carried out in the same transaction or not at all."""

    sql: bytes
    arguments: Mapping[str, Any] | Sequence[Any] = ()


class Opening(msgspec.Struct, frozen=True, kw_only=True):
    """What the head of a new session says beside its version."""

    club_id: str
    date: str
    ruleset: str
    table: str | None = None
    digest: bytes | None = None


class Append(msgspec.Struct, frozen=True, kw_only=True):
    """Events to append to one session, at least one, on top of version `base` with the hash `base_hash`."""

    session_id: str
    base: int
    base_hash: bytes
    events: Sequence[Sealed]
    phase: str
    opening: Opening | None = None
    also: Sequence[Also] = ()

    @property
    def size(self) -> int:
        """Bytes of bodies."""
        return sum(len(event.body) for event in self.events)


def statement(append: Append) -> Also:
    """What writes the events of an append inside its transaction."""
    if append.opening is None:
        return Also(query("append_many"), arguments_of_many([append]))
    last, opening = append.events[-1], append.opening
    head = {
        "session": append.session_id,
        "club": opening.club_id,
        "version": last.version,
        "hash": last.hash,
        "entry": last.entry,
        "phase": append.phase,
        "date": opening.date,
        "ruleset": opening.ruleset,
        "table": opening.table,
        "digest": opening.digest,
        "at": last.at,
    }
    return Also(query("append_open"), head | _columns(append.events))


def arguments_of_one(append: Append) -> dict[str, Any]:
    """The arguments of `append_one`."""
    (event,) = append.events
    return {
        "session": append.session_id,
        "base": append.base,
        "base_hash": append.base_hash,
        "version": event.version,
        "hash": event.hash,
        "entry": event.entry,
        "phase": append.phase,
        "at": event.at,
        "entry_id": event.entry_id,
        "type": event.type,
        "body": event.body,
    }


def arguments_of_many(appends: Sequence[Append]) -> dict[str, Any]:
    """The arguments of `append_many`: a row a session, and a row an event."""
    heads = [append.events[-1] for append in appends]
    events = [event for append in appends for event in append.events]
    owners = packed.uuids(append.session_id for append in appends for _ in append.events)
    return {
        "sessions": packed.uuids(append.session_id for append in appends),
        "bases": packed.ints(append.base for append in appends),
        "base_hashes": packed.byteas(append.base_hash for append in appends),
        "heads": packed.ints(head.version for head in heads),
        "head_hashes": packed.byteas(head.hash for head in heads),
        "head_entries": packed.ints(head.entry for head in heads),
        "phases": packed.texts(append.phase for append in appends),
        "times": packed.times(head.at for head in heads),
        "event_sessions": owners,
        **_columns(events),
    }


def _columns(events: Sequence[Sealed]) -> dict[str, Any]:
    return {
        "versions": packed.ints(event.version for event in events),
        "entries": packed.ints(event.entry for event in events),
        "entry_ids": packed.texts(event.entry_id for event in events),
        "types": packed.texts(event.type for event in events),
        "event_times": packed.times(event.at for event in events),
        "bodies": packed.byteas(event.body for event in events),
        "hashes": packed.byteas(event.hash for event in events),
    }
