"""The door ahead of the framework and the route behind it: one request, by either, has one answer to the byte.

The route is reached by the same path with the session's id in capitals, which the door leaves to the framework.
"""

from __future__ import annotations

import json
import re
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from service.door import Door
from service.principal import COOKIE, CSRF, ROLES
from service.settings import Settings
from tests.api.house import House, evening

pytestmark = pytest.mark.api

_OF_THE_MOMENT = re.compile(rb'"(at|device|incident)":"[^"]*"')
"""What two answers to one request differ in: the time, the salt of a device that is new, an incident's number."""


def told(answer: httpx.Response) -> tuple[int, dict[str, str], bytes]:
    return answer.status_code, dict(answer.headers), _OF_THE_MOMENT.sub(rb'"\1":""', answer.content)


def both(house: House, session_id: str, headers: list[tuple[str, str]], body: bytes) -> list[httpx.Response]:
    """The answers of the door and of the route."""
    return [
        house.client.post(f"/api/sessions/{spelt}/entries", content=body, headers=headers)
        for spelt in (session_id, session_id.upper())
    ]


def entries(*told: dict[str, Any], **more: Any) -> bytes:
    return json.dumps({"entries": told, "dry_run": True} | more).encode()


DEAL = evening("american-1")
BODIES = {
    "taken": entries(DEAL[6]),
    "taken, of a device": entries(DEAL[6], device="the tablet by the window"),
    "on the head": entries(DEAL[6], expected_version=6),
    "too late": entries(DEAL[6], expected_version=3),
    "of the future": entries(DEAL[6], expected_version=400),
    "known": json.dumps({"entries": DEAL[1:3]}).encode(),
    "another under a known id": entries(DEAL[6] | {"id": DEAL[1].get("id", "one")}),
    "refused": entries({"entry": "trumps", "suit": "H"}, {"entry": "close"}),
    "the director's": entries({"entry": "acknowledge", "finding": 1}),
    "a player's": entries({"entry": "sign", "line": 1, "seat": "N"}),
    "opening again": entries(DEAL[0]),
    "no entries": entries(),
    "no such entry": entries({"entry": "shout"}, DEAL[6]),
    "unknown field": entries(DEAL[6], loud=True),
    "a NUL": entries(DEAL[6], device="a\0b"),
    "a wrong second key": entries(DEAL[6], second_key="nobody's"),
    "not JSON": b'{"entries": [',
    "not UTF-8": b'{"entries": [{"entry": "call", "seat": "N", "call": "\xff"}]}',
    "nested": b'{"entries":' + b"[" * 5_000 + b"]" * 5_000 + b"}",
    "empty": b"",
    "a list": b"[]",
    "too large": b" " * (4 * 1024 * 1024 + 1),
}
MEDIA = ("application/json", "application/json; charset=utf-8", "Application/JSON", "text/plain", None)
MATCHES = (None, '"6"', 'W/"6"', '"3"', "6", "six", '"99999999999"')
ASKERS = (*ROLES, "the other club's", "nobody", "unknown", "basic", "browser", "browser without token", "stranger")


@pytest.fixture
def scene(house: House) -> tuple[House, str]:
    recorder = house.club["recorder"]
    session_id = recorder.open(DEAL)
    recorder.take(session_id, DEAL[1:6])
    return house, session_id


def headers_of(house: House, other: str, browser: tuple[str, str], asker: str) -> list[tuple[str, str]]:
    cookie, token = browser
    match asker:
        case "nobody":
            return []
        case "unknown":
            return [("authorization", "Bearer bk_unknown")]
        case "basic":
            return [("authorization", "Basic Ym9zdG9u")]
        case "the other club's":
            return [("authorization", f"Bearer {other}")]
        case "browser":
            return [("cookie", f"theme=dark; {COOKIE}={cookie}"), (CSRF, token)]
        case "browser without token":
            return [("cookie", f"{COOKIE}={cookie}")]
        case "stranger":
            return [("cookie", f"{COOKIE}=stolen; x"), (CSRF, token)]
        case role:
            return [("authorization", f"bearer  {house.club[role].key}")]


def test_the_door_and_the_route_give_one_answer(scene: tuple[House, str]) -> None:
    from tests.api.house import Club

    house, session_id = scene
    other = Club(house, "The Other Club")["director"].key
    pairing = house.club["admin"].ask("POST", "/api/pairings", {"role": "director", "name": "tablet"}).json()
    signed = house.client.post("/api/sign-in", json={"code": pairing["code"]})
    browser = (signed.cookies[COOKIE], signed.json()["csrf"])
    house.client.cookies.clear()
    statuses = set()

    @settings(max_examples=250, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.sampled_from(ASKERS), st.sampled_from(sorted(BODIES)), st.sampled_from(MEDIA), st.sampled_from(MATCHES))
    def ask(asker: str, body: str, media: str | None, match: str | None) -> None:
        headers = headers_of(house, other, browser, asker)
        headers += [("content-type", media)] if media else []
        headers += [("if-match", match)] if match else []
        door, route = both(house, session_id, headers, BODIES[body])
        assert told(door) == told(route)
        statuses.add(door.status_code)

    ask()
    for asker in ("director", "the other club's"):
        for body in BODIES:
            headers = [("content-type", "application/json"), *headers_of(house, other, browser, asker)]
            door, route = both(house, session_id, headers, BODIES[body])
            assert told(door) == told(route), (asker, body)
            statuses.add(door.status_code)
    assert statuses >= {200, 400, 401, 403, 404, 409, 413, 415, 422}


def test_the_door_answers_what_is_plain_and_nothing_else(scene: tuple[House, str], monkeypatch: Any) -> None:
    house, session_id = scene
    passed = []
    real = Door._told

    async def heard(self: Door, *arguments: Any) -> Any:
        passed.append(arguments[0])
        return await real(self, *arguments)

    monkeypatch.setattr(Door, "_told", heard)
    director = house.club["director"]
    path = f"/api/sessions/{session_id}/entries"
    body = {"entries": [DEAL[6]], "dry_run": True}
    assert director.ask("POST", path, body).status_code == 200
    assert passed == [session_id]
    for method, other in (
        ("POST", path.upper().replace("API/SESSIONS", "api/sessions").replace("ENTRIES", "entries")),
        ("POST", path + "?loud=1"),
        ("GET", path),
        ("POST", f"/api/sessions/{session_id}/void"),
    ):
        director.ask(method, other.replace("/API", "/api"), body)
    assert passed == [session_id]


def test_both_are_counted_as_one_route(scene: tuple[House, str]) -> None:
    house, session_id = scene
    director = house.club["director"]
    line = 'boston_requests_total{method="POST",route="/api/sessions/{session_id}/entries",status="200"}'

    def counted() -> float:
        text = house.client.get("/metrics").text
        return next((float(row.rpartition(" ")[2]) for row in text.splitlines() if row.startswith(line)), 0.0)

    before = counted()
    for spelt in (session_id, session_id.upper()):
        assert director.record(spelt, [DEAL[6]], dry_run=True).status_code == 200
    assert counted() == before + 2


def test_what_the_door_takes_is_recorded_and_what_is_sent_again_is_not(scene: tuple[House, str]) -> None:
    house, session_id = scene
    director = house.club["director"]
    entry = DEAL[6] | {"id": "once"}
    first = director.take(session_id, [entry])
    again = director.take(session_id.upper(), [entry])
    assert [told["replayed"] for told in (*first["entries"], *again["entries"])] == [False, True]
    assert (again["events"], again["state"]) == (first["events"], first["state"])


def test_settings_limit_both(database: str) -> None:
    with House(Settings(database_url=database, body_limit=300)) as house:
        recorder = house.club["recorder"]
        session_id = recorder.open([{**evening("scripted-results")[0]}])
        headers = [("content-type", "application/json"), ("authorization", f"Bearer {recorder.key}")]
        for size in (300, 301):
            door, route = both(house, session_id, headers, b"{" + b" " * (size - 2) + b"}")
            assert told(door) == told(route)
            assert door.status_code == (400 if size == 300 else 413)
