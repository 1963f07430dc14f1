"""The register under load and over time: one player a new name, one id a person at a table, names that can be read."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from litestar.testing import TestClient

from service.app import create_app
from tests.api.house import House, Key
from tests.api.test_club import add

pytestmark = pytest.mark.api


def opening(*names: str) -> dict[str, Any]:
    return {"entry": {"entry": "open", "date": "2026-11-30", "seats": dict(zip("NESW", names, strict=True))}}


def names(key: Key) -> list[str]:
    return [player["name"] for player in key.get("/api/players?limit=500").json()["players"]]


def at_once(*acts: Callable[[], Any]) -> list[Any]:
    """What each act gives, all begun at the same moment in threads of their own."""
    given: list[Any] = [None] * len(acts)
    start = threading.Barrier(len(acts))

    def run(at: int, act: Callable[[], Any]) -> None:
        start.wait(30)
        given[at] = act()

    threads = [threading.Thread(target=run, args=each) for each in enumerate(acts)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return given


def test_a_new_name_at_several_tables_at_the_same_moment_is_one_player(house: House) -> None:
    recorder = house.club["recorder"]
    with TestClient(create_app(house.app.state.settings)) as other:
        keys = [Key(client, recorder.key, recorder.key_id) for client in (house.client, other) * 3]
        for round_ in range(6):
            new = [f"Newcomer {round_} {letter}" for letter in "abcd"]
            # Each table names them in another order, and so does the part of each that reaches the database first.
            tables = [opening(*(new[(at + turn) % 4] for turn in range(4))) for at in range(len(keys))]
            pairs = zip(keys, tables, strict=True)
            answers = at_once(*(lambda k=k, t=t: k.ask("POST", "/api/sessions", t) for k, t in pairs))
            assert [answer.status_code for answer in answers] == [201] * len(keys), [a.text for a in answers]
            ids = [{p["name"]: p["player_id"] for p in a.json()["state"]["seats"].values()} for a in answers]
            assert all(told == ids[0] for told in ids)
            assert sorted(name for name in names(recorder) if name in new) == new


def test_a_player_added_twice_at_the_same_moment_is_there_once(house: House) -> None:
    recorder = house.club["recorder"]
    body = {"name": "Ann Lee"}
    with TestClient(create_app(house.app.state.settings)) as other:
        keys = [Key(client, recorder.key, recorder.key_id) for client in (house.client, other)]
        answers = at_once(*(lambda k=k: k.ask("POST", "/api/players", body) for k in keys * 3))
    assert sorted(answer.status_code for answer in answers) == [201, 409, 409, 409, 409, 409]
    assert {a.json()["code"] for a in answers if a.status_code == 409} == {"name_taken"}
    assert names(recorder).count("Ann Lee") == 1


def test_two_ids_of_one_person_never_sit_in_one_session(house: House) -> None:
    recorder, director = house.club["recorder"], house.club["director"]
    ann, anne = add(recorder, "Ann Lee"), add(recorder, "Anne Lee")
    before = recorder.ask("POST", "/api/sessions", opening("Anne Lee", "Bea", "Cal", "Dan")).json()
    assert director.ask("POST", f"/api/players/{anne}/merge", {"into": ann}).status_code == 200

    for one, other in (("Ann Lee", "Anne Lee"), (anne, ann), ("Anne Lee", ann)):
        refused = recorder.ask("POST", "/api/sessions", opening(one, "Bea", other, "Dan"))
        assert (refused.status_code, refused.json()["code"]) == (409, "same_person"), refused.text
        assert "Ann Lee" in refused.json()["detail"]
        assert "Anne Lee" in refused.json()["detail"]
    # Neither may one relieve the other: the session would count two players for one person.
    seats = dict(zip("NESW", ("Bea", "Ann Lee", "Cal", "Dan"), strict=True))
    swapped = {"entry": "reseat", "seats": seats, "from_deal": 1, "reason": "entered wrongly"}
    refused = recorder.record(before["session_id"], [swapped])
    assert (refused.status_code, refused.json()["code"]) == (409, "same_person"), refused.text
    seats["E"] = "Anne Lee"
    assert recorder.record(before["session_id"], [swapped]).status_code == 200

    assert recorder.ask("POST", "/api/sessions", opening("Ann Lee", "Bea", "Cal", "Dan")).status_code == 201
    assert recorder.ask("POST", "/api/sessions", opening("Anne Lee", "Bea", "Cal", "Dan")).status_code == 201
    assert director.ask("DELETE", f"/api/players/{anne}/merge").status_code == 200
    assert recorder.ask("POST", "/api/sessions", opening("Ann Lee", "Bea", "Anne Lee", "Dan")).status_code == 201
    path = "/api/statistics/players/"
    assert {recorder.get(f"{path}{one}").json()["player"]["player_id"] for one in (ann, anne)} == {ann, anne}


def test_an_evening_of_a_merged_id_is_known_when_it_is_sent_again(house: House) -> None:
    recorder, director = house.club["recorder"], house.club["director"]
    sent = opening("Anne Lee", "Bea", "Cal", "Dan") | {"session_id": "01890a5d-0000-7000-8000-00000000000a"}
    assert recorder.ask("POST", "/api/sessions", sent).status_code == 201
    anne = recorder.get("/api/players?q=anne").json()["players"][0]["player_id"]
    ann = add(recorder, "Ann Lee")
    assert director.ask("POST", f"/api/players/{anne}/merge", {"into": ann}).status_code == 200
    again = recorder.ask("POST", "/api/sessions", sent)
    assert again.status_code == 201, again.text
    assert again.json()["entries"][0]["replayed"]


@pytest.mark.parametrize("hidden", ["\u200b", "\u202e", "\u2066", "\u00ad", "\ufeff", "\u200d", "\u3164", "\u0007"])
def test_a_name_with_what_nobody_sees_is_refused_in_words(house: House, hidden: str) -> None:
    recorder, director = house.club["recorder"], house.club["director"]
    player = add(recorder, "Ann Lee")
    for name in (f"Ann{hidden} Lee", f"{hidden}Ann Lee"):
        for answer in (
            recorder.ask("POST", "/api/players", {"name": name}),
            director.ask("PATCH", f"/api/players/{player}", {"name": name}),
            recorder.ask("POST", "/api/sessions", opening(name, "Bea", "Cal", "Dan")),
            recorder.ask("POST", "/api/sessions", opening("Ann Lee", "Bea", "Cal", "Dan") | {"device": name}),
        ):
            assert (answer.status_code, answer.json()["code"]) == (400, "malformed"), answer.text
            assert "invisible" in answer.json()["detail"]
            assert "regex" not in answer.text
    tag = recorder.ask("POST", "/api/sessions", opening("Ann\U000e0041 Lee", "Bea", "Cal", "Dan"))
    assert (tag.status_code, tag.json()["code"]) == (400, "name_unreadable")
    assert names(recorder) == ["Ann Lee", "Pavel Orlov"]


def test_one_name_however_its_letters_are_put_together(house: House) -> None:
    recorder = house.club["recorder"]
    for at, name in enumerate(("Zoé Ferré", "Zoe\u0301 Ferre\u0301", "  Zoé\u00a0 Ferré", "ZOE\ufe0f FERRE")):
        answer = recorder.ask("POST", "/api/sessions", opening(name, "Bea", "Cal", "Dan"))
        assert answer.status_code == 201, answer.text
        assert answer.json()["state"]["seats"]["N"]["name"] == "Zoé Ferré", at
    table = opening("Bea", "Cal", "Dan", "Eve")
    table["entry"]["table"] = " Fene\u0302tre  1"
    told = recorder.ask("POST", "/api/sessions", table).json()
    assert recorder.get(f"/api/sessions/{told['session_id']}").json()["table"] == "Fenêtre 1"


def test_a_player_on_two_chairs_is_told_by_name(house: House) -> None:
    recorder = house.club["recorder"]
    for seats in (("Ann", "Bea", "ann", "Dan"), ("Ann", "Bea", "Ann", "Dan")):
        refused = recorder.ask("POST", "/api/sessions", opening(*seats))
        assert (refused.status_code, refused.json()["code"]) == (422, "player_twice"), refused.text
        assert refused.json()["detail"].casefold() == "ann sits both on n and on s"


def test_a_nul_is_refused_in_words(house: House) -> None:
    recorder = house.club["recorder"]
    session = recorder.open()
    answer = recorder.record(session, [{"entry": "end", "reason": "the \x00 lights"}])
    assert answer.status_code == 400
    assert "without the character NUL" in answer.json()["detail"]
    assert "without the character NUL" in answer.json()["problems"][0]["message"]
