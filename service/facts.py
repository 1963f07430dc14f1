"""The rows of the projections, written in the transaction of the append that alters them.

A card, a call or a cut alters nothing: no row is computed and nothing is written. At the end of a deal, and
when something was taken back, the session's rows are computed before and after, and what differs is written.
"""

from __future__ import annotations

from collections import OrderedDict
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


class Writer:
    """`written_with`, remembering the rows of the sessions it wrote last: half of them need not be computed again.

    What it remembers of a session holds as long as the events it was computed from are those of the session, which
    the last of them vouches for, and none that followed alters a row. An append that failed leaves other events behind.
    """

    def __init__(self, keep: int = 64) -> None:
        self._keep = keep
        self._known: OrderedDict[str, tuple[Envelope, bool, Rows]] = OrderedDict()

    def __call__(self, folded: Folded, envelopes: Sequence[Envelope]) -> tuple[Also, ...]:
        if not alters(envelope.data for envelope in envelopes):
            return ()
        told = folded.envelopes[: folded.version]
        meta = Meta(folded.session_id, folded.club_id, folded.voided)
        before = self._before(meta, told)
        after = rows(evening(meta, [*told, *envelopes]))
        self._known[folded.session_id] = (envelopes[-1], folded.voided, after)
        if len(self._known) > self._keep:
            self._known.popitem(last=False)
        return _written(before, after)

    def _before(self, meta: Meta, told: Sequence[Envelope]) -> Rows:
        known = self._known.pop(meta.session_id, None)
        if known is not None:
            last, void, held = known
            current = void == meta.void and last.version <= len(told) and told[last.version - 1] is last
            if current and not alters(envelope.data for envelope in told[last.version :]):
                return held
        return rows(evening(meta, told)) if told else {}


def written_when_voided(folded: Folded) -> tuple[Also, ...]:
    """What the projections write when a session is voided, which takes it out of every statistic."""
    told = folded.envelopes[: folded.version]
    before = Meta(folded.session_id, folded.club_id, folded.voided)
    after = Meta(folded.session_id, folded.club_id, True)
    return _written(rows(evening(before, told)), rows(evening(after, told)))


def _written(before: Rows, after: Rows) -> tuple[Also, ...]:
    document = changes(before, after)
    return () if document is None else (Also(query("write_facts"), {"changes": document.decode()}),)
