"""Checkpoints: the signed root over the heads of all sessions of a club, each bound to the one before.

Who keeps one can show later that a session was cut, replaced or taken out since. One is made when a session is
over, once a day while anything moves, and whenever somebody asks; where nothing has moved, the last one holds.
"""

from __future__ import annotations

import asyncio
from typing import Literal

import msgspec
import structlog

from service.database import Connection, Database
from service.envelope import GENESIS, now
from service.log import connection
from service.proof import tree
from service.proof.keyring import Signer, keys_of, signing
from service.proof.statement import Checkpoint, Signed, fingerprint, split
from service.queries import query

NEWEST = 2**31 - 1


class Head(msgspec.Struct, frozen=True):
    """Where a session stood: its version, its last hash, and the root over the hashes of its events."""

    session_id: str
    version: int
    hash: bytes
    events: bytes

    @property
    def leaf(self) -> bytes:
        """What stands for it in a checkpoint's tree."""
        return tree.head_leaf(self.session_id, self.version, self.hash, self.events)


class HeadTold(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A head as files carry it, hashes in hex."""

    session: str
    version: int
    hash: str
    events: str

    @classmethod
    def of(cls, head: Head) -> HeadTold:
        return cls(head.session_id, head.version, head.hash.hex(), head.events.hex())


class CheckpointFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="checkpoint"):
    """A checkpoint with all that it covers, to be kept by whoever wants to check a session or a receipt later.

    `keys` and `statement` are signed lines of text; `heads` stand in the order of the tree's leaves.
    """

    statement: str
    keys: list[str]
    heads: list[HeadTold]
    format: Literal[1] = 1


class Covered(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A checkpoint that covers a session, and the path that leads to it from the session's head.

    `index` is the place of the head among the leaves, from 0; `path` the hashes beside it, in hex, the nearest first.
    """

    statement: str
    head: HeadTold
    index: int
    path: list[str]


class _Moved(msgspec.Struct, frozen=True):
    """A session that has moved on since the last checkpoint: where it stands, and where it stood if it was covered."""

    session_id: str
    version: int
    hash: bytes
    was_version: int | None
    was_hash: bytes | None


class Checkpoints:
    """Makes and reads the checkpoints of clubs."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def make(self, club_id: str) -> Signed:
        """A checkpoint of all heads as they are; the last one where nothing has moved since."""
        async with signing(self._database, club_id) as (lent, signer):
            last = await _last(lent, club_id, NEWEST)
            fresh = [head for moved in await _moved(lent, club_id) if (head := await _hashed(lent, moved))]
            if last is not None and not fresh and _read(last).key == signer.key:
                return last
            return await _make(lent, signer, last, fresh)

    async def last(self, club_id: str) -> Signed | None:
        """The club's last checkpoint."""
        async with connection(self._database.reads) as lent:
            return await _last(lent, club_id, NEWEST)

    async def page(self, club_id: str, before: int, limit: int) -> list[Signed]:
        """Checkpoints before a number, the latest first."""
        async with connection(self._database.reads) as lent:
            given = {"club": club_id, "before": before, "limit": limit}
            rows = await (await lent.execute(query("checkpoint_page"), given)).fetchall()
        return [split(row[0]) for row in rows]

    async def file(self, club_id: str, number: int) -> CheckpointFile | None:
        """A checkpoint with all heads that it covers and the club's keys; None where there is none of that number."""
        async with connection(self._database.reads) as lent:
            found = await _last(lent, club_id, number)
            if found is None or _read(found).number != number:
                return None
            keys = await keys_of(lent, club_id)
            heads = await _heads(lent, club_id, number)
        return CheckpointFile(found.line, [key.line for key in keys], [HeadTold.of(head) for head in heads])

    async def covering(self, club_id: str, session_id: str) -> list[Covered]:
        """The checkpoints with which a session had moved on, and the last one of all, each with the way to its root."""
        async with connection(self._database.reads) as lent:
            rows = await (await lent.execute(query("checkpoint_of_session"), {"session": session_id})).fetchall()
            last = await _last(lent, club_id, NEWEST)
            if last is None or not rows:
                return []
            numbers = sorted({row[0] for row in rows} | {_read(last).number})
            return [await _covered(lent, club_id, session_id, number) for number in numbers]

    async def covering_last(self, club_id: str, session_id: str) -> Covered | None:
        """The last checkpoint with the way to it from the session's head; None where it does not cover the session."""
        async with connection(self._database.reads) as lent:
            rows = await (await lent.execute(query("checkpoint_of_session"), {"session": session_id})).fetchall()
            last = await _last(lent, club_id, NEWEST)
            if last is None or not rows:
                return None
            return await _covered(lent, club_id, session_id, _read(last).number)

    async def due(self, since: str) -> list[str]:
        """The clubs with sessions that have no checkpoint since a moment."""
        async with connection(self._database.reads) as lent:
            return [row[0] for row in await (await lent.execute(query("checkpoint_due"), {"since": since})).fetchall()]

    async def closed(self, sessions: list[str]) -> list[str]:
        """The clubs of those of these sessions that are over."""
        async with connection(self._database.reads) as lent:
            told = await lent.execute(query("checkpoint_closed"), {"sessions": sessions})
            return [row[0] for row in await told.fetchall()]


async def _make(lent: Connection, signer: Signer, last: Signed | None, fresh: list[Head]) -> Signed:
    before = None if last is None else _read(last)
    number = 1 if before is None else before.number + 1
    for head in fresh:
        kept = {
            "session": head.session_id,
            "number": number,
            "club": signer.club_id,
            "version": head.version,
            "hash": head.hash,
            "events": head.events,
        }
        await lent.execute(query("checkpoint_head_keep"), kept)
    heads = await _heads(lent, signer.club_id, number)
    root = await asyncio.to_thread(tree.root, [head.leaf for head in heads])
    # A clock that was set back must not let a checkpoint seem older than the one before it.
    at = now() if before is None else max(now(), before.at)
    previous = GENESIS if last is None else last.hash
    made = signer.sign(
        Checkpoint(
            club=signer.club_id,
            at=at,
            key=signer.key,
            number=number,
            previous=previous,
            sessions=len(heads),
            root=root,
        )
    )
    kept = {"club": signer.club_id, "number": number, "at": at, "statement": made.line}
    await lent.execute(query("checkpoint_keep"), kept)
    return made


async def _hashed(lent: Connection, moved: _Moved) -> Head | None:
    """The session's new head; None, and a word in the service's log, where the log does not agree with itself.

    What is damaged is left where it was last signed for, so that nobody signs for it, and everybody else still does.
    """
    given = {"session": moved.session_id, "upto": moved.version}
    rows = await (await lent.execute(query("checkpoint_hashes"), given, binary=True)).fetchall()
    hashes = [row[0] for row in rows]
    whole = len(hashes) == moved.version and hashes[-1] == moved.hash
    if moved.was_version is not None:
        whole = whole and moved.was_version <= len(hashes) and hashes[moved.was_version - 1] == moved.was_hash
    if not whole:
        structlog.get_logger("boston.proof").error("a session is not signed for; see boston verify", **given)
        return None
    return Head(moved.session_id, moved.version, moved.hash, await asyncio.to_thread(tree.root, hashes))


async def _covered(lent: Connection, club_id: str, session_id: str, number: int) -> Covered:
    heads = await _heads(lent, club_id, number)
    index = next(at for at, head in enumerate(heads) if head.session_id == session_id)
    path = await asyncio.to_thread(tree.path, [head.leaf for head in heads], index)
    found = await _last(lent, club_id, number)
    assert found is not None
    return Covered(found.line, HeadTold.of(heads[index]), index, [one.hex() for one in path])


async def _moved(lent: Connection, club_id: str) -> list[_Moved]:
    rows = await lent.execute(query("checkpoint_moved"), {"club": club_id}, binary=True)
    return [_Moved(*row) for row in await rows.fetchall()]


async def _heads(lent: Connection, club_id: str, number: int) -> list[Head]:
    rows = await lent.execute(query("checkpoint_heads"), {"club": club_id, "number": number}, binary=True)
    return [Head(*row) for row in await rows.fetchall()]


async def _last(lent: Connection, club_id: str, upto: int) -> Signed | None:
    row = await (await lent.execute(query("checkpoint_last"), {"club": club_id, "upto": upto})).fetchone()
    return None if row is None else split(row[1])


def _read(signed: Signed) -> Checkpoint:
    statement = signed.statement
    assert isinstance(statement, Checkpoint)
    return statement


class CheckpointInfo(msgspec.Struct, frozen=True):
    """A checkpoint as a list shows it. `hash` is printed and read aloud by its short form, and so is the key."""

    number: int
    at: str
    sessions: int
    root: str
    hash: str
    short: str
    key: str
    statement: str

    @classmethod
    def of(cls, signed: Signed) -> CheckpointInfo:
        told = _read(signed)
        return cls(
            told.number,
            told.at,
            told.sessions,
            told.root.hex(),
            signed.hash.hex(),
            fingerprint(signed.hash),
            fingerprint(told.key),
            signed.line,
        )
