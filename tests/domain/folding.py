"""What the laws of the domain compare: money, folds, and games without the numbers of their entries."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from domain.events import AnyEvent
from domain.game import Closed, Game, Unopened
from domain.pool import total
from domain.session import Session, evolve, initial

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
