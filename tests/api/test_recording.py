"""Whole evenings over HTTP: recorded, answered, repeated, refused, read back."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from ops.verify import verify
from tests.api.house import GOLDEN, House, Key, evening, expected

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


def test_a_voided_session_takes_no_entries(house: House) -> None:
    """Neither from who voided it nor through another worker, which learns of it by the append itself."""
    record = evening("scripted-results")
    director = house.club["director"]
    session = director.open(record)
    director.take(session, [record[1] | {"id": "known"}])
    with House(house.app.state.settings) as elsewhere:
        other = Key(elsewhere.client, director.key, director.key_id)
        assert other.record(session, record[2:3], dry_run=True).status_code == 200
        voided = director.ask("POST", f"/api/sessions/{session}/void", {"reason": "a test of the table"})
        assert (voided.status_code, voided.json()["voided"]) == (200, True)
        for asker in (director, other):
            for entries in (record[2:3], record[2:4]):
                problem = asker.record(session, entries)
                assert (problem.status_code, problem.json()["code"]) == (409, "session_voided"), problem.text
            assert asker.record(session, record[2:3], dry_run=True).json()["code"] == "session_voided"
            assert asker.take(session, [record[1] | {"id": "known"}])["entries"][0]["replayed"]


def test_voiding_while_entries_are_recorded_misses_none_of_them(house: House) -> None:
    """The rows that a voided session leaves are those of its last version, whoever comes first."""
    record = evening("american-1")
    director = house.club["director"]
    session = director.open(record)
    with ThreadPoolExecutor() as pool:
        recording = [pool.submit(director.record, session, [entry]) for entry in record[1:40]]
        voiding = pool.submit(director.ask, "POST", f"/api/sessions/{session}/void", {"reason": "again"})
    assert voiding.result().status_code == 200
    assert all(done.result().status_code in (200, 409, 422) for done in recording)
    assert verify(house.app.state.settings.database_url).problems == []


@pytest.mark.parametrize(
    ("path", "name"),
    [("/api/sessions?form=2026-01-01", "form"), ("/api/players?q=ann&Limit=3", "Limit"), ("/api/me?x=1", "x")],
)
def test_a_parameter_that_is_not_known_is_refused_by_its_name(house: House, path: str, name: str) -> None:
    problem = house.club["director"].get(path)
    assert (problem.status_code, problem.json()["detail"]) == (400, f"{name!r} is no parameter of this address")


def test_what_is_recorded_is_never_said_to_be_lost(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """The database goes away after the commit, when the names are asked for: in doubt, and there when sent again."""
    from service.log import Unavailable

    record = evening("american-1")
    recorder = house.club["recorder"]
    session = recorder.open(record)
    entry = record[1] | {"id": "0000-00000-00000001"}

    async def away(*_: Any) -> dict[str, str]:
        raise Unavailable("the database does not answer")

    with monkeypatch.context() as patched:
        patched.setattr(house.app.state.register, "names", away)
        answer = recorder.ask("POST", f"/api/sessions/{session}/entries", {"entries": [entry]})
    assert (answer.status_code, answer.json()["code"]) == (503, "in_doubt")
    again = recorder.take(session, [entry])
    assert [one["replayed"] for one in again["entries"]] == [True]
