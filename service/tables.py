"""Answers as tables: the same values that the JSON holds, in columns of a CSV (RFC 4180, UTF-8)."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec


def flat(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """A value's figures by their paths: a field of a field is `money_mean`, the second of a list `rows_2`."""
    prefix = f"{name}_" if name else ""
    if isinstance(value, msgspec.Struct):
        for field in value.__struct_fields__:
            yield from flat(getattr(value, field), prefix + field)
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from flat(inner, f"{prefix}{key}")
    elif isinstance(value, list | tuple):
        for place, inner in enumerate(value, start=1):
            yield from flat(inner, f"{prefix}{place}")
    else:
        yield name, value


def columns(kind: type[Any], name: str = "") -> list[str]:
    """The columns of a row of this kind, whether or not there is any."""
    prefix = f"{name}_" if name else ""
    found = []
    for field in msgspec.structs.fields(kind):
        inner = field.type
        if isinstance(inner, type) and issubclass(inner, msgspec.Struct):
            found += columns(inner, prefix + field.name)
        else:
            found.append(prefix + field.name)
    return found


def lines(rows: Iterable[Iterable[Any]]) -> str:
    """Rows as CSV. A null is an empty field; numbers are written as in the JSON."""
    text = io.StringIO(newline="")
    csv.writer(text).writerows([_cell(value) for value in row] for row in rows)
    return text.getvalue()


def _cell(value: Any) -> Any:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        # A spreadsheet takes a leading = + - @ for a formula; text that begins so is quoted with an apostrophe.
        return f"'{value}" if value[:1] in ("=", "+", "-", "@", "\t", "\r") else value
    if isinstance(value, int | float):
        return msgspec.json.encode(value).decode()
    return msgspec.to_builtins(value)
