"""A service in the test's own process, spoken to over HTTP, and the people of a club with their keys."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Self
from uuid import uuid4

import httpx
from litestar.testing import TestClient

from service.app import create_app
from service.principal import ROLES, Role
from service.settings import Settings

GOLDEN = Path(__file__).parent.parent / "golden"


class Key:
    """Somebody who holds a key."""

    def __init__(self, client: TestClient[Any], key: str, key_id: str) -> None:
        self.client = client
        self.key = key
        self.key_id = key_id

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> httpx.Response:
        """Asks with this key; header names are written with `_` for `-`."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.client.request(
            method, path, json=body, headers={"authorization": f"Bearer {self.key}"} | sent, follow_redirects=False
        )

    def get(self, path: str, **headers: str) -> httpx.Response:
        return self.ask("GET", path, **headers)

    def open(self, record: list[dict[str, Any]] | None = None, session_id: str | None = None) -> str:
        """Opens a session by the first entry of a record, and gives its id."""
        session_id = session_id or str(uuid4())
        entry = (record or evening("scripted-results"))[0]
        answer = self.ask("POST", "/api/sessions", {"session_id": session_id, "entry": entry})
        assert answer.status_code == 201, answer.text
        return session_id

    def record(self, session_id: str, entries: list[dict[str, Any]], **more: Any) -> httpx.Response:
        """Sends entries."""
        return self.ask("POST", f"/api/sessions/{session_id}/entries", {"entries": entries} | more)

    def take(self, session_id: str, entries: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
        """Sends entries that must be taken, and gives the answer."""
        answer = self.record(session_id, entries, **more)
        assert answer.status_code == 200, answer.text
        told: dict[str, Any] = answer.json()
        return told


class Club:
    """A club with a key for each role."""

    def __init__(self, house: House, name: str) -> None:
        made = house.call(house.app.state.clubs.make, name, "Europe/Moscow", "american-decimal")
        self.club_id: str = made.club_id
        self.player_id = str(uuid4())
        self.keys: dict[Role, Key] = {}
        house.call(_add_player, house, self.club_id, self.player_id)
        for role in ROLES:
            player = self.player_id if role == "player" else None
            key = house.call(house.app.state.safe.make_key, self.club_id, f"the {role}", role, player)
            self.keys[role] = Key(house.client, key.key, key.key_id)

    def __getitem__(self, role: Role) -> Key:
        return self.keys[role]


async def _add_player(house: House, club_id: str, player_id: str) -> None:
    from service.log import connection
    from service.register import add

    statement = add(club_id, player_id, "Pavel Orlov")
    async with connection(house.app.state.database.reads) as lent:
        await lent.execute(statement.sql, statement.arguments)


class House:
    """The running service, with one club to begin with."""

    def __init__(self, settings: Settings) -> None:
        self.app = create_app(settings)
        self.client: TestClient[Any] = TestClient(self.app, raise_server_exceptions=False)

    def __enter__(self) -> Self:
        self.client.__enter__()
        self.club = Club(self, "The Thursday Club")
        return self

    def __exit__(self, *how: Any) -> None:
        self.client.__exit__(*how)

    def with_a_new_club(self) -> Self:
        """The same service as somebody finds it who knows nobody there: a club that has only keys, and no cookies."""
        self.client.cookies.clear()
        self.club = Club(self, "The Thursday Club")
        return self

    def call(self, function: Any, *arguments: Any) -> Any:
        """Calls a coroutine function in the service's own event loop."""
        with self.client.portal() as portal:
            return portal.call(function, *arguments)


def evening(name: str) -> list[dict[str, Any]]:
    """The entries of a whole evening."""
    text = (GOLDEN / "sessions" / f"{name}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def expected(name: str) -> dict[str, Any]:
    """What the evening comes to."""
    told: dict[str, Any] = json.loads((GOLDEN / "sessions" / f"{name}.expected.json").read_text(encoding="utf-8"))
    return told
