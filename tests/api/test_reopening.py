"""Opening a session that is there already asks for its table like any other entry."""

from __future__ import annotations

import pytest

from tests.api.house import House, Key, evening

pytestmark = pytest.mark.api


def another_recorder(house: House) -> Key:
    made = house.call(house.app.state.safe.make_key, house.club.club_id, "another tablet", "recorder", None)
    return Key(house.client, made.key, made.key_id)


def test_another_recorder_gets_nothing_in_by_opening_again(house: House) -> None:
    mine, record = house.club["recorder"], evening("american-1")
    first = [entry | {"id": f"e{at}"} for at, entry in enumerate(record[:12])]
    session = mine.open(first)
    version = mine.take(session, first[1:])["version"]
    stranger = {"session_id": session, "entries": [*first, {"entry": "abandon", "reason": "x", "id": "q"}]}
    for more in ({}, {"dry_run": True}):
        answer = another_recorder(house).ask("POST", "/api/sessions", stranger | more)
        assert (answer.status_code, answer.json()["code"]) == (409, "table_taken")
        assert "missed" not in answer.json()
    assert mine.get(f"/api/sessions/{session}").json()["version"] == version


def test_the_recorder_may_send_his_opening_again(house: House) -> None:
    mine, entry = house.club["recorder"], evening("american-1")[0] | {"id": "e0"}
    session = mine.open([entry])
    again = mine.ask("POST", "/api/sessions", {"session_id": session, "entry": entry})
    assert again.status_code == 201
    assert again.json()["entries"] == [{"number": 1, "id": "e0", "replayed": True}]


def test_a_version_in_other_digits_is_malformed(house: House) -> None:
    mine = house.club["recorder"]
    session = mine.open()
    answer = house.client.post(
        f"/api/sessions/{session}/entries",
        json={"entries": evening("american-1")[1:2]},
        headers=[(b"authorization", f"Bearer {mine.key}".encode()), (b"if-match", b'"\xb2"')],
    )
    assert answer.status_code == 400


def test_new_players_are_called_by_their_names_at_once(house: House) -> None:
    names = {"N": "Greta New", "E": "Hugo New", "S": "Ida New", "W": "Jens New"}
    answer = house.club["recorder"].ask("POST", "/api/sessions", {"entry": evening("american-1")[0] | {"seats": names}})
    session = answer.json()["session_id"]
    for told in (answer.json()["state"], house.club["recorder"].get(f"/api/sessions/{session}").json()):
        assert {seat: told["seats"][seat]["name"] for seat in names} == names
