"""An append: the events, the head they build on, what else must be written with them, and the statements that do it."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from service import packed
from service.envelope import Sealed
from service.queries import query


class Also(msgspec.Struct, frozen=True):
    """A statement that belongs to an append: it is carried out in the same transaction or not at all.

    Its arguments are named `%(like_this)s`, or `%(like_this)b` for bytes in PostgreSQL's binary form.
    """

    sql: bytes
    arguments: Mapping[str, Any] = msgspec.field(default_factory=dict)


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
        return sum([len(event.body) for event in self.events])


def statements(append: Append) -> list[Also]:
    """What carries an append out, in one transaction.

    The first tells by the rows that it touched whether all events were written or none. Where more comes with them,
    the guard behind it lets the whole fail instead (`DivisionByZero`).
    """
    if not append.also:
        return [_events(append)]
    last = append.events[-1]
    guard = {"session": append.session_id, "version": last.version, "hash": last.hash}
    return [_events(append), Also(query("append_guard"), guard), *append.also]


def _events(append: Append) -> Also:
    last, opening = append.events[-1], append.opening
    arguments: dict[str, Any] = {
        "session": append.session_id,
        "version": last.version,
        "hash": last.hash,
        "entry": last.entry,
        "phase": append.phase,
        "at": last.at,
    }
    if opening is not None:
        arguments |= {
            "club": opening.club_id,
            "date": opening.date,
            "ruleset": opening.ruleset,
            "table": opening.table,
            "digest": opening.digest,
        }
        return Also(query("append_open"), arguments | _columns(append.events))
    arguments["base"], arguments["base_hash"] = append.base, append.base_hash
    if len(append.events) > 1:
        return Also(query("append_several"), arguments | _columns(append.events))
    arguments["entry_id"], arguments["type"], arguments["body"] = last.entry_id, last.type, last.body
    return Also(query("append_one"), arguments)


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
