"""Questions asked of the record, answered as rows computed from events.

A projection is a pure function from one session's events to the rows of one table; all are listed in
`ALL`. They are written in the transaction of the append that alters them:

    told = evening(Meta(session_id, club_id), envelopes)
    after = rows(told)
    document = changes(before, after)      # for `SELECT facts.write(document)`
"""

from collections.abc import Iterable
from typing import Any

from projections import projection as _projection
from projections.balances import BALANCES
from projections.deal_players import DEAL_PLAYERS
from projections.deals import DEALS
from projections.disputes import DISPUTES
from projections.evening import Evening, Meta, Recorded
from projections.findings import FINDINGS
from projections.ledger import LEDGER
from projections.pools import POOLS
from projections.projection import Projection, Row, Rows, gone_on, keyed
from projections.session_players import SESSION_PLAYERS
from projections.sessions import SESSIONS
from projections.walk import LASTING, Walk, evening

ALL: tuple[Projection, ...] = (
    SESSIONS,
    SESSION_PLAYERS,
    DEALS,
    DEAL_PLAYERS,
    BALANCES,
    LEDGER,
    POOLS,
    FINDINGS,
    DISPUTES,
)
BY_NAME: dict[str, Projection] = {projection.name: projection for projection in ALL}

__all__ = [
    "ALL",
    "BY_NAME",
    "Evening",
    "Meta",
    "Projection",
    "Recorded",
    "Row",
    "Rows",
    "Walk",
    "alters",
    "changes",
    "evening",
    "rows",
]


def alters(events: Iterable[Any]) -> bool:
    """Can any of these events, appended to a session's log, alter its rows? A card, a call or a cut cannot."""
    return not LASTING.isdisjoint(map(type, events))


def rows(told: Evening, before: tuple[Evening, Rows] | None = None) -> Rows:
    """A session's rows of every projection, by their keys; what they were before spares telling some again."""
    if before is None:
        return {projection.name: keyed(projection, told) for projection in ALL}
    earlier, known = before
    unaltered = told.unaltered(earlier)
    return {projection.name: gone_on(projection, told, known[projection.name], unaltered) for projection in ALL}


def changes(before: Rows, after: Rows) -> bytes | None:
    """The JSON by which `facts.write` turns a session's rows into others; nothing where they are equal."""
    return _projection.changes(before, after, BY_NAME)
