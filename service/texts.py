"""Free text of the log: reasons, laws that are cited and device names, kept apart so that it can be erased.

An event's body holds `sha256:` and the digest of a random salt and the text, so the chain of hashes
stays whole when text and salt are erased; without the salt the digest tells nothing.
"""

import re
import secrets
from collections.abc import Callable, Iterable
from hashlib import sha256
from typing import Any, TypeVar

import msgspec

from domain.entries import Correct, Entry
from domain.events import ENTRY_EVENTS
from service import packed
from service.append import Also
from service.queries import query

ERASED = "(erased)"
FIELDS: dict[type[Entry], tuple[str, ...]] = {
    kind: tuple(field for field in ("reason", "law") if field in kind.__struct_fields__) for kind in ENTRY_EVENTS
}
"""The fields of each kind of entry that are free text."""

_DIGEST = re.compile(r"sha256:[0-9a-f]{64}")

E = TypeVar("E", bound=Entry)


class Text(msgspec.Struct, frozen=True):
    """A text with its salt and digest; salt and text are None when it was erased."""

    digest: str
    salt: bytes | None
    text: str | None


def digest(salt: bytes, text: str) -> str:
    """What stands in the log for a text."""
    return f"sha256:{sha256(salt + text.encode()).hexdigest()}"


def salted(text: str) -> Text:
    """A text under a new salt."""
    salt = secrets.token_bytes(16)
    return Text(digest(salt, text), salt, text)


def hide(entry: E) -> tuple[E, list[Text]]:
    """The entry as the domain and the log see it, with digests in place of its free texts, and those texts."""
    hidden: list[Text] = []
    if not FIELDS[type(entry)] and not isinstance(entry, Correct):
        return entry, hidden

    def change(text: str) -> str:
        hidden.append(salted(text))
        return hidden[-1].digest

    return _changed(entry, change), hidden


def show(entry: E, texts: dict[str, Text]) -> E:
    """The entry as it was reported, its free texts put back; an erased one shows as such."""
    return _changed(entry, lambda value: shown(value, texts))


def shown(value: str, texts: dict[str, Text]) -> str:
    """The text that a digest stands for; anything else stands for itself."""
    text = texts.get(value)
    return told(value, None if text is None else text.text)


def told(value: str, text: str | None) -> str:
    """What is shown for a value of the log of which this text is kept; a text that is gone was erased."""
    if not _DIGEST.fullmatch(value):
        return value
    return ERASED if text is None else text


def same(known: Entry, sent: Entry, texts: dict[str, Text]) -> bool:
    """Does an entry as sent say the same as one known with its texts hidden? An erased text may have been any."""
    erased: list[str] = []

    def change(value: str) -> str:
        text = shown(value, texts)
        if text == ERASED:
            erased.append(value)
        return text

    told = _changed(known, change)
    return told == sent or (bool(erased) and _changed(known, _blank) == _changed(sent, _blank))


def _blank(_: str) -> str:
    return "-"


def _changed(entry: E, change: Callable[[str], str]) -> E:
    """The entry with every free text in it changed, those of the entries inside a correction too."""
    changes: dict[str, Any] = {
        field: change(text) for field in FIELDS[type(entry)] if (text := getattr(entry, field)) is not None
    }
    if isinstance(entry, Correct):
        changes["changes"] = tuple(
            msgspec.structs.replace(part, put=tuple(_changed(put, change) for put in part.put))
            for part in entry.changes
        )
    return msgspec.structs.replace(entry, **changes) if changes else entry


def keep(session_id: str, texts: Iterable[Text]) -> Also:
    """The statement that keeps texts beside the events that hold their digests."""
    kept = list(texts)
    return Also(
        query("append_texts"),
        {
            "session": session_id,
            "digests": packed.texts(text.digest for text in kept),
            "salts": packed.byteas(text.salt or b"" for text in kept),
            "texts": packed.texts(text.text for text in kept),
        },
    )
