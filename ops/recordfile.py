"""A record as a file: found, read whole, and known again.

Which session a record is says the file's name, where it ends in the session's id as an exported file's does. Any other
record is known by what it says, whatever its spaces and line ends: its session's id is made from its digest.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from uuid import UUID

import msgspec

from domain.entries import AnyEntry, Open
from domain.record import format_entry, parse_line
from domain.session import decide, initial
from domain.text import Malformed

SUFFIX = ".jsonl"
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
"""What some editors put in front of the first line."""
_SESSION = re.compile(r"(?:.*-)?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})", re.IGNORECASE)


class Fault(msgspec.Struct, frozen=True):
    """Why a line of a record is not taken; line 0 where it is the whole file."""

    line: int
    code: str
    rule: int | None
    message: str


class Record(msgspec.Struct, frozen=True):
    """The entries of a record, each with its line in the file, counted from 1, and the session that it says it is."""

    entries: tuple[AnyEntry, ...]
    lines: tuple[int, ...]
    session: str | None = None

    @property
    def opening(self) -> Open:
        """The entry that it begins with."""
        opening = self.entries[0]
        assert isinstance(opening, Open)
        return opening

    @property
    def digest(self) -> bytes:
        """SHA-256 of the entries in their normal form: the same record has the same digest however it was written."""
        return digest(self.entries)


def digest(entries: Iterable[AnyEntry]) -> bytes:
    """The digest of a record with these entries."""
    hashed = sha256()
    for entry in entries:
        hashed.update(format_entry(entry) + b"\n")
    return hashed.digest()


def session_named(file_name: str) -> str | None:
    """The id of the session in the name of a record's file."""
    found = _SESSION.fullmatch(file_name.removesuffix(SUFFIX))
    return found[1].lower() if found else None


def session_id(club_id: str, record_digest: bytes) -> str:
    """The session that a record becomes in a club: the same record twice is the same session (a UUID of version 8)."""
    made = bytearray(sha256(UUID(club_id).bytes + record_digest).digest()[:16])
    made[6] = made[6] & 0x0F | 0x80
    made[8] = made[8] & 0x3F | 0x80
    return str(UUID(bytes=bytes(made)))


def known_by_content(session: str) -> bool:
    """Was this session's id made from its record?"""
    return UUID(session).version == 8


def found(paths: Sequence[Path]) -> Iterator[Path]:
    """The record files at some paths: a file as it is named, of a folder all that end in .jsonl, however deep."""
    for path in paths:
        if path.is_dir():
            yield from sorted(inner for inner in path.rglob(f"*{SUFFIX}") if inner.is_file())
        else:
            yield path


def read(path: Path) -> Record | list[Fault]:
    """The record in a file, or every malformed line of it."""
    try:
        text = path.read_bytes()
    except OSError as error:
        return [Fault(0, "unreadable", None, f"cannot be read: {error.strerror or error}")]
    return parsed(text, session_named(path.name))


def parsed(text: bytes, session: str | None = None) -> Record | list[Fault]:
    """The record in a text, or every malformed line of it."""
    entries, lines, faults = [], [], []
    for line, part in enumerate(text.removeprefix(BYTE_ORDER_MARK).split(b"\n"), start=1):
        if not part.strip():
            continue
        try:
            entries.append(parse_line(part))
            lines.append(line)
        except Malformed as error:
            faults.append(Fault(line, "malformed", None, str(error)))
    if faults:
        return faults
    if not entries:
        return [Fault(0, "malformed", None, "there is no entry in the record; it begins with open")]
    if not isinstance(entries[0], Open):
        refused = decide(initial(), entries[0])
        message = getattr(refused, "message", "a record begins with open")
        return [Fault(lines[0], "not_open", None, message)]
    return Record(tuple(entries), tuple(lines), session)
