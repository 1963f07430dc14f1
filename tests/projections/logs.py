"""Logs for tests: entries put to the domain, with the envelopes that the service would write for them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from domain.entries import AnyEntry
from domain.record import parse_line
from domain.refusal import Refusal
from domain.session import Session, initial, record
from projections import Meta
from service.envelope import Envelope

SESSION = "01890000-0000-7000-8000-000000000001"
CLUB = "01890000-0000-7000-8000-0000000000c1"
META = Meta(SESSION, CLUB)
AT = "2026-11-30T20:00:00.000000Z"


def written(entries: Iterable[AnyEntry], session_id: str = SESSION) -> tuple[Session, list[Envelope]]:
    """The session after some entries, and its log."""
    session, log = initial(), list[Envelope]()
    for after, added in steps(entries, session_id):
        session = after
        log += added
    return session, log


def steps(entries: Iterable[AnyEntry], session_id: str = SESSION) -> Iterator[tuple[Session, list[Envelope]]]:
    """After each entry: the session, and the envelopes that came with it."""
    session, version = initial(), 0
    for entry in entries:
        recorded = record(session, entry)
        assert not isinstance(recorded, Refusal), recorded
        session, events = recorded
        added = []
        for event in events:
            version += 1
            tablet = entry.time if event is events[0] else None
            added.append(
                Envelope(session=session_id, version=version, entry=session.number, at=AT, tablet=tablet, data=event)
            )
        yield session, added


def read(text: bytes) -> list[AnyEntry]:
    """The entries of a record."""
    return [parse_line(line) for line in text.splitlines() if line.strip()]
