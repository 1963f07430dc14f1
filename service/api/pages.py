"""Pages: a cursor says where the next one begins, and is opaque to whoever carries it."""

from __future__ import annotations

import base64
import datetime
from collections.abc import Sequence
from typing import Annotated, Any, TypeVar

import msgspec
from litestar.params import QueryParameter

from service.problems import Problem

T = TypeVar("T")
Limit = Annotated[int, QueryParameter(ge=1, le=500, description="How many at most.")]


def write_cursor(*values: Any) -> str:
    """The cursor behind a row with these sort values."""
    return base64.urlsafe_b64encode(msgspec.json.encode(values)).rstrip(b"=").decode()


def read_cursor(cursor: str, kinds: tuple[type, ...]) -> tuple[Any, ...]:
    """The sort values of a cursor; raises a problem for one that was not made here."""
    try:
        raw = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))
        return msgspec.json.decode(raw, type=tuple[kinds])  # type: ignore[valid-type]
    except (ValueError, msgspec.MsgspecError) as error:
        raise Problem(400, "malformed", "this cursor was not given by a page of this list") from error


def cut(found: Sequence[T], limit: int) -> tuple[list[T], bool]:
    """A page out of one row more than it holds, and whether another follows."""
    return list(found[:limit]), len(found) > limit


def aware(time: datetime.datetime) -> datetime.datetime:
    """The same time; raises a problem where it does not say its offset, or lies beyond what can be reckoned with."""
    if time.tzinfo is None:
        raise Problem(400, "malformed", f"the time {time.isoformat()} lacks its offset; Z stands for UTC")
    try:
        return time.astimezone(datetime.UTC)
    except OverflowError as error:
        raise Problem(400, "malformed", f"the time {time.isoformat()} lies out of reach") from error
