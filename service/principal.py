"""Who asks: keys, roles, and the secrets that stand for them.

A key is random, shown once and kept as its digest. A browser signs in once with a one-time code and then
holds a cookie that no script reads; what it writes must carry the CSRF token that only its own pages know.
A worker trusts what it has looked up for `key_trust` seconds, so a revoked key is dead everywhere soon after.
"""

from __future__ import annotations

import datetime
import secrets
from collections.abc import Collection, Mapping
from functools import lru_cache
from hashlib import sha256
from typing import Any, Literal

import msgspec
from litestar import Request
from litestar.connection import ASGIConnection
from litestar.datastructures import State
from litestar.handlers import BaseRouteHandler
from litestar.types import Scope

from service.database import Database
from service.problems import Problem
from service.rows import first
from service.trusted import Trusted

Role = Literal["recorder", "director", "auditor", "viewer", "player", "admin"]
ROLES: tuple[Role, ...] = ("recorder", "director", "auditor", "viewer", "player", "admin")
AUDITORS: tuple[Role, ...] = ("director", "auditor")
"""Who looks into what is disputed and what a record proves against itself."""
COOKIE = "boston_session"
CSRF = "x-csrf-token"
_SAFE = ("GET", "HEAD", "OPTIONS")


class Principal(msgspec.Struct, frozen=True):
    """The key that speaks, with its club and role; `csrf` is there when a browser's cookie stands for it."""

    key_id: str
    club_id: str
    role: Role
    name: str
    player_id: str | None = None
    csrf: str | None = None


Asking = Request[Principal, Any, State]
"""A request whose asker is known: `request.user` is the principal."""


def secret() -> str:
    """A new secret of 256 bits."""
    return secrets.token_urlsafe(32)


def digest(text: str) -> bytes:
    """What is kept of a secret; secrets are random, so one round of SHA-256 is enough."""
    return sha256(text.encode()).digest()


def utcnow() -> datetime.datetime:
    """The server's time."""
    return datetime.datetime.now(datetime.UTC)


class Keys:
    """Looks secrets up, and trusts for a short while what they stand for."""

    def __init__(self, database: Database, trust: float) -> None:
        self._database = database
        self._trusted = Trusted(trust, self._look_up)

    async def principal(self, text: str, query: str) -> Principal | None:
        """Who a key (`key_by_digest`) or a cookie (`browser_by_digest`) stands for; nobody if it is not in force."""
        return await self._trusted.get((query, digest(text)))

    async def _look_up(self, key: tuple[str, bytes]) -> Principal | None:
        query, kept = key
        return await first(self._database.reads, query, Principal, digest=kept, now=utcnow())

    def forget(self) -> None:
        """Looks everything up anew from now on, for a revocation made in this worker."""
        self._trusted.forget()


async def signed_in(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
    """The guard of every API route: who asks, may that role do this, and is everything asked that is there to ask?

    The roles stand at the route. A parameter that it does not know is refused: what was meant by it would not be done.
    """
    if b"%00" in connection.scope["query_string"]:
        raise Problem(400, "malformed", "the address contains the character NUL, which no text may")
    roles = handler.opt.get("roles")
    if roles is None:
        raise Problem(500, "failed", "this route names no roles")
    scope = connection.scope
    if roles != "anyone":
        method = str(scope.get("method", "GET"))
        scope["user"] = await asker(connection.app.state.secrets, method, headers_of(scope), roles)
    if scope["query_string"]:
        known = _parameters(handler, frozenset(connection.path_params))
        if strange := [name for name in connection.query_params if name not in known]:
            raise Problem(400, "malformed", f"{strange[0]!r} is no parameter of this address")


@lru_cache(maxsize=1024)
def _parameters(handler: BaseRouteHandler, in_path: frozenset[str]) -> frozenset[str]:
    """The names of the parameters that a route reads from the query."""
    model = handler.create_kwargs_model(dict.fromkeys(in_path))  # type: ignore[arg-type]
    return frozenset(parameter.field_alias for parameter in model.expected_query_params)


def headers_of(scope: Scope) -> dict[bytes, bytes]:
    """The headers by their names; of one that comes twice the first counts."""
    return dict(reversed(list(scope["headers"])))


async def asker(keys: Keys, method: str, headers: Mapping[bytes, bytes], roles: Collection[Role]) -> Principal:
    """Who asks, by key or by cookie; raises a problem unless it is somebody in one of these roles."""
    principal = await _principal(keys, method, headers)
    if principal.role not in roles:
        raise Problem(403, "not_allowed", f"the role {principal.role} may not do this")
    return principal


async def _principal(keys: Keys, method: str, headers: Mapping[bytes, bytes]) -> Principal:
    header = headers.get(b"authorization")
    if header is not None:
        scheme, _, text = header.decode("latin-1").partition(" ")
        found = await keys.principal(text.strip(), "key_by_digest") if scheme.lower() == "bearer" else None
        if found is None:
            raise Problem(401, "not_signed_in", "this key is not known or was revoked")
        return found
    cookie = cookie_of(headers)
    found = await keys.principal(cookie, "browser_by_digest") if cookie else None
    if found is None:
        raise Problem(401, "not_signed_in", "sign in first")
    if method not in _SAFE:
        sent = headers.get(CSRF.encode(), b"")
        if not secrets.compare_digest(sent, (found.csrf or "").encode()):
            raise Problem(403, "csrf", "the request does not carry the token of this sign-in")
    return found


def cookie_of(headers: Mapping[bytes, bytes]) -> str:
    """The secret of a browser's sign-in, or nothing."""
    told = (part.strip().partition("=") for part in headers.get(b"cookie", b"").decode("latin-1").split(";"))
    return next((value for name, _, value in told if name == COOKIE), "")
