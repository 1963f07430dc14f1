"""The state of a session as the API answers it: the table, with who sits there and where the log stands."""

from __future__ import annotations

from typing import Any, Literal, Protocol

import msgspec

from domain.corrections import after, is_marker, ref
from domain.docket import DisputeState, Docket, still_covers
from domain.entries import AnyEntry
from domain.entry_events import entry_of
from domain.events import SettlementSigned
from domain.game import DealRow, Unopened, deal_place
from domain.rulesets import RuleSet
from domain.seats import Four, Seat, Some
from domain.session import Session
from domain.view import RowView, TableView, for_onlooker, score_sheet, table_fields
from service import texts
from service.findings import narrowed
from service.folded import Folded
from service.lines import steps_of_lines
from service.texts import Text


class Seated(msgspec.Struct, frozen=True):
    """A player on a chair, by id and by the name of today."""

    player_id: str
    name: str


class EntryInForce(msgspec.Struct, frozen=True):
    """An effective entry of the current deal, with its number; `part` where a correction put it in."""

    number: int
    entry: AnyEntry
    part: int = 0


class Signed(msgspec.Struct, frozen=True):
    """A seat's signature under a line: the number of its entry, when it was recorded, on whose device it was given.

    `covers` is false once anything of the line has changed since.
    """

    entry: int
    at: str
    device: Literal["own", "recorder"]
    covers: bool


DisputeStanding = Literal["open", "withdrawn", "stands", "cancelled", "corrected", "adjusted"]


class Disputed(msgspec.Struct, frozen=True):
    """A dispute of a line by the number of its entry, and where it stands."""

    number: int
    state: DisputeStanding


class LineState(RowView, frozen=True, kw_only=True):
    """A line of the score sheet with all that concerns it.

    `hash` is the chain's at the last event of the entry that settled the line or changed it last; a signature names it.
    `was` is the row as the table recorded it, where a correction made it another.
    """

    hash: str
    settled_at: str
    signed: Some[Signed]
    disputes: tuple[Disputed, ...] = ()
    corrected: bool = False
    was: DealRow | None = None


class TableState(TableView, frozen=True, kw_only=True):
    """The table right after an entry."""

    session_id: str
    club_id: str
    version: int
    entries: int
    seats: Four[Seated] | None = None


class SessionState(TableState, frozen=True, kw_only=True):
    """A session whole: the table, the score sheet, the rules, and the current deal's entries."""

    voided: bool = False
    rules: RuleSet | None = None
    rows: tuple[LineState, ...] = ()
    deal_entries: tuple[EntryInForce, ...] = ()
    docket: Docket | None = None


class Standing(Protocol):
    """What the table right after an entry is told from: a session folded, or foreseen."""

    @property
    def session_id(self) -> str: ...
    @property
    def club_id(self) -> str: ...
    @property
    def session(self) -> Session: ...
    @property
    def version(self) -> int: ...


def players(folded: Standing) -> set[str]:
    """Everybody who sat at the table at any time."""
    game = folded.session.game
    return set() if isinstance(game, Unopened) else set().union(*[seating.seats for seating in game.base.seatings])


def table_state(
    folded: Standing, names: dict[str, str], onlooker: bool = False, current_trick: bool = False
) -> TableState:
    """The table at the folded version; for an onlooker only what the club shows of an open deal."""
    return TableState(**_fields(folded, names, onlooker, current_trick))


def session_state(
    folded: Folded,
    names: dict[str, str],
    onlooker: bool = False,
    current_trick: bool = False,
    findings: bool = True,
) -> SessionState:
    """The session whole at the folded version; `findings`: is he who asks told of those that are not published?"""
    game = folded.session.game
    fields = _fields(folded, names, onlooker, current_trick)
    if not isinstance(game, Unopened):
        fields |= {"rules": game.base.rules, "rows": line_states(folded)}
    if not onlooker:
        fields["deal_entries"] = entries_of_deal(folded)
    docket = folded.session.docket
    fields["docket"] = shown_docket(docket if findings else narrowed(docket), folded.texts)
    return SessionState(voided=folded.voided, **fields)


def line_states(folded: Folded) -> tuple[LineState, ...]:
    """The score sheet, each line with its hash, signatures and disputes."""
    game = folded.session.game
    if isinstance(game, Unopened):
        return ()
    signed, told = _signed(folded), []
    for place, (view, line) in enumerate(zip(score_sheet(game.base), folded.lines, strict=True), start=1):
        told.append(
            LineState(
                number=view.number,
                between=view.between,
                row=view.row,
                hash=folded.hashes[line.version - 1].hex(),
                settled_at=line.settled_at,
                signed=Some(**signed.get(place, {})),
                disputes=tuple(
                    Disputed(d.number, d.state) for d in folded.session.docket.disputes if d.raised.line == place
                ),
                corrected=line.corrected,
                was=line.was,
            )
        )
    return tuple(told)


def _signed(folded: Folded) -> dict[int, dict[Seat, Signed]]:
    """The last signature of each seat under each line, found again by its entries where a line has moved."""
    session, signoffs = folded.session, folded.session.docket.signoffs
    if not signoffs:
        return {}
    recorded = {e.entry: e for e in folded.told if isinstance(e.data, SettlementSigned)}
    lines = {ref(step): line for line, steps in enumerate(steps_of_lines(session), start=1) for step in steps}
    told: dict[int, dict[Seat, Signed]] = {}
    for given in signoffs:
        behind = [lines[at] for at in given.settlement.entries if at in lines] if given.settlement is not None else []
        line = max(set(behind), key=behind.count, default=given.signed.line)
        envelope = recorded[given.number]
        since = line <= len(folded.lines) and folded.lines[line - 1].version < envelope.version
        covers = since and still_covers(given, session.trail, session.game)
        told.setdefault(line, {})[given.signed.seat] = Signed(given.number, envelope.at, given.signed.device, covers)
    return told


def _fields(folded: Standing, names: dict[str, str], onlooker: bool, current_trick: bool) -> dict[str, Any]:
    fields = table_fields(folded.session)
    if onlooker:
        fields = msgspec.structs.asdict(for_onlooker(TableView(**fields), current_trick))
    seated = fields.get("players")
    if seated is not None:
        fields["seats"] = Four(*[Seated(player, names.get(player, player)) for player in seated])
    fields.update(
        session_id=folded.session_id, club_id=folded.club_id, version=folded.version, entries=folded.session.number
    )
    return fields


def entries_of_deal(folded: Folded) -> tuple[EntryInForce, ...]:
    """The effective entries of the current deal, or of the last one between deals, with their texts."""
    session = folded.session
    trail, game = session.trail, session.game
    place = deal_place(game)
    told: list[EntryInForce] = []
    for at in range(len(trail) - 1, 0, -1):
        step = trail[at]
        if deal_place(after(trail, game, at)) < place:
            break
        if not is_marker(step) and (entry := entry_of(step.events[0])) is not None:
            told.append(EntryInForce(step.number, texts.show(entry, folded.texts), step.part))
    return tuple(reversed(told))


def shown_docket(docket: Docket, kept: dict[str, Text]) -> Docket:
    """The docket with its free texts put back."""
    replace = msgspec.structs.replace

    def told(dispute: DisputeState) -> DisputeState:
        raised, outcome = dispute.raised, dispute.outcome
        if outcome is not None:
            law = None if outcome.law is None else texts.shown(outcome.law, kept)
            outcome = replace(outcome, reason=texts.shown(outcome.reason, kept), law=law)
        return replace(dispute, raised=replace(raised, reason=texts.shown(raised.reason, kept)), outcome=outcome)

    disputes = tuple(map(told, docket.disputes))
    return msgspec.structs.replace(docket, disputes=disputes)
