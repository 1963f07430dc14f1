"""Evenings to measure with: a demo club's, with every entry's line and the events as the log keeps them."""

from __future__ import annotations

import datetime
from itertools import count
from uuid import UUID, uuid5

import msgspec

from domain.entries import AnyEntry
from domain.refusal import Refusal
from domain.session import initial, record
from ops.demo import Plan, evenings
from service.envelope import GENESIS, Envelope, Sealed, now, seal

CLUB = "01890a5d-ac96-774b-bcce-b302099a8057"
KEY = "01890a5d-0000-7000-8000-000000000001"
DEVICE = "sha256:" + "5a" * 32


def written(number: int, seed: int = 8) -> list[list[AnyEntry]]:
    """So many evenings of all rule sets, each entry with an id."""
    year = datetime.date(2026, 1, 1), datetime.date(2026, 12, 31)
    plan = Plan(sessions=number, seed=seed, first=year[0], last=year[1])
    return [
        [msgspec.structs.replace(entry, id=f"{at:04d}-{place:05d}-{seed:08d}") for place, entry in enumerate(entries)]
        for at, entries in enumerate(evenings(plan))
    ]


def sealed(entries: list[AnyEntry]) -> tuple[str, list[Sealed]]:
    """The session and the rows that an evening becomes."""
    session = str(uuid5(UUID(CLUB), str(entries[0].id)))
    envelopes: list[Envelope] = []
    state, versions = initial(), count(1)
    for entry in entries:
        taken = record(state, entry)
        assert not isinstance(taken, Refusal), taken
        state, events = taken
        at = now()
        for place, event in enumerate(events):
            envelopes.append(
                Envelope(
                    session=session,
                    version=next(versions),
                    entry=state.number,
                    id=None if place else entry.id,
                    club=CLUB if not envelopes else None,
                    key=KEY,
                    role="recorder",
                    device=DEVICE,
                    at=at,
                    tablet=None if place else entry.time,
                    data=event,
                )
            )
    return session, seal(GENESIS, envelopes)
