"""Interleaved pairs: Boston, then the reference, again and again, so that both meet the same weather."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from statistics import median


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


def pairs(count: int, ours: Callable[[], float], theirs: Callable[[], float]) -> Iterator[tuple[float, float]]:
    """So many measurements of each, in turns; which goes first alternates, and one pair before all warms both up."""
    ours(), theirs()
    for turn in range(count):
        if turn % 2:
            second, first = theirs(), ours()
            yield first, second
        else:
            yield ours(), theirs()


def line(
    name: str,
    unit: str,
    count: int,
    ours: Callable[[], float],
    theirs: Callable[[], float],
    *,
    at_most: float | None = None,
    at_least: float | None = None,
) -> Line:
    """Measures a line; exactly one of the limits is given."""
    measured = list(pairs(count, ours, theirs))
    limit = at_most if at_most is not None else at_least
    assert limit is not None
    return Line(name, unit, [one for one, _ in measured], [other for _, other in measured], limit, at_most is not None)
