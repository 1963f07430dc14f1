"""The ruling simulator: rulings side by side over HTTP, the same as the real thing, and nothing recorded."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest

from tests.api.house import House, Key, evening
from tests.api.results import RIGHT, deal, plain_rows, recorded, results, state

pytestmark = pytest.mark.api


def test_rulings_side_by_side_record_nothing_and_tell_what_recording_does(house: House) -> None:
    director = house.club["director"]
    record = evening("american-1")
    session_id = director.open(record)
    for start in range(1, len(record), 400):
        director.take(session_id, record[start : start + 400])
    path = f"/api/sessions/{session_id}"
    before = director.get(path).json()
    told = director.ask("POST", f"{path}/rulings/simulate", {"lines": [{"line": 1}]})
    assert told.status_code == 200, told.text
    effects = told.json()["effects"]
    assert [effect["name"] for effect in effects][:2] == ["stands", "cancelled"]
    stands, cancelled = effects[:2]
    assert stands["final"] == before["final"]
    assert stands["winners"] == before["winners"]
    assert stands["lines"] == []
    assert director.get(path).json() == before
    assert cancelled["refused"] is None
    assert cancelled["lines"]
    director.take(session_id, cancelled["entries"], second_key=house.club["admin"].key)
    after = director.get(path).json()
    assert after["final"] == cancelled["final"]
    assert after["winners"] == cancelled["winners"]
    assert [line["row"] for line in after["rows"]] == cancelled["rows"]


def simulated(key: Key, session: str, **asked: Any) -> list[dict[str, Any]]:
    answer = key.ask("POST", f"/api/sessions/{session}/rulings/simulate", asked)
    assert answer.status_code == 200, answer.text
    told: list[dict[str, Any]] = answer.json()["effects"]
    return told


def kept(house: House, record: list[dict[str, Any]]) -> str:
    """Records a whole evening, however long it is."""
    director = house.club["director"]
    session = director.open(record)
    for start in range(1, len(record), 400):
        director.take(session, record[start : start + 400])
    return session


def really(house: House, session: str, effect: dict[str, Any]) -> dict[str, Any]:
    """The state after really recording what a ruling says, in a copy of the evening."""
    director = house.club["director"]
    text = director.get(f"/api/sessions/{session}/record").text
    record = [entry for line in text.splitlines() if (entry := json.loads(line))]
    copy = kept(house, record)
    if effect["entries"]:
        answer = director.record(copy, effect["entries"], second_key=house.club["admin"].key)
        if effect["refused"] is not None:
            assert answer.json()["code"] == effect["refused"]["code"]
            return {}
        assert answer.status_code == 200, answer.text
    return state(director, copy)


def agree(house: House, session: str, effects: list[dict[str, Any]]) -> None:
    """Each ruling leads to exactly what recording it leads to."""
    before = state(house.club["director"], session)
    for effect in effects:
        after = really(house, session, effect)
        if not after:
            continue
        assert plain_rows(after) == effect["rows"], effect["name"]
        if after["final"] is not None:
            assert (after["final"], after["winners"]) == (effect["final"], effect["winners"])
        else:
            assert (after["balances"], after["pool"]) == (effect["balances"], effect["pool"])
        assert [line["line"] for line in effect["changed"]] == [
            at for at, (one, two) in enumerate(zip(plain_rows(before), effect["rows"], strict=True), 1) if one != two
        ]
    assert state(house.club["director"], session) == before


@pytest.mark.parametrize("name", ["american-1", "mixed-russian-31", "whist-21", "scripted-ends-early"])
def test_every_ruling_on_an_evening_leads_to_what_recording_it_does(house: House, name: str) -> None:
    director = house.club["director"]
    session = kept(house, evening(name))
    rows = state(director, session)["rows"]
    settled = [at for at, line in enumerate(rows, start=1) if line["row"]["deltas"] is not None]
    for line in (settled[0], settled[-1]):
        effects = simulated(director, session, lines=[{"line": line, "trick": 1}])
        assert [effect["name"] for effect in effects][:1] == ["stands"]
        assert len(effects) >= 2
        agree(house, session, effects)


def test_disputes_are_ruled_side_by_side_with_what_is_proposed_for_them(house: House) -> None:
    director = house.club["director"]
    session = recorded(director, results())
    director.take(session, [
        {"entry": "dispute", "line": 1, "by": "N", "about": "settlement", "reason": "we had eight"},
        {"entry": "dispute", "line": 3, "by": "director", "reason": "a card was shown"},
        {"entry": "dispute", "line": 1, "by": "E", "about": "trick", "target": 2, "reason": "and a revoke"},
    ])  # fmt: skip
    numbers = [dispute["number"] for dispute in state(director, session)["docket"]["disputes"]]
    proposed = [{"line": 1, "changes": [{"at": 4, "put": [deal(*RIGHT)[1]]}]}]
    effects = simulated(house.club["auditor"], session, disputes=numbers, corrections=proposed)
    choices = itertools.product(("stands", "cancelled", "corrected"), ("stands", "cancelled"))
    assert [effect["name"] for effect in effects] == [" + ".join(names) for names in choices]
    agree(house, session, effects)
    right = next(effect for effect in effects if effect["name"] == "corrected + stands")
    assert right["rows"] == plain_rows(state(director, recorded(director, results(RIGHT))))
    assert {entry["dispute"] for effect in effects for entry in effect["entries"]} <= set(numbers)


def test_a_correction_that_would_be_refused_says_so_beside_the_others(house: House) -> None:
    director = house.club["director"]
    session = recorded(director, results())
    tricks = {"entry": "tricks", "tricks": {"N": 9, "E": 9, "S": 0, "W": 0}}
    seats = {
        "entry": "reseat",
        "seats": {"N": "Eve", "E": "Bea", "S": "Cal", "W": "Dan"},
        "from_deal": 1,
        "reason": "no",
    }
    proposed = [{"line": 1, "changes": [{"at": 4, "put": [tricks]}]},
                {"line": 1, "changes": [{"at": 4, "put": [seats], "after": True}]}]  # fmt: skip
    effects = simulated(director, session, corrections=proposed)
    assert [effect["name"] for effect in effects] == [
        "stands", "cancelled", "corrected, proposal 1", "corrected, proposal 2"]  # fmt: skip
    assert effects[2]["refused"]["code"] == "tricks_cannot_be"
    agree(house, session, effects)
    names = {player["name"] for player in director.get("/api/players").json()["players"]}
    assert "Eve" in names, "the copies were really recorded"


def test_a_name_only_compared_joins_no_register(house: House) -> None:
    director = house.club["director"]
    session = recorded(director, results(deals=1))
    seats = {
        "entry": "reseat",
        "seats": {"N": "Nobody", "E": "Bea", "S": "Cal", "W": "Dan"},
        "from_deal": 1,
        "reason": "x",
    }
    simulated(director, session, corrections=[{"line": 1, "changes": [{"at": 4, "put": [seats], "after": True}]}])
    assert "Nobody" not in {player["name"] for player in director.get("/api/players").json()["players"]}


def test_what_cannot_be_compared_is_told(house: House) -> None:
    director = house.club["director"]
    session = recorded(director, results())
    path = f"/api/sessions/{session}/rulings/simulate"
    director.take(session, [{"entry": "dispute", "line": 1, "by": "N", "reason": "we had eight"}])
    put = [{"at": 4, "put": [deal(*RIGHT)[1]]}]
    for body, status in (
        ({}, 400),
        ({"disputes": [4]}, 404),
        ({"lines": [{"line": 1}], "disputes": [28]}, 400),
        ({"disputes": [28], "corrections": [{"line": 2, "changes": put}]}, 400),
        ({"lines": [{"line": 1}, {"line": 1}]}, 400),
        ({"corrections": [{"line": 14, "changes": put}]}, 404),
        ({"corrections": [{"line": 1, "changes": []}]}, 400),
        ({"lines": [{"line": line, "trick": 1} for line in range(1, 9)],
          "corrections": [{"line": line, "changes": put} for line in range(1, 9)]}, 422),
    ):  # fmt: skip
        answer = director.ask("POST", path, body)
        assert answer.status_code == status, (body, answer.text)
    assert state(director, session)["entries"] == 28


def test_an_unknown_line_and_one_named_twice_are_told(house: House) -> None:
    director = house.club["director"]
    path = f"/api/sessions/{director.open()}/rulings/simulate"
    assert director.ask("POST", path, {"lines": [{"line": 1}]}).status_code == 404
    assert director.ask("POST", path, {"lines": []}).status_code == 400
