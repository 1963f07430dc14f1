"""A session as folded from the log, kept in memory by version.

What is kept here only saves reading: an append states the version and hash it builds on, and the log
decides. It moves on only after a commit that is certain, or by reading what the log holds.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from itertools import groupby

import msgspec

from domain.events import AnyEvent
from domain.session import Session, fold, initial
from projections import alters
from service.envelope import GENESIS, Envelope, decode, link
from service.lines import Lines, followed
from service.texts import Text


class Tampered(Exception):
    """What the log holds of a session does not agree with its head; nothing more is appended to it."""


class Folded(msgspec.Struct, frozen=True):
    """One session at one version.

    The lists and mappings are shared with the later versions, which only ever add to them: `envelopes` and their
    `hashes` may run on past this version. `ids` gives the version of the first event of each entry with an id.
    """

    session_id: str
    club_id: str
    session: Session = msgspec.field(default_factory=initial)
    version: int = 0
    hash: bytes = GENESIS
    voided: bool = False
    erasures: int = 0
    envelopes: list[Envelope] = []
    ids: dict[str, int] = {}
    texts: dict[str, Text] = {}
    hashes: list[bytes] = []
    lines: Lines = ()

    def __repr__(self) -> str:
        return f"Folded({self.session_id!r}, version {self.version})"

    def moved(
        self,
        session: Session,
        envelopes: Sequence[Envelope],
        hashes: Sequence[bytes],
        lines: Lines = (),
        texts: Iterable[Text] = (),
    ) -> Folded:
        """The session with these events, now certainly in the log, on top."""
        if len(self.envelopes) == self.version:
            self.envelopes.extend(envelopes)
            self.hashes.extend(hashes)
        for envelope in envelopes:
            if envelope.id is not None:
                self.ids[envelope.id] = envelope.version
        for text in texts:
            self.texts[text.digest] = text
        version = self.version + len(envelopes)
        return Folded(
            session_id=self.session_id,
            club_id=self.club_id,
            session=session,
            version=version,
            hash=hashes[-1] if hashes else self.hash,
            voided=self.voided,
            erasures=self.erasures,
            envelopes=self.envelopes,
            ids=self.ids,
            texts=self.texts,
            hashes=self.hashes,
            lines=lines,
        )

    @property
    def told(self) -> Sequence[Envelope]:
        """The events up to this version."""
        return self.envelopes if len(self.envelopes) == self.version else self.envelopes[: self.version]

    def read(self, bodies: Iterable[bytes]) -> Folded:
        """The session with what the log holds after its version on top."""
        envelopes: list[Envelope] = []
        hashes: list[bytes] = []
        head = self.hash
        for body in bodies:
            head = link(head, body)
            hashes.append(head)
            envelopes.append(decode(body))
        session, lines = traced(self.session, self.lines, envelopes)
        return self.moved(session, envelopes, hashes, lines)

    def entry_versions(self, version: int) -> range:
        """The versions of the entry whose first event has this version."""
        number, last = self.envelopes[version - 1].entry, version
        while last < self.version and self.envelopes[last].entry == number:
            last += 1
        return range(version, last + 1)

    def version_at(self, time: str) -> int:
        """The last version recorded at or before a time, written as the log does; 0 where nothing was by then."""
        return next((envelope.version for envelope in reversed(self.told) if envelope.at <= time), 0)

    def primaries(self) -> list[Envelope]:
        """The first event of each entry, in order."""
        told = self.told
        return [e for at, e in enumerate(told) if at == 0 or told[at - 1].entry != e.entry]


def traced(session: Session, lines: Lines, envelopes: Sequence[Envelope]) -> tuple[Session, Lines]:
    """The session and its lines after whole entries; it is folded in one go up to each entry that may alter a line."""
    waiting: list[AnyEvent] = []
    for told in entries_of(envelopes):
        if not alters(envelope.data for envelope in told):
            waiting += [envelope.data for envelope in told]
            continue
        before = fold(session, waiting)
        session, waiting = fold(before, [envelope.data for envelope in told]), []
        lines = followed(lines, before, session, told[0].data, told[-1].version, told[0].at)
    return fold(session, waiting), lines


def entries_of(envelopes: Sequence[Envelope]) -> list[list[Envelope]]:
    """The events of a log entry by entry."""
    return [list(told) for _, told in groupby(envelopes, key=lambda envelope: envelope.entry)]


class Cache:
    """The sessions folded last, at most `size` of them."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._folded: OrderedDict[str, Folded] = OrderedDict()

    def get(self, session_id: str) -> Folded | None:
        folded = self._folded.get(session_id)
        if folded is not None:
            self._folded.move_to_end(session_id)
        return folded

    def put(self, folded: Folded) -> None:
        """Keeps the session, unless a later version of it is here already."""
        known = self._folded.get(folded.session_id)
        if known is None or known.version <= folded.version:
            self._folded[folded.session_id] = folded
            if len(self._folded) > self._size:
                self._folded.popitem(last=False)

    def drop(self, session_id: str) -> None:
        """Forgets the session: it is read anew when it is needed."""
        self._folded.pop(session_id, None)
