"""The worked examples, each of which was computed independently of this code, played at a real table.

Whole evenings and refused records go through `boston replay` too, beside the tests of the command line.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.events import AuctionWon, ContributionMade, DealSettled, PartoutBegun
from domain.game import Base, Closed, Contracted
from domain.ladder import format_bid, numeric, parse_call, wanted
from domain.pool import Pool, double, put_in, win
from domain.record import parse_line, replay, replay_object
from domain.rulesets import RULESETS
from domain.seats import LEFT, RIGHT, Four, clockwise, each
from domain.settlement import Result, partout_deltas, settle
from tests.spoken import DATE, PLAYERS, Table, seated

GOLDEN = Path(__file__).parents[1] / "golden"


def cases(name: str) -> list[Any]:
    """The cases of a file, each under its own id."""
    read = json.loads((GOLDEN / f"{name}.json").read_text())
    return [pytest.param(case, id=str(case.get("id") or case.get("name") or case["tricks"])) for case in read]


def a_base(ruleset: str, pool: Pool) -> Base:
    opened = Table(f"open {ruleset}").base.opened
    return Base(opened, (), each(1000), pool)


@pytest.mark.parametrize("case", cases("settlement"))
def test_settlement(case: dict[str, Any]) -> None:
    base = a_base(case["ruleset"], Pool(*case["pool_before"]))
    contract = Contracted(case["caller"], case["contract"])
    settled = settle(base, contract, Result(case["made"], case["shortfall"], None, case["conceded"]))
    assert dict(settled.deltas.items()) == case["deltas"]
    assert [settled.pool.full, settled.pool.open] == case["pool_after"]


@pytest.mark.parametrize("case", [c for c in cases("settlement") if c.values[0]["pool_before"] == [0, 40]])
def test_settlement_at_the_table(case: dict[str, Any]) -> None:
    """Those that a first deal can reach, by their trick totals or by three concessions."""
    table = seated(case["ruleset"])
    caller, contract = case["caller"], case["contract"]
    table.then(f"contract {caller} {contract}{' H' if numeric(contract) else ''}")
    if case["conceded"]:
        table.then("; ".join(f"concede {seat}" for seat in clockwise(caller)[1:]))
    else:
        won = (
            wanted(contract) - case["shortfall"]
            if not case["made"]
            else 13
            if "13" in case["note"]
            else wanted(contract)
        )
        rest = [13 - won, 0, 0] if not case["made"] or won == 13 else [0, 0, 0]
        tricks = dict(zip(clockwise(caller), (won, *rest), strict=True))
        table.then("tricks " + " ".join(str(tricks[seat]) for seat in "NESW"))
    settled = table.last(DealSettled)
    assert dict(settled.deltas.items()) == case["deltas"]
    assert [settled.pool.full, settled.pool.open] == case["pool_after"]
    assert isinstance(table.log[-1][1], ContributionMade) == (case["pool_after"] == [0, 0])


@pytest.mark.parametrize("case", cases("pool"))
def test_pool(case: dict[str, Any]) -> None:
    cap, pool = RULESETS["american-decimal"].cap, Pool(*case["start"])
    for step in case["steps"]:
        if step["op"] == "fine":
            moved, pool = step["moved"], put_in(pool, step["moved"], cap)
        else:
            moved, pool = (win if step["op"] == "win" else double)(pool, cap)
        assert moved == step["moved"]
        assert [pool.full, pool.open] == step["after"]


@pytest.mark.parametrize("case", cases("partout"))
def test_partout(case: dict[str, Any]) -> None:
    assert dict(partout_deltas(Four(**case["tricks"]), 10).items()) == case["deltas"]
    table = seated().then("contract partout; tricks " + " ".join(str(case["tricks"][seat]) for seat in "NESW"))
    assert dict(table.last(DealSettled).deltas.items()) == case["deltas"]


@pytest.mark.parametrize("case", cases("auction"))
def test_auction(case: dict[str, Any]) -> None:
    table = seated(dealer=case["dealer"]).then("preference QD; deal")
    turn = LEFT[case["dealer"]]
    for call in case["calls"]:
        table.then(f"call {turn} {call}")
        turn = LEFT[turn]
    for call in case["legal"]:
        _same(table).then(f"call {turn} {call}")
    for call in case["illegal"]:
        table.refusal(f"call {turn} {call}")
    result = case["result"]
    ends = [event for _, event in table.log if isinstance(event, AuctionWon | PartoutBegun)]
    if result is None or result == "misere_partout":
        assert [type(event) for event in ends] == ([PartoutBegun] if result else [])
    else:
        (won,) = ends
        assert isinstance(won, AuctionWon)
        bid = parse_call(result["call"])
        assert bid is not None
        assert (won.caller, won.contract, won.preference) == (result["caller"], bid.contract, bid.preference)
        assert format_bid(bid) == result["call"]


def _same(table: Table) -> Table:
    """Another table in the same position."""
    other = Table()
    other.session = table.session
    return other


@pytest.mark.parametrize("case", cases("trick"))
def test_trick(case: dict[str, Any]) -> None:
    table = seated(dealer=RIGHT[case["leader"]])
    table.then(f"contract {case['leader']} 13 {case['trumps']}" if case["trumps"] else "contract partout")
    for seat, card in zip(clockwise(case["leader"]), case["cards"], strict=True):
        table.then(f"play {seat} {card}")
    winner = next(event.winner for _, event in reversed(table.log) if getattr(event, "winner", None))
    assert winner == case["winner"]


FIVE_IN_HEARTS = "contract N 5 H; play N AH; play E 2H; play S 3H; play W 4H; "
CONCESSIONS = {
    "C1": (
        "W",
        FIVE_IN_HEARTS + "play N KH; concede E; play E 5H; concede S; play S 6H; concede W",
        {"N": 30, "E": -10, "S": -10, "W": -10},
        [0, 40],
    ),
    "C2": (
        "W",
        "contract N 5 H; play N 2H; play E AH; play S 3H; play W 4H; play E KD; tricks 5 8 0 0",
        {"N": 70, "E": -10, "S": -10, "W": -10},
        [0, 0],
    ),
    "C4": (
        "W",
        "contract E 7 H; play N 2H; play E AH; play S 3H; play W 4H; concede N; concede S; concede W",
        {"N": -20, "E": 100, "S": -20, "W": -20},
        [0, 0],
    ),
}


@pytest.mark.parametrize("case", cases("concession"))
def test_concession(case: dict[str, Any]) -> None:
    dealer, story, deltas, pool = CONCESSIONS[case["id"]]
    table = seated(dealer=dealer).then(story)
    settled = table.last(DealSettled)
    assert settled.outcome == "made"
    assert dict(settled.deltas.items()) == deltas
    assert [settled.pool.full, settled.pool.open] == pool
    if case["id"] == "C2":
        assert any(getattr(event, "kills_concession", False) for _, event in table.log)


EVENING = (
    "contract N 8 S; tricks 6 7 0 0",
    "contract E 5 S; concede N; concede S; concede W",
    "contract partout; tricks 5 5 1 2",
    "contract S LM; tricks 3 3 3 3",
    "deal; misdeal",
    "contract W 9 S; tricks 5 0 0 8",
    "contract N GM; tricks 0 13 0 0",
    "contract E 6 S; tricks 0 6 0 0",
    "contract S 7 S; concede N; concede E; concede W",
    "contract W 12 S; tricks 3 0 0 10",
    "contract N 10 S; tricks 10 0 0 0",
    "contract partout; tricks 4 4 4 1",
    "contract E LS; tricks 0 1 0 0",
)


@pytest.mark.parametrize("case", cases("evening"))
def test_evening(case: dict[str, Any]) -> None:
    table = seated(case["ruleset"], case["first_dealer"])
    for told, deal in zip(EVENING, case["deals"], strict=True):
        table.then(told)
        assert list(table.balances) == deal["balances"], deal["event"]
        assert list(table.pool) == deal["pool"], deal["event"]
        assert table.base.counted + (not table.base.rows[-1].counts) == deal["n"]
    table.then("close")
    assert isinstance(table.game, Closed)
    assert list(table.game.final) == case["final"]


@pytest.mark.parametrize("path", sorted((GOLDEN / "sessions").glob("*.jsonl")), ids=lambda path: path.stem)
def test_whole_evenings(path: Path) -> None:
    expected = json.loads(path.with_suffix(".expected.json").read_text())
    shown = json.loads(msgspec.json.encode(replay_object(replay(path.read_bytes().splitlines()))))
    assert shown["refused"] == []
    for row, worked_out in zip(shown["deals"], expected["deals"], strict=True):
        assert {name: row.get(name) for name in worked_out} == worked_out
    assert {name: shown[name] for name in expected if name != "deals"} == {
        name: value for name, value in expected.items() if name != "deals"
    }


@pytest.mark.parametrize("case", cases("refusals"))
def test_refusals(case: dict[str, Any]) -> None:
    *before, wrong = [msgspec.json.encode(line) for line in case["record"]]
    kept = replay(before)
    assert kept.refused == ()
    refused = replay([*before, wrong])
    assert [(one.number, one.rule) for one in refused.refused] == [(case["refused"], case["rule"])]
    assert refused.session == kept.session


def test_what_may_be_accepted_on_input_is_written_in_the_two_letter_form() -> None:
    for text in ("TC", "10C", "tc", "♣10", "10♣", "C10", "♣T", " 10c "):
        entry = parse_line(json.dumps({"entry": "play", "seat": "N", "card": text}))
        assert entry == parse_line(b'{"entry": "play", "seat": "N", "card": "TC"}')
    opened = parse_line(
        json.dumps({"entry": "open", "ruleset": "russian", "seats": PLAYERS, "date": DATE, "format": 1})
    )
    assert msgspec.to_builtins(opened)["format"] == 1
