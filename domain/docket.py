"""The docket: disputes, acknowledged findings and sign-offs, kept beside the game.

They never stand in the way of recording: no undo names them, and none of them changes a balance.
"""

from typing import Literal

from msgspec.structs import replace

from domain import checks, entries, events, pace
from domain.checks import settlement_findings
from domain.game import Abandoned, Base, DealRow, Game, Steps, Unopened, seats_at
from domain.refusal import Refusal, refuse
from domain.seats import Four
from domain.sheet import refs_of_settlement, steps_of_line
from domain.value import Value


class DisputeState(Value, frozen=True):
    """A dispute, known by the number of its entry, and how it ended, if it did: by which entry, law and reason."""

    number: int
    raised: events.DisputeRaised
    state: Literal["open", "withdrawn", "stands", "cancelled", "corrected", "adjusted"] = "open"
    resolved: int | None = None
    outcome: events.DisputeResolved | None = None

    @property
    def ruled(self) -> bool:
        """Has the director ruled, whatever the ruling was?"""
        return self.state not in ("open", "withdrawn")


class Settlement(Value, frozen=True):
    """What a settlement of a line rests on: its row, who sat there, and its entries by number and part."""

    row: DealRow
    seats: Four[str]
    entries: tuple[tuple[int, int], ...]


class SignOff(Value, frozen=True):
    """A confirmed line of the score sheet, with the number of its entry and what the line was when it was signed."""

    number: int
    signed: events.SettlementSigned
    settlement: Settlement | None = None


class Docket(Value, frozen=True):
    """Everything beside the game."""

    disputes: tuple[DisputeState, ...] = ()
    acknowledged: tuple[tuple[str, tuple[int, ...]], ...] = ()
    published: tuple[tuple[str, tuple[int, ...]], ...] = ()
    signoffs: tuple[SignOff, ...] = ()


def check_dispute(docket: Docket, number: int | None) -> Refusal | None:
    """Why nothing can be ruled for a dispute of this number: there is none."""
    if number is None or any(dispute.number == number for dispute in docket.disputes):
        return None
    return Refusal("no_such_dispute", f"entry {number} is no dispute", family="not_found")


def decide_docket(
    docket: Docket, game: Game, entry: entries.Entry, trail: Steps = ()
) -> tuple[events.AnyEvent, ...] | Refusal | None:
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
            if entry.about in ("card", "call") and entry.target is not None:
                steps = steps_of_line(trail, game, entry.line)
                if all(step.number != entry.target for step in steps):
                    text = f"entry {entry.target} is not in force in line {entry.line}"
                    return Refusal("not_in_force", text, family="not_found")
            raised = events.DisputeRaised(
                line=entry.line, by=entry.by, about=entry.about, target=entry.target, reason=entry.reason
            )
            return (raised,)
        case entries.Resolve():
            if unknown := check_dispute(docket, entry.dispute):
                return unknown
            dispute = next(d for d in docket.disputes if d.number == entry.dispute)
            if dispute.state != "open":
                text = f"the dispute of entry {entry.dispute} has ended already: {dispute.state}"
                return Refusal("dispute_ended", text, family="conflict")
            resolved = events.DisputeResolved(
                dispute=entry.dispute, outcome=entry.outcome, law=entry.law, reason=entry.reason
            )
            return (resolved,)
        case entries.Acknowledge():
            if not _found(entry, game.base, trail):
                return Refusal("no_such_finding", "there is no such finding in force", family="not_found")
            named = (entry.kind, entry.entries)
            if named in (docket.published if entry.publish else docket.acknowledged):
                return Refusal("acknowledged_already", "this finding is acknowledged already", family="conflict")
            seen = events.FindingAcknowledged(
                kind=entry.kind, entries=entry.entries, reason=entry.reason, publish=entry.publish
            )
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


def _found(entry: entries.Acknowledge, base: Base, trail: Steps) -> bool:
    """Is there such a finding: of an entry or of the checks? Times are not known here, so pace is taken at its word."""
    if entry.kind in pace.KINDS:
        return bool(entry.entries) and {step.number for step in trail}.issuperset(entry.entries)
    made = settlement_findings(trail) if entry.kind in checks.KINDS else base.findings
    return any((found.kind, found.entries) == (entry.kind, entry.entries) for found in made)


def evolve_docket(
    docket: Docket, event: events.AnyEvent, number: int, trail: Steps = (), game: Game | None = None
) -> Docket:
    """The docket after an act beside the game; the same docket after any other event."""
    match event:
        case events.DisputeRaised():
            return replace(docket, disputes=(*docket.disputes, DisputeState(number, event)))
        case events.DisputeResolved():
            ended = tuple(
                replace(d, state=event.outcome, resolved=number, outcome=event) if d.number == event.dispute else d
                for d in docket.disputes
            )
            return replace(docket, disputes=ended)
        case events.FindingAcknowledged():
            named = (event.kind, event.entries)
            acknowledged = docket.acknowledged if named in docket.acknowledged else (*docket.acknowledged, named)
            published = (*docket.published, named) if event.publish else docket.published
            return replace(docket, acknowledged=acknowledged, published=published)
        case events.SettlementSigned():
            signed = SignOff(number, event, settlement_of(trail, game, event.line))
            return replace(docket, signoffs=(*docket.signoffs, signed))
        case _:
            return docket


def settlement_of(trail: Steps, game: Game | None, line: int) -> Settlement | None:
    """What the settlement of a line rests on today; nothing where the score sheet has no such line."""
    if game is None or isinstance(game, Unopened) or not 1 <= line <= len(game.base.rows):
        return None
    rows = game.base.rows
    deal = 1 + sum(row.counts for row in rows[: line - 1])
    return Settlement(rows[line - 1], seats_at(game.base, deal), refs_of_settlement(steps_of_line(trail, game, line)))


def still_covers(signoff: SignOff, trail: Steps, game: Game) -> bool:
    """Does a sign-off still cover its line? Any later change of its money, its deal, its seats or the
    entries that it rests on says no; cards laid open afterwards change none of them.
    """
    return signoff.settlement is not None and signoff.settlement == settlement_of(trail, game, signoff.signed.line)
