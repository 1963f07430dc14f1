"""The entries of a bundle against its events: each entry's own event holds all its fields, texts as their digests."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from domain.events import ENTRY_EVENTS
from ops.proof.evidence import Evidence
from service.texts import ERASED

FIELDS: dict[str, tuple[str, tuple[str, ...]]] = {
    str(event.__struct_config__.tag): (
        str(entry.__struct_config__.tag),
        tuple(name for name in entry.__struct_encode_fields__ if name not in ("id", "time")),
    )
    for entry, event in ENTRY_EVENTS.items()
}
"""By the type of an entry's own event: the kind of entry, and its fields."""

_DIGEST = re.compile(r"sha256:[0-9a-f]{64}")
_OWN = ("entry", "id", "time")


def check_record(told: Evidence, entries: list[dict[str, Any]], texts: Mapping[str, str | None]) -> None:
    """Notes every entry that tells something else than its event, and the first that is missing."""
    own: dict[Any, dict[str, Any]] = {}
    for event in told.events:
        if event.get("entry") is not None:
            own.setdefault(event["entry"], event)
    for number, entry in enumerate(entries, start=1):
        if number not in own:
            # Its event may be among those that are withheld; the seal alone vouches for it then.
            if {} not in told.events:
                told.find("record", f"entry {number}")
        elif not _same_entry(entry, own[number], texts):
            told.find("record", f"entry {number}")
    if len(entries) < len(own):
        told.find("record", f"entry {len(entries) + 1}")


def _same_entry(entry: dict[str, Any], event: dict[str, Any], texts: Mapping[str, str | None]) -> bool:
    kind, fields = FIELDS.get(str(event["data"].get("type")), ("", ()))
    outside = (entry.get("entry"), entry.get("id"), entry.get("time"))
    if outside != (kind, event.get("id"), event.get("tablet")) or not set(entry) <= {*_OWN, *fields}:
        return False
    return all(_same(entry.get(name), event["data"].get(name), texts) for name in fields)


def _same(told: Any, kept: Any, texts: Mapping[str, str | None]) -> bool:
    if isinstance(kept, str) and _DIGEST.fullmatch(kept):
        return told in (kept, texts.get(kept) or ERASED)
    if isinstance(kept, dict) and isinstance(told, dict):
        return told.keys() == kept.keys() and all(_same(told[name], kept[name], texts) for name in kept)
    if isinstance(kept, list) and isinstance(told, list):
        return len(told) == len(kept) and all(_same(*pair, texts) for pair in zip(told, kept, strict=True))
    return type(told) is type(kept) and bool(told == kept)
