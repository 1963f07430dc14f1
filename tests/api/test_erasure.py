"""A person who leaves: the name is nowhere any more, in no table, in no body of the log and in no answer."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest
from litestar.testing import TestClient
from psycopg import sql

from ops.verify import verify
from service.app import create_app
from service.names import fold, speaks_of
from tests.api.doors import DOORS
from tests.api.house import House, Key, evening

pytestmark = pytest.mark.api
NAME, WORDS = "Quirina Zyx", ("quirin", "zyx")


def everything(database: str) -> dict[str, str]:
    """Every table whole as text, and the bodies of the log as the text that they are."""
    with psycopg.connect(database) as connection:
        tables = connection.execute(
            "SELECT schemaname, tablename FROM pg_tables WHERE schemaname IN ('boston', 'facts', 'facts_next')"
        ).fetchall()
        told = {
            f"{schema}.{table}": "\n".join(
                row[0]
                for row in connection.execute(
                    sql.SQL("SELECT t::text FROM {} AS t").format(sql.Identifier(schema, table))
                ).fetchall()
            )
            for schema, table in tables
        }
        bodies = connection.execute("SELECT convert_from(body, 'UTF8') FROM boston.events").fetchall()
        return told | {"bodies": "\n".join(body for (body,) in bodies)}


def speaking(told: dict[str, str]) -> list[str]:
    return [name for name, text in told.items() if any(word in fold(text) for word in WORDS)]


def answers(key: Key, session: str, player: str) -> dict[str, str]:
    """What every way of reading answers."""
    paths = {
        door.path.format(session_id=session, player_id=player, key_id=key.key_id, name="sessions", line=1, number=1)
        + door.query
        for door in DOORS
        if door.method == "GET" and "stream" not in door.path
    }
    return {path: key.get(path).text for path in paths}


def an_evening(house: House) -> tuple[str, str]:
    """An evening with the person, which speaks of the person wherever words are free; its session and the person."""
    recorder, director, admin = (house.club[role] for role in ("recorder", "director", "admin"))
    first, *rest = evening("scripted-results")
    first["seats"]["N"] = NAME
    session = recorder.open([first])
    recorder.take(session, rest[:8], device="Quirina's tablet")
    player = recorder.get("/api/players?q=quirina").json()["players"][0]["player_id"]
    dispute = {"entry": "dispute", "line": 1, "by": "E", "about": "deal", "reason": "Quirinas hand was seen"}
    number = director.take(session, [dispute])["entries"][0]["number"]
    resolve = {
        "entry": "resolve",
        "dispute": number,
        "outcome": "stands",
        "law": "as in the case of Zyx",
        "reason": "so",
    }
    director.take(session, [resolve])
    director.ask("PUT", f"/api/sessions/{session}/lease", {"device": "Tablet of Quirina Zyx", "take": True})
    admin.ask("POST", "/api/keys", {"name": "the tablet of QUIRINA ZYX", "role": "viewer"})
    admin.ask("POST", "/api/pairings", {"name": "Quirina Zyx at home", "role": "viewer"})
    other = recorder.open(evening("american-1"))
    director.ask("POST", f"/api/sessions/{other}/void", {"reason": "a trial for Quírina Zyx"})
    return session, player


def test_nothing_that_is_kept_or_answered_speaks_of_a_person_who_left(house: House, database: str) -> None:
    session, player = an_evening(house)
    director, admin = house.club["director"], house.club["admin"]
    with TestClient(create_app(house.app.state.settings)) as other:
        elsewhere = Key(other, director.key, director.key_id)
        before = answers(director, session, player)
        answers(elsewhere, session, player)
        assert set(speaking(everything(database))) == {
            "boston.player_names", "boston.texts", "boston.sessions", "boston.leases", "boston.lease_takings",
            "boston.keys", "boston.pairings",
        }  # fmt: skip
        assert f"/api/sessions/{session}/record" in speaking(before)

        erased = admin.ask("POST", f"/api/players/{player}/erase")
        assert erased.status_code == 200, erased.text
        assert erased.json()["name"] is None
        assert erased.json()["texts"] == 4
        assert speaking(everything(database)) == []
        for key in (director, elsewhere, house.club["recorder"], admin):
            key.client.app.state.register.forget()
            assert speaking(answers(key, session, player)) == []
    record = director.get(f"/api/sessions/{session}/record").text
    assert '"law":"(erased)"' in record
    assert '"reason":"(erased)"' in record
    assert '"reason":"so"' in record
    assert admin.ask("POST", f"/api/players/{player}/erase").json()["texts"] == 0
    assert verify(database).problems == []
    assert house.club["recorder"].record(session, [{"entry": "abandon", "reason": "the end"}]).status_code == 200


def test_what_is_said_of_others_stays(house: House) -> None:
    session, player = an_evening(house)
    recorder, director = house.club["recorder"], house.club["director"]
    elsewhere = recorder.open(evening("whist-21"))
    dispute = {"entry": "dispute", "line": 1, "by": "E", "about": "deal", "reason": "Bea's hand was seen"}
    director.take(session, [dispute])
    told = "Quirina was not there"
    for place in (session, elsewhere):
        director.ask("POST", f"/api/sessions/{place}/void", {"reason": told})
    assert house.club["admin"].ask("POST", f"/api/players/{player}/erase").status_code == 200
    assert "Bea's hand was seen" in director.get(f"/api/sessions/{session}/record").text


@pytest.mark.parametrize(
    ("text", "name", "whole", "some"),
    [
        ("Ann Lee revoked", "Ann Lee", True, True),
        ("lee, ANN", "Ann Lée", True, True),
        ("Ann revoked", "Ann Lee", False, True),
        ("an annual dinner", "Ann", False, False),
        ("Анну Иванову видели", "Анна Иванова", True, True),
        ("карта Иванова", "Иванов", True, True),
        ("Beatrice's card", "Beatrice Bell", False, True),
        ("the bell rang", "Beatrice Bell", False, True),
        ("nobody", "Ann Lee", False, False),
    ],
)
def test_a_text_speaks_of_somebody_in_any_case(text: str, name: str, whole: bool, some: bool) -> None:
    assert speaks_of(text, name) == (whole, some)


def test_law_is_free_text_as_a_reason_is(house: House) -> None:
    director = house.club["director"]
    session, _ = an_evening(house)
    told: list[dict[str, Any]] = director.get(f"/api/sessions/{session}").json()["docket"]["disputes"]
    assert told[0]["outcome"]["law"] == "as in the case of Zyx"
    assert "Zyx" not in director.get(f"/api/sessions/{session}/log").text
