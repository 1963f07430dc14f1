"""What a record proves against itself, and who is told: the director and the auditor, others once a ruling says so.

A club without a director may let the recorder see all of it. Whoever is not told gets the log without the events
that tell it; the chain of hashes is then not to be checked from what he reads, but from a bundle.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

import msgspec

from domain import events
from domain.docket import Docket
from domain.entries import Acknowledge
from domain.events import AnyEvent
from domain.seats import Seat
from projections import Meta, evening
from service.clubs import ClubSettings
from service.envelope import decode, encode
from service.folded import Folded
from service.principal import AUDITORS, Role

Named = tuple[str, tuple[int, ...]]
"""A finding by its kind and the entries that prove it."""

_TELLING = b'"finding_'


def named(found: events.FindingMade | events.FindingAcknowledged | Acknowledge) -> Named:
    """By what a finding is known."""
    return found.kind, found.entries


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """A finding in force. `line` is that of its deal on the score sheet, once the deal has come to its end."""

    kind: str
    entries: tuple[int, ...]
    rule: int | None
    seat: Seat | None
    cards: tuple[str, ...]
    text: str
    line: int | None
    state: Literal["open", "acknowledged"]
    published: bool


def told_all(role: Role, settings: ClubSettings) -> bool:
    """Is somebody of this role told what no ruling has published?"""
    return role in AUDITORS or (role == "recorder" and settings.findings_for_recorder)


def findings(folded: Folded, everything: bool) -> Iterator[Finding]:
    """The findings in force that somebody is told: those of the record, then those of the checks and of the pace."""
    if not folded.version:
        return
    told = evening(Meta(folded.session_id, folded.club_id, folded.voided), folded.told)
    for one in told.findings:
        if everything or one.published:
            found = one.finding
            yield Finding(
                kind=found.kind,
                entries=found.entries,
                rule=found.rule,
                seat=found.seat,
                cards=found.cards,
                text=found.text,
                line=one.place if 0 < one.place <= len(told.deals) else None,
                state="open" if one.acknowledged is None else "acknowledged",
                published=one.published,
            )


def narrowed(docket: Docket) -> Docket:
    """The docket for whoever is not told everything."""
    return msgspec.structs.replace(docket, acknowledged=docket.published)


def redacted(bodies: Iterable[bytes], published: Iterable[Named]) -> list[bytes]:
    """Bodies of events without those that tell a finding which is not published."""
    known = frozenset(published)
    told: list[bytes] = []
    for body in bodies:
        # Inside a text the quote would be escaped, so what begins like this is a tag and nothing else.
        if _TELLING not in body:
            told.append(body)
            continue
        envelope = decode(body)
        if isinstance(envelope.data, events.CorrectionMade):
            told.append(encode(msgspec.structs.replace(envelope, data=_without(envelope.data, known))))
        elif not _withheld(envelope.data, known):
            told.append(body)
    return told


def _withheld(event: AnyEvent, known: frozenset[Named]) -> bool:
    return isinstance(event, events.FindingMade | events.FindingAcknowledged) and named(event) not in known


def _without(correction: events.CorrectionMade, known: frozenset[Named]) -> events.CorrectionMade:
    line = tuple(
        msgspec.structs.replace(piece, events=tuple(one for one in piece.events if not _withheld(one, known)))
        if isinstance(piece, events.Stands)
        else piece
        for piece in correction.line
    )
    return msgspec.structs.replace(correction, line=line)
