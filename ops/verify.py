"""Verification: is the log what was recorded, and does it still come to the same?

For each session: the chain of hashes, every column against the body it repeats, the numbering of versions and
entries, the fold, and the events of each entry decided anew under the session's own rule set. A settlement that a
newer engine computes otherwise is told apart from one that nothing explains: the record stands as it was
written. A stream whose tail was cut, head and all, is still a valid chain; only a checkpoint taken earlier shows it.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, Literal

import msgspec
import psycopg

from domain.entry_events import entry_of
from domain.events import AnyEvent, DealSettled, SessionOpened
from domain.evolve import Impossible
from domain.game import phase
from domain.refusal import Refusal
from domain.session import Session, decide, evolve, initial
from domain.settlement import ENGINE
from domain.text import UNREAD
from service.envelope import GENESIS, Envelope, decode, link, tag, written
from service.queries import query

Kind = Literal[
    "chain",
    "column",
    "number",
    "body",
    "fold",
    "engine",
    "judgement",
    "head",
    "text",
    "checkpoint",
    "projection",
    "signed",
]


class Problem(msgspec.Struct, frozen=True):
    """Something that does not hold; `version` is None where it is a matter of the whole session."""

    session: str
    version: int | None
    kind: Kind
    message: str

    @property
    def grave(self) -> bool:
        """A difference that a newer engine explains is worth knowing, and no fault of the record."""
        return self.kind != "engine"

    def __str__(self) -> str:
        where = self.session if self.version is None else f"{self.session} version {self.version}"
        return f"{where}: {self.message}"


class Mark(msgspec.Struct, frozen=True):
    """How far a stream had come: its version, and the hash of that version in hex."""

    session: str
    version: int
    hash: str


class Row(msgspec.Struct, frozen=True):
    """An event as the table holds it."""

    session: str
    version: int
    entry: int
    entry_id: str | None
    type: str
    recorded_at: datetime.datetime
    body: bytes
    hash: bytes


@dataclass
class Report:
    """What a verification found, and how much it covered."""

    sessions: int = 0
    events: int = 0
    problems: list[Problem] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)

    @property
    def sound(self) -> bool:
        return not any(problem.grave for problem in self.problems)

    @property
    def broken(self) -> frozenset[str]:
        """The sessions whose events do not read or do not fold, so that nothing can be computed from them."""
        return frozenset(p.session for p in self.problems if p.kind in ("body", "fold", "number"))


class Stream:
    """Follows one session event by event, and notes all that does not hold."""

    def __init__(self, session_id: str, problems: list[Problem]) -> None:
        self.session_id = session_id
        self.session: Session | None = initial()
        self.version = 0
        self.entry = 0
        self.hash = GENESIS
        self.opening: Envelope | None = None
        self.last: Envelope | None = None
        self.times: set[str] = set()
        self._problems = problems
        self._due: list[AnyEvent] = []

    def report(self, version: int | None, kind: Kind, message: str) -> None:
        self._problems.append(Problem(self.session_id, version, kind, message))

    def take(self, version: int, body: bytes, hash_: bytes | None) -> Envelope | None:
        """The next event. `hash_` is the hash stored with it, None where only the last one is known."""
        expected = link(self.hash, body)
        if version != self.version + 1:
            self.report(version, "number", f"version {version} follows version {self.version}")
        if hash_ is not None and hash_ != expected:
            self.report(version, "chain", "the hash is not that of the event before and this body")
        # On from the stored hash, so that one altered event is reported once and not for the rest of the stream.
        self.version, self.hash = version, expected if hash_ is None else hash_
        try:
            envelope = decode(body)
        except (*UNREAD, ValueError) as error:
            self.report(version, "body", f"the body does not read: {error}")
            self.session, self._due = None, []
            return None
        if (envelope.session, envelope.version) != (self.session_id, version):
            self.report(version, "body", f"the body is that of session {envelope.session} version {envelope.version}")
        self.opening, self.last = self.opening or envelope, envelope
        self.times.add(envelope.at)
        self._number(envelope)
        self._fold(envelope)
        return envelope

    def end(self) -> None:
        """After the last event: nothing that should follow may be missing."""
        if self._due:
            self.report(self.version, "judgement", f"{tag(self._due[0])} should follow and does not")

    def _number(self, envelope: Envelope) -> None:
        primary = entry_of(envelope.data) is not None
        expected = self.entry + primary
        if envelope.entry != expected:
            self.report(envelope.version, "number", f"the event is of entry {envelope.entry}, not {expected}")
        self.entry = envelope.entry

    def _fold(self, envelope: Envelope) -> None:
        if self.session is None:
            return
        entry = entry_of(envelope.data)
        if entry is not None:
            self.end()
            decided = decide(self.session, entry)
            if isinstance(decided, Refusal):
                self.report(envelope.version, "judgement", f"the entry would be refused: {decided.message}")
                self._due = []
            else:
                self._due = list(decided)
                self._compare(envelope)
        elif self._due:
            self._compare(envelope)
        else:
            self.report(envelope.version, "judgement", f"{tag(envelope.data)} does not follow from its entry")
        try:
            self.session = evolve(self.session, envelope.data)
        except Impossible as error:
            self.report(envelope.version, "fold", f"the event cannot have followed: {error}")
            self.session, self._due = None, []

    def _compare(self, envelope: Envelope) -> None:
        due, told = self._due.pop(0), envelope.data
        if due == told:
            return
        if isinstance(told, DealSettled) and told.engine < ENGINE:
            self.report(envelope.version, "engine", f"engine {told.engine} settled it, engine {ENGINE} would otherwise")
        else:
            self.report(envelope.version, "judgement", f"decided anew, this {tag(told)} would be another {tag(due)}")


def verify(url: str, session: str | None = None, marks: Iterable[Mark] = ()) -> Report:
    """Verifies all sessions of a database, or one, as of one moment; appends meanwhile are not disturbed."""
    report = Report()
    arguments = {"session": session}
    checkpoint = {mark.session: mark for mark in marks}
    with psycopg.connect(url) as connection:
        connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        connection.read_only = True
        connection.execute("SET TIME ZONE 'UTC'")
        heads = {row[0]: row for row in connection.execute(query("verify_heads", "ops"), arguments, binary=True)}
        for id_, rows in groupby(_rows(connection, arguments), key=lambda row: row.session):
            stream = Stream(id_, report.problems)
            mark = checkpoint.pop(id_, None)
            for row in rows:
                _columns(stream, row)
                _marked(stream, mark)
                report.events += 1
            stream.end()
            _head(stream, heads.pop(id_, None))
            if mark is not None and mark.version > stream.version:
                stream.report(None, "checkpoint", f"ends at version {stream.version}; it had come to {mark.version}")
            report.sessions += 1
            report.marks.append(Mark(id_, stream.version, stream.hash.hex()))
        for id_ in heads:
            report.problems.append(Problem(id_, None, "head", "has a head and no events"))
        for mark in checkpoint.values():
            if session in (None, mark.session):
                missing = f"is gone; it had come to version {mark.version}"
                report.problems.append(Problem(mark.session, None, "checkpoint", missing))
        for id_, digest in connection.execute(query("verify_texts", "ops"), arguments):
            report.problems.append(Problem(id_, None, "text", f"the text of {digest} is not the one that was recorded"))
    return report


def verify_lines(lines: Iterable[bytes], marks: Iterable[Mark] = ()) -> Report:
    """Verifies one exported session: its bodies, one a line, byte for byte, and at the end a line with its mark.

    Without that mark the bodies fold, but nothing vouches for them: that is a problem, unless `marks` has the session.
    """
    report = Report()
    stream: Stream | None = None
    known: Mapping[str, Mark] = {mark.session: mark for mark in marks}
    mark: Mark | None = None
    for number, line in enumerate(filter(None, (line.rstrip(b"\r\n") for line in lines)), start=1):
        if mark is not None:
            report.problems.append(Problem(mark.session, None, "checkpoint", f"line {number} comes after the mark"))
            break
        if (mark := _mark(line)) is None:
            if stream is None:
                stream = Stream(_session_of(line), report.problems)
                report.sessions = 1
            stream.take(number, line, None)
            _marked(stream, known.get(stream.session_id))
            report.events += 1
    if stream is None:
        report.problems.append(Problem("the file", None, "body", "holds no events"))
        return report
    stream.end()
    report.marks.append(Mark(stream.session_id, stream.version, stream.hash.hex()))
    for claim in (mark, known.get(stream.session_id)):
        if claim is not None and claim.version > stream.version:
            stream.report(None, "checkpoint", f"ends at version {stream.version}; it had come to {claim.version}")
    if mark is not None and mark != report.marks[0]:
        stream.report(None, "checkpoint", "its last line vouches for other events than these")
    if mark is None and stream.session_id not in known:
        stream.report(None, "checkpoint", "nothing vouches for these events: the line with the last hash is missing")
    return report


def _mark(line: bytes) -> Mark | None:
    try:
        return msgspec.json.decode(line, type=Mark)
    except UNREAD:
        return None


def _session_of(line: bytes) -> str:
    try:
        read = msgspec.json.decode(line)
    except UNREAD:
        read = None
    return str(read.get("session", "?")) if isinstance(read, dict) else "?"


def _rows(connection: psycopg.Connection[Any], arguments: dict[str, Any]) -> Iterator[Row]:
    with connection.cursor("events", row_factory=psycopg.rows.tuple_row) as cursor:
        cursor.itersize = 2000
        cursor.execute(query("verify_events", "ops"), arguments, binary=True)
        for row in cursor:
            yield Row(*row)


def _columns(stream: Stream, row: Row) -> None:
    """Every column against the body that it repeats."""
    envelope = stream.take(row.version, row.body, row.hash)
    if envelope is None:
        return
    repeated = {
        "entry": (row.entry, envelope.entry),
        "entry_id": (row.entry_id, envelope.id),
        "type": (row.type, tag(envelope.data)),
        "recorded_at": (row.recorded_at, _moment(envelope.at)),
    }
    for column, (held, told) in repeated.items():
        if held != told:
            stream.report(row.version, "column", f"the column {column} says {held}, the body {told}")


def _marked(stream: Stream, mark: Mark | None) -> None:
    if mark is not None and mark.version == stream.version and mark.hash != stream.hash.hex():
        stream.report(mark.version, "checkpoint", "the hash is not the one of the checkpoint")


def _head(stream: Stream, head: tuple[Any, ...] | None) -> None:
    """The head of a stream against its events."""
    if head is None:
        stream.report(None, "head", "has events and no head")
        return
    opening = stream.opening.data if stream.opening is not None else None
    if stream.opening is None or stream.last is None or not isinstance(opening, SessionOpened):
        stream.report(None, "head", "does not begin with its opening")
        return
    told = {
        "version": stream.version,
        "hash": stream.hash,
        "club_id": stream.opening.club,
        "entries": stream.entry,
        "phase": None if stream.session is None else phase(stream.session.game),
        "date": opening.date,
        "ruleset": opening.ruleset,
        "table_name": opening.table,
        # Opened by the batch that its first event came in, however many entries that held.
        "opened_at": head[9] if written(head[9]) in stream.times else _moment(stream.opening.at),
        "changed_at": _moment(stream.last.at),
    }
    for (column, value), held in zip(told.items(), head[1:], strict=True):
        unknown = column == "phase" and value is None
        if held != value and not unknown:
            shown = [side.hex() if isinstance(side, bytes) else side for side in (held, value)]
            stream.report(None, "head", f"the head's {column} says {shown[0]}, the events {shown[1]}")


def _moment(at: str) -> datetime.datetime | None:
    try:
        return datetime.datetime.fromisoformat(at)
    except ValueError:
        return None
