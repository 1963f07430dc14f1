"""Interleaved pairs: Boston, then the reference, again and again, so that both meet the same weather."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from statistics import mean, median


@dataclass(frozen=True)
class Line:
    """A line of the table. `limit` bounds the median of the ratios, from above where `at_most`, else from below."""

    name: str
    unit: str
    ours: list[float]
    theirs: list[float]
    limit: float
    at_most: bool

    @property
    def ratios(self) -> list[float]:
        return [one / other for one, other in zip(self.ours, self.theirs, strict=True)]

    @property
    def ratio(self) -> float:
        return median(self.ratios)

    @property
    def holds(self) -> bool:
        return self.ratio <= self.limit if self.at_most else self.ratio >= self.limit


def pairs(
    count: int, ours: Callable[[], float], theirs: Callable[[], float], turns: int = 1
) -> Iterator[tuple[float, float]]:
    """So many measurements of each, in turns; which goes first alternates, and one pair before all warms both up.

    A pair is the means of so many `turns` each: a machine that is shared changes its speed within seconds, and short
    turns meet it alike.
    """
    ours(), theirs()
    for pair in range(count):
        told: list[tuple[float, float]] = []
        for turn in range(turns):
            if (pair + turn) % 2:
                second, first = theirs(), ours()
                told.append((first, second))
            else:
                told.append((ours(), theirs()))
        yield mean(one for one, _ in told), mean(other for _, other in told)


def line(
    name: str,
    unit: str,
    count: int,
    ours: Callable[[], float],
    theirs: Callable[[], float],
    *,
    at_most: float | None = None,
    at_least: float | None = None,
    turns: int = 1,
) -> Line:
    """Measures a line; exactly one of the limits is given."""
    measured = list(pairs(count, ours, theirs, turns))
    limit = at_most if at_most is not None else at_least
    assert limit is not None
    return Line(name, unit, [one for one, _ in measured], [other for _, other in measured], limit, at_most is not None)
