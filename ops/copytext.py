"""Rows of projections as the text that COPY reads, made in one go.

The driver's own writing of a row looks up how to write each value; here all values are of a handful of
types, and a third of the time is enough. The form is that of PostgreSQL's COPY in text format: tabs between
fields, `\\N` for null, arrays in braces.
"""

import re
from collections.abc import Iterable
from typing import Any

from projections import Row

_SPECIAL = re.compile(r"[\\\t\n\r]")
_PLAIN = re.compile(r"[A-Za-z0-9:/.\-]+")
_ESCAPES = {"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"}


def copy_text(rows: Iterable[Row]) -> bytes:
    """The lines of some rows."""
    return "".join("\t".join([_field(value) for value in row]) + "\n" for row in rows).encode()


def _field(value: Any) -> str:
    if value is None:
        return "\\N"
    if value is True:
        return "t"
    if value is False:
        return "f"
    if isinstance(value, list):
        return _escaped("{" + ",".join([_element(inner) for inner in value]) + "}")
    return _escaped(value) if isinstance(value, str) else str(value)


def _element(value: Any) -> str:
    if value is None:
        return "NULL"
    text = str(value)
    # A bare NULL would be read as a null; whatever is not plainly plain is quoted.
    if _PLAIN.fullmatch(text) and text.upper() != "NULL":
        return text
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _escaped(text: str) -> str:
    return _SPECIAL.sub(lambda found: _ESCAPES[found[0]], text) if _SPECIAL.search(text) else text
