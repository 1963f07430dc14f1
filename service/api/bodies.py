"""Request bodies that carry entries: read in one go, and when one does not read, every entry that does not is named."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec

from domain.entries import AnyEntry
from domain.text import UNREAD, said
from service.principal import Asking
from service.problems import EntryProblem, Problem

T = TypeVar("T")
JSON = "application/json"


class _Loose(msgspec.Struct):
    entries: list[msgspec.Raw] | None = None


_loose = msgspec.json.Decoder(_Loose)
_entry: msgspec.json.Decoder[Any] = msgspec.json.Decoder(AnyEntry)


async def read(request: Asking, decoder: msgspec.json.Decoder[T]) -> T:
    """The request's body as the decoder's type; see `decoded`."""
    check_media(request.headers.get("content-type", ""))
    return decoded(await request.body(), decoder)


def check_media(media: str) -> None:
    """Raises a problem unless a body of this type is read here."""
    if media != JSON and media.partition(";")[0].strip().lower() != JSON:
        raise Problem(415, "unread_media_type", f"the body has to be application/json, not {media or 'unnamed'}")


def decoded(body: bytes, decoder: msgspec.json.Decoder[T]) -> T:
    """The body as the decoder's type; raises a problem with all entries that are malformed."""
    try:
        return decoder.decode(body)
    except UNREAD as error:
        raise Problem(400, "malformed", said(error), problems=_malformed(body)) from error


def _malformed(body: bytes) -> list[EntryProblem]:
    """Every entry of a batch that does not read, as far as the batch can be taken apart."""
    try:
        entries = _loose.decode(body).entries or []
    except UNREAD:
        return []
    problems = []
    for index, entry in enumerate(entries):
        try:
            _entry.decode(entry)
        except UNREAD as error:
            problems.append(EntryProblem(index, 0, "malformed", said(error)))
    return problems
