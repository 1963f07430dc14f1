"""A whole evening recorded by its results, twelve deals, for whoever rules on them afterwards."""

from __future__ import annotations

from typing import Any

from tests.api.house import House, Key

Entry = dict[str, Any]
PLAYERS = {"N": "Ann", "E": "Bea", "S": "Cal", "W": "Dan"}
DEALS = (
    ("N", "8", (6, 7, 0, 0)),
    ("E", "7", (2, 7, 2, 2)),
    ("S", "6", (3, 3, 5, 2)),
    ("W", "9", (2, 2, 0, 9)),
    ("N", "7", (8, 2, 2, 1)),
    ("E", "8", (4, 5, 2, 2)),
    ("S", "6", (2, 2, 7, 2)),
    ("W", "7", (4, 3, 2, 4)),
    ("N", "6", (6, 3, 2, 2)),
    ("E", "10", (1, 10, 1, 1)),
    ("S", "7", (5, 2, 6, 0)),
    ("W", "8", (1, 2, 2, 8)),
)
"""Caller, contract, and the tricks from N clockwise; the first is an 8 of which 6 were taken."""
RIGHT = ("N", "8", (8, 5, 0, 0))
"""The first deal as it really was."""


def deal(caller: str, contract: str, tricks: tuple[int, ...]) -> list[Entry]:
    """A deal by its result."""
    taken = dict(zip("NESW", tricks, strict=True))
    return [
        {"entry": "contract", "caller": caller, "contract": contract, "trumps": "S"},
        {"entry": "tricks", "tricks": taken},
    ]


def results(first: tuple[str, str, tuple[int, ...]] = DEALS[0], deals: int = 12) -> list[Entry]:
    """The entries of the evening up to a deal, the whole of it closed. Entry 4 is the first deal's tricks."""
    told: list[Entry] = [
        {"entry": "open", "ruleset": "american-decimal", "date": "2026-11-30", "table": "window", "seats": PLAYERS},
        {"entry": "first_dealer", "seat": "W"},
    ]
    for one in (first, *DEALS[1:])[:deals]:
        told += deal(*one)
    return [*told, {"entry": "close"}] if deals == 12 else told


def correction(*put: Entry, at: int = 4, **more: Any) -> Entry:
    """A correction by which entries stand in place of another one."""
    return {"entry": "correct", "changes": [{"at": at, "put": list(put)}], "reason": "misheard"} | more


def made() -> Entry:
    """The correction of the first deal: 8 tricks were taken."""
    return correction(deal(*RIGHT)[1])


def recorded(key: Key, record: list[Entry]) -> str:
    """Records entries in a new session, and gives its id."""
    session = key.open(record)
    if record[1:]:
        key.take(session, record[1:])
    return session


def state(key: Key, session: str, query: str = "") -> dict[str, Any]:
    """The session as a key sees it."""
    answer = key.get(f"/api/sessions/{session}{query}")
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.json()
    return told


def plain_rows(told: dict[str, Any]) -> list[dict[str, Any]]:
    """The rows of the score sheet alone."""
    return [line["row"] for line in told["rows"]]


def settings(house: House, **changed: Any) -> None:
    """Changes the club's settings; the worker that does it goes by them at once."""
    answer = house.club["admin"].ask("PATCH", "/api/club", {"settings": changed})
    assert answer.status_code == 200, answer.text


def player_at(house: House, session: str, seat: str) -> Key:
    """A key of the player who sits there."""
    player = state(house.club["director"], session)["seats"][seat]["player_id"]
    key = house.call(house.app.state.safe.make_key, house.club.club_id, f"player {seat}", "player", player)
    return Key(house.client, key.key, key.key_id)
