"""Whole evenings over HTTP: recorded, answered, repeated, refused, read back."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.api.house import GOLDEN, House, evening, expected

pytestmark = pytest.mark.api
EVENINGS = sorted(path.stem for path in (GOLDEN / "sessions").glob("*.jsonl"))


def agrees(state: dict[str, Any], name: str) -> None:
    """The state shows what the evening's expected file says, key by key."""
    told = expected(name)
    rows = [line["row"] for line in state["rows"]]
    assert len(rows) == len(told["deals"])
    for row, wanted in zip(rows, told["deals"], strict=True):
        assert {key: row[key] for key in wanted} == wanted
    assert state["final"] == told["final"]
    assert state["winners"] == told["winners"]


@pytest.mark.parametrize("name", EVENINGS)
def test_evening_recorded_in_one_parcel_comes_out_as_expected(house: House, name: str) -> None:
    record = evening(name)
    recorder = house.club["recorder"]
    session = recorder.open(record)
    for start in range(1, len(record), 400):
        recorder.take(session, record[start : start + 400])
    agrees(recorder.get(f"/api/sessions/{session}").json(), name)


@pytest.mark.parametrize("name", ["mixed-russian-31", "whist-21", "american-1"])
def test_evening_recorded_entry_by_entry_comes_out_as_expected(house: House, name: str) -> None:
    record = evening(name)
    recorder = house.club["recorder"]
    session = recorder.open(record)
    version = recorder.get(f"/api/sessions/{session}").json()["version"]
    for at, entry in enumerate(record[1:]):
        told = recorder.take(session, [entry | {"id": f"e{at}"}], expected_version=version)
        version = told["version"]
        assert told["entries"] == [{"number": at + 2, "id": f"e{at}", "replayed": False}]
    agrees(recorder.get(f"/api/sessions/{session}").json(), name)


def test_record_read_back_is_the_record_sent(house: House) -> None:
    record = evening("mixed-american-5")
    recorder = house.club["recorder"]
    session = recorder.open(record)
    for start in range(1, len(record), 400):
        recorder.take(session, record[start : start + 400])
    back = [json.loads(line) for line in recorder.get(f"/api/sessions/{session}/record").text.splitlines()]
    assert back == record
    line = recorder.get(f"/api/sessions/{session}/record?effective=true").text.splitlines()
    again = recorder.open([json.loads(line[0])])
    recorder.take(again, [json.loads(text) for text in line[1:500]])
    recorder.take(again, [json.loads(text) for text in line[500:]])
    agrees(recorder.get(f"/api/sessions/{again}").json(), "mixed-american-5")
