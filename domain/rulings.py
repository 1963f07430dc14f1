"""Would it matter? Every admissible ruling on a deal, side by side, and nothing recorded.

A ruling is a list of entries that would follow now; it is tried with the same functions that record it.
"""

from collections.abc import Iterable, Sequence

import msgspec

from domain import events
from domain.corrections import after, is_marker
from domain.entries import AnyEntry, Cancel, Change, Correct, Revoke
from domain.events import DealCorrected
from domain.game import Closed, DealRow, Unopened, deal_place
from domain.pool import Pool
from domain.refusal import Refusal
from domain.seats import SEATS, Four, Seat
from domain.session import Session, record
from domain.settlement import divide


class Ruling(msgspec.Struct, frozen=True):
    """A possible ruling: a name to show, and the entries by which it would be recorded."""

    name: str
    entries: tuple[AnyEntry, ...] = ()


class Effect(msgspec.Struct, frozen=True):
    """What a ruling would lead to; or why the rules refuse it, and then nothing else.

    `lines` is what it changes on each line of the score sheet, `final` and `winners` those of the evening if it
    were divided as it stands.
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


def entries_of_line(session: Session, line: int) -> list[tuple[int, int]]:
    """The (number, part) of the entries in force of a line of the score sheet, from 1; `open` left out."""
    trail, game = session.trail, session.game
    return [
        (step.number, step.part)
        for at, step in enumerate(trail)
        if at and not is_marker(step) and deal_place(after(trail, game, at)) == line - 1
    ]


def admissible(session: Session, line: int, trick: int = 1) -> list[Ruling]:
    """The rulings that the rules know for a finished deal: it stands, it is void, or a revoke of each seat."""
    rulings = [Ruling("stands")]
    game = session.game
    own = entries_of_line(session, line)
    if isinstance(game, Unopened) or not own or line > len(game.base.rows):
        return rulings
    at, part = own[-1]
    row = game.base.rows[line - 1]

    def put(name: str, entry: AnyEntry) -> Ruling:
        change = Change(at=at, part=part, put=(entry,), after=True)
        return Ruling(name, (Correct(changes=(change,), reason=name),))

    if row.outcome in ("made", "failed", "misere_partout", "thrown_in"):
        rulings.append(put("cancelled", Cancel(agreed=SEATS, reason="ruled void")))
    if game.base.rules.revoke_fine is not None and row.outcome in ("made", "failed"):
        rulings += [put(f"revoke by {seat}", Revoke(seat=seat, trick=trick)) for seat in SEATS]
    return rulings


def effect(session: Session, ruling: Ruling) -> Effect:
    """What a ruling would lead to, with all that follows from it."""
    lines: list[DealCorrected] = []
    for entry in ruling.entries:
        taken = record(session, entry)
        if isinstance(taken, Refusal):
            return Effect(ruling.name, ruling.entries, taken)
        session, told = taken
        lines += [event for event in told if isinstance(event, events.DealCorrected)]
    game = session.game
    if isinstance(game, Unopened):
        return Effect(ruling.name, ruling.entries)
    if isinstance(game, Closed):
        final, winners = game.final, game.winners
    else:
        _, final, winners = divide(game.base)
    return Effect(
        ruling.name,
        ruling.entries,
        None,
        game.base.rows,
        tuple(lines),
        game.base.balances,
        game.base.pool,
        final,
        winners,
    )


def combined(session: Session, choices: Sequence[Iterable[Ruling]]) -> list[Effect]:
    """Every combination of one ruling out of each list, in the order of the lists; at most 256 of them are tried."""
    combinations = [Ruling("")]
    for rulings in choices:
        combinations = [
            Ruling(" + ".join(filter(None, (so_far.name, ruling.name))), so_far.entries + ruling.entries)
            for so_far in combinations
            for ruling in rulings
        ]
        if len(combinations) > 256:
            raise ValueError(f"{len(combinations)} combinations are too many to compare; take fewer disputes at once")
    return [effect(session, ruling) for ruling in combinations]
