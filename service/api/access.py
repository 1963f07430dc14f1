"""Signing in, who one is, keys and one-time pairing codes."""

from __future__ import annotations

import datetime
import io
from typing import Annotated, Any
from uuid import UUID

import msgspec
import segno
from litestar import Request, Response, delete, get, post
from litestar.datastructures import Cookie, State
from litestar.params import FromPath, FromQuery, JSONBody

from domain.entries import Name
from service.api.pages import Limit, cut, read_cursor, write_cursor
from service.clubs import Club
from service.keys import KeyInfo, NewKey
from service.principal import COOKIE, ROLES, Asking, Principal, Role
from service.problems import Problem, not_found
from service.register import as_id


class Me(msgspec.Struct, frozen=True):
    """Who is signed in; `csrf` is what a browser sends back as `X-CSRF-Token` with everything that writes."""

    key_id: str
    name: str
    role: Role
    player_id: str | None
    club: Club
    csrf: str | None = None


class SignInRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A one-time code, and what to call this device in the list of keys."""

    code: Annotated[str, msgspec.Meta(min_length=1, max_length=100)]
    device: Name | None = None


class SignedIn(msgspec.Struct, frozen=True):
    me: Me
    csrf: str


class KeyRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A key to make. A player's key says whose it is."""

    name: Name
    role: Role
    player_id: str | None = None


class KeyPage(msgspec.Struct, frozen=True):
    keys: list[KeyInfo]
    next: str | None


class PairingAnswer(msgspec.Struct, frozen=True):
    """A one-time code, the link that carries it in its fragment, and the link as a QR picture."""

    code: str
    link: str
    qr_svg: str
    expires_at: datetime.datetime


@post("/sign-in", opt={"roles": "anyone", "problems": (429,)}, status_code=200)
async def sign_in(data: JSONBody[SignInRequest], request: Request[Any, Any, State], state: State) -> Response[SignedIn]:
    """Signs this browser in: the answer sets an HttpOnly cookie."""
    address = request.client.host if request.client else ""
    if wait := await state.attempts.count(address):
        minutes = f"{-(-wait // 60)} minute{'s' if wait > 60 else ''}"
        raise Problem(429, "too_many_attempts", f"too many wrong codes came from here; wait {minutes}", wait=wait)
    done = await state.safe.sign_in(data.code, data.device)
    if done is None:
        raise Problem(401, "code_not_valid", "this code is not valid: it was used, is too old, or was mistyped")
    await state.attempts.succeeded(address)
    cookie = Cookie(
        key=COOKIE,
        value=done.cookie,
        max_age=int((done.expires_at - datetime.datetime.now(datetime.UTC)).total_seconds()),
        httponly=True,
        samesite="strict",
        secure=state.settings.secure_cookies,
        path="/",
    )
    return Response(SignedIn(await _me(done.principal, state), done.principal.csrf), cookies=[cookie])


@post("/sign-out", opt={"roles": ROLES}, status_code=204)
async def sign_out(request: Asking, state: State) -> Response[None]:
    """Ends this browser's sign-in."""
    if cookie := request.cookies.get(COOKIE):
        await state.safe.sign_out(cookie)
        state.secrets.forget()
    return Response(None, status_code=204, cookies=[Cookie(key=COOKIE, value="", max_age=0, path="/")])


@get("/me", opt={"roles": ROLES})
async def me(request: Asking, state: State) -> Me:
    """Who is signed in, in which club and role."""
    return await _me(request.user, state)


async def _me(who: Principal, state: State) -> Me:
    return Me(who.key_id, who.name, who.role, who.player_id, await state.clubs.get(who.club_id), who.csrf)


@get("/keys", opt={"roles": ("admin",)})
async def keys(request: Asking, state: State, cursor: FromQuery[str | None] = None, limit: Limit = 50) -> KeyPage:
    """The club's keys without their secrets, revoked ones too, the oldest first."""
    after = None
    if cursor:
        at, key_id = read_cursor(cursor, (datetime.datetime, UUID))
        after = (at, str(key_id))
    found = await state.safe.keys(request.user.club_id, after, limit + 1)
    page, more = cut(found, limit)
    return KeyPage(page, write_cursor(page[-1].created_at, page[-1].key_id) if more else None)


@post("/keys", opt={"roles": ("admin",)})
async def make_key(data: JSONBody[KeyRequest], request: Asking, state: State) -> NewKey:
    """Makes a key; its secret is in this answer and nowhere else."""
    player = await _player(data, request.user, state)
    made: NewKey = await state.safe.make_key(request.user.club_id, data.name, data.role, player)
    return made


@delete("/keys/{key_id:uuid}", opt={"roles": ("admin",)}, status_code=204)
async def revoke_key(key_id: FromPath[UUID], request: Asking, state: State) -> None:
    """Revokes a key: within seconds it opens nothing any more, in every worker."""
    if not await state.safe.revoke(request.user.club_id, str(key_id)):
        raise not_found("key")
    state.secrets.forget()


@post("/pairings", opt={"roles": ("admin",)})
async def pair(data: JSONBody[KeyRequest], request: Asking, state: State) -> PairingAnswer:
    """Makes a one-time code with which one browser signs in."""
    player = await _player(data, request.user, state)
    pairing = await state.safe.pair(request.user.club_id, data.name, data.role, player, request.user.key_id)
    link = f"{state.settings.public_url}/#pair={pairing.code}"
    return PairingAnswer(pairing.code, link, qr_svg(link), pairing.expires_at)


def qr_svg(text: str) -> str:
    """A QR code as an SVG picture."""
    picture = io.BytesIO()
    segno.make(text, error="m").save(picture, kind="svg", scale=6, border=4, xmldecl=False, svgns=True)
    return picture.getvalue().decode()


async def _player(data: KeyRequest, who: Principal, state: State) -> str | None:
    if (data.role == "player") != (data.player_id is not None):
        raise Problem(400, "malformed", "a player's key names its player, and no other key does")
    if data.player_id is None:
        return None
    player = as_id(data.player_id)
    if player is None or await state.register.player(who.club_id, player) is None:
        raise not_found("player")
    return player


ROUTES = [sign_in, sign_out, me, keys, make_key, revoke_key, pair]
