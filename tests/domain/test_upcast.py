"""The mechanism by which old shapes are read; today there are none."""

from __future__ import annotations

import msgspec
import pytest

from domain.events import AnyEvent, CorrectionMade, PackCut, Stands
from domain.upcast import LIFTS, Lift, decode, lifted

DEALT = Lift("pack_divided", lambda _: True, lambda old: old | {"type": "pack_cut"})
BY = Lift("pack_cut", lambda old: "cutter" in old, lambda old: {"type": "pack_cut", "by": old["cutter"]})
OLD = {"type": "pack_divided", "cutter": "S"}


class Kept(msgspec.Struct):
    version: int
    data: AnyEvent


DECODER = msgspec.json.Decoder(Kept)


def body(event: object) -> bytes:
    return msgspec.json.encode({"version": 3, "data": event})


def test_todays_shapes_are_the_first() -> None:
    assert LIFTS == ()
    event = {"type": "pack_cut", "by": "S"}
    assert lifted(event) == event
    assert decode(DECODER, body(event)) == Kept(3, PackCut(by="S"))


def test_an_old_shape_is_lifted_step_by_step() -> None:
    assert lifted(OLD, (DEALT, BY)) == {"type": "pack_cut", "by": "S"}
    assert decode(DECODER, body(OLD), (DEALT, BY)) == Kept(3, PackCut(by="S"))


def test_a_present_shape_is_left_alone() -> None:
    event = PackCut(by="N", at=20)
    assert decode(DECODER, body(event), (DEALT, BY)) == Kept(3, event)


def test_the_events_that_a_correction_carries_are_lifted_too() -> None:
    line = [{"as": "kept", "count": 1}, {"as": "stands", "number": 9, "events": [OLD]}]
    made = {"type": "correction_made", "changes": [{"at": 4}], "reason": "misheard", "first": 2, "line": line}
    read = decode(DECODER, body(made), (DEALT, BY)).data
    assert isinstance(read, CorrectionMade)
    assert read.line[1] == Stands(9, (PackCut(by="S"),))


@pytest.mark.parametrize("wrong", [{"type": "pack_eaten"}, {"type": "pack_cut", "by": "X"}, [], 7, {}])
def test_what_is_of_no_shape_known_is_refused(wrong: object) -> None:
    with pytest.raises(msgspec.ValidationError):
        decode(DECODER, body(wrong), (DEALT, BY))
    with pytest.raises(msgspec.DecodeError):
        decode(DECODER, b"{", (DEALT, BY))
