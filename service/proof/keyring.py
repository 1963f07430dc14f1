"""A club's signing keys: made when first needed, replaced by one that the old one vouches for.

The public keys stand in append-only statements. The secret of the one in force lies in a table of its own that
only the service reads; replacing a key deletes the old one's. Why there: `ops/decisions/0013-proof.md`.
"""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TypeVar

from service.database import Connection, Database
from service.envelope import now
from service.log import connection
from service.proof.statement import KeyMade, Signed, Statement, accept, key_id, public_of, sign, split
from service.queries import query

S = TypeVar("S", bound=Statement)


class NoKey(Exception):
    """The secret in store is not that of the club's last public key: it signs nothing until that is restored."""


@dataclass(frozen=True)
class Signer:
    """Signs for a club, with the key in force; `keys` are the statements of all its keys, the first one first."""

    club_id: str
    secret: bytes
    keys: tuple[Signed, ...]

    @property
    def public(self) -> bytes:
        """The public part of the key in force."""
        return public_of(self.secret)

    @property
    def key(self) -> bytes:
        """The id of the key in force."""
        return key_id(self.public)

    def sign(self, statement: Statement) -> Signed:
        """The statement signed."""
        return sign(self.secret, statement)


async def keys_of(lent: Connection, club_id: str) -> tuple[Signed, ...]:
    """The statements of a club's keys, the first one first."""
    rows = await (await lent.execute(query("proof_keys"), {"club": club_id})).fetchall()
    return tuple(split(row[0]) for row in rows)


async def signer(lent: Connection, club_id: str) -> Signer:
    """Who signs for the club; makes its first key. Inside a transaction, of which there is one at a time."""
    await lent.execute(query("proof_lock"), {"club": club_id})
    keys = await keys_of(lent, club_id)
    row = await (await lent.execute(query("proof_secret"), {"club": club_id}, binary=True)).fetchone()
    if row is None and not keys:
        secret = secrets.token_bytes(32)
        return await _keep(lent, club_id, keys, secret, secret)
    last = keys[-1].statement if keys else None
    if row is None or not isinstance(last, KeyMade) or public_of(row[1]) != last.public:
        raise NoKey(f"the secret of key {len(keys)} of club {club_id} is missing; restore it from a backup")
    return Signer(club_id, row[1], keys)


async def replace_key(lent: Connection, club_id: str) -> Signer:
    """A new key in place of the one in force, signed by it; the old one's secret is forgotten."""
    old = await signer(lent, club_id)
    return await _keep(lent, club_id, old.keys, old.secret, secrets.token_bytes(32))


async def _keep(lent: Connection, club_id: str, keys: tuple[Signed, ...], by: bytes, secret: bytes) -> Signer:
    number, public = len(keys) + 1, public_of(secret)
    made = sign(by, KeyMade(club=club_id, at=now(), key=key_id(public_of(by)), number=number, public=public))
    if by != secret:
        made = accept(secret, made)
    await lent.execute(query("proof_key_keep"), {"club": club_id, "number": number, "statement": made.line})
    await lent.execute(query("proof_secret_forget"), {"club": club_id})
    await lent.execute(query("proof_secret_keep"), {"club": club_id, "number": number, "secret": secret})
    return Signer(club_id, secret, (*keys, made))


@asynccontextmanager
async def signing(database: Database, club_id: str) -> AsyncIterator[tuple[Connection, Signer]]:
    """A transaction in which the club signs; one at a time of a club, in whichever process."""
    async with connection(database.reads) as lent, lent.transaction():
        yield lent, await signer(lent, club_id)
