"""What the director's rulings changed: for each one the rows, the balances and the end of the evening, old and new."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec

from domain import events
from domain.comparison import LineChange, compared
from domain.events import AnyEvent
from domain.seats import Four, Seat
from domain.session import Session, fold, initial
from service import texts
from service.envelope import Envelope
from service.folded import Folded, entries_of
from service.timeline import Fate, fates


class Changed(msgspec.Struct, frozen=True, kw_only=True):
    """A ruling with all that it changed when it was recorded, in white units.

    `undoes` is the ruling that it takes back or, as `redo`, restores. `final` and `winners` are those of the evening,
    as if it had been divided then where it was not.
    """

    entry: int
    kind: Literal["correct", "transfer", "undo", "redo"]
    state: Fate
    undoes: int | None
    at: str
    by: str | None
    by_name: str | None
    role: str | None
    second: str | None
    second_name: str | None
    reason: str | None
    law: str | None
    dispute: int | None
    lines: tuple[LineChange, ...]
    balances_old: Four[int]
    balances_new: Four[int]
    final_old: Four[int | float]
    final_new: Four[int | float]
    winners_old: tuple[Seat, ...]
    winners_new: tuple[Seat, ...]


def changes(folded: Folded, keys: dict[str, str]) -> list[Changed]:
    """Every ruling of a session in order; `keys` are the names of keys by their ids."""
    return list(_changes(folded, keys))


def _changes(folded: Folded, keys: dict[str, str]) -> Iterator[Changed]:
    known = fates(folded.session)
    rulings: set[int] = set()
    waiting: list[AnyEvent] = []
    session = initial()
    for told in entries_of(folded.told):
        own = told[0]
        of = own.data.target if isinstance(own.data, events.EntryUndone | events.EntryRedone) else None
        ruled = isinstance(own.data, events.CorrectionMade | events.TransferRuled)
        if not ruled and of not in rulings:
            waiting += [envelope.data for envelope in told]
            continue
        if ruled:
            rulings.add(own.entry)
        before = fold(session, waiting)
        session, waiting = fold(before, [envelope.data for envelope in told]), []
        state, _ = known.get(own.entry, ("undone", None)) if ruled else ("aside", None)
        yield _changed(folded, own, of, before, session, state, keys)


def _changed(
    folded: Folded, own: Envelope, of: int | None, before: Session, now: Session, state: Fate, keys: dict[str, str]
) -> Changed:
    told = own.data
    reason, law = (None if text is None else texts.shown(text, folded.texts) for text in _said(told))
    undoes = told.undoes if isinstance(told, events.CorrectionMade) else of
    told_apart = compared(before.game, now.game)
    assert told_apart is not None, "a ruling comes after the opening"
    old, new = told_apart.old, told_apart.new
    return Changed(
        entry=own.entry,
        kind=_KINDS[type(told)],
        state=state,
        undoes=undoes,
        at=own.at,
        by=own.key,
        by_name=keys.get(own.key or ""),
        role=own.role,
        second=own.second,
        second_name=keys.get(own.second or ""),
        reason=reason,
        law=law,
        dispute=getattr(told, "dispute", None),
        lines=told_apart.lines,
        balances_old=old.balances,
        balances_new=new.balances,
        final_old=old.final,
        final_new=new.final,
        winners_old=old.winners,
        winners_new=new.winners,
    )


def _said(told: AnyEvent) -> tuple[str | None, str | None]:
    """The reason and the law that an event holds."""
    return getattr(told, "reason", None), getattr(told, "law", None)


_KINDS: dict[type[AnyEvent], Literal["correct", "transfer", "undo", "redo"]] = {
    events.CorrectionMade: "correct",
    events.TransferRuled: "transfer",
    events.EntryUndone: "undo",
    events.EntryRedone: "redo",
}
