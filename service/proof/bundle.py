"""Bundles: a session with all that proves it, as one file that needs neither the service nor its database.

JSON lines of a few types, in this order: what it is, the club's keys, the checkpoints that cover the session, its
events with their hashes, its entries as they were reported, the free texts with their salts, the players' names of
today, where each line of the score sheet stands in the chain, and the club's seal over all of that. Players are ids
wherever anything is hashed, so a name or a text that was erased is missing here and everything else still holds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Literal

import msgspec

from domain.entries import AnyEntry
from service.folded import Folded
from service.proof.checkpoints import HeadTold
from service.proof.statement import Seal, Signed
from service.texts import ERASED
from service.transcript import all_entries

MEDIA = "application/jsonl"
_DIGESTS = re.compile(rb"sha256:[0-9a-f]{64}")


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type"):
    """The base of the lines of a bundle."""


class Heading(Part, frozen=True, tag="bundle"):
    """What the file is."""

    club: str
    session: str
    format: Literal[1] = 1


class Key(Part, frozen=True, tag="key"):
    """The statement of one of the club's keys."""

    statement: str


class Checkpointed(Part, frozen=True, tag="checkpoint"):
    """A checkpoint that covers the session, and the path to it from the head that the session had then."""

    statement: str
    head: HeadTold
    index: int
    path: list[str]


class Event(Part, frozen=True, tag="event"):
    """An event of the log: its exact body, and its hash in hex. The hash stands for a body that is withheld."""

    hash: str
    body: str


class Reported(Part, frozen=True, tag="entry"):
    """An entry in the record format, with players by their ids."""

    entry: AnyEntry


class Free(Part, frozen=True, tag="text"):
    """A free text that stands in the events by its digest; without salt and text it was erased."""

    digest: str
    salt: str | None
    text: str | None


class Person(Part, frozen=True, tag="player"):
    """What a player is called today; no name is there any more where it was erased."""

    player: str
    name: str | None


class Stands(Part, frozen=True, tag="line"):
    """A line of the score sheet, and the version of the event that made it what it is."""

    line: int
    version: int


class Sealed(Part, frozen=True, tag="seal"):
    """The end: the club's statement over all lines before it."""

    statement: str


def parts(
    folded: Folded,
    bodies: Sequence[bytes],
    keys: Iterable[Signed],
    checkpoints: Iterable[Checkpointed],
    names: Mapping[str, str],
) -> Iterator[Part]:
    """The lines of a session's bundle up to its folded version, but for the seal; `bodies` are those that are shown."""
    yield Heading(folded.club_id, folded.session_id)
    yield from (Key(key.line) for key in keys)
    yield from checkpoints
    for body, hash_ in zip(bodies, folded.hashes[: folded.version], strict=True):
        yield Event(hash_.hex(), body.decode())
    yield from map(Reported, all_entries(folded, {}))
    digests = {found.decode() for body in bodies for found in _DIGESTS.findall(body)}
    for digest in sorted(digests & folded.texts.keys()):
        kept = folded.texts[digest]
        yield Free(digest, None if kept.salt is None else kept.salt.hex(), kept.text)
    for player, name in sorted(names.items()):
        yield Person(player, None if name == ERASED else name)
    for number, line in enumerate(folded.lines, start=1):
        yield Stands(number, line.version)


def written(told: Iterable[Part], seal: Callable[[int, bytes], Signed]) -> bytes:
    """The file: the lines, and the seal made of their number and digest."""
    lines = [msgspec.json.encode(part) for part in told]
    text = b"".join(line + b"\n" for line in lines)
    return text + msgspec.json.encode(Sealed(seal(len(lines), sha256(text).digest()).line)) + b"\n"


def seal_of(folded: Folded, head: int, lines: int, digest: bytes, at: str, key: bytes) -> Seal:
    """What is signed of a bundle; `head` is the version that the session has come to."""
    return Seal(club=folded.club_id, session=folded.session_id, at=at, key=key, head=head, lines=lines, digest=digest)
