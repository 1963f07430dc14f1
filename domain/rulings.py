"""Would it matter? Every admissible ruling on a deal, side by side, and nothing recorded.

A ruling is a list of entries that would follow now; it is tried with the same functions that record it.
"""

from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from domain import events
from domain.comparison import LineChange, compared, evening_stands
from domain.docket import check_dispute
from domain.entries import AnyEntry, Cancel, Change, Correct, Revoke
from domain.events import DealCorrected
from domain.game import DealRow, Playing, UnderWay, Unopened
from domain.pool import Pool
from domain.refusal import Refusal
from domain.seats import SEATS, Four, Seat
from domain.session import Session, record
from domain.sheet import Line, line_of, refs_of_settlement, steps_of_line
from domain.value import Value

MOST_COMBINATIONS = 256


class Ruling(Value, frozen=True):
    """A possible ruling: a name to show, and the entries by which it would be recorded."""

    name: str
    entries: tuple[AnyEntry, ...] = ()


class Effect(Value, frozen=True):
    """What a ruling would lead to; or why the rules refuse it, and then nothing else.

    `lines` are the corrections that it would record, `changed` the lines of the score sheet that are otherwise then,
    old beside new; `final` and `winners` are those of the evening if it were divided as it stands.
    """

    name: str
    entries: tuple[AnyEntry, ...]
    refused: Refusal | None = None
    rows: tuple[DealRow, ...] = ()
    lines: tuple[DealCorrected, ...] = ()
    balances: Four[int] | None = None
    pool: Pool | None = None
    final: Four[int | float] | None = None
    winners: tuple[Seat, ...] = ()
    changed: tuple[LineChange, ...] = ()


def line_entries(session: Session, line: int) -> Line | None:
    """A line of the score sheet, from 1, or of the deal in progress, with its entries in force: what a correction
    starts from. Nothing where there is no such line.
    """
    return line_of(session.trail, session.game, line)


def admissible(session: Session, line: int, trick: int = 1, proposals: Sequence[Correct] = ()) -> list[Ruling]:
    """The rulings that the rules know for a deal, finished or in progress: it stands, it is void, a revoke of each
    seat in a trick, and whatever correction is proposed for it.
    """
    rulings = [Ruling("stands")]
    game = session.game
    if isinstance(game, Unopened):
        return rulings
    rules, rows = game.base.rules, game.base.rows
    void = Cancel(agreed=SEATS, reason="ruled void")
    revokes = [Revoke(seat=seat, trick=trick) for seat in SEATS] if rules.revoke_fine is not None else []
    if line > len(rows):
        if line == len(rows) + 1 and isinstance(game, UnderWay):
            rulings.append(Ruling("cancelled", (void,)))
            ruled = revokes if isinstance(game, Playing) and game.contract is not None else []
            rulings += [Ruling(f"revoke by {revoke.seat}", (revoke,)) for revoke in ruled]
    elif own := refs_of_settlement(steps_of_line(session.trail, game, line)):
        at, part = own[-1]

        def put(name: str, entry: AnyEntry) -> Ruling:
            change = Change(at=at, part=part, put=(entry,), after=True)
            return Ruling(name, (Correct(changes=(change,), reason=name),))

        outcome = rows[line - 1].outcome
        if outcome in ("made", "failed", "misere_partout", "thrown_in"):
            rulings.append(put("cancelled", void))
        if outcome in ("made", "failed"):
            rulings += [put(f"revoke by {revoke.seat}", revoke) for revoke in revokes]
    for place, proposal in enumerate(proposals, start=1):
        rulings.append(Ruling("corrected" if len(proposals) == 1 else f"corrected, proposal {place}", (proposal,)))
    return rulings


def on_disputes(
    session: Session, numbers: Sequence[int], proposals: Mapping[int, Sequence[Correct]] | None = None
) -> list[list[Ruling]] | Refusal:
    """For each line that disputes of these numbers are about, its admissible rulings; disputes of one deal are ruled
    together. `proposals` are corrections proposed for a dispute, by its number.
    """
    lines: dict[int, dict[tuple[AnyEntry, ...], Ruling]] = {}
    for number in numbers:
        if unknown := check_dispute(session.docket, number):
            return unknown
        raised = next(dispute.raised for dispute in session.docket.disputes if dispute.number == number)
        for ruling in admissible(session, raised.line, _trick(session, raised), (proposals or {}).get(number, ())):
            named = tuple(
                replace(entry, dispute=number) if isinstance(entry, Correct) else entry for entry in ruling.entries
            )
            lines.setdefault(raised.line, {}).setdefault(ruling.entries, Ruling(ruling.name, named))
    return [list(rulings.values()) for _, rulings in sorted(lines.items())]


def _trick(session: Session, raised: events.DisputeRaised) -> int:
    """The trick that a dispute is about, from 1; the first where it names none."""
    if raised.about == "trick":
        return raised.target or 1
    plays = [
        step.number
        for step in steps_of_line(session.trail, session.game, raised.line)
        if isinstance(step.events[0], events.CardPlayed)
    ]
    return plays.index(raised.target) // 4 + 1 if raised.about == "card" and raised.target in plays else 1


def effect(session: Session, ruling: Ruling) -> Effect:
    """What a ruling would lead to, with all that follows from it."""
    lines: list[DealCorrected] = []
    was = session.game
    for entry in ruling.entries:
        taken = record(session, entry)
        if isinstance(taken, Refusal):
            return Effect(ruling.name, ruling.entries, taken)
        session, told = taken
        lines += [event for event in told if isinstance(event, events.DealCorrected)]
    game = session.game
    comparison = compared(was, game)
    if isinstance(game, Unopened) or comparison is None:
        return Effect(ruling.name, ruling.entries)
    now = evening_stands(game)
    return Effect(
        ruling.name,
        ruling.entries,
        None,
        game.base.rows,
        tuple(lines),
        now.balances,
        now.pool,
        now.final,
        now.winners,
        comparison.lines,
    )


def combined(session: Session, choices: Sequence[Iterable[Ruling]]) -> list[Effect]:
    """Every combination of one ruling out of each list, in the order of the lists; too many raise `ValueError`."""
    combinations = [Ruling("")]
    for rulings in choices:
        combinations = [
            Ruling(" + ".join(filter(None, (so_far.name, ruling.name))), so_far.entries + ruling.entries)
            for so_far in combinations
            for ruling in rulings
        ]
        if len(combinations) > MOST_COMBINATIONS:
            raise ValueError(f"{len(combinations)} combinations are too many to compare; take fewer disputes at once")
    return [effect(session, ruling) for ruling in combinations]
