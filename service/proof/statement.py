"""Statements: what a club signs, each as one line of plain ASCII, `type=checkpoint&club=...&number=12&...`.

The line itself is what is signed, byte for byte, so nothing has to be brought into a normal form first, and it fits
into a QR code and the fragment of an address as it is. A line reads in one way only: fields stand in one order, each
once, and a value has one spelling.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from typing import Annotated, Any, NamedTuple, get_args, get_origin, get_type_hints
from uuid import UUID

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from domain.text import Malformed

KEY_ID = 16
"""Bytes of a public key's SHA-256 that name it."""
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z")
_NUMBER = re.compile(r"0|-?[1-9]\d{0,14}")
_WORD = re.compile(r"[A-Za-z0-9_]+")


class Kind(NamedTuple):
    """How a value is written in a line, and read back; reading raises `ValueError` for any other spelling."""

    write: Callable[[Any], str]
    read: Callable[[str], Any]


def encoded(data: bytes) -> str:
    """Bytes as base64url without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decoded(text: str, size: int | None = None) -> bytes:
    """The inverse; raises `ValueError` where the text is no such spelling, or not of that many bytes."""
    try:
        data = base64.b64decode(text + "=" * (-len(text) % 4), b"-_", validate=True)
    except binascii.Error as error:
        raise ValueError(str(error)) from error
    if encoded(data) != text or size not in (None, len(data)):
        raise ValueError(f"{text!r} is not the base64url of {size or 'some'} bytes")
    return data


def _matching(pattern: re.Pattern[str]) -> Callable[[str], str]:
    def read(text: str) -> str:
        if not pattern.fullmatch(text):
            raise ValueError(f"{text!r} has another form than it should have")
        return text

    return read


def _number(text: str) -> int:
    return int(_matching(_NUMBER)(text))


def _list(inner: Kind) -> Kind:
    return Kind(lambda values: ",".join(map(inner.write, values)), lambda text: tuple(map(inner.read, text.split(","))))


_NUMBERS = Kind(str, _number)
_IDS = Kind(lambda value: encoded(UUID(value).bytes), lambda text: str(UUID(bytes=decoded(text, 16))))

Id = Annotated[str, _IDS]
Ids = Annotated[tuple[str, ...], _list(_IDS)]
Digest = Annotated[bytes, Kind(encoded, lambda text: decoded(text, 32))]
KeyId = Annotated[bytes, Kind(encoded, lambda text: decoded(text, KEY_ID))]
Number = Annotated[int, _NUMBERS]
Numbers = Annotated[tuple[int, ...], _list(_NUMBERS)]
Time = Annotated[str, Kind(str, _matching(_TIME))]
Word = Annotated[str, Kind(str, _matching(_WORD))]


class Statement(msgspec.Struct, frozen=True, kw_only=True):
    """The base of all statements; each says which club speaks, when, and with which key."""

    club: Id
    at: Time
    key: KeyId


class KeyMade(Statement, frozen=True, kw_only=True, tag="key"):
    """A key of the club. The first signs itself; each later one is signed by the one before, and signs too."""

    number: Number
    public: Digest


class Checkpoint(Statement, frozen=True, kw_only=True, tag="checkpoint"):
    """The heads of all the club's sessions at one moment: the root of the tree over them, and how many there are.

    `previous` is the SHA-256 of the checkpoint before, 32 zero bytes for the first.
    """

    number: Number
    previous: Digest
    sessions: Number
    root: Digest


class Receipt(Statement, frozen=True, kw_only=True, tag="receipt"):
    """A line of a session's score sheet, bound to the hash of the event that made it so, and to the chain's head then.

    `seats` are the players' ids from N clockwise, and so run all amounts; `counts` and `conceded` are 0 or 1. `events`
    is the SHA-256 of the events that the receipt's file shows.
    """

    session: Id
    line: Number
    deal: Number
    version: Number
    hash: Digest
    head: Number
    head_hash: Digest
    seats: Ids
    dealer: Word
    counts: Number
    outcome: Word
    contract: Word | None = None
    preference: Word | None = None
    caller: Word | None = None
    trumps: Word | None = None
    tricks: Numbers | None = None
    shortfall: Number
    conceded: Number
    deltas: Numbers | None = None
    balances: Numbers
    pool: Numbers
    events: Digest


class Seal(Statement, frozen=True, kw_only=True, tag="bundle"):
    """The end of a bundle: how many lines stand before it, and the SHA-256 of them, each with its line feed.

    `head` is the version that the session had come to; the events of a deal in progress may not be shown.
    """

    session: Id
    head: Number
    lines: Number
    digest: Digest


_TYPES: dict[str, type[Statement]] = {"key": KeyMade, "checkpoint": Checkpoint, "receipt": Receipt, "bundle": Seal}
AnyStatement = KeyMade | Checkpoint | Receipt | Seal


@cache
def _fields(of: type[Statement]) -> tuple[tuple[str, Kind, bool], ...]:
    """The fields of a statement in the order of its line: name, kind, and whether it may be missing."""
    hints = get_type_hints(of, include_extras=True)
    own = [name for name in of.__struct_fields__ if name not in Statement.__struct_fields__]
    told = []
    for name in ("club", *own, "at", "key"):
        parts = [hints[name], *(get_args(hints[name]) if get_origin(hints[name]) is not Annotated else ())]
        kind = next(note for part in parts if get_origin(part) is Annotated for note in get_args(part)[1:])
        told.append((name, kind, type(None) in parts))
    return tuple(told)


def write(statement: Statement) -> str:
    """The line of a statement, without a signature."""
    parts = [f"type={statement.__struct_config__.tag}"]
    for name, kind, _ in _fields(type(statement)):
        value = getattr(statement, name)
        if value is not None:
            parts.append(f"{name}={kind.write(value)}")
    return "&".join(parts)


def read(text: str) -> AnyStatement:
    """The statement of such a line; raises `Malformed`."""
    pairs = dict(part.partition("=")[::2] for part in text.split("&"))
    of = _TYPES.get(pairs.get("type", ""))
    if of is None:
        raise Malformed(f"this is no statement of a club: its type is none of {', '.join(_TYPES)}")
    try:
        values = {name: kind.read(pairs[name]) for name, kind, _ in _fields(of) if name in pairs}
        statement = of(**values)
    except (ValueError, TypeError) as error:
        raise Malformed(f"the statement does not read: {error}") from error
    if write(statement) != text:
        raise Malformed("the statement does not read: its fields are not those of its type, in their order")
    return statement  # type: ignore[return-value]


class Signed(msgspec.Struct, frozen=True):
    """A statement under its signature; `accepted` is the one by which a new key takes over."""

    text: str
    signature: bytes
    accepted: bytes | None = None

    @property
    def line(self) -> str:
        """The whole as one line."""
        more = "" if self.accepted is None else f"&accepted={encoded(self.accepted)}"
        return f"{self.text}&signature={encoded(self.signature)}{more}"

    @property
    def hash(self) -> bytes:
        """The SHA-256 of what is signed."""
        return sha256(self.text.encode()).digest()

    def by(self, public: bytes) -> bool:
        """Is the signature that key's?"""
        return verified(public, self.text, self.signature)

    def accepted_by(self, public: bytes) -> bool:
        """Is there no acceptance, or is it that key's?"""
        return self.accepted is None or verified(public, self.text, self.accepted)

    @property
    def statement(self) -> AnyStatement:
        """What is signed; raises `Malformed`."""
        return read(self.text)


def split(line: str) -> Signed:
    """A signed line taken apart; raises `Malformed`. Whether anybody signed it is another question."""
    text, mark, rest = line.partition("&signature=")
    signature, more, accepted = rest.partition("&accepted=")
    try:
        return Signed(text, decoded(signature, 64), decoded(accepted, 64) if more else None)
    except ValueError as error:
        raise Malformed("the signature is missing" if not mark else f"the signature does not read: {error}") from error


def short_form(signed: Signed, public: bytes) -> str:
    """What a QR code holds: the signed line and the public key that it can be checked by."""
    return f"{signed.line}&public={encoded(public)}"


def split_short(text: str) -> tuple[Signed, bytes]:
    """The inverse; raises `Malformed`."""
    line, _, public = text.rpartition("&public=")
    try:
        return split(line), decoded(public, 32)
    except ValueError as error:
        raise Malformed(f"the public key does not read: {error}") from error


def sign(secret: bytes, statement: Statement) -> Signed:
    """The statement signed by a key, given as its 32 secret bytes."""
    text = write(statement)
    return Signed(text, _signature(secret, text))


def accept(secret: bytes, signed: Signed) -> Signed:
    """The statement of a new key, signed by that key as well."""
    return msgspec.structs.replace(signed, accepted=_signature(secret, signed.text))


def _signature(secret: bytes, text: str) -> bytes:
    return Ed25519PrivateKey.from_private_bytes(secret).sign(text.encode())


def verified(public: bytes, text: str, signature: bytes) -> bool:
    """Does the Ed25519 signature hold?"""
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, text.encode())
    except (InvalidSignature, ValueError):
        return False
    return True


def public_of(secret: bytes) -> bytes:
    """The public part of a key."""
    return Ed25519PrivateKey.from_private_bytes(secret).public_key().public_bytes_raw()


def key_id(public: bytes) -> bytes:
    """What a key is called in statements."""
    return sha256(public).digest()[:KEY_ID]


def fingerprint(key: bytes) -> str:
    """A key's id, or the beginning of any other hash, as it is printed and read aloud: eight groups of four."""
    plain = key[:KEY_ID].hex().upper()
    return " ".join(plain[at : at + 4] for at in range(0, len(plain), 4))
