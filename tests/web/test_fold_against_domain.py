"""The tablet's fold and the domain walk the same records and agree after every single entry."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import msgspec

from domain.cards import CARDS
from domain.record import parse_line
from domain.refusal import Refusal
from domain.seats import SEATS
from domain.session import initial, record, skipped
from domain.view import table_view
from tests.web.conftest import Node

HERE = Path(__file__).parent
GOLDEN = sorted((HERE.parent / "golden" / "sessions").glob("*.jsonl"))
RULESETS = ("american-decimal", "boston-whist", "russian")
SEATED = {"N": "Ann", "E": "Bea", "S": "Cal", "W": "Dan"}


def walk(entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What the domain says after every entry of a record; refused ones are passed over."""
    session, states = initial(), []
    for entry in entries:
        taken = record(session, parse_line(json.dumps(entry).encode()))
        refused = taken.code if isinstance(taken, Refusal) else None
        session = skipped(session) if isinstance(taken, Refusal) else taken[0]
        view = table_view(session)
        states.append(
            {
                "refused": refused,
                "phase": view.phase,
                "dealer": view.dealer,
                "balances": msgspec.to_builtins(view.balances),
                "pool": msgspec.to_builtins(view.pool),
                "turn": view.turn,
                "legal": sorted(view.auction.legal) if view.auction else [],
                "may_concede": sorted(view.contract.may_concede) if view.contract else [],
                "undo": view.undo,
                "redo": view.redo,
            }
        )
    return states


def guess(rng: random.Random, entries: list[dict[str, Any]]) -> dict[str, Any]:
    """An entry that might come next, often one that is accepted, sometimes one that is not."""
    states = walk(entries)
    state = states[-1]
    seat = state["turn"] if state["turn"] and rng.random() < 0.95 else rng.choice(SEATS)
    number = len(entries)
    odd = rng.random()
    if odd < 0.03 and state["undo"]:
        return {"entry": "undo", "target": state["undo"]}
    if odd < 0.06 and state["redo"]:
        return {"entry": "redo", "target": state["redo"]}
    if odd < 0.075:
        return {"entry": "withdraw", "from": max(1, number - rng.randrange(6))}
    if odd < 0.085:
        return {"entry": "cancel", "agreed": list(SEATS), "reason": "a dispute"}
    if odd < 0.095:
        return {"entry": "misdeal", "reason": "a card was faced"}
    if odd < 0.12:
        return {"entry": "concede", "seat": rng.choice(SEATS)}
    if odd < 0.125:
        return {"entry": "revoke", "seat": rng.choice(SEATS), "trick": 1}
    phase = state["phase"]
    if phase == "opening":
        return {"entry": "first_dealer", "seat": seat}
    if phase in ("between_deals", "dealing"):
        card = {"entry": "preference", "card": rng.choice(CARDS)}
        reported = {"entry": "contract", "caller": seat, "contract": rng.choice(["5", "8", "LM", "GS", "13"])}
        return rng.choice([card, {"entry": "deal"}, {"entry": "deal"}, reported, {"entry": "cut", "by": seat}])
    if phase == "auction":
        legal = [call for call in state["legal"] if call != "pass"]
        call = rng.choice(legal) if legal and rng.random() < 0.3 else "pass"
        return {"entry": "call", "seat": seat, "call": call if rng.random() < 0.97 else "7/2"}
    if phase == "trumps":
        return {"entry": "trumps", "suit": rng.choice("SHDC")}
    if phase == "discards":
        return {"entry": "discard", "seat": rng.choice(SEATS)}
    if phase == "play" and rng.random() < 0.97:
        return {"entry": "play", "seat": seat, "card": rng.choice(CARDS), "irregular": rng.random() < 0.02}
    if phase in ("play", "exposing"):
        won = [rng.randrange(5) for _ in range(3)]
        return {"entry": "tricks", "tricks": dict(zip(SEATS, [*won, 13 - sum(won)], strict=True))}
    return {"entry": "close"}


def tablet(records: list[list[dict[str, Any]]], node: Node) -> list[list[dict[str, Any]]]:
    told = node("walk.js", said="\n".join(map(json.dumps, records)))
    return [json.loads(line) for line in told.splitlines()]


def assert_agree(records: list[list[dict[str, Any]]], node: Node) -> None:
    for entries, theirs in zip(records, tablet(records, node), strict=True):
        for number, (entry, ours, other) in enumerate(zip(entries, walk(entries), theirs, strict=True), start=1):
            seen = {key: sorted(other[key]) if key in ("legal", "may_concede") else other[key] for key in ours}
            assert seen == ours, f"entry {number}: {entry}\n" + json.dumps(entries[: number + 1])


def test_whole_evenings(node: Node) -> None:
    assert_agree([[json.loads(line) for line in path.read_text().splitlines() if line] for path in GOLDEN], node)


def test_random_evenings(node: Node) -> None:
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    rng = random.Random(seed)
    records = []
    for ruleset in RULESETS * 2:
        entries: list[dict[str, Any]] = [
            {"entry": "open", "ruleset": ruleset, "seats": SEATED, "date": "2026-11-30"},
            {"entry": "first_dealer", "seat": "W"},
        ]
        while len(entries) < 120:
            entries.append(guess(rng, entries))
        records.append(entries)
    assert_agree(records, node)


def test_a_hand_laid_open_overrides_what_was_known_of_it(node: Node) -> None:
    hands = {seat: [rank + suit for rank in "AKQJT98765432"] for seat, suit in zip(SEATS, "SHDC", strict=True)}
    laid = ["AC", *hands["N"][:11]]
    record = [
        {"entry": "open", "ruleset": "american-decimal", "seats": SEATED, "date": "2026-11-30"},
        {"entry": "first_dealer", "seat": "W"},
        {"entry": "deal", "hands": hands},
        {"entry": "contract", "caller": "N", "contract": "LS"},
        *({"entry": "discard", "seat": seat} for seat in SEATS),
        {"entry": "expose", "seat": "N", "cards": laid},
        *(
            {"entry": "play", "seat": seat, "card": card}
            for seat, card in zip(SEATS, ("AC", "2H", "2D", "3C"), strict=True)
        ),
    ]
    assert walk(record)[-1]["refused"] is None
    assert_agree([record], node)
