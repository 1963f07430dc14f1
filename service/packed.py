"""Arrays in PostgreSQL's binary form, packed in one go.

An append passes its rows as a dozen arrays to `unnest`. The driver's general way of writing a list
looks at every element twice in Python; these elements are bytes of one known type, and packing
them here takes a third of the time. The form is that of PostgreSQL's `array_send`: the number of
dimensions, a flag for nulls, the element's type, length and lower bound, then each element with its
length before it (-1 for null).
"""

import datetime
import struct
from collections.abc import Iterable, Sequence

_HEAD = struct.Struct("!iiIii")
_EMPTY = struct.Struct("!iiI")
_LENGTH = struct.Struct("!i").pack
_NULL = _LENGTH(-1)
_EPOCH = datetime.datetime(2000, 1, 1, tzinfo=datetime.UTC)
_MICROSECOND = datetime.timedelta(microseconds=1)


def _pack(element: int, items: Sequence[bytes | None]) -> bytes:
    if not items:
        return _EMPTY.pack(0, 0, element)
    parts = [part for item in items for part in ((_NULL,) if item is None else (_LENGTH(len(item)), item))]
    return _HEAD.pack(1, None in items, element, len(items), 1) + b"".join(parts)


def _pack_numbers(element: int, form: str, items: Sequence[int]) -> bytes:
    """Numbers of one size, given as a format of `struct`, and none of them null."""
    if not items:
        return _EMPTY.pack(0, 0, element)
    size = struct.calcsize("!" + form)
    flat = [part for item in items for part in (size, item)]
    return _HEAD.pack(1, 0, element, len(items), 1) + struct.pack("!" + f"i{form}" * len(items), *flat)


def ints(items: Iterable[int]) -> bytes:
    return _pack_numbers(23, "i", list(items))


def byteas(items: Iterable[bytes]) -> bytes:
    return _pack(17, list(items))


def texts(items: Iterable[str | None]) -> bytes:
    return _pack(25, [None if item is None else item.encode() for item in items])


def times(items: Iterable[str]) -> bytes:
    """Times as the log writes them, RFC 3339 in UTC: microseconds since the year 2000 on the wire."""
    told = list(items)
    moments = {item: (datetime.datetime.fromisoformat(item) - _EPOCH) // _MICROSECOND for item in set(told)}
    return _pack_numbers(1184, "q", [moments[item] for item in told])
