"""The envelope: an event with all that the log knows about it, as the exact bytes that are kept.

A body is encoded once, hashed, stored, and from then on only copied. Each event's hash covers the
hash before it, so a stream is a chain that SQL alone can check. What the bytes say is the truth; the
columns beside them repeat it for queries.
"""

import datetime
from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha256
from time import time_ns

import msgspec

from domain import upcast
from domain.events import AnyEvent
from domain.value import Value

GENESIS = bytes(32)
"""The hash before the first event."""


class Envelope(Value, frozen=True, kw_only=True, omit_defaults=True):
    """One event of a session.

    `entry` is the number of the entry it follows from; that entry's first event alone carries the `id` and the
    `tablet`'s time. `club` stands in the opening event. `device` is a salted digest (see `service.texts`).
    `second` is the key that agreed where one alone was not enough.
    """

    session: str
    version: int
    entry: int
    id: str | None = None
    club: str | None = None
    key: str | None = None
    role: str | None = None
    device: str | None = None
    second: str | None = None
    at: str
    tablet: str | None = None
    data: AnyEvent


class Sealed(Value, frozen=True, gc=False):
    """An event ready for the log: its row in `boston.events`."""

    version: int
    entry: int
    entry_id: str | None
    type: str
    at: str
    body: bytes
    hash: bytes


class Actor(Value, frozen=True, kw_only=True):
    """Who records: the key's id and role, the name of the device as the tablet gives it, and a `second` key's id."""

    key: str | None = None
    role: str | None = None
    device: str | None = None
    second: str | None = None


encode = msgspec.json.Encoder().encode
_decoder = msgspec.json.Decoder(Envelope)


def decode(body: bytes) -> Envelope:
    """The envelope of a body, its event lifted to the present shape where it is of an old one."""
    return upcast.decode(_decoder, body)


def seal(previous: bytes, envelopes: Sequence[Envelope]) -> list[Sealed]:
    """The rows of consecutive events, chained to the hash before them."""
    rows = []
    for envelope in envelopes:
        body = encode(envelope)
        previous = link(previous, body)
        kind = tag(envelope.data)
        rows.append(Sealed(envelope.version, envelope.entry, envelope.id, kind, envelope.at, body, previous))
    return rows


def link(previous: bytes, body: bytes) -> bytes:
    """The hash of an event: SHA-256 of the hash before it and its body."""
    return sha256(previous + body).digest()


def tag(event: AnyEvent) -> str:
    """The event's type on the wire."""
    kind: str = type(event).__struct_config__.tag  # type: ignore[assignment]
    return kind


def now() -> str:
    """The server's time as the log writes it: RFC 3339, UTC, microseconds, exactly what a timestamptz holds."""
    seconds, rest = divmod(time_ns() // 1000, 1_000_000)
    return f"{_second(seconds)}.{rest:06}Z"


@lru_cache(maxsize=8)
def _second(seconds: int) -> str:
    return datetime.datetime.fromtimestamp(seconds, datetime.UTC).isoformat()[:19]


def written(time: datetime.datetime) -> str:
    """A time as the log writes it; of two times the later one is the greater text too."""
    return time.astimezone(datetime.UTC).isoformat(timespec="microseconds")[:-6] + "Z"
