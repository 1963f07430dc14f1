"""What a correction or a ruling changes, and for whom: the score sheet of one game beside that of another."""

from itertools import pairwise

from msgspec.structs import replace

from domain.game import Closed, DealRow, Game, Unopened
from domain.pool import Pool
from domain.seats import Four, Seat, each
from domain.settlement import divide
from domain.value import Value


class LineChange(Value, frozen=True):
    """A line of the score sheet, from 1, as it was and as it is now; nothing where only one of them has it.

    `moved` is what each chair has more by this line, in white units: what came to it besides the settlement, such as
    a contribution before the deal, included.
    """

    line: int
    old: DealRow | None
    new: DealRow | None
    moved: Four[int | float]


class Standing(Value, frozen=True):
    """How an evening stands: its money now, and `final` and `winners`, as if it were divided now where it is not."""

    balances: Four[int]
    pool: Pool
    final: Four[int | float]
    winners: tuple[Seat, ...]


class Comparison(Value, frozen=True):
    """What changed: the lines that are otherwise, in order, and how the evening stood and stands."""

    lines: tuple[LineChange, ...]
    old: Standing
    new: Standing


def compared(was: Game, now: Game) -> Comparison | None:
    """One game beside another of the same session; nothing before there is any money."""
    if isinstance(was, Unopened) or isinstance(now, Unopened):
        return None
    pairs = aligned(was.base.rows, now.base.rows)
    behind = zip(pairs, *moved(was, now), strict=False)
    lines = (
        LineChange(line, old, new, Four(*(after - then for after, then in zip(paid, then_paid, strict=True))))
        for line, ((old, new), then_paid, paid) in enumerate(behind, start=1)
        if old != new
    )
    return Comparison(tuple(lines), evening_stands(was), evening_stands(now))


def evening_stands(game: Game) -> Standing:
    """The evening's money and result; raises `ValueError` before the session is open."""
    if isinstance(game, Unopened):
        raise ValueError("the session is not open")
    base = game.base
    if isinstance(game, Closed):
        return Standing(base.balances, base.pool, game.final, game.winners)
    _, final, winners = divide(base)
    return Standing(base.balances, base.pool, final, winners)


def aligned(old: tuple[DealRow, ...], new: tuple[DealRow, ...]) -> list[tuple[DealRow | None, DealRow | None]]:
    """The lines of two score sheets of one session, side by side.

    Lines that only one of them has stand against nothing, between the lines that tell the same deal in both.
    """
    short = min(len(old), len(new))
    front = next((at for at in range(short) if _deal(old[at]) != _deal(new[at])), short)
    rest = short - front
    back = next((at for at in range(rest) if _deal(old[-1 - at]) != _deal(new[-1 - at])), rest)
    only_old, only_new = old[front : len(old) - back], new[front : len(new) - back]
    between = max(len(only_old), len(only_new))
    first = [*zip(old[:front], new[:front], strict=True)]
    middle = [
        (only_old[at] if at < len(only_old) else None, only_new[at] if at < len(only_new) else None)
        for at in range(between)
    ]
    last = [*zip(old[len(old) - back :], new[len(new) - back :], strict=True)]
    return [*first, *middle, *last]


def _deal(row: DealRow) -> DealRow:
    """What a line tells of its deal, without the money."""
    return replace(row, deltas=None, balances=each(0), pool=Pool())


def moved(was: Game, now: Game) -> tuple[list[Four[int | float]], list[Four[int | float]]]:
    """What moved on each line of two aligned score sheets, and at last what moved after the last line, in each."""
    if isinstance(was, Unopened) or isinstance(now, Unopened):
        return [], []
    old, new = _movements(was), _movements(now)
    pairs = aligned(was.base.rows, now.base.rows)
    return (
        [*(old.pop(0) if row is not None else each(0) for row, _ in pairs), old.pop()],
        [*(new.pop(0) if row is not None else each(0) for _, row in pairs), new.pop()],
    )


def _movements(game: Game) -> list[Four[int | float]]:
    if isinstance(game, Unopened):
        return []
    told: list[Four[int | float]] = [each(game.base.rules.start), *(row.balances for row in game.base.rows)]
    told.append(game.final if isinstance(game, Closed) else game.base.balances)
    return [Four(*(after - then for after, then in zip(new, old, strict=True))) for old, new in pairwise(told)]
