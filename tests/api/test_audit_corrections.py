"""Corrections over HTTP: the money of every later deal follows, and so does everything that shows it."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from msgspec.structs import replace

from tests.api.house import House, Key
from tests.api.listening import Listener
from tests.api.results import (
    DEALS,
    PLAYERS,
    RIGHT,
    correction,
    deal,
    made,
    plain_rows,
    recorded,
    results,
    settings,
    state,
)

pytestmark = pytest.mark.api
TRANSFER = {
    "entry": "transfer", "deltas": {"N": -20, "E": 20, "S": 0, "W": 0}, "law": "club law 3", "reason": "late",
}  # fmt: skip
CANCEL = {"entry": "cancel", "agreed": ["N", "E", "S", "W"], "reason": "ruled void"}


def agreed(house: House) -> dict[str, str]:
    """The second key that a correction after the window needs."""
    return {"second_key": house.club["admin"].key}


def test_the_sources_example_disputed_corrected_and_back(house: House) -> None:
    director = house.club["director"]
    session = recorded(director, results(deals=1))
    table = state(director, session)
    first = table["rows"][0]["row"]
    assert first["deltas"] == {"N": -145, "E": 35, "S": 35, "W": 35}
    assert first["pool"] == [0, 80]
    assert first["balances"]["N"] == 990 - 145
    director.take(session, results()[4:])
    asked = {"entry": "dispute", "line": 1, "by": "N", "about": "settlement", "reason": "we had eight"}
    house.club["recorder"].take(session, [asked])
    wrong = state(director, session)
    (dispute,) = wrong["rows"][0]["disputes"]
    assert dispute["state"] == "open"

    number = dispute["number"]
    fixed = made() | {"dispute": number, "law": "rule 34"}
    resolved = {"entry": "resolve", "dispute": number, "outcome": "corrected", "reason": "eight were taken"}
    director.take(session, [fixed, resolved], **agreed(house))
    right = state(director, session)
    other = state(director, recorded(director, results(RIGHT)))
    assert plain_rows(right) == plain_rows(other)
    for key in ("final", "winners", "balances", "pool"):
        assert right[key] == other[key]
    assert [row["balances"] for row in plain_rows(right)] != [row["balances"] for row in plain_rows(wrong)]
    line = right["rows"][0]
    assert line["corrected"] is True
    assert line["was"] == first
    assert line["row"]["outcome"] == "made"
    assert line["disputes"] == [{"number": number, "state": "corrected"}]
    assert all(later["was"] == earlier["row"] for later, earlier in zip(right["rows"], wrong["rows"], strict=True)
               if later["corrected"])  # fmt: skip

    (correct,) = [ruling["entry"] for ruling in director.get(f"/api/sessions/{session}/changes").json()]
    back = {"entry": "correct", "undoes": correct, "reason": "six after all"}
    director.take(session, [back], **agreed(house))
    again = state(director, session)
    assert plain_rows(again) == plain_rows(wrong)
    assert (again["final"], again["winners"]) == (wrong["final"], wrong["winners"])
    assert [line["corrected"] for line in again["rows"]] == [False] * 12


def test_a_list_says_what_changed_for_whom(house: House) -> None:
    director = house.club["director"]
    session = recorded(director, results())
    before = state(director, session)
    director.take(session, [made() | {"law": "rule 44"}], **agreed(house))
    after = state(director, session)
    refused = director.record(session, [TRANSFER], **agreed(house))
    assert refused.json()["code"] == "pools_divided"
    (told,) = house.club["viewer"].get(f"/api/sessions/{session}/changes").json()
    assert told["kind"] == "correct"
    assert (told["reason"], told["law"], told["state"]) == ("misheard", "rule 44", "in_force")
    assert (told["by_name"], told["second_name"]) == ("the director", "the admin")
    assert told["by"] == director.key_id
    assert told["second"] == house.club["admin"].key_id
    assert [line["line"] for line in told["lines"]] == [
        at for at, (one, two) in enumerate(zip(plain_rows(before), plain_rows(after), strict=True), 1) if one != two
    ]
    assert all(line["old"] == plain_rows(before)[line["line"] - 1] for line in told["lines"])
    assert all(line["new"] == plain_rows(after)[line["line"] - 1] for line in told["lines"])
    assert (told["final_old"], told["final_new"]) == (before["final"], after["final"])
    assert (told["winners_old"], told["winners_new"]) == (before["winners"], after["winners"])


def test_a_transfer_moves_money_and_needs_two_keys_at_any_time(house: House) -> None:
    director = house.club["director"]
    session = recorded(director, results(deals=2))
    before = state(director, session)["balances"]
    alone = director.record(session, [TRANSFER])
    assert (alone.status_code, alone.json()["code"]) == (403, "second_key_needed")
    director.take(session, [TRANSFER], **agreed(house))
    after = state(director, session)
    assert after["balances"] == before | {"N": before["N"] - 20, "E": before["E"] + 20}
    (told,) = director.get(f"/api/sessions/{session}/changes").json()
    assert (told["kind"], told["lines"]) == ("transfer", [])
    assert (told["balances_old"], told["balances_new"]) == (before, after["balances"])
    undo = {"entry": "undo", "target": after["undo"]}
    assert director.record(session, [undo]).json()["code"] == "second_key_needed"
    director.take(session, [undo], **agreed(house))
    assert state(director, session)["balances"] == before
    unbalanced = TRANSFER | {"deltas": {"N": -20, "E": 10, "S": 0, "W": 0}}
    assert director.record(session, [unbalanced], **agreed(house)).json()["code"] == "does_not_balance"


def another_director(house: House) -> Key:
    made = house.call(house.app.state.safe.make_key, house.club.club_id, "another director", "director", None)
    return Key(house.client, made.key, made.key_id)


def test_until_the_next_deal_one_key_is_enough_and_then_a_second_has_to_agree(house: House) -> None:
    director = house.club["director"]
    session = recorded(director, results(deals=1))
    dry = director.take(session, [made()], dry_run=True)
    assert dry["second_key_needed"] is False
    director.take(session, [made()])
    director.take(session, results(deals=2)[4:5])
    back = corrects({"at": 5, "part": 1, "put": [deal(*DEALS[0])[1]]})
    dry = director.take(session, [back], dry_run=True)
    assert dry["second_key_needed"] is True
    assert director.take(session, [back | {"id": "x"}], dry_run=True)["version"] == dry["version"]
    for second in (None, "bk_made-up", director.key, house.club["recorder"].key, house.club["auditor"].key):
        more: dict[str, Any] = {} if second is None else {"second_key": second}
        refused = director.record(session, [back], **more)
        assert (refused.status_code, refused.json()["code"]) == (403, "second_key_needed"), second
    assert state(director, session)["entries"] == 6, "nothing was recorded"
    other = another_director(house)
    told = director.take(session, [back], second_key=other.key)
    assert told["events"][0]["second"] == other.key_id
    assert plain_rows(state(director, session))[0]["outcome"] == "failed"


def test_the_window_may_be_minutes(house: House) -> None:
    director = house.club["director"]
    settings(house, correction_window=10)
    session = recorded(director, results())
    assert director.take(session, [made()], dry_run=True)["second_key_needed"] is False
    director.take(session, [made()])
    house.call(_age, house, session, 11)
    back = {"entry": "correct", "undoes": state(director, session)["entries"], "reason": "six after all"}
    assert director.record(session, [back]).json()["code"] == "second_key_needed"
    director.take(session, [back], **agreed(house))


async def _age(house: House, session: str, minutes: int) -> None:
    """Lets the service believe that the lines were settled so many minutes earlier."""
    recorder = house.app.state.recorder
    folded = await recorder.load(session, house.club.club_id)
    earlier = [
        replace(line, settled_at=(datetime.fromisoformat(line.settled_at) - timedelta(minutes=minutes)).isoformat())
        for line in folded.lines
    ]
    recorder._cache.drop(session)
    recorder._cache.put(replace(folded, lines=tuple(earlier)))


def test_another_clubs_key_agrees_to_nothing(house: House) -> None:
    from tests.api.house import Club

    other = Club(house, "The Other Club")
    director = house.club["director"]
    session = recorded(director, results())
    refused = director.record(session, [made()], second_key=other["admin"].key)
    assert (refused.status_code, refused.json()["code"]) == (403, "second_key_needed")
    assert other["director"].record(session, [made()], second_key=other["admin"].key).status_code == 404


def test_a_correction_that_the_rules_refuse_says_why_and_records_nothing(house: House) -> None:
    director = house.club["director"]
    session = recorded(director, results())
    before = state(director, session)
    tricks = {"entry": "tricks", "tricks": {"N": 8, "E": 7, "S": 0, "W": 0}}
    for entry, status, code in (
        (correction(tricks), 422, "tricks_cannot_be"),
        (correction(), 422, "deal_left_open"),
        (correction(deal(*DEALS[0])[1]), 422, "nothing_changed"),
        (correction(tricks, at=1), 422, "opening_stays"),
        (correction(tricks, at=999), 404, "not_in_force"),
        ({"entry": "correct", "undoes": 4, "reason": "no"}, 404, "no_such_correction"),
    ):
        answer = director.record(session, [entry], **agreed(house))
        assert (answer.status_code, answer.json()["code"]) == (status, code)
        assert answer.json()["detail"]
    assert director.record(session, [{"entry": "correct", "changes": [], "reason": "no"}]).status_code == 400
    assert state(director, session) == before


def corrects(*changes: dict[str, Any]) -> dict[str, Any]:
    return {"entry": "correct", "reason": "as the director found", "changes": list(changes)}


def test_a_result_replaced_an_entry_put_in_seats_and_a_correction_of_a_correction(house: House) -> None:
    director = house.club["director"]
    session = recorded(director, results())
    contract, tricks = deal("E", "7", (1, 9, 2, 1))
    director.take(session, [corrects({"at": 3, "put": [contract]}, {"at": 4, "put": [tricks]})], **agreed(house))
    told = state(director, session)
    assert (told["rows"][0]["row"]["caller"], told["rows"][0]["row"]["contract"]) == ("E", "7")
    assert told["rows"][0]["was"]["caller"] == "N"
    tricks = deal("E", "7", (1, 8, 2, 2))[1]
    director.take(session, [corrects({"at": told["entries"], "part": 2, "put": [tricks]})], **agreed(house))
    told = state(director, session)
    assert told["rows"][0]["row"]["tricks"]["E"] == 8
    assert told["rows"][0]["was"]["caller"] == "N", "what the table recorded, not what was corrected last"
    director.take(session, [corrects({"at": 6, "after": True, "put": [CANCEL]})], **agreed(house))
    told = state(director, session)
    assert told["rows"][1]["row"]["outcome"] == "cancelled"
    assert len(told["rows"]) == 12
    seats = {"entry": "reseat", "seats": PLAYERS | {"N": "Eve"}, "from_deal": 1, "reason": "entered wrongly"}
    director.take(session, [corrects({"at": 2, "after": True, "put": [seats]})], **agreed(house))
    assert state(director, session)["seats"]["N"]["name"] == "Eve"


def figures(key: Key) -> Any:
    """What the statistics show, without what differs from session to session."""
    parts = key.get("/api/statistics/deals?limit=500").json()["rows"]
    leaders = key.get("/api/statistics/leaderboard").json()["rows"]
    kept = [{name: value for name, value in part.items() if name != "session_id"} for part in parts]
    pools = key.get("/api/statistics/pools").json()
    return kept, leaders, {name: pools[name] for name in ("taken", "doubled", "life")}


def test_statistics_ledger_and_history_follow_as_if_it_had_been_recorded_right(house: House) -> None:
    director, viewer = house.club["director"], house.club["viewer"]
    right = recorded(director, results(RIGHT))
    wanted = figures(viewer)
    director.ask("POST", f"/api/sessions/{right}/void", {"reason": "only to compare"})
    session = recorded(director, results())
    assert figures(viewer) != wanted
    director.take(session, [made()], **agreed(house))
    assert figures(viewer) == wanted
    balances = viewer.get(f"/api/sessions/{session}/balances?limit=500").json()["rows"]
    assert balances == viewer.get(f"/api/sessions/{right}/balances?limit=500").json()["rows"]
    ledger = viewer.get(f"/api/sessions/{session}/ledger?limit=500").json()["rows"]
    assert all(sum(row[at] for at in ("n", "e", "s", "w", "pool", "issued")) == 0 for row in ledger)
    final = state(viewer, session)["final"]
    assert {seat: sum(row[seat.lower()] for row in ledger) for seat in "NESW"} == final
    director.take(session, [{"entry": "undo", "target": state(director, session)["undo"]}], **agreed(house))
    assert figures(viewer) != wanted


def test_live_viewers_hear_of_a_correction(house: House) -> None:
    director = house.club["director"]
    session = recorded(director, results())
    path = f"/api/sessions/{session}/stream"
    headers = {"authorization": f"Bearer {house.club['viewer'].key}"}

    async def story() -> str:
        import asyncio

        async with Listener(house.app, path, headers) as listener:
            await listener.until("event: state")
            told = await asyncio.to_thread(director.take, session, [made()], **agreed(house))
            await listener.until(f"id: {told['version']}")
        return listener.text

    assert house.call(story).count("event: state") >= 2
    assert state(house.club["viewer"], session)["rows"][0]["row"]["outcome"] == "made"


def test_a_correction_beside_an_open_deal_shows_nobody_its_hands(house: House) -> None:
    """The first entry of the open deal, which deals it, is paid anew and stands in the correction."""
    director, viewer = house.club["director"], house.club["viewer"]
    opening, *rest = results(deals=1)
    session = recorded(director, [opening | {"ruleset": "boston-whist"}, *rest])
    hand = [f"{rank}H" for rank in "23456789TJQKA"]
    director.take(session, [{"entry": "deal", "hands": {"N": hand}}])
    before = viewer.get(f"/api/sessions/{session}/log?limit=500").json()["version"]
    director.take(session, [made()], **agreed(house))
    log = viewer.get(f"/api/sessions/{session}/log?limit=500").json()
    assert "TH" in director.get(f"/api/sessions/{session}/log?limit=500").text
    assert log["version"] == before
    for path in (
        "",
        "/log?limit=500",
        "/record",
        "/record?effective=true",
        "/changes",
        "/lines/1",
        f"/compare?at={before}",
    ):
        assert "TH" not in viewer.get(f"/api/sessions/{session}{path}").text, path
    assert plain_rows(state(viewer, session))[0]["outcome"] == "made"
