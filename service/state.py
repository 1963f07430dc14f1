"""The state of a session as the API answers it: the table, with who sits there and where the log stands."""

from __future__ import annotations

from typing import Any

import msgspec

from domain.corrections import after, is_marker
from domain.docket import Docket
from domain.entries import AnyEntry
from domain.entry_events import entry_of
from domain.game import Unopened, deal_place
from domain.rulesets import RuleSet
from domain.seats import Four, four
from domain.view import RowView, TableView, for_onlooker, score_sheet, table_view
from service import texts
from service.folded import Folded
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
    rows: tuple[RowView, ...] = ()
    deal_entries: tuple[EntryInForce, ...] = ()
    docket: Docket | None = None


def players(folded: Folded) -> set[str]:
    """Everybody who sat at the table at any time."""
    game = folded.session.game
    return set() if isinstance(game, Unopened) else {p for seating in game.base.seatings for p in seating.seats}


def table_state(
    folded: Folded, names: dict[str, str], onlooker: bool = False, current_trick: bool = False
) -> TableState:
    """The table at the folded version; for an onlooker only what the club shows of an open deal."""
    return TableState(**_fields(folded, names, onlooker, current_trick))


def session_state(
    folded: Folded, names: dict[str, str], onlooker: bool = False, current_trick: bool = False
) -> SessionState:
    """The session whole at the folded version."""
    game = folded.session.game
    fields = _fields(folded, names, onlooker, current_trick)
    if not isinstance(game, Unopened):
        fields |= {"rules": game.base.rules, "rows": score_sheet(game.base)}
    if not onlooker:
        fields["deal_entries"] = entries_of_deal(folded)
    docket = folded.session.docket
    fields["docket"] = shown_docket(docket, folded.texts)
    return SessionState(voided=folded.voided, **fields)


def _fields(folded: Folded, names: dict[str, str], onlooker: bool, current_trick: bool) -> dict[str, Any]:
    view = table_view(folded.session)
    if onlooker:
        view = for_onlooker(view, current_trick)
    fields: dict[str, Any] = {name: getattr(view, name) for name in view.__struct_fields__}
    seated = view.players
    if seated is not None:
        fields["seats"] = four(lambda seat: Seated(seated[seat], names.get(seated[seat], seated[seat])))
    return fields | {
        "session_id": folded.session_id,
        "club_id": folded.club_id,
        "version": folded.version,
        "entries": folded.session.number,
    }


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
    disputes = tuple(
        msgspec.structs.replace(d, raised=msgspec.structs.replace(d.raised, reason=texts.shown(d.raised.reason, kept)))
        for d in docket.disputes
    )
    return msgspec.structs.replace(docket, disputes=disputes)
