"""The rows of the projections, written in the transaction of the append that alters them.

A card, a call or a cut alters nothing: no row is computed and nothing is written. At the end of a deal, and
when something was taken back, the session's rows are computed before and after, and what differs is written.
"""

from __future__ import annotations

from collections.abc import Sequence

from projections import Meta, Rows, alters, changes, evening, rows
from service.append import Also
from service.envelope import Envelope
from service.folded import Folded
from service.queries import query


def written_with(folded: Folded, envelopes: Sequence[Envelope]) -> tuple[Also, ...]:
    """What the projections write when these events are appended to a session: one statement, or none."""
    if not alters(envelope.data for envelope in envelopes):
        return ()
    told = folded.envelopes[: folded.version]
    meta = Meta(folded.session_id, folded.club_id, folded.voided)
    return _written(rows(evening(meta, told)) if told else {}, rows(evening(meta, [*told, *envelopes])))


def written_when_voided(folded: Folded) -> tuple[Also, ...]:
    """What the projections write when a session is voided, which takes it out of every statistic."""
    told = folded.envelopes[: folded.version]
    before = Meta(folded.session_id, folded.club_id, folded.voided)
    after = Meta(folded.session_id, folded.club_id, True)
    return _written(rows(evening(before, told)), rows(evening(after, told)))


def _written(before: Rows, after: Rows) -> tuple[Also, ...]:
    document = changes(before, after)
    return () if document is None else (Also(query("write_facts"), {"changes": document.decode()}),)
