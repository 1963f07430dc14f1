"""Entries in the short form in which players say them, so that a test reads like the table it is about.

`say("call N 7/2")` is the entry of that turn; `Table` records such lines one by one and keeps the log.
A tail of `key=value` words fills any other field of an entry, its value read as JSON where it is some.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import msgspec

from domain.cards import CARDS
from domain.entries import AnyEntry
from domain.events import AnyEvent
from domain.game import Base, Game, Unopened
from domain.refusal import Refusal
from domain.seats import SEATS, Four
from domain.session import Session, initial, record

PLAYERS = {"N": "Ann", "E": "Bea", "S": "Cal", "W": "Dan"}
DATE = "2026-11-30"
ALL_FOUR = list(SEATS)


def _hands(words: list[str]) -> dict[str, Any]:
    """`N:AS,KS S:2H` as the cards of each seat."""
    split = (word.split(":") for word in words)
    return {"hands": {seat: cards.split(",") for seat, cards in split}}


def _contract(words: list[str]) -> dict[str, Any]:
    if words == ["partout"]:
        return {"contract": "partout"}
    caller, contract, *suit = words
    preference = {"second": "second", "first": "first"}.get(suit[0]) if suit else None
    trumps = suit[-1] if suit and suit[-1] in "SHDC" else None
    return {"caller": caller, "contract": contract, "preference": preference, "trumps": trumps}


_SHAPES: dict[str, Callable[[list[str]], dict[str, Any]]] = {
    "open": lambda words: {"ruleset": words[0], "seats": PLAYERS, "date": DATE},
    "shuffle": lambda words: {"pack": words[0]} if words else {},
    "first_dealer": lambda words: {"seat": words[0]},
    "cut": lambda words: {"by": words[0]} | ({"pack": words[1]} if words[1:] else {}),
    "preference": lambda words: {"card": words[0]},
    "deal": lambda words: _hands(words) if words else {},
    "misdeal": lambda _: {"reason": "a card was turned"},
    "call": lambda words: {"seat": words[0], "call": words[1]},
    "contract": _contract,
    "trumps": lambda words: {"suit": words[0]},
    "discard": lambda words: {"seat": words[0]} | ({"card": words[1]} if words[1:] else {}),
    "expose": lambda words: {"seat": words[0], "cards": words[1].split(",")},
    "concede": lambda words: {"seat": words[0]},
    "play": lambda words: {"seat": words[0], "card": words[1]} | ({"irregular": True} if words[2:] else {}),
    "tricks": lambda words: {"tricks": dict(zip(SEATS, map(int, words), strict=True))},
    "show": _hands,
    "revoke": lambda words: {"seat": words[0], "trick": int(words[1])},
    "cancel": lambda words: {"agreed": words or ALL_FOUR, "reason": "disputed"},
    "undo": lambda words: {"target": int(words[0])},
    "redo": lambda words: {"target": int(words[0])},
    "withdraw": lambda words: {"from": int(words[0])},
    "reseat": lambda words: {
        "seats": dict(zip(SEATS, words[1:], strict=True)), "from_deal": int(words[0]), "reason": "sat down wrongly",
    },
    "end": lambda _: {"reason": "the last bus"},
    "close": lambda _: {},
    "abandon": lambda _: {"reason": "the lights went out"},
}  # fmt: skip


def say(line: str) -> AnyEntry:
    """The entry that a spoken line means; raises `msgspec.ValidationError` where the entry would be malformed."""
    kind, *words = line.split()
    plain = [word for word in words if "=" not in word]
    fields = _SHAPES[kind](plain)
    for word in words:
        if "=" in word:
            name, value = word.split("=", 1)
            fields[name] = _value(value)
    return msgspec.convert({"entry": kind} | fields, AnyEntry)


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return text


def lines(text: str) -> list[str]:
    """The spoken lines of a text, which a semicolon or a line break divides."""
    return [line.strip() for line in text.replace("\n", ";").split(";") if line.strip()]


class Table:
    """A table at which a test records: the session as it stands, and the events of every entry so far."""

    def __init__(self, text: str = "") -> None:
        self.session: Session = initial()
        self.log: list[tuple[int, AnyEvent]] = []
        self.then(text)

    def then(self, text: str) -> Table:
        """Records the spoken lines; a refusal fails the test."""
        for line in lines(text):
            self.take(say(line))
        return self

    def take(self, entry: AnyEntry) -> tuple[AnyEvent, ...]:
        """Records one entry and returns its events."""
        recorded = record(self.session, entry)
        assert not isinstance(recorded, Refusal), f"{entry} was refused: {recorded}"
        self.session, told = recorded
        self.log += ((self.session.number, event) for event in told)
        return told

    def refusal(self, line: str) -> Refusal:
        """Why the spoken line is refused here; that it is accepted fails the test."""
        recorded = record(self.session, say(line))
        assert isinstance(recorded, Refusal), f"{line} was accepted"
        return recorded

    def refuses(self, line: str, code: str, rule: int | None) -> None:
        """Checks that the spoken line is refused here with this code and by this rule."""
        refusal = self.refusal(line)
        assert (refusal.code, refusal.rule) == (code, rule), refusal

    @property
    def game(self) -> Game:
        return self.session.game

    @property
    def base(self) -> Base:
        assert not isinstance(self.game, Unopened)
        return self.game.base

    @property
    def balances(self) -> Four[int]:
        return self.base.balances

    @property
    def pool(self) -> tuple[int, int]:
        return self.base.pool.full, self.base.pool.open

    def last(self, kind: type[Any]) -> Any:
        """The latest event of a kind."""
        return next(event for _, event in reversed(self.log) if isinstance(event, kind))

    def findings(self) -> list[str]:
        """The kinds of all findings so far."""
        return [finding.kind for finding in self.base.findings]


def seated(ruleset: str = "american-decimal", dealer: str = "W", *, open_with: str = "") -> Table:
    """A table with its session open and its first dealer known; `N` speaks and leads first, where `W` deals."""
    return Table(f"open {ruleset} {open_with}; first_dealer {dealer}")


def four_hands(*suits_first: str) -> str:
    """The `deal` line in which N, E, S and W hold the named cards, and are filled up from the rest of the pack.

    Each text lists cards divided by commas; what is left of the pack goes to N first, then E, S and W.
    """
    held = [text.split(",") if text else [] for text in suits_first] + [[] for _ in range(4 - len(suits_first))]
    named = {card for hand in held for card in hand}
    rest = [card for card in CARDS if card not in named]
    for hand in held:
        missing = 13 - len(hand)
        hand += rest[:missing]
        del rest[:missing]
    return "deal " + " ".join(f"{seat}:{','.join(hand)}" for seat, hand in zip(SEATS, held, strict=True))
