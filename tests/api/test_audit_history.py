"""The timeline and the time machine over HTTP: who did what when, and what the table saw."""

from __future__ import annotations

import csv
import datetime
import io
import json
from typing import Any

import pytest

from tests.api.house import House, Key
from tests.api.results import RIGHT, deal, made, plain_rows, player_at, recorded, results, state

pytestmark = pytest.mark.api


def items(key: Key, session: str, query: str = "") -> list[dict[str, Any]]:
    answer = key.get(f"/api/sessions/{session}/timeline{query}")
    assert answer.status_code == 200, answer.text
    told: list[dict[str, Any]] = answer.json()["items"]
    return told


def eventful(house: House) -> str:
    """An evening with a slip, a withdrawal, a takeover, a dispute, a signature, and a correction taken back."""
    recorder, director = house.club["recorder"], house.club["director"]
    session = recorder.open(results())
    recorder.take(session, results(deals=1)[1:], device="Tablet 1")
    recorder.take(session, [{"entry": "undo", "target": 4}, *deal("N", "8", (6, 6, 1, 0))[1:]], device="Tablet 1")
    recorder.take(session, [{"entry": "withdraw", "from": 6}, *deal("N", "8", (6, 7, 0, 0))[1:]], device="Tablet 1")
    other = house.call(house.app.state.safe.make_key, house.club.club_id, "Tablet 2", "recorder", None)
    second = Key(house.client, other.key, other.key_id)
    second.ask("PUT", f"/api/sessions/{session}/lease", {"device": "Tablet 2", "take": True})
    second.take(session, results(deals=2)[4:], device="Tablet 2")
    dispute = {"entry": "dispute", "line": 1, "by": "N", "reason": "we had eight"}
    sign = {
        "entry": "sign",
        "seat": "E",
        "line": 2,
        "device": "recorder",
        "hash": state(second, session)["rows"][1]["hash"],
    }
    second.take(session, [dispute, sign], device="Tablet 2")
    agreed = {"second_key": house.club["admin"].key}
    fixed = {"entry": "correct", "changes": [{"at": 8, "put": [deal(*RIGHT)[1]]}], "reason": "misheard", "dispute": 11}
    director.take(session, [fixed], **agreed)
    director.take(session, [{"entry": "correct", "undoes": 13, "reason": "six after all"}], **agreed)
    return session


def test_a_timeline_says_who_did_what_and_what_became_of_it(house: House) -> None:
    session = eventful(house)
    told = items(house.club["director"], session)
    entries = [item for item in told if item["number"] is not None]
    assert [item["number"] for item in entries] == list(range(1, 15))
    assert [(item["number"], item["kind"], item["state"], item["taken_back_by"]) for item in entries] == [
        (1, "open", "in_force", None),
        (2, "first_dealer", "in_force", None),
        (3, "contract", "in_force", None),
        (4, "tricks", "undone", 5),
        (5, "undo", "aside", None),
        (6, "tricks", "withdrawn", 7),
        (7, "withdraw", "aside", None),
        (8, "tricks", "in_force", None),
        (9, "contract", "in_force", None),
        (10, "tricks", "in_force", None),
        (11, "dispute", "aside", None),
        (12, "sign", "aside", None),
        (13, "correct", "superseded", 14),
        (14, "correct", "in_force", None),
    ]
    assert [item["line"] for item in entries] == [None, 1, 1, 1, 1, 1, 1, 1, 2, 2, 1, 2, 1, 1]
    assert entries[12]["lines"] == [1, 2]
    assert entries[3]["device"] == "Tablet 1"
    assert entries[9]["device"] == entries[9]["key_name"] == "Tablet 2"
    assert (entries[12]["key_name"], entries[12]["second_name"]) == ("the director", "the admin")
    assert [item["reason"] for item in entries[10:]] == ["we had eight", None, "misheard", "six after all"]
    assert entries[0]["entry"]["seats"]["N"] == "Ann"
    takings = [item for item in told if item["kind"] == "taken_over"]
    assert [(item["key_name"], item["device"]) for item in takings][1:] == [("Tablet 2", "Tablet 2")]
    assert [item["at"] for item in told] == sorted(item["at"] for item in told)


def test_a_timeline_is_filtered_paged_and_exported_whole(house: House) -> None:
    session = eventful(house)
    director = house.club["director"]
    whole = items(director, session)
    first = [item["number"] for item in items(director, session, "?line=2")]
    assert first == [9, 10, 12, 13, 14], "what changed the line is part of its story"
    assert {item["kind"] for item in items(director, session, "?kind=tricks")} == {"tricks"}
    assert len(items(director, session, "?kind=taken_over")) == 2
    assert {item["device"] for item in items(director, session, "?device=Tablet%202")} == {"Tablet 2"}
    mine = items(director, session, f"?key={director.key_id}")
    assert [item["number"] for item in mine] == [13, 14]
    assert [item["number"] for item in items(director, session, f"?key={house.club['admin'].key_id}")] == [13, 14]
    moment = next(item["at"] for item in whole if item["number"] == 9)
    later = items(director, session, f"?from={moment}")
    earlier = items(director, session, f"?to={moment}")
    assert [item["number"] for item in later if item["number"]] == list(range(9, 15))
    assert len(later) + len(earlier) == len(whole) + sum(item["at"] == moment for item in whole)
    assert director.get(f"/api/sessions/{session}/timeline?from=2026-11-30T20:00:00").status_code == 400

    gathered: list[dict[str, Any]] = []
    cursor = ""
    while cursor is not None:
        page = director.get(f"/api/sessions/{session}/timeline?limit=3&cursor={cursor}").json()
        gathered += page["items"]
        cursor = page["next"]
    assert gathered == whole
    for answer in (
        director.get(f"/api/sessions/{session}/timeline?format=csv&limit=2"),
        director.get(f"/api/sessions/{session}/timeline", accept="text/csv"),
    ):
        assert answer.headers["content-type"].startswith("text/csv")
        rows = list(csv.DictReader(io.StringIO(answer.text)))
        assert [row["number"] for row in rows] == [str(item["number"] or "") for item in whole]
        assert [row["state"] for row in rows] == [item["state"] for item in whole]
        thirteenth = next(row for row in rows if row["number"] == "13")
        assert (thirteenth["reason"], thirteenth["lines"]) == ("misheard", "1 2")
        assert json.loads(thirteenth["entry"])["changes"][0]["at"] == 8


def test_a_player_reads_his_own_evenings_and_nothing_of_an_open_deal(house: House) -> None:
    session = eventful(house)
    house.club["director"].take(session, results(deals=3)[6:7])
    whole = items(house.club["director"], session)
    north = player_at(house, session, "N")
    told = items(north, session)
    assert [item for item in whole if item["number"] is None or item["number"] <= 14] == told
    assert house.club["player"].get(f"/api/sessions/{session}/timeline").status_code == 403
    for role in ("recorder", "viewer", "admin"):
        assert house.club[role].get(f"/api/sessions/{session}/timeline").status_code == 403


def test_two_ids_of_one_person_are_one_player(house: House) -> None:
    session = eventful(house)
    ann = state(house.club["director"], session)["seats"]["N"]["player_id"]
    other = house.club["player"]
    assert other.get(f"/api/sessions/{session}/timeline").status_code == 403
    merged = house.club["admin"].ask("POST", f"/api/players/{ann}/merge", {"into": house.club.player_id})
    assert merged.status_code == 200
    assert len(items(other, session)) == len(items(house.club["director"], session))
    line = state(other, session)["rows"][1]
    other.take(session, [{"entry": "sign", "seat": "N", "line": 2, "device": "own", "hash": line["hash"]}])
    refused = other.record(session, [{"entry": "sign", "seat": "E", "line": 2, "device": "own", "hash": line["hash"]}])
    assert refused.json()["code"] == "not_your_seat"


def test_what_the_table_saw_stands_beside_what_stands_now(house: House) -> None:
    director, viewer = house.club["director"], house.club["viewer"]
    session = recorded(director, results(deals=3))
    then = state(director, session)
    moment = items(director, session)[-1]["at"]
    director.take(session, [made()], second_key=house.club["admin"].key)
    now = state(director, session)
    compared = viewer.get(f"/api/sessions/{session}/compare?at={then['version']}").json()
    assert plain_rows(compared["then"]) == plain_rows(then)
    assert plain_rows(compared["now"]) == plain_rows(now)
    pairs = [(line["line"], line["then"], line["now"]) for line in compared["lines"]]
    assert pairs == list(zip((1, 2, 3), plain_rows(then), plain_rows(now), strict=True))
    assert [line["corrected"] for line in compared["then"]["rows"]] == [False] * 3
    assert [line["hash"] for line in compared["then"]["rows"]] == [line["hash"] for line in then["rows"]]

    shifted = datetime.datetime.fromisoformat(moment).astimezone(datetime.timezone(datetime.timedelta(hours=3)))
    for asked in (moment, shifted.isoformat().replace("+", "%2B")):
        assert plain_rows(state(viewer, session, f"?at_time={asked}")) == plain_rows(then)
        assert (
            viewer.get(f"/api/sessions/{session}/compare?at_time={asked}").json()["then"]["version"] == then["version"]
        )
    assert state(viewer, session, "?at_time=2999-01-01T00:00:00Z")["version"] == now["version"]
    for query, status in (
        ("?at_time=1999-01-01T00:00:00Z", 404),
        ("?at_time=2026-11-30T21:43:00", 400),
        ("?at_time=soon", 400),
        (f"?at={then['version']}&at_time={moment}", 400),
        ("?at=99999", 404),
    ):
        assert viewer.get(f"/api/sessions/{session}{query}").status_code == status, query
        assert viewer.get(f"/api/sessions/{session}/compare{query}").status_code == status, query
    assert viewer.get(f"/api/sessions/{session}/compare").status_code == 400


def test_a_line_put_in_or_taken_out_stands_against_nothing(house: House) -> None:
    director = house.club["director"]
    session = recorded(director, results(deals=3))
    then = state(director, session)
    out = {"entry": "correct", "changes": [{"at": 5}, {"at": 6}], "reason": "that deal was never played"}
    director.take(session, [out], second_key=house.club["admin"].key)
    now = state(director, session)
    assert len(now["rows"]) == 2
    compared = director.get(f"/api/sessions/{session}/compare?at={then['version']}").json()["lines"]
    assert [(line["then"] is None, line["now"] is None) for line in compared] == [
        (False, False), (False, True), (False, False)]  # fmt: skip
    assert [line["line"] for line in compared] == [1, 2, 2]


def test_onlookers_compare_no_open_deal(house: House) -> None:
    director, viewer = house.club["director"], house.club["viewer"]
    session = recorded(director, results(deals=1))
    before = state(director, session)["version"]
    director.take(session, results(deals=2)[4:5])
    told = viewer.get(f"/api/sessions/{session}/compare?at={before}").json()
    assert told["now"]["contract"] is None
    assert told["now"]["deal_entries"] == []
    assert viewer.get(f"/api/sessions/{session}/compare?at={before + 1}").status_code == 404


def test_a_line_shows_the_entries_behind_it(house: House) -> None:
    session = eventful(house)
    told = house.club["director"].get(f"/api/sessions/{session}/lines/1").json()
    assert [(one["number"], one["part"], one["of"]) for one in told["entries"]] == [
        (2, 0, "opening"), (3, 0, "result"), (8, 0, "result")]  # fmt: skip
    assert told["entries"][1]["text"] == "N plays 8 with spades trumps"
    assert told["entries"][2]["entry"]["tricks"] == {"N": 6, "E": 7, "S": 0, "W": 0}
    assert told["disputes"] == [{"number": 11, "state": "open"}]
    house.club["director"].take(session, [made() | {"changes": [{"at": 8, "put": [deal(*RIGHT)[1]]}]}],
                                second_key=house.club["admin"].key)  # fmt: skip
    told = house.club["viewer"].get(f"/api/sessions/{session}/lines/1").json()
    assert [(one["number"], one["part"]) for one in told["entries"]] == [(2, 0), (3, 0), (15, 1)]
    assert told["was"]["outcome"] == "failed"
    for line in (0, 3, 99):
        assert house.club["viewer"].get(f"/api/sessions/{session}/lines/{line}").status_code == 404
