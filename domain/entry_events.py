"""From an entry's own event back to the entry: every event of that kind holds all the entry's fields."""

from domain import entries
from domain.events import ENTRY_EVENTS, AnyEvent

_ENTRY_OF = {event: entry for entry, event in ENTRY_EVENTS.items()}
_FIELDS = {entry: tuple(f for f in entry.__struct_fields__ if f not in ("id", "time")) for entry in ENTRY_EVENTS}


def entry_of(event: AnyEvent, entry_id: str | None = None, time: str | None = None) -> entries.AnyEntry | None:
    """The entry whose own event this is; nothing for an event that only followed from one."""
    kind = _ENTRY_OF.get(type(event))
    if kind is None:
        return None
    fields = {name: getattr(event, name) for name in _FIELDS[kind]}
    return kind(id=entry_id, time=time, **fields)  # type: ignore[return-value]
