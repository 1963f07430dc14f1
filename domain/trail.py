"""The trail: the entries in force, oldest first; a withdrawal or correction stands in it as a step of its own.

A sequence that never changes, kept in pieces of a fixed size: one more entry makes a new trail that shares all full
pieces with the one before, so the last entry of a long evening is put on as quickly as the first.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import overload

from domain.game import Step

PIECE = 32


class Trail(Sequence[Step]):
    """Steps in their order."""

    __slots__ = ("_full", "_rest")

    _full: tuple[tuple[Step, ...], ...]
    _rest: tuple[Step, ...]

    def __init__(self, steps: Iterable[Step] = ()) -> None:
        told = tuple(steps)
        cut = len(told) - len(told) % PIECE
        self._full = tuple([told[at : at + PIECE] for at in range(0, cut, PIECE)])
        self._rest = told[cut:]

    def grown(self, step: Step) -> "Trail":
        """The trail with one more step."""
        return _put_together(self._full, (*self._rest, step))

    def ending(self, step: Step) -> "Trail":
        """The trail with another step in the place of its last."""
        if self._rest:
            return _put_together(self._full, (*self._rest[:-1], step))
        return _put_together(self._full[:-1], (*self._full[-1][:-1], step))

    def __len__(self) -> int:
        return PIECE * len(self._full) + len(self._rest)

    def __iter__(self) -> Iterator[Step]:
        return chain(chain.from_iterable(self._full), self._rest)

    @overload
    def __getitem__(self, at: int) -> Step: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Step, ...]: ...
    def __getitem__(self, at: int | slice) -> Step | tuple[Step, ...]:
        if at == -1 and self._rest:
            return self._rest[-1]
        if isinstance(at, slice):
            return tuple(self)[at]
        piece, place = divmod(at if at >= 0 else len(self) + at, PIECE)
        if not 0 <= piece <= len(self._full):
            raise IndexError(f"a trail of {len(self)} steps has none at {at}")
        return (self._rest if piece == len(self._full) else self._full[piece])[place]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Trail) and (self._full, self._rest) == (other._full, other._rest)

    def __hash__(self) -> int:
        return hash((self._full, self._rest))

    def __repr__(self) -> str:
        return f"Trail({tuple(self)!r})"


def _put_together(full: tuple[tuple[Step, ...], ...], rest: tuple[Step, ...]) -> Trail:
    trail = Trail.__new__(Trail)
    trail._full, trail._rest = (full, rest) if len(rest) < PIECE else ((*full, rest), ())
    return trail
