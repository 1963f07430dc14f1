"""The ruling simulator: rulings side by side over HTTP, the same as the real thing, and nothing recorded."""

from __future__ import annotations

import pytest

from tests.api.house import House, evening

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


def test_an_unknown_line_and_one_named_twice_are_told(house: House) -> None:
    director = house.club["director"]
    path = f"/api/sessions/{director.open()}/rulings/simulate"
    assert director.ask("POST", path, {"lines": [{"line": 1}]}).status_code == 404
    assert director.ask("POST", path, {"lines": []}).status_code == 400
