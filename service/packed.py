"""Arrays in PostgreSQL's binary form, packed in one go.

An append passes its rows as a dozen arrays to `unnest`. The driver's general way of writing a list
looks at every element twice in Python; these elements are bytes of one known type, and packing
them here takes a third of the time. The form is that of PostgreSQL's `array_send`: the number of
dimensions, a flag for nulls, the element's type, length and lower bound, then each element with its
length before it (-1 for null).
"""

import datetime
import struct
from collections.abc import Iterable

_HEAD = struct.Struct("!iiIii")
_EMPTY = struct.Struct("!iiI")
_LENGTH = struct.Struct("!i").pack
_INT4 = struct.Struct("!i").pack
_INT8 = struct.Struct("!q").pack
_NULL = _LENGTH(-1)
_EPOCH = datetime.datetime(2000, 1, 1, tzinfo=datetime.UTC)
_MICROSECOND = datetime.timedelta(microseconds=1)


def _pack(element: int, items: list[bytes | None]) -> bytes:
    if not items:
        return _EMPTY.pack(0, 0, element)
    parts = [_HEAD.pack(1, None in items, element, len(items), 1)]
    for item in items:
        if item is None:
            parts.append(_NULL)
        else:
            parts.append(_LENGTH(len(item)))
            parts.append(item)
    return b"".join(parts)


def ints(items: Iterable[int]) -> bytes:
    return _pack(23, [_INT4(item) for item in items])


def byteas(items: Iterable[bytes]) -> bytes:
    return _pack(17, list(items))


def texts(items: Iterable[str | None]) -> bytes:
    return _pack(25, [None if item is None else item.encode() for item in items])


def times(items: Iterable[str]) -> bytes:
    """Times as the log writes them, RFC 3339 in UTC: microseconds since the year 2000 on the wire."""
    moments: dict[str, bytes] = {}
    packed: list[bytes | None] = []
    for item in items:
        if item not in moments:
            moments[item] = _INT8((datetime.datetime.fromisoformat(item) - _EPOCH) // _MICROSECOND)
        packed.append(moments[item])
    return _pack(1184, packed)
