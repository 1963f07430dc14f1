"""Findings over HTTP: found by themselves, told to director and auditor, and to others once a ruling publishes them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.house import Club, House, Key
from tests.api.results import PLAYERS, player_at, recorded, results, settings, state

pytestmark = pytest.mark.api
EVERYONE = ("director", "auditor", "recorder", "viewer", "player", "admin")


def revoked() -> list[dict[str, Any]]:
    """A deal in which E discards on a spade and plays one afterwards; entry 8 proves it."""
    return [
        {"entry": "open", "ruleset": "american-decimal", "date": "2026-11-30", "table": "door", "seats": PLAYERS},
        {"entry": "first_dealer", "seat": "W"},
        {"entry": "contract", "caller": "N", "contract": "7", "trumps": "H"},
        *({"entry": "play", "seat": seat, "card": card} for seat, card in
          (("N", "AS"), ("E", "2D"), ("S", "3S"), ("W", "4S"), ("N", "KS"), ("E", "5S"))),
    ]  # fmt: skip


def ended() -> list[dict[str, Any]]:
    """The rest of that deal by its totals."""
    return [*revoked()[9:], {"entry": "tricks", "tricks": {"N": 8, "E": 2, "S": 2, "W": 1}}]


def scene(house: House) -> str:
    """A session whose one deal holds a revoke."""
    director = house.club["director"]
    session = recorded(director, revoked())
    director.take(session, ended())
    return session


def found(key: Key, session: str) -> list[dict[str, Any]]:
    told: list[dict[str, Any]] = key.get(f"/api/sessions/{session}/findings").json()["findings"]
    return told


def mentions(key: Key, session: str) -> list[str]:
    """The places where somebody could read of the finding."""
    base = f"/api/sessions/{session}"
    paths = (
        base,
        f"{base}/log?limit=500",
        f"{base}/findings",
        f"{base}/lines/1",
        f"{base}/timeline",
        f"{base}/changes",
    )
    return [path for path in paths if "did not follow" in key.get(path).text or "finding_made" in key.get(path).text]


def test_a_revoke_is_found_and_told_to_the_director_and_the_auditor_alone(house: House) -> None:
    session = scene(house)
    for role in ("director", "auditor"):
        (one,) = found(house.club[role], session)
        assert (one["kind"], one["seat"], one["line"], one["state"]) == ("revoke", "E", 1, "open")
        assert one["entries"] == [5, 9]
        assert house.club[role].get(f"/api/sessions/{session}/lines/1").json()["findings"] == [one]
    others = [house.club[role] for role in EVERYONE if role not in ("director", "auditor")]
    for key in [*others, player_at(house, session, "N")]:
        assert found(key, session) == []
        assert mentions(key, session) == []


def test_what_a_recorder_is_answered_holds_no_finding(house: House) -> None:
    recorder = house.club["recorder"]
    session = recorded(recorder, revoked()[:8])
    told = recorder.take(session, revoked()[8:9], dry_run=True)
    assert "finding_made" not in str(told["events"])
    missed = recorder.record(session, [revoked()[8]], expected_version=3)
    assert missed.status_code == 409
    told = recorder.take(session, revoked()[8:9])
    assert [event["data"]["type"] for event in told["events"]] == ["card_played"]
    assert "finding_made" not in recorder.record(session, [revoked()[8]], expected_version=3).text
    assert len(found(house.club["director"], session)) == 1
    log = recorder.get(f"/api/sessions/{session}/log?limit=500").json()
    assert log["version"] == state(recorder, session)["version"], "the page still says how far it reaches"


def test_a_club_without_a_director_lets_the_recorder_see(house: House) -> None:
    session = scene(house)
    settings(house, findings_for_recorder=True)
    recorder = house.club["recorder"]
    assert [one["kind"] for one in found(recorder, session)] == ["revoke"]
    assert "finding_made" in recorder.get(f"/api/sessions/{session}/log?limit=500").text
    assert found(house.club["viewer"], session) == []


def test_an_acknowledged_finding_does_not_come_back_and_a_ruling_publishes_it(house: House) -> None:
    session = scene(house)
    director, viewer = house.club["director"], house.club["viewer"]
    seen = {"entry": "acknowledge", "kind": "revoke", "entries": [5, 9], "reason": "E had mixed his cards"}
    assert house.club["recorder"].record(session, [seen]).json()["code"] == "director_only"
    assert director.record(session, [seen | {"entries": [5]}]).json()["code"] == "no_such_finding"
    assert director.record(session, [{key: seen[key] for key in ("entry", "kind", "entries")}]).status_code == 400
    assert [one["number"] for one in open_ones(house)] == [1]
    director.take(session, [seen])
    assert open_ones(house) == []
    assert [one["state"] for one in found(director, session)] == ["acknowledged"]
    assert found(viewer, session) == []
    assert state(viewer, session)["docket"]["acknowledged"] == []
    assert "E had mixed" not in viewer.get(f"/api/sessions/{session}/log?limit=500").text
    again = director.record(session, [seen])
    assert (again.status_code, again.json()["code"]) == (409, "acknowledged_already")
    director.take(session, [seen | {"publish": True}])
    (told,) = found(viewer, session)
    assert (told["kind"], told["published"]) == ("revoke", True)
    assert "finding_made" in viewer.get(f"/api/sessions/{session}/log?limit=500").text
    listed = director.get("/api/findings?state=published").json()["items"]
    assert [(one["session_id"], one["published"]) for one in listed] == [(session, True)]


def open_ones(house: House) -> list[dict[str, Any]]:
    told: list[dict[str, Any]] = house.club["director"].get("/api/findings?state=open").json()["items"]
    return told


def test_a_corrected_deal_takes_its_finding_along_and_tells_none_to_others(house: House) -> None:
    session = scene(house)
    director = house.club["director"]
    card = {"entry": "play", "seat": "E", "card": "5D"}
    change = {"entry": "correct", "changes": [{"at": 9, "put": [card]}], "reason": "it was the diamond"}
    director.take(session, [change])
    assert found(director, session) == []
    assert open_ones(house) == []
    wrong = {"entry": "play", "seat": "E", "card": "6S"}
    back = {"entry": "correct", "changes": [{"at": 11, "part": 1, "put": [wrong]}], "reason": "no, a spade"}
    director.take(session, [back])
    assert [one["kind"] for one in found(director, session)] == ["revoke"]
    assert mentions(house.club["viewer"], session) == []
    log = house.club["viewer"].get(f"/api/sessions/{session}/log?limit=500").json()
    assert [event["data"]["type"] for event in log["events"]].count("correction_made") == 2


def test_what_is_open_in_a_club_is_listed_page_by_page(house: House) -> None:
    director = house.club["director"]
    elsewhere = Club(house, "Elsewhere")
    sessions = []
    for day in range(1, 5):
        opening, *rest = results(deals=2)
        session = recorded(director, [opening | {"date": f"2026-11-0{day}"}, *rest])
        sessions.append(session)
        director.take(session, [
            {"entry": "dispute", "line": 1, "by": "N", "about": "settlement", "reason": f"reason {day}"},
            {"entry": "dispute", "line": 3, "by": "director", "reason": "the next deal"},
        ])  # fmt: skip
    gathered: list[dict[str, Any]] = []
    cursor = ""
    while cursor is not None:
        page = director.get(f"/api/disputes?state=open&limit=3&cursor={cursor}").json()
        gathered += page["items"]
        cursor = page["next"]
    assert [(one["session_id"], one["number"]) for one in gathered] == [
        (session, number) for session in reversed(sessions) for number in (8, 7)]  # fmt: skip
    first = gathered[-1]
    assert first | {"seats": None} == {
        "session_id": sessions[0], "date": "2026-11-01", "table": "window", "ruleset": "american-decimal", "number": 7,
        "line": 1, "seats": None, "by": "N", "about": "settlement", "target": None, "reason": "reason 1",
        "state": "open", "resolved": None,
    }  # fmt: skip
    assert {seat: one["name"] for seat, one in first["seats"].items()} == PLAYERS
    director.take(sessions[0], [{"entry": "resolve", "dispute": 7, "outcome": "stands", "reason": "six"}])
    director.take(sessions[1], [{"entry": "resolve", "dispute": 8, "outcome": "withdrawn", "reason": "no"}])
    listed = lambda query: [  # noqa: E731
        (one["session_id"], one["number"], one["state"], one["resolved"])
        for one in house.club["auditor"].get(f"/api/disputes{query}").json()["items"]
    ]
    assert listed("?state=ruled") == [(sessions[0], 7, "stands", 9)]
    assert listed("?state=withdrawn") == [(sessions[1], 8, "withdrawn", 9)]
    assert len(listed("?state=open")) == 6
    assert len(listed("")) == 8
    assert elsewhere["director"].get("/api/disputes").json()["items"] == []
    director.ask("POST", f"/api/sessions/{sessions[3]}/void", {"reason": "a trial"})
    assert len(listed("?state=open")) == 4
    assert director.get("/api/disputes?cursor=nonsense").status_code == 400
    assert director.get("/api/findings?state=nonsense").status_code == 400


def test_entries_quicker_than_a_hand_are_found_by_the_tablet_s_times_and_acknowledged(house: House) -> None:
    director = house.club["director"]
    timed = [entry | {"time": f"2026-11-30T21:43:05.{at:03}+01:00"} for at, entry in enumerate(revoked())]
    session = recorded(director, timed)
    assert not [one for one in found(director, session) if one["kind"] == "entries_at_once"]
    director.take(session, ended())
    (told,) = [one for one in found(director, session) if one["kind"] == "entries_at_once"]
    assert (told["entries"], told["line"], told["state"]) == ([2, 3, 4, 5, 6, 7, 8, 9], 1, "open")
    assert not [one for one in found(house.club["recorder"], session) if one["kind"] == "entries_at_once"]
    assert [one["entries"] for one in open_ones(house) if one["kind"] == "entries_at_once"] == [told["entries"]]
    director.take(session, [{"entry": "acknowledge", "kind": "entries_at_once", "entries": told["entries"],
                             "reason": "copied from paper", "publish": True}])  # fmt: skip
    assert not [one for one in open_ones(house) if one["kind"] == "entries_at_once"]
    for key in (director, house.club["recorder"]):
        (told,) = [one for one in found(key, session) if one["kind"] == "entries_at_once"]
        assert (told["state"], told["published"]) == ("acknowledged", True)


def test_without_the_tablets_time_a_record_has_no_pace(house: House) -> None:
    director = house.club["director"]
    assert found(director, recorded(director, results())) == []
