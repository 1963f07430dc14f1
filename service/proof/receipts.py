"""Receipts: what a player takes along from a line of the score sheet, as a file or as a QR code.

The signed line is the whole in its short form, which the QR code holds. The file adds what can be computed
again without trusting the signature: the events of the deal, and the way from the line to the chain's head or, where
one covers it, to a checkpoint.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Literal

import msgspec

from domain.events import (
    AnyEvent,
    CorrectionMade,
    DealCancelled,
    DealMisdealt,
    DealSettled,
    DealThrownIn,
    Stands,
)
from domain.game import DealRow, Unopened, seats_at
from domain.view import score_sheet
from service.envelope import GENESIS
from service.folded import Folded
from service.lines import steps_of_lines
from service.proof import tree
from service.proof.checkpoints import Covered
from service.proof.statement import Receipt


class Events(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Consecutive events: the first one's version, the hash before it in hex, and their exact bodies.

    The event's own hash in hex stands for a body that is withheld.
    """

    first: int
    before: str
    bodies: list[str]


class Link(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The way from a line to a checkpoint: the path from the line's hash to its session's root, and from there on."""

    path: list[str]
    checkpoint: Covered


class ReceiptFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="receipt"):
    """A receipt as a file. `statement` and `keys` are signed lines of text.

    `events` lead to the line's hash; `after` are the bodies from there to the chain's head, where no `link` leads
    to a checkpoint.
    """

    statement: str
    keys: list[str]
    events: Events
    after: list[str] | None = None
    link: Link | None = None
    format: Literal[1] = 1


class Bound(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the score sheet, and where it stands in the chain.

    `number` is the line's own, from 1, `deal` the number at the table; `first` and `version` are those of the
    events that make the line; `seats` are the players' ids from N clockwise.
    """

    number: int
    deal: int
    row: DealRow
    seats: Sequence[str]
    first: int
    version: int


def bound(folded: Folded, number: int) -> Bound | None:
    """A line of the score sheet by its number; None where there is none.

    Its events run from the deal's first entry where no other deal came in between; a line that was changed later is
    told by the entry alone that changed it, if that one tells its settlement.
    """
    game = folded.session.game
    if isinstance(game, Unopened) or not 1 <= number <= len(game.base.rows):
        return None
    view, line = score_sheet(game.base)[number - 1], folded.lines[number - 1]
    steps = steps_of_lines(folded.session)
    changed = folded.envelopes[line.version - 1].entry
    start = min([changed, *(step.number for step in steps[number - 1])])
    others = (step.number for place, told in enumerate(steps, start=1) if place != number for step in told)
    between = any(start <= other <= changed for other in others)
    if between and _settles((e.data for e in folded.envelopes if e.entry == changed), view.row):
        start = changed
    first = next(envelope.version for envelope in folded.envelopes if envelope.entry == start)
    return Bound(
        number=number,
        deal=view.number,
        row=view.row,
        seats=tuple(seats_at(game.base, view.number)),
        first=first,
        version=line.version,
    )


def _settles(told: Iterable[AnyEvent], row: DealRow) -> bool:
    """Does the settlement of a row stand in these events, or in what a correction among them puts in?"""
    flat: list[AnyEvent] = []
    for event in told:
        flat.append(event)
        if isinstance(event, CorrectionMade):
            flat += (put for piece in event.line if isinstance(piece, Stands) for put in piece.events)
    return any(getattr(event, "balances", None) == row.balances for event in flat) and any(
        event.deltas == row.deltas and event.tricks == row.tricks and event.caller == row.caller
        if isinstance(event, DealSettled)
        else isinstance(event, DealThrownIn | DealMisdealt | DealCancelled)
        for event in flat
    )


def evidence_of(
    bound: Bound, hashes: Sequence[bytes], bodies: Sequence[bytes], head: int, covered: Covered | None
) -> tuple[Events, list[str] | None, Link | None]:
    """What a receipt's file shows: the events of the line, and those up to the head or the way to a checkpoint.

    `bodies` and `hashes` are those of the session's events from the first one, `head` is the version told up to.
    """
    before = hashes[bound.first - 2] if bound.first > 1 else GENESIS
    events = Events(bound.first, before.hex(), _texts(bodies[bound.first - 1 : bound.version]))
    if covered is not None and covered.head.version >= bound.version:
        path = tree.path(hashes[: covered.head.version], bound.version - 1)
        return events, None, Link([one.hex() for one in path], covered)
    return events, _texts(bodies[bound.version : head]), None


def digest_of(events: Events, after: Sequence[str] | None) -> bytes:
    """The SHA-256 of all that a receipt's file shows, a line each, with an empty one before what came after."""
    return sha256("\n".join([events.before, *events.bodies, "", *(after or ())]).encode()).digest()


def statement_of(
    session_id: str,
    club_id: str,
    bound: Bound,
    hashes: Sequence[bytes],
    head: int,
    events: bytes,
    at: str,
    key: bytes,
) -> Receipt:
    """What is signed of a line; `events` is the digest of what the file shows."""
    row = bound.row
    return Receipt(
        club=club_id,
        at=at,
        key=key,
        session=session_id,
        line=bound.number,
        deal=bound.deal,
        version=bound.version,
        hash=hashes[bound.version - 1],
        head=head,
        head_hash=hashes[head - 1],
        seats=tuple(bound.seats),
        dealer=row.dealer,
        counts=int(row.counts),
        outcome=row.outcome,
        contract=row.contract,
        preference=row.preference,
        caller=row.caller,
        trumps=row.trumps,
        tricks=None if row.tricks is None else tuple(row.tricks),
        shortfall=row.shortfall,
        conceded=int(row.conceded),
        deltas=None if row.deltas is None else tuple(row.deltas),
        balances=tuple(row.balances),
        pool=(row.pool.full, row.pool.open),
        events=events,
    )


def _texts(bodies: Sequence[bytes]) -> list[str]:
    return [body.decode() for body in bodies]
