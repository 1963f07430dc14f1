"""What the laws of the domain compare: money, folds, and games without the numbers of their entries."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec.structs import replace

from domain.corrections import in_force
from domain.entry_events import entry_of
from domain.events import (
    AnyEvent,
    CardsDealt,
    ContractReported,
    DealMisdealt,
    DealSettled,
    DealThrownIn,
    PackCut,
    PacksShuffled,
    PreferenceExposed,
)
from domain.game import BetweenDeals, Closed, Finished, Game, Resting, Step, Unopened
from domain.pool import total
from domain.refusal import Refusal
from domain.session import Session, evolve, initial, record

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(AnyEvent)
_NUMBERS = frozenset({"number", "first_entry", "told", "entries"})


def same(one: object, other: object) -> bool:
    """Are two values equal? Asked here of big ones, so that a failure does not spell out their whole diff."""
    return one == other


def money(game: Game) -> int | float | None:
    """All the money on the table in white units; nothing before there is any."""
    if isinstance(game, Unopened):
        return None
    if isinstance(game, Closed):
        return sum(game.final)
    return sum(game.base.balances) + total(game.base.pool, game.base.rules.cap)


def due(game: Game) -> int | None:
    """What has to be on the table: four times the starting balance (rule 11)."""
    return None if isinstance(game, Unopened) else 4 * game.base.rules.start


def folded(events: Iterable[AnyEvent]) -> Session:
    """The session that some events lead to."""
    session = initial()
    for event in events:
        session = evolve(session, event)
    return session


_NAMES_DEALER = DealSettled | DealThrownIn | DealMisdealt
_DEALING = (PacksShuffled, PackCut, PreferenceExposed, CardsDealt, ContractReported)


class Straight(msgspec.Struct):
    """An evening recorded right from the start: its session and each entry's events, or why an entry of it is refused.

    `dealt_as_told` says that its events alone lead to the dealers of the evening.
    """

    session: Session
    told: list[tuple[int, tuple[AnyEvent, ...]]]
    refused: Refusal | None = None
    dealt_as_told: bool = True


def straight(corrected: Session) -> Straight:
    """What stands in a corrected evening, recorded right from the start.

    Where the two differ, and why, says `domain/README.md` under "Corrections": the dealers here are those who dealt, a
    deal that was dealt is one, and what no correction touched may be refused when it is judged anew.
    """
    made = Straight(initial(), [])
    for step in in_force(corrected.trail):
        made.session = _dealt(made, step)
        entry = entry_of(step.events[0])
        assert entry is not None
        recorded = record(made.session, entry)
        if isinstance(recorded, Refusal):
            made.refused = recorded
            return made
        made.session, told = recorded
        made.told.append((made.session.number, told))
    return made


def _dealt(made: Straight, step: Step) -> Session:
    """Before an entry between deals: the dealer is the one who really dealt."""
    game = made.session.game
    if not (isinstance(game, Resting) and isinstance(step.before, Resting)):
        return made.session
    dealer = step.before.base.dealer
    if game.base.dealer != dealer:
        number, told = made.told[-1]
        named = [
            place for place, event in enumerate(told) if isinstance(event, DealSettled | DealThrownIn | DealMisdealt)
        ]
        made.dealt_as_told &= bool(named)
        for place in named:
            told = (*told[:place], replace(told[place], next_dealer=dealer), *told[place + 1 :])
        made.told[-1] = (number, told)
    base = replace(game.base, dealer=dealer)
    if isinstance(game, Finished) and isinstance(step.events[0], _DEALING):
        return replace(made.session, game=BetweenDeals(base, game.last))
    return replace(made.session, game=replace(game, base=base))


def through_json(event: AnyEvent) -> AnyEvent:
    """An event written and read back."""
    return _decoder.decode(_encoder.encode(event))


def unnumbered(game: Game) -> Any:
    """A game as plain data without the numbers of its entries, so that two records of one evening compare equal."""
    return type(game).__name__, _without_numbers(msgspec.to_builtins(game))


def _without_numbers(value: Any) -> Any:
    if isinstance(value, dict):
        return {
            name: _numberless(inner) if name in _NUMBERS else _without_numbers(inner) for name, inner in value.items()
        }
    if isinstance(value, list | tuple):
        return [_without_numbers(inner) for inner in value]
    return value


def _numberless(value: Any) -> Any:
    """The shape of what held numbers: which seats, how many."""
    if isinstance(value, dict):
        return sorted(seat for seat, number in value.items() if number is not None)
    return len(value) if isinstance(value, list | tuple) else None
