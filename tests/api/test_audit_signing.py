"""Signatures and disputes over HTTP: who may give them, on which device, and what they cover afterwards."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

import pytest

from domain.record import parse_line
from ops.importing import Importer
from ops.recordfile import Record
from service.envelope import Actor
from tests.api.house import Club, House
from tests.api.results import deal, made, player_at, recorded, results, state

pytestmark = pytest.mark.api


def signature(told: dict[str, Any], line: int, seat: str = "N", device: str = "recorder") -> dict[str, Any]:
    """A signature under a line as it stands in a state."""
    return {"entry": "sign", "seat": seat, "line": line, "hash": told["rows"][line - 1]["hash"], "device": device}


def test_a_signature_covers_its_line_until_anything_of_it_changes(house: House) -> None:
    director, recorder = house.club["director"], house.club["recorder"]
    session = recorded(recorder, results(deals=2))
    told = state(recorder, session)
    recorder.take(session, [signature(told, 1), signature(told, 2, "E")])
    north = player_at(house, session, "N")
    north.take(session, [signature(told, 2, "N", "own")])
    signed = [line["signed"] for line in state(recorder, session)["rows"]]
    assert signed[0].keys() == {"N"}
    assert signed[1].keys() == {"N", "E"}
    assert (signed[0]["N"]["device"], signed[1]["N"]["device"]) == ("recorder", "own")
    assert all(one["covers"] for line in signed for one in line.values())

    # What comes later leaves the lines as they were signed.
    recorder.take(session, results(deals=3)[6:])
    assert all(one["covers"] for line in state(recorder, session)["rows"] for one in line["signed"].values())

    second = {"second_key": house.club["admin"].key}
    director.take(session, [made()], **second)
    changed = state(recorder, session)
    assert [one["covers"] for line in changed["rows"] for one in line["signed"].values()] == [False] * 3
    assert changed["rows"][0]["hash"] != told["rows"][0]["hash"]
    stale = recorder.record(session, [signature(told, 1)])
    assert (stale.status_code, stale.json()["code"]) == (409, "hash_differs")
    assert stale.json()["facts"] == {"line": 1, "hash": changed["rows"][0]["hash"]}
    recorder.take(session, [signature(changed, 1)])
    assert state(recorder, session)["rows"][0]["signed"]["N"]["covers"] is True
    director.take(session, [{"entry": "undo", "target": state(director, session)["undo"]}], **second)
    assert state(recorder, session)["rows"][0]["signed"]["N"]["covers"] is False


def test_a_line_that_is_undone_and_settled_anew_is_signed_anew(house: House) -> None:
    recorder = house.club["recorder"]
    session = recorded(recorder, results(deals=1))
    told = state(recorder, session)
    recorder.take(session, [signature(told, 1)])
    recorder.take(session, [{"entry": "undo", "target": 4}, deal("N", "8", (7, 6, 0, 0))[1]])
    again = state(recorder, session)
    assert again["rows"][0]["signed"]["N"]["covers"] is False
    assert recorder.record(session, [signature(told, 1)]).json()["code"] == "hash_differs"


def test_a_signature_stays_with_its_deal_where_a_line_before_it_is_taken_out(house: House) -> None:
    director = house.club["director"]
    session = recorded(director, results(deals=3))
    told = state(director, session)
    director.take(session, [signature(told, 2, "N"), signature(told, 3, "W")])
    out = {"entry": "correct", "changes": [{"at": 3}, {"at": 4}], "reason": "that deal was never played"}
    director.take(session, [out], second_key=house.club["admin"].key)
    signed = [line["signed"] for line in state(director, session)["rows"]]
    assert [{seat: one["covers"] for seat, one in line.items()} for line in signed] == [{"N": False}, {"W": False}]


def test_the_hash_of_a_line_is_the_chains_at_what_settled_it(house: House) -> None:
    recorder = house.club["recorder"]
    session = recorded(recorder, results(deals=1))
    # What is only tried leaves no hash behind.
    recorder.take(session, [*deal("E", "9", (2, 9, 1, 1)), *deal("S", "5", (2, 2, 8, 1))], dry_run=True)
    recorder.take(session, results(deals=3)[4:])

    async def bodies() -> list[bytes]:
        told: list[bytes] = await house.app.state.recorder.log.read(session)
        return told

    head, hashes = bytes(32), []
    for body in house.call(bodies):
        head = sha256(head + body).digest()
        hashes.append(head.hex())
    last = {
        event["entry"]: event["version"]
        for event in recorder.get(f"/api/sessions/{session}/log?limit=500").json()["events"]
    }
    for line, entry in enumerate((4, 6, 8), start=1):
        assert state(recorder, session)["rows"][line - 1]["hash"] == hashes[last[entry] - 1]
        assert recorder.get(f"/api/sessions/{session}/lines/{line}").json()["hash"] == hashes[last[entry] - 1]


def test_who_signs_where(house: House) -> None:
    recorder, director = house.club["recorder"], house.club["director"]
    session = recorded(recorder, results(deals=1))
    told = state(recorder, session)
    north = player_at(house, session, "N")
    for key, entry, code in (
        (north, signature(told, 1, "E", "own"), "not_your_seat"),
        (north, signature(told, 1, "N", "recorder"), "device_differs"),
        (recorder, signature(told, 1, "N", "own"), "device_differs"),
        (director, signature(told, 1, "N", "own"), "device_differs"),
        (house.club["player"], signature(told, 1, "N", "own"), "not_your_seat"),
    ):
        refused = key.record(session, [entry])
        assert (refused.status_code, refused.json()["code"]) == (403, code)
    missing = recorder.record(session, [signature(told, 1) | {"line": 9}])
    assert (missing.status_code, missing.json()["code"]) == (404, "no_such_line")
    assert state(recorder, session)["rows"][0]["signed"] == {}
    director.take(session, [signature(told, 1, "S")])


def test_a_substitute_signs_the_deals_that_he_sat_at(house: House) -> None:
    recorder = house.club["recorder"]
    session = recorded(recorder, results(deals=1))
    first = player_at(house, session, "N")
    seats = {"N": "Eve", "E": "Bea", "S": "Cal", "W": "Dan"}
    recorder.take(session, [{"entry": "reseat", "seats": seats, "from_deal": 2, "reason": "Ann left"}])
    recorder.take(session, results(deals=2)[4:])
    substitute = player_at(house, session, "N")
    told = state(recorder, session)
    assert first.record(session, [signature(told, 2, "N", "own")]).json()["code"] == "not_your_seat"
    assert substitute.record(session, [signature(told, 1, "N", "own")]).json()["code"] == "not_your_seat"
    first.take(session, [signature(told, 1, "N", "own")])
    substitute.take(session, [signature(told, 2, "N", "own")])


def dispute(line: int, by: str = "N", **more: Any) -> dict[str, Any]:
    return {"entry": "dispute", "line": line, "by": by, "reason": "we had eight"} | more


def test_disputes_are_raised_by_seats_and_director_withdrawn_by_their_own_and_ruled_by_the_director(
    house: House,
) -> None:
    recorder, director = house.club["recorder"], house.club["director"]
    session = recorded(recorder, results(deals=2))
    north = player_at(house, session, "N")
    east = player_at(house, session, "E")
    north.take(session, [dispute(1)])
    recorder.take(session, [dispute(1, "E", about="trick", target=3), dispute(3, "S", about="deal")])
    director.take(session, [dispute(2, "director", about="call", target=5)])
    told = state(house.club["viewer"], session)
    assert [[one["state"] for one in line["disputes"]] for line in told["rows"]] == [["open", "open"], ["open"]]
    assert told["docket"]["disputes"][0]["raised"]["reason"] == "we had eight"
    first, second, third, fourth = (one["number"] for one in told["docket"]["disputes"])

    recorder.take(session, results(deals=3)[6:])
    assert len(state(recorder, session)["rows"]) == 3, "an open dispute does not stand in the way"

    assert recorder.record(session, [dispute(1, "director")]).json()["code"] == "director_only"
    assert east.record(session, [dispute(1, "N")]).json()["code"] == "not_your_seat"
    withdraw = {"entry": "resolve", "dispute": first, "outcome": "withdrawn", "reason": "settled between us"}
    assert east.record(session, [withdraw]).json()["code"] == "not_your_seat"
    assert north.record(session, [withdraw | {"outcome": "stands"}]).json()["code"] == "entry_not_allowed"
    assert recorder.record(session, [withdraw | {"outcome": "stands"}]).json()["code"] == "director_only"
    assert recorder.record(session, [withdraw | {"dispute": fourth}]).json()["code"] == "director_only"
    north.take(session, [withdraw])
    recorder.take(session, [withdraw | {"dispute": second}])
    ended = north.record(session, [withdraw])
    assert (ended.status_code, ended.json()["code"]) == (409, "dispute_ended")
    director.take(session, [withdraw | {"dispute": third, "outcome": "stands", "law": "rule 34"}])
    told = state(recorder, session)
    assert [[one["state"] for one in line["disputes"]] for line in told["rows"]] == [
        ["withdrawn", "withdrawn"], ["open"], ["stands"]]  # fmt: skip
    ruled = next(one for one in told["docket"]["disputes"] if one["number"] == third)
    assert ruled["outcome"]["reason"] == "settled between us"
    assert director.record(session, [withdraw | {"dispute": 4}]).json()["code"] == "no_such_dispute"


def test_a_record_of_a_corrected_disputed_and_signed_evening_round_trips(house: House) -> None:
    director = house.club["director"]
    session = recorded(director, results())
    director.take(session, [signature(state(director, session), 2, "E"), dispute(1)])
    told = state(director, session)
    number = told["docket"]["disputes"][0]["number"]
    resolved = {"entry": "resolve", "dispute": number, "outcome": "corrected", "reason": "eight were taken"}
    director.take(session, [made() | {"dispute": number}, resolved], second_key=house.club["admin"].key)
    director.take(session, [signature(state(director, session), 1, "W")])
    before = state(director, session)
    text = director.get(f"/api/sessions/{session}/record").text
    assert len(text.splitlines()) == before["entries"]

    elsewhere = Club(house, "Elsewhere")

    async def bring() -> str:
        entries = tuple(parse_line(line) for line in text.splitlines())
        record = Record(entries, tuple(range(1, len(entries) + 1)))
        served = house.app.state
        brought = await Importer(served.database, served.recorder, elsewhere.club_id, Actor()).bring("evening", record)
        assert brought.outcome == "imported", brought.faults
        assert brought.session_id is not None
        return brought.session_id

    other = house.call(bring)
    reader = elsewhere["director"]
    after = state(reader, other)
    assert [json.loads(line) for line in reader.get(f"/api/sessions/{other}/record").text.splitlines()] == [
        json.loads(line) for line in text.splitlines()]  # fmt: skip
    for one, two in zip(before["rows"], after["rows"], strict=True):
        for key in ("row", "was", "corrected", "disputes"):
            assert one[key] == two[key]
        assert {seat: given["covers"] for seat, given in one["signed"].items()} == {
            seat: given["covers"] for seat, given in two["signed"].items()}  # fmt: skip
    assert (before["final"], before["winners"]) == (after["final"], after["winners"])
