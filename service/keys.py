"""Keys, one-time pairing codes and sign-ins: made here, kept as digests, shown once."""

from __future__ import annotations

import datetime
import secrets
from typing import Any

import msgspec
from psycopg import errors
from uuid_utils import uuid7

from service.database import Database
from service.principal import Principal, Role, digest, secret, utcnow
from service.rows import carry_out, fetch, first

ALPHABET = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""What pairing codes are made of: nothing that is misread for something else."""
_CODE = 12
_START = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)


class KeyInfo(msgspec.Struct, frozen=True):
    """A key without its secret."""

    key_id: str
    name: str
    role: Role
    player_id: str | None
    created_at: datetime.datetime
    revoked_at: datetime.datetime | None = None


class NewKey(msgspec.Struct, frozen=True):
    """A key with its secret, which is shown this once."""

    key_id: str
    name: str
    role: Role
    player_id: str | None
    key: str


class Pairing(msgspec.Struct, frozen=True):
    """A one-time code that signs one browser in."""

    code: str
    expires_at: datetime.datetime


class SignIn(msgspec.Struct, frozen=True):
    """A browser that has signed in: its cookie's secret, and who it speaks for."""

    cookie: str
    expires_at: datetime.datetime
    principal: Principal


class _Paired(msgspec.Struct):
    club_id: str
    role: Role
    name: str
    player_id: str | None


class Safe:
    """Makes, lists and revokes what lets somebody in."""

    def __init__(self, database: Database, pairing_lasts: float = 900.0, sign_in_lasts: float = 15_552_000.0) -> None:
        self._pool = database.reads
        self._pairing = datetime.timedelta(seconds=pairing_lasts)
        self._sign_in = datetime.timedelta(seconds=sign_in_lasts)

    async def make_key(self, club_id: str, name: str, role: Role, player_id: str | None = None) -> NewKey:
        """A new key of a club."""
        key = NewKey(str(uuid7()), name, role, player_id, f"bk_{secret()}")
        await carry_out(
            self._pool,
            "key_insert",
            key=key.key_id,
            club=club_id,
            digest=digest(key.key),
            name=name,
            role=role,
            player=player_id,
            now=utcnow(),
        )
        return key

    async def keys(self, club_id: str, after: tuple[datetime.datetime, str] | None, limit: int) -> list[KeyInfo]:
        """A page of a club's keys, the oldest first."""
        at, key_id = after or (_START, "00000000-0000-0000-0000-000000000000")
        return await fetch(self._pool, "keys_of_club", KeyInfo, club=club_id, after_at=at, after_id=key_id, limit=limit)

    async def revoke(self, club_id: str, key_id: str) -> bool:
        """Ends a key for good; false where the club has no such key."""
        return await carry_out(self._pool, "key_revoke", club=club_id, key=key_id, now=utcnow()) == 1

    async def pair(
        self, club_id: str, name: str, role: Role, player_id: str | None = None, made_by: str | None = None
    ) -> Pairing:
        """A new one-time code."""
        while True:
            code = "".join(secrets.choice(ALPHABET) for _ in range(_CODE))
            pairing = Pairing(f"{code[:4]}-{code[4:8]}-{code[8:]}", utcnow() + self._pairing)
            arguments: dict[str, Any] = {"club": club_id, "role": role, "name": name, "player": player_id}
            try:
                await carry_out(
                    self._pool,
                    "pairing_insert",
                    digest=digest(code),
                    made_by=made_by,
                    expires=pairing.expires_at,
                    **arguments,
                )
            except errors.UniqueViolation:
                continue
            return pairing

    async def sign_in(self, code: str, device: str | None) -> SignIn | None:
        """Signs a browser in with a code; nobody where the code is unknown, used or too old."""
        plain = "".join(c for c in code.upper() if c in ALPHABET)
        now = utcnow()
        paired = await first(self._pool, "pairing_take", _Paired, digest=digest(plain), now=now)
        if paired is None:
            return None
        name = device or paired.name
        key = await self.make_key(paired.club_id, name, paired.role, paired.player_id)
        cookie, csrf = secret(), secret()
        expires = now + self._sign_in
        await carry_out(
            self._pool,
            "browser_insert",
            digest=digest(cookie),
            club=paired.club_id,
            key=key.key_id,
            csrf=csrf,
            now=now,
            expires=expires,
        )
        principal = Principal(key.key_id, paired.club_id, paired.role, name, paired.player_id, csrf)
        return SignIn(cookie, expires, principal)

    async def sign_out(self, cookie: str) -> None:
        """Ends a browser's sign-in."""
        await carry_out(self._pool, "browser_end", digest=digest(cookie), now=utcnow())
