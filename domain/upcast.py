"""Old shapes of events, lifted to the present one when they are read: the one place that knows them.

What lies in a log is never rewritten. A field added with a default needs nothing here. Any other change of an
event's shape gets a `Lift`, which turns the wire form of the old shape into that of the next; a shape that would
still decode but means something else needs a new `type` first. Today's shapes are the first, so `LIFTS` is empty.

Reading tries the present shape first and lifts only what does not fit it, so lifts cost nothing to the events of
today.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import msgspec

Wire = dict[str, Any]
T = TypeVar("T")


class Lift(NamedTuple):
    """One change of shape: the `type` that it was written under, whether a wire form is of the old shape, and how
    the next shape is made of it.
    """

    type: str
    old: Callable[[Wire], bool]
    lift: Callable[[Wire], Wire]


LIFTS: tuple[Lift, ...] = ()
"""All changes of shape so far, the oldest first."""


def lifted(event: Wire, lifts: tuple[Lift, ...] = LIFTS) -> Wire:
    """The wire form of an event in its present shape; events that a correction carries are lifted with it."""
    for step in lifts:
        if event.get("type") == step.type and step.old(event):
            event = step.lift(event)
    if event.get("type") == "correction_made" and isinstance(event.get("line"), list):
        event = event | {"line": [_piece(piece, lifts) for piece in event["line"]]}
    return event


def _piece(piece: Wire, lifts: tuple[Lift, ...]) -> Wire:
    if "events" not in piece:
        return piece
    return piece | {"events": [lifted(event, lifts) for event in piece["events"]]}


def decode(decoder: msgspec.json.Decoder[T], body: bytes, lifts: tuple[Lift, ...] = LIFTS) -> T:
    """An envelope from its bytes, with the event in its field `data` lifted where it is of an old shape.

    Raises `msgspec.ValidationError` where the bytes are of no shape known, `msgspec.DecodeError` where they are no
    JSON.
    """
    try:
        return decoder.decode(body)
    except msgspec.ValidationError:
        wire = msgspec.json.decode(body)
        if not isinstance(wire, dict) or not isinstance(wire.get("data"), dict):
            raise
        now = lifted(wire["data"], lifts)
        if now == wire["data"]:
            raise
        return decoder.decode(msgspec.json.encode(wire | {"data": now}))
