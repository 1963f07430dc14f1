"""The rows of the projections, written in the transaction of the append that alters them.

A card, a call or a cut alters nothing: no row is computed and nothing is written. At the end of a deal, and
when something was taken back, the session's rows are computed before and after, and what differs is written.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import NamedTuple

from projections import Evening, Meta, Rows, Walk, alters, changes, evening, rows
from service.append import Also
from service.envelope import Envelope
from service.folded import Folded
from service.queries import query


class Writer:
    """Tells what the projections write when events are appended to a session: one statement, or none.

    It remembers how far it read the sessions it wrote last, so that what was read is not read again. That holds as
    long as the events it was read from are those of the session, which the last of them vouches for, and none that
    followed alters a row: a card that was undone before its deal came to an end does not. An append that failed
    leaves other events behind.
    """

    def __init__(self, keep: int = 64) -> None:
        self._keep = keep
        self._known: OrderedDict[str, _Read] = OrderedDict()

    def __call__(self, folded: Folded, envelopes: Sequence[Envelope]) -> tuple[Also, ...]:
        if not alters(envelope.data for envelope in envelopes):
            return ()
        told = folded.told
        meta = Meta(folded.session_id, folded.club_id, folded.voided)
        known = self._known.pop(folded.session_id, None)
        if told and (known is None or not known.holds(meta, told)):
            known = _read(Walk(meta, told), told[-1])
        if known is not None and not known.walk.alters(envelopes):
            self._keeps(folded.session_id, known)
            return ()
        if known is not None and known.walk.leads_to(envelopes):
            walk = known.walk
            walk.goes_on([*told[known.last.version :], *envelopes])
        else:
            walk = Walk(meta, [*told, *envelopes])
        read = _read(walk, envelopes[-1], known)
        self._keeps(folded.session_id, read)
        return _written(known.rows if known is not None else {}, read.rows)

    def _keeps(self, session_id: str, read: _Read) -> None:
        self._known[session_id] = read
        if len(self._known) > self._keep:
            self._known.popitem(last=False)


class _Read(NamedTuple):
    """A session's evening and its rows, the walk that told them, and the last event that it passed."""

    walk: Walk
    evening: Evening
    rows: Rows
    last: Envelope

    def holds(self, meta: Meta, told: Sequence[Envelope]) -> bool:
        """Is this what a log gives that has come so far?"""
        at = self.last.version
        current = meta == self.evening.meta and at <= len(told) and told[at - 1] is self.last
        return current and not self.walk.alters(told[at:])


def _read(walk: Walk, last: Envelope, before: _Read | None = None) -> _Read:
    told = walk.evening()
    return _Read(walk, told, rows(told, None if before is None else (before.evening, before.rows)), last)


def written_when_voided(folded: Folded) -> tuple[Also, ...]:
    """What the projections write when a session is voided, which takes it out of every statistic."""
    told = folded.told
    before = Meta(folded.session_id, folded.club_id, folded.voided)
    after = Meta(folded.session_id, folded.club_id, True)
    return _written(rows(evening(before, told)), rows(evening(after, told)))


def _written(before: Rows, after: Rows) -> tuple[Also, ...]:
    document = changes(before, after)
    return () if document is None else (Also(query("write_facts"), {"changes": document.decode()}),)
