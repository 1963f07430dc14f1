"""The four chairs, clockwise N E S W (E is N's left), and values kept one a chair."""

from collections.abc import Callable, Iterator
from typing import Generic, Literal, TypeVar

import msgspec

from domain.value import Value

Seat = Literal["N", "E", "S", "W"]
SEATS: tuple[Seat, ...] = ("N", "E", "S", "W")
LEFT: dict[Seat, Seat] = {"N": "E", "E": "S", "S": "W", "W": "N"}
RIGHT: dict[Seat, Seat] = {left: seat for seat, left in LEFT.items()}
OPPOSITE: dict[Seat, Seat] = {seat: LEFT[LEFT[seat]] for seat in SEATS}

T = TypeVar("T", covariant=True)
U = TypeVar("U")


class Four(Value, Generic[T], frozen=True, forbid_unknown_fields=True):
    """One value for each chair; on the wire `{"N": .., "E": .., "S": .., "W": ..}`."""

    N: T
    E: T
    S: T
    W: T

    def __getitem__(self, seat: Seat) -> T:
        return getattr(self, seat)  # type: ignore[no-any-return]

    def __iter__(self) -> Iterator[T]:
        return iter((self.N, self.E, self.S, self.W))

    def items(self) -> Iterator[tuple[Seat, T]]:
        return zip(SEATS, self, strict=True)


class Some(Value, Generic[T], frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A value for some of the chairs, nothing for the rest; on the wire only those that are there."""

    N: T | None = None
    E: T | None = None
    S: T | None = None
    W: T | None = None

    def __getitem__(self, seat: Seat) -> T | None:
        return getattr(self, seat)  # type: ignore[no-any-return]

    def items(self) -> Iterator[tuple[Seat, T]]:
        """The chairs that have a value, clockwise from N."""
        values = zip(SEATS, (self.N, self.E, self.S, self.W), strict=True)
        return iter([(seat, value) for seat, value in values if value is not None])


def four(of: Callable[[Seat], U]) -> Four[U]:
    """The value of a function at each chair."""
    return Four(of("N"), of("E"), of("S"), of("W"))


def each(value: U) -> Four[U]:
    """The same value at every chair."""
    return Four(value, value, value, value)


def put(values: Four[U], seat: Seat, value: U) -> Four[U]:
    """The same values, with another one at `seat`."""
    return msgspec.structs.replace(values, **{seat: value})


def put_some(values: Some[U], seat: Seat, value: U) -> Some[U]:
    """The same values, with one more (or another one) at `seat`."""
    return msgspec.structs.replace(values, **{seat: value})


def add(one: Four[int], other: Four[int]) -> Four[int]:
    """Two amounts a chair, summed chair by chair."""
    return Four(one.N + other.N, one.E + other.E, one.S + other.S, one.W + other.W)


def less(one: Four[int], other: Four[int]) -> Four[int]:
    """One amount a chair less another, chair by chair."""
    return Four(one.N - other.N, one.E - other.E, one.S - other.S, one.W - other.W)


def clockwise(start: Seat) -> tuple[Seat, Seat, Seat, Seat]:
    """The four chairs in order of play, from `start`."""
    place = SEATS.index(start)
    ordered = SEATS[place:] + SEATS[:place]
    return ordered[0], ordered[1], ordered[2], ordered[3]
