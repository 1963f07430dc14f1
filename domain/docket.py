"""The docket: disputes, acknowledged findings and sign-offs, kept beside the game.

They never stand in the way of recording: no undo names them, and none of them changes a balance.
"""

from typing import Literal

import msgspec
from msgspec.structs import replace

from domain import entries, events
from domain.game import Abandoned, DealRow, Game, Unopened
from domain.refusal import Refusal, refuse


class DisputeState(msgspec.Struct, frozen=True):
    """A dispute, known by the number of its entry, and how it ended, if it did."""

    number: int
    raised: events.DisputeRaised
    state: Literal["open", "withdrawn", "stands", "cancelled", "corrected", "adjusted"] = "open"
    resolved: int | None = None


class SignOff(msgspec.Struct, frozen=True):
    """A confirmed line of the score sheet, with the number of its entry."""

    number: int
    signed: events.SettlementSigned


class Docket(msgspec.Struct, frozen=True):
    """Everything beside the game."""

    disputes: tuple[DisputeState, ...] = ()
    acknowledged: tuple[tuple[str, tuple[int, ...]], ...] = ()
    signoffs: tuple[SignOff, ...] = ()


def decide_docket(docket: Docket, game: Game, entry: entries.Entry) -> tuple[events.AnyEvent, ...] | Refusal | None:
    """The event of an act beside the game, or its refusal; nothing for an entry of the game."""
    if not isinstance(entry, entries.Dispute | entries.Resolve | entries.Acknowledge | entries.Sign):
        return None
    if isinstance(game, Unopened | Abandoned):
        kind = str(entry.__struct_config__.tag)
        return refuse("not_now", None, f"{kind} cannot be entered: there is no session in force", entry=kind)
    rows = game.base.rows
    match entry:
        case entries.Dispute():
            if entry.line > len(rows) + 1:
                return Refusal("no_such_line", f"the score sheet has no line {entry.line} yet", family="not_found")
            raised = events.DisputeRaised(
                line=entry.line, by=entry.by, about=entry.about, target=entry.target, reason=entry.reason
            )
            return (raised,)
        case entries.Resolve():
            dispute = next((d for d in docket.disputes if d.number == entry.dispute), None)
            if dispute is None:
                return Refusal("no_such_dispute", f"entry {entry.dispute} is no dispute", family="not_found")
            if dispute.state != "open":
                text = f"the dispute of entry {entry.dispute} has ended already: {dispute.state}"
                return Refusal("dispute_ended", text, family="conflict")
            resolved = events.DisputeResolved(
                dispute=entry.dispute, outcome=entry.outcome, law=entry.law, reason=entry.reason
            )
            return (resolved,)
        case entries.Acknowledge():
            if not any((f.kind, f.entries) == (entry.kind, entry.entries) for f in game.base.findings):
                return Refusal("no_such_finding", "there is no such finding in force", family="not_found")
            if (entry.kind, entry.entries) in docket.acknowledged:
                return Refusal("acknowledged_already", "this finding is acknowledged already", family="conflict")
            seen = events.FindingAcknowledged(kind=entry.kind, entries=entry.entries, reason=entry.reason)
            return (seen,)
        case entries.Sign():
            if entry.line > len(rows):
                return Refusal("no_such_line", f"line {entry.line} is not settled", family="not_found")
            row = rows[entry.line - 1]
            signed = events.SettlementSigned(
                seat=entry.seat,
                line=entry.line,
                hash=entry.hash,
                device=entry.device,
                deltas=row.deltas,
                balances=row.balances,
                pool=row.pool,
            )
            return (signed,)


def evolve_docket(docket: Docket, event: events.AnyEvent, number: int) -> Docket:
    """The docket after an act beside the game; the same docket after any other event."""
    match event:
        case events.DisputeRaised():
            return replace(docket, disputes=(*docket.disputes, DisputeState(number, event)))
        case events.DisputeResolved():
            ended = tuple(
                replace(d, state=event.outcome, resolved=number) if d.number == event.dispute else d
                for d in docket.disputes
            )
            return replace(docket, disputes=ended)
        case events.FindingAcknowledged():
            return replace(docket, acknowledged=(*docket.acknowledged, (event.kind, event.entries)))
        case events.SettlementSigned():
            return replace(docket, signoffs=(*docket.signoffs, SignOff(number, event)))
        case _:
            return docket


def covers(signed: events.SettlementSigned, rows: tuple[DealRow, ...]) -> bool:
    """Does a sign-off still cover the line as it stands? Any later change of its money says no."""
    if signed.line > len(rows):
        return False
    row = rows[signed.line - 1]
    return (row.deltas, row.balances, row.pool) == (signed.deltas, signed.balances, signed.pool)
