"""A projection: a pure function from an evening to the rows of one table, and the difference of two sets of rows."""

from collections.abc import Callable, Container, Iterable, Mapping
from typing import Any

import msgspec

from projections.evening import Evening

Row = tuple[Any, ...]
Rows = dict[str, dict[Row, Row]]
"""A session's rows: for each projection, its rows by their keys."""


class Projection(msgspec.Struct, frozen=True):
    """One table of the schema `facts`, named as the projection; `key` are the first columns, session_id the very first.

    `version` goes up whenever the rows of an unchanged log would come out otherwise, which asks for a rebuild.
    `by_deal` says that the second column is a deal's place, and that its rows depend on that deal, on what moved up to
    its end and on the evening's head alone.
    """

    name: str
    version: int
    key: int
    columns: tuple[str, ...]
    handles: frozenset[type[Any]]
    rows: Callable[[Evening], Iterable[Row]]
    by_deal: bool = False


def keyed(projection: Projection, told: Evening) -> dict[Row, Row]:
    """A projection's rows of an evening, by their keys."""
    key = projection.key
    return {row[:key]: row for row in projection.rows(told)}


def gone_on(
    projection: Projection, told: Evening, known: Mapping[Row, Row], unaltered: Container[int]
) -> dict[Row, Row]:
    """The same, where the rows of some deals by their places are `known` from the evening as it was before."""
    if not projection.by_deal:
        return keyed(projection, told)
    rows = {key: row for key, row in known.items() if key[1] in unaltered}
    rest = msgspec.structs.replace(told, deals=[deal for deal in told.deals if deal.place not in unaltered])
    return rows | keyed(projection, rest)


def changes(before: Rows, after: Rows, tables: Mapping[str, Projection]) -> bytes | None:
    """What `facts.write` has to do to turn a session's rows into others, as its JSON; nothing where they are equal.

    For each table `gone` lists the keys of rows that are no more or are otherwise, and `rows` those that are
    new or otherwise.
    """
    document: dict[str, dict[str, list[dict[str, Any]]]] = {}
    for name, rows in after.items():
        old, projection = before.get(name, {}), tables[name]
        fresh = {key: row for key, row in rows.items() if (was := old.get(key)) is not row and was != row}
        gone = [key for key in fresh if key in old]
        if len(rows) - len(fresh) + len(gone) < len(old):
            gone += [key for key in old if key not in rows]
        columns = projection.columns
        if fresh or gone:
            document[name] = {
                "gone": [dict(zip(columns, key, strict=False)) for key in gone],
                "rows": [dict(zip(columns, row, strict=True)) for row in fresh.values()],
            }
    return msgspec.json.encode(document) if document else None
