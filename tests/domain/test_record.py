"""Reading a record: what is malformed is said so, whatever the bytes; syntax and legality are two steps."""

from __future__ import annotations

import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.cards import CARDS, SUIT_CARDS, card_set, cards_of, parse_card, parse_suit
from domain.ladder import BIDS, format_bid, parse_call
from domain.record import format_entry, parse_line, replay, replay_object
from domain.text import Malformed
from tests.evenings import Evening
from tests.spoken import DATE, PLAYERS

OPEN = {"entry": "open", "ruleset": "american-decimal", "seats": PLAYERS, "date": DATE}

MALFORMED = {
    "no JSON": b"{",
    "no object": b"[1, 2]",
    "nested without end": b"[" * 100_000,
    "not UTF-8": b'{"entry": "abandon", "reason": "\xff"}',
    "half a character": b'{"entry": "abandon", "reason": "\\ud800"}',
    "a NUL": b'{"entry": "abandon", "reason": "a\\u0000b"}',
    "no kind": b'{"reason": "x"}',
    "an unknown kind": b'{"entry": "applaud"}',
    "an unknown field": b'{"entry": "close", "loudly": true}',
    "two kinds": b'{"entry": "close", "entry": "undo", "target": 1}',
    "a missing field": b'{"entry": "undo"}',
    "too great a number": b'{"entry": "undo", "target": 99999999999999999999}',
    "a fraction": b'{"entry": "undo", "target": 1.5}',
    "an endless number": b'{"entry": "undo", "target": 1e400}',
    "a boolean for a number": b'{"entry": "tricks", "tricks": {"N": true, "E": 0, "S": 0, "W": 0}}',
    "three seats": b'{"entry": "tricks", "tricks": {"N": 13, "E": 0, "S": 0}}',
    "a fifth seat": b'{"entry": "tricks", "tricks": {"N": 13, "E": 0, "S": 0, "W": 0, "X": 0}}',
    "no card": b'{"entry": "play", "seat": "N", "card": "1S"}',
    "no suit": b'{"entry": "trumps", "suit": "X"}',
    "no call": b'{"entry": "call", "seat": "N", "call": "4"}',
    "a half call": b'{"entry": "call", "seat": "N", "call": "7/"}',
    "no day": json.dumps(OPEN | {"date": "2026-02-30"}).encode(),
    "a stake of 15": json.dumps(OPEN | {"options": {"stake": 15}}).encode(),
    "no hour": b'{"entry": "close", "time": "2026-11-30T24:00:00Z"}',
    "no offset": b'{"entry": "close", "time": "2026-11-30T21:00:00"}',
    "an empty reason": b'{"entry": "abandon", "reason": ""}',
    "a partout with a caller": b'{"entry": "contract", "contract": "partout", "caller": "N"}',
    "a contract without one": b'{"entry": "contract", "contract": "7"}',
    "a misere in a suit": b'{"entry": "contract", "contract": "LM", "caller": "N", "trumps": "S"}',
    "too small a packet": b'{"entry": "cut", "by": "N", "at": 3}',
}


@pytest.mark.parametrize("line", MALFORMED.values(), ids=MALFORMED.keys())
def test_malformed_lines(line: bytes) -> None:
    with pytest.raises(Malformed):
        parse_line(line)
    replayed = replay([line])
    assert [refused.code for refused in replayed.refused] == ["malformed"]
    assert msgspec.json.encode(replay_object(replayed))


@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_any_bytes_are_an_entry_or_malformed(line: bytes) -> None:
    try:
        entry = parse_line(line)
    except Malformed:
        return
    assert parse_line(format_entry(entry)) == entry


@given(st.data())
def test_a_damaged_line_is_an_entry_or_malformed(data: st.DataObject) -> None:
    lines = [format_entry(entry) for entry in Evening(7, deals=1).entries()]
    line = bytearray(data.draw(st.sampled_from(lines)))
    line[data.draw(st.integers(0, len(line) - 1))] = data.draw(st.integers(0, 255))
    replay([bytes(line)])


@pytest.mark.parametrize(
    "rules",
    [
        {"no_such_field": 1},
        {"cap": 255},
        {"batches": [4, 4, 4]},
        {"success": {"5": 10}},
        {"failure": {"5": [1, 2, 3]}},
        {"misere": {"LM": 20, "GM": 40, "LS": 80, "GS": 160, "XX": 1}},
        {"low_contracts": ["4"]},
        {"stake": -10},
    ],
    ids=str,
)
def test_house_rules_that_cannot_be(rules: dict[str, object]) -> None:
    replayed = replay([json.dumps(OPEN | {"rules": rules}).encode()])
    assert [refused.code for refused in replayed.refused] == ["malformed"]


def test_blank_lines_are_skipped_and_not_numbered() -> None:
    opened = json.dumps(OPEN).encode()
    replayed = replay([b"", b"  \n", opened, b"\n", b'{"entry": "close"}'])
    assert [(refused.number, refused.line, refused.code) for refused in replayed.refused] == [(2, 5, "not_now")]
    going = replay([opened, b"x", b'{"entry": "close"}', b'{"entry": "shuffle"}'], keep_going=True)
    assert [refused.number for refused in going.refused] == [2, 3]
    assert going.session.number == 4


def test_cards_and_calls_read_as_they_are_written() -> None:
    assert [parse_card(card) for card in CARDS] == list(CARDS)
    assert [format_bid(bid) for text in map(format_bid, BIDS) if (bid := parse_call(text))] == list(
        map(format_bid, BIDS)
    )
    assert parse_call("pass") is None
    assert [parse_suit(suit) for suit in ("S", "♥", "d", " ♣ ")] == ["S", "H", "D", "C"]
    assert list(cards_of(card_set(CARDS))) == list(CARDS)
    assert [bits.bit_count() for bits in SUIT_CARDS.values()] == [13] * 4
    for text in "", "1", "T", "SS", "10", "11S", "ASAS":
        with pytest.raises(Malformed):
            parse_card(text)
