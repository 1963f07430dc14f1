"""A trail is the sequence of its steps, however it came about."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.game import Step, Unopened
from domain.trail import PIECE, Trail

STEPS = [Step(number, Unopened(), ()) for number in range(1, 3 * PIECE + 2)]


@given(st.integers(0, len(STEPS)), st.integers(-len(STEPS) - 2, len(STEPS) + 2), st.slices(len(STEPS)))
def test_a_trail_reads_as_the_tuple_of_its_steps(length: int, at: int, some: slice) -> None:
    told = tuple(STEPS[:length])
    trail = Trail()
    for step in told:
        before, trail = trail, trail.grown(step)
        assert len(before) + 1 == len(trail)
    assert trail == Trail(told)
    assert hash(trail) == hash(Trail(told))
    assert tuple(trail) == told
    assert trail[some] == told[some]
    if -length <= at < length:
        assert trail[at] == told[at]
    else:
        with pytest.raises(IndexError):
            trail[at]


@given(st.integers(1, len(STEPS)))
def test_another_last_step_leaves_all_others_and_the_trail_before(length: int) -> None:
    other, before = Step(0, Unopened(), ()), Trail(STEPS[:length])
    trail = before.ending(other)
    assert trail == Trail((*STEPS[: length - 1], other)) != before == Trail(STEPS[:length])


def test_two_trails_that_grow_from_one_share_nothing_that_differs() -> None:
    for length in (PIECE - 1, PIECE, PIECE + 1):
        start, other = Trail(STEPS[:length]), Step(0, Unopened(), ())
        one, two = start.grown(STEPS[length]), start.grown(other)
        assert (one[-1], two[-1]) == (STEPS[length], other)
        assert one[:-1] == two[:-1] == tuple(start)
