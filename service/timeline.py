"""The timeline: who did what, when, from which device, and what has become of it.

Every entry that was ever recorded is an item, undone ones too. Takings of the table, which stand in no log, come
in between by their time.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

import msgspec

from domain import events
from domain.corrections import history, standing
from domain.entries import AnyEntry
from domain.entry_events import entry_of
from domain.game import Opening, Step, Steps, Unopened, deal_place
from domain.session import Session, fold, initial
from service import texts
from service.envelope import written
from service.folded import Folded, entries_of
from service.leases import Taking
from service.lines import Lines, followed, steps_of_lines
from service.transcript import Called, shown

Fate = Literal["in_force", "undone", "withdrawn", "superseded", "aside"]
"""What has become of an entry: a correction `superseded` it; acts beside the game and taking back are `aside`."""

_ASIDE = frozenset({events.EntryUndone, events.EntryRedone, events.EntriesWithdrawn, *events.ASIDES})
_OF_NO_LINE = (events.SessionOpened, events.SessionEnded, events.SessionClosed, events.SessionAbandoned)


class KeyName(msgspec.Struct, frozen=True):
    """What a key is called."""

    key_id: str
    name: str


class Item(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that somebody did. `number` is the entry's; a taking of the table has none.

    `line` is the line of the score sheet that it concerns, `lines` are all that it changed. `taken_back_by` is the
    entry that took it out of the main line.
    """

    at: str
    number: int | None = None
    version: int | None = None
    tablet: str | None = None
    line: int | None = None
    lines: tuple[int, ...] = ()
    kind: str
    entry: AnyEntry | None = None
    key: str | None = None
    key_name: str | None = None
    role: str | None = None
    device: str | None = None
    second: str | None = None
    second_name: str | None = None
    state: Fate = "in_force"
    taken_back_by: int | None = None
    reason: str | None = None

    @property
    def place(self) -> tuple[str, int]:
        """Where it stands in the timeline: by time, and in the order of recording."""
        return self.at, self.number or 0


class Wanted(msgspec.Struct, frozen=True):
    """Which items are asked for; what is not given lets everything through. Times are inclusive."""

    line: int | None = None
    kind: str | None = None
    key: str | None = None
    device: str | None = None
    since: datetime.datetime | None = None
    until: datetime.datetime | None = None

    def __call__(self, item: Item) -> bool:
        at = datetime.datetime.fromisoformat(item.at)
        return (
            (self.line is None or self.line == item.line or self.line in item.lines)
            and (self.kind is None or self.kind == item.kind)
            and (self.key is None or self.key in (item.key, item.second))
            and (self.device is None or self.device == item.device)
            and (self.since is None or self.since <= at)
            and (self.until is None or at <= self.until)
        )


def keys_of(folded: Folded, takings: Iterable[Taking]) -> set[str]:
    """The keys by which anything was done."""
    told = folded.told
    found = {key for envelope in told for key in (envelope.key, envelope.second) if key is not None}
    return found | {taking.key_id for taking in takings}


def timeline(
    folded: Folded, takings: Iterable[Taking], keys: Mapping[str, str], called: Called, upto: int
) -> list[Item]:  # fmt: skip
    """All items up to a version, in order; `keys` are the names of keys by their ids."""
    acts = [item for item in _acts(folded, keys, called) if item.version is not None and item.version <= upto]
    taken = [
        Item(at=written(t.taken_at), kind="taken_over", key=t.key_id, key_name=keys.get(t.key_id), device=t.device,
             state="aside")
        for t in takings
    ]  # fmt: skip
    return sorted([*taken, *acts], key=lambda item: item.place)


def _acts(folded: Folded, keys: Mapping[str, str], called: Called) -> Iterator[Item]:
    known, lines, gone = fates(folded.session), lines_of_entries(folded), _gone(folded)
    latest = ""
    for told in entries_of(folded.told):
        first = told[0]
        entry = entry_of(first.data, first.id, first.tablet)
        if entry is None:
            continue
        entry = shown(entry, folded, called)
        # The server's clock may have been set back; the order of recording stands.
        latest = max(latest, first.at)
        state, by = known.get(first.entry, gone.get(first.entry, ("undone", None)))
        if type(first.data) in _ASIDE:
            state, by = "aside", None
        of = lines[first.entry]
        yield Item(
            at=latest,
            number=first.entry,
            version=first.version,
            tablet=first.tablet,
            line=of[0] if of else None,
            lines=of,
            kind=str(entry.__struct_config__.tag),
            entry=entry,
            key=first.key,
            key_name=keys.get(first.key or ""),
            role=first.role,
            device=texts.shown(first.device, folded.texts) if first.device is not None else None,
            second=first.second,
            second_name=keys.get(first.second or ""),
            state=state,
            taken_back_by=by,
            reason=getattr(entry, "reason", None),
        )


def fates(session: Session) -> dict[int, tuple[Fate, int | None]]:
    """What has become of entries, with the entry that took each out; an entry that is not named was undone."""
    told: dict[int, tuple[Fate, int | None]] = {}
    _taken_out(session.trail, told)
    told |= {step.number: ("in_force", None) for step in session.trail if not step.part}
    stands = standing(session.trail)
    undone = {made.undoes: step.number for step in history(session.trail) if (made := _made(step)).undoes in told}
    for step in history(session.trail):
        told[step.number] = ("in_force", None) if step.number in stands else ("superseded", undone.get(step.number))
    return told


def _made(step: Step) -> events.CorrectionMade:
    made = step.events[0]
    assert isinstance(made, events.CorrectionMade)
    return made


def _taken_out(trail: Steps, told: dict[int, tuple[Fate, int | None]]) -> None:
    for step in trail:
        corrects = isinstance(step.events[0], events.CorrectionMade)
        for gone in step.taken:
            told.setdefault(gone.number, ("superseded" if corrects else "withdrawn", step.number))
        _taken_out(step.taken, told)


def _gone(folded: Folded) -> dict[int, tuple[Fate, int | None]]:
    """What took out the entries that the trail no longer knows: the undo, or the withdrawal, that named each last."""
    told: dict[int, tuple[Fate, int | None]] = {}
    for envelope in folded.told:
        match envelope.data:
            case events.EntryUndone(target=target):
                told[target] = ("undone", envelope.entry)
            case events.EntriesWithdrawn(taken=taken):
                told |= dict.fromkeys(taken, ("withdrawn", envelope.entry))
            case _:
                pass
    return told


def lines_of_entries(folded: Folded) -> dict[int, tuple[int, ...]]:
    """The lines of the score sheet, from 1, that each entry concerns: as they are numbered now where it is in force,
    else as they were when it was recorded.
    """
    told: dict[int, tuple[int, ...]] = {}
    session, lines = initial(), Lines()
    disputes: dict[int, int] = {}
    for recorded in entries_of(folded.told):
        before, own = session, recorded[0]
        session = fold(session, [envelope.data for envelope in recorded])
        lines = followed(lines, before, session, own.data, recorded[-1].version, own.at)
        match own.data:
            case events.CorrectionMade():
                changed = [at for at, line in enumerate(lines, start=1) if line.version == recorded[-1].version]
                of = tuple(changed)
            case events.DisputeRaised() | events.SettlementSigned():
                of = (own.data.line,)
                disputes[own.entry] = own.data.line
            case events.DisputeResolved():
                of = (disputes[own.data.dispute],)
            case events.FindingAcknowledged():
                of = told.get(max(own.data.entries, default=0), ())
            case events.EntryUndone() | events.EntryRedone():
                of = told.get(own.data.target, ())
            case _ if isinstance(own.data, _OF_NO_LINE) or isinstance(session.game, Unopened | Opening):
                of = ()
            case _:
                of = (deal_place(session.game) + 1,)
        told[own.entry] = of
    for place, steps in enumerate(steps_of_lines(folded.session), start=1):
        told |= {step.number: (place,) for step in steps if not step.part and told[step.number]}
    return told
