"""A club's settings and its players: found whatever the case and the accents, never merged silently."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest

from tests.api.house import Club, House, Key

pytestmark = pytest.mark.api


def add(key: Key, name: str, **more: Any) -> str:
    answer = key.ask("POST", "/api/players", {"name": name} | more)
    assert answer.status_code == 201, answer.text
    player_id: str = answer.json()["player_id"]
    return player_id


def found(key: Key, query: str) -> list[str]:
    return [player["name"] for player in key.get(f"/api/players?q={query}").json()["players"]]


@pytest.mark.parametrize(
    ("name", "queries"),
    [
        ("Élodie Müller", ["elodie", "ÉLODIE", "muller", "mull elo", "e\u0301lodie"]),
        ("Фёдор Иванов", ["федор", "ФЁДОР", "иванов"]),
        ("Łukasz Øre", ["łukasz", "ŁUKASZ", "lukasz ore"]),
        ("Straße", ["strasse", "STRASSE"]),
        ("O'Neil 100%_", ["o'neil", "100%25", "%25_"]),
    ],
)
def test_players_are_found_without_case_and_accents(house: House, name: str, queries: list[str]) -> None:
    recorder = house.club["recorder"]
    add(recorder, name)
    add(recorder, "Somebody Else")
    for query in queries:
        assert found(recorder, query) == [name], query


def test_two_of_one_name_are_two_and_are_told_apart_by_id(house: House) -> None:
    recorder = house.club["recorder"]
    one = add(recorder, "Ann Lee")
    answer = recorder.ask("POST", "/api/players", {"name": "  ANN   lée "})
    assert (answer.status_code, answer.json()["code"]) == (409, "name_taken")
    assert answer.json()["facts"]["player_ids"] == [one]
    other = add(recorder, "Ann Lée", another=True)
    assert one != other
    opening = {"entry": "open", "date": "2026-11-30", "seats": {"N": "ann lee", "E": "Bea", "S": "Cal", "W": "Dan"}}
    refused = recorder.ask("POST", "/api/sessions", {"entry": opening})
    assert (refused.status_code, refused.json()["code"]) == (409, "name_ambiguous")
    assert set(refused.json()["facts"]["player_ids"]) == {one, other}
    assert found(recorder, "bea") == [], "a refused opening adds nobody"
    opening["seats"]["N"] = other  # type: ignore[index]
    told = recorder.ask("POST", "/api/sessions", {"entry": opening}).json()
    assert told["state"]["seats"]["N"] == {"player_id": other, "name": "Ann Lée"}
    assert found(recorder, "bea") == ["Bea"]


def test_a_name_in_the_log_is_an_id(house: House) -> None:
    recorder = house.club["recorder"]
    session = recorder.open()
    log = recorder.get(f"/api/sessions/{session}/log").text
    names = [player["name"] for player in recorder.get("/api/players").json()["players"]]
    assert len(names) == 5
    assert all(name not in log for name in names)


def test_a_renamed_player_is_called_so_everywhere_and_the_log_stays(house: House) -> None:
    director = house.club["director"]
    session = director.open()
    seats = director.get(f"/api/sessions/{session}").json()["seats"]
    before = director.get(f"/api/sessions/{session}/log").text
    renamed = director.ask("PATCH", f"/api/players/{seats['N']['player_id']}", {"name": "Nora"})
    assert renamed.json()["name"] == "Nora"
    house.app.state.register.forget()
    assert director.get(f"/api/sessions/{session}").json()["seats"]["N"]["name"] == "Nora"
    assert director.get(f"/api/sessions/{session}/log").text == before


def test_pages_of_players_hold_everybody_once(house: House) -> None:
    recorder = house.club["recorder"]
    names = {f"Player {number:02}" for number in range(23)} | {"Pavel Orlov"}
    for name in names - {"Pavel Orlov"}:
        add(recorder, name)
    told: list[str] = []
    cursor = ""
    while True:
        page = recorder.get(f"/api/players?limit=5{cursor}").json()
        told += [player["name"] for player in page["players"]]
        if page["next"] is None:
            break
        cursor = f"&cursor={page['next']}"
    assert sorted(told) == sorted(names)


def test_a_club_decides_for_itself(house: House) -> None:
    admin = house.club["admin"]
    told = admin.ask("PATCH", "/api/club", {"ruleset": "russian", "settings": {"live_view": "current_trick"}}).json()
    assert (told["ruleset"], told["settings"]["live_view"]) == ("russian", "current_trick")
    assert told["name"] == "The Thursday Club"
    opening = {"entry": "open", "date": "2026-11-30", "seats": {"N": "Ann", "E": "Bea", "S": "Cal", "W": "Dan"}}
    state = house.club["recorder"].ask("POST", "/api/sessions", {"entry": opening}).json()["state"]
    assert state["ruleset"] == "russian"
    for body in ({"time_zone": "Mars/Olympus"}, {"ruleset": "whist"}, {"settings": {"live_view": "all"}}, {"x": 1},
                 {"settings": {"season_start": "13-45"}}, {"name": ""}):  # fmt: skip
        assert admin.ask("PATCH", "/api/club", body).status_code == 400, body


def test_sessions_are_listed_by_day_state_and_player(house: House) -> None:
    recorder = house.club["recorder"]
    days = ["2026-01-05", "2026-02-05", "2026-03-05"]
    ids = {}
    for day in days:
        opening = {"entry": "open", "date": day, "seats": {"N": f"Nth {day}", "E": "Bea", "S": "Cal", "W": "Dan"}}
        ids[day] = recorder.ask("POST", "/api/sessions", {"entry": opening}).json()["session_id"]
    listed = lambda query: [s["date"] for s in recorder.get(f"/api/sessions?{query}").json()["sessions"]]  # noqa: E731
    assert listed("") == days[::-1]
    assert listed("from=2026-02-01") == days[:0:-1]
    assert listed("to=2026-02-05") == days[1::-1]
    recorder.take(ids[days[0]], [{"entry": "abandon", "reason": "the lights went out"}])
    assert listed("in_play=true") == days[:0:-1]
    assert listed("in_play=false") == days[:1]
    player = recorder.get(f"/api/players?q={days[1]}").json()["players"][0]["player_id"]
    assert listed(f"player={player}") == [days[1]]
    assert listed(f"player={uuid4()}") == []


def test_sessions_are_listed_with_who_sits_there_page_by_page(house: House) -> None:
    recorder = house.club["recorder"]
    sat = {}
    for day in range(1, 8):
        seats = {"N": f"Nth {day}", "E": "Bea", "S": "Cal", "W": "Dan"}
        opening = {"entry": "open", "date": f"2026-02-{day // 2 + 1:02}", "seats": seats}
        sat[recorder.ask("POST", "/api/sessions", {"entry": opening}).json()["session_id"]] = seats
    changed, last = {"N": "Eve", "E": "Cal", "S": "Bea", "W": "Dan"}, list(sat)[-1]
    sat[last] = changed
    recorder.take(last, [{"entry": "reseat", "seats": changed, "from_deal": 1, "reason": "entered wrongly"}])
    told: dict[str, dict[str, Any]] = {}
    cursor = ""
    while True:
        page = recorder.get(f"/api/sessions?limit=3{cursor}").json()
        told |= {one["session_id"]: one["seats"] for one in page["sessions"]}
        if page["next"] is None:
            break
        cursor = f"&cursor={page['next']}"
    assert {key: {seat: one["name"] for seat, one in seats.items()} for key, seats in told.items()} == sat
    for session, seats in told.items():
        assert seats == recorder.get(f"/api/sessions/{session}").json()["seats"]


def test_a_session_id_of_another_club_is_taken(house: House) -> None:
    session = house.club["recorder"].open()
    other = Club(house, "The Other Club")["director"]
    seats = {"N": "Ann", "E": "Bea", "S": "Cal", "W": "Dan"}
    opening = {"entry": "open", "date": "2026-11-30", "ruleset": "american-decimal", "seats": seats}
    for path, body in (
        ("/api/sessions", {"session_id": session, "entry": opening}),
        (f"/api/sessions/{session}/entries", {"entries": [opening]}),
        (f"/api/sessions/{session}/entries", {"entries": [opening], "dry_run": True}),
    ):
        answer = other.ask("POST", path, body)
        assert (answer.status_code, answer.json()["code"]) == (409, "session_exists")
        assert "state" not in answer.json()
