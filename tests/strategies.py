"""Hypothesis strategies for single entries, whatever the state of a table: every kind, every field.

They are made from each entry's fields by name, so that a new kind of entry is drawn as soon as it exists; a
field of an unknown name fails loudly.
"""

from __future__ import annotations

from typing import Any, get_args

import msgspec
from hypothesis import strategies as st

from domain import entries
from domain.cards import CARDS, SUITS
from domain.entries import AnyEntry
from domain.ladder import BIDS, LADDER, format_bid
from domain.seats import SEATS

KINDS: tuple[type[entries.Entry], ...] = get_args(AnyEntry)

seats = st.sampled_from(SEATS)
cards = st.sampled_from(CARDS)
suits = st.sampled_from(SUITS)
calls = st.sampled_from(("pass", *map(format_bid, BIDS)))
numbers = st.integers(1, 60) | st.integers(1, 1_000_000)
lines = st.text(min_size=1, max_size=40)
ids = st.text(min_size=1, max_size=64)
times = st.sampled_from(("2026-11-30T21:43:05Z", "2026-11-30T21:43:05.25+01:00", "2026-02-28t01:02:03z"))
players = st.permutations(("Ann", "Bea", "Cal", "Dan")) | st.lists(
    st.sampled_from(("Ann", "Bea", "Cal", "Dan", "Eva")), min_size=4, max_size=4
)
hashes = st.text("0123456789abcdef", min_size=64, max_size=64)


def four(values: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """A value for each chair."""
    return st.fixed_dictionaries(dict.fromkeys(SEATS, values))


def some(values: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """A value for some of the chairs."""
    return st.fixed_dictionaries({}, optional=dict.fromkeys(SEATS, values))


def _balanced(amounts: tuple[int, int, int]) -> dict[str, int]:
    return dict(zip(SEATS, (*amounts, -sum(amounts)), strict=True))


hands = some(st.lists(cards, max_size=14)) | st.permutations(CARDS).map(
    lambda pack: {seat: list(pack[13 * place : 13 * place + 13]) for place, seat in enumerate(SEATS)}
)
amounts = st.integers(-5_000, 5_000)
deltas = four(amounts) | st.tuples(amounts, amounts, amounts).map(_balanced)

_FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "ruleset": st.sampled_from(("american-decimal", "boston-whist", "russian", "whist")),
    "date": st.dates().map(lambda day: f"{day:%Y-%m-%d}".zfill(10)),
    "club": lines, "table": lines, "format": st.just(1),
    "options": st.fixed_dictionaries({}, optional={
        "slam_after_failure": st.sampled_from(("stop", "play_out")),
        "stake": st.sampled_from((0, 10, 50)),
        "deals": st.integers(1, 999),
        "start": st.integers(0, 5_000),
    }),
    "rules": st.sampled_from(({}, {"cap": None}, {"cap": 100}, {"stake": 0}, {"no_such_field": 1}, {"cap": 5})),
    "pack": st.sampled_from(("dealt", "still")), "at": st.integers(4, 48),
    "seat": seats, "caller": seats, "seats": players.map(lambda four: dict(zip(SEATS, four, strict=True))),
    "card": cards, "suit": suits, "trumps": suits, "call": calls, "hands": hands,
    "preference": st.sampled_from(("second", "first")), "contract": st.sampled_from((*LADDER, "partout")),
    "irregular": st.booleans(), "publish": st.booleans(),
    "evidence": st.sampled_from(("seen", "inferred", "reconstructed")),
    "tricks": four(st.integers(0, 13)), "trick": st.integers(1, 13),
    "agreed": st.permutations(SEATS) | st.lists(seats, max_size=4),
    "target": numbers, "start": numbers, "from_deal": st.integers(1, 9_999) | st.integers(1, 3),
    "reason": lines, "line": st.integers(1, 4) | numbers, "law": lines, "dispute": numbers, "undoes": numbers,
    "about": st.sampled_from(("deal", "trick", "card", "call", "settlement")),
    "outcome": st.sampled_from(("withdrawn", "stands", "cancelled", "corrected", "adjusted")),
    "kind": st.sampled_from(("revoke", "card_twice", "wrong_cutter")), "entries": st.lists(numbers, max_size=3),
    "hash": hashes, "device": st.sampled_from(("own", "recorder")), "deltas": deltas,
}  # fmt: skip
_OWN_FIELDS: dict[tuple[str, str], st.SearchStrategy[Any]] = {
    ("cut", "by"): seats,
    ("first_dealer", "cards"): some(cards) | four(cards),
    ("expose", "cards"): st.lists(cards, max_size=14) | st.lists(cards, min_size=13, max_size=13, unique=True),
    ("dispute", "by"): seats | st.just("director"),
}


def _read(wire: dict[str, Any]) -> AnyEntry | None:
    try:
        return msgspec.convert(wire, AnyEntry)
    except msgspec.ValidationError:
        return None


def wires(kind: type[entries.Entry]) -> st.SearchStrategy[dict[str, Any]]:
    """Entries of a kind as they travel; fields may contradict each other, so some are malformed."""
    tag = str(kind.__struct_config__.tag)
    must: dict[str, st.SearchStrategy[Any]] = {"entry": st.just(tag)}
    may: dict[str, st.SearchStrategy[Any]] = {"id": ids, "time": times}
    for field in msgspec.structs.fields(kind):
        if field.name in may:
            continue
        if field.name == "changes":
            values: st.SearchStrategy[Any] = st.lists(_changes(), max_size=2)
        else:
            own = (tag, field.name)
            values = _OWN_FIELDS[own] if own in _OWN_FIELDS else _FIELDS[field.name]
        (must if field.required else may)[field.encode_name] = values
    return st.fixed_dictionaries(must, optional=may)


def _changes() -> st.SearchStrategy[dict[str, Any]]:
    put = st.lists(st.deferred(lambda: st.sampled_from(_PLAIN).flatmap(wires)), max_size=2)
    more = {"put": put, "after": st.booleans(), "part": st.integers(0, 3)}
    return st.fixed_dictionaries({"at": numbers}, optional=more)


_PLAIN = tuple(kind for kind in KINDS if kind.__struct_config__.tag != "correct")

any_entry: st.SearchStrategy[AnyEntry] = (
    st.sampled_from(KINDS).flatmap(wires).map(_read).filter(lambda entry: entry is not None)
)
"""Any well-formed entry of any kind."""


def entry_of_kind(kind: type[entries.Entry]) -> st.SearchStrategy[AnyEntry]:
    """Any well-formed entry of one kind."""
    return wires(kind).map(_read).filter(lambda entry: entry is not None)
