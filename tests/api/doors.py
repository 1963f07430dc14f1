"""Who may come in where: every operation of the API with the roles that may call it, and how it is called.

The table stands apart from the routes, so that a role added to a route by mistake fails a test. A test also fails
while an operation is missing here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from service.principal import ROLES, Role

Method = Literal["GET", "POST", "PUT", "PATCH", "DELETE"]

ALL: frozenset[Role] = frozenset(ROLES)
RECORDERS: frozenset[Role] = frozenset({"recorder", "director"})
KEEPERS: frozenset[Role] = frozenset({"admin", "director", "auditor"})
AUDITORS: frozenset[Role] = frozenset({"director", "auditor"})
SEATED: frozenset[Role] = frozenset({"recorder", "director", "auditor", "player"})
ADMIN: frozenset[Role] = frozenset({"admin"})
DIRECTORS: frozenset[Role] = frozenset({"admin", "director"})

UNDO = {"entries": [{"entry": "undo", "target": 1}]}


@dataclass(frozen=True)
class Door:
    """An operation: who may call it, with which body, and what follows the path.

    `{session_id}`, `{player_id}` and `{key_id}` in the path name something of one club.
    """

    method: Method
    path: str
    roles: frozenset[Role]
    body: Any = None
    query: str = ""

    @property
    def name(self) -> str:
        return f"{self.method} {self.path}"

    @property
    def of_one(self) -> bool:
        """Does it ask for one session, player or key?"""
        return "_id}" in self.path


def statistics(path: str) -> list[Door]:
    """A statistic, which is there as JSON and as CSV."""
    path = f"/api/statistics/{path}"
    return [Door("GET", path, ALL), Door("GET", f"{path}/csv", ALL)]


OPEN = (
    "POST /api/sign-in",
    "GET /health",
    "GET /health/live",
    "GET /health/ready",
    "GET /schema",
    "GET /",
    "GET /sw.js",
    "GET /static/{path}",
    "GET /verify.html",
    "GET /metrics",
)
"""What is answered without signing in."""

DOORS = (
    Door("GET", "/api/me", ALL),
    Door("POST", "/api/sign-out", ALL),
    Door("GET", "/api/club", ALL),
    Door("PATCH", "/api/club", ADMIN, {"name": "Another name"}),
    Door("GET", "/api/rulesets", ALL),
    Door("GET", "/api/keys", ADMIN),
    Door("POST", "/api/keys", ADMIN, {"name": "a key", "role": "viewer"}),
    Door("POST", "/api/pairings", ADMIN, {"name": "a tablet", "role": "viewer"}),
    Door("GET", "/api/players", ALL),
    Door("POST", "/api/players", RECORDERS | ADMIN, {"name": "Somebody New", "another": True}),
    Door("GET", "/api/players/{player_id}", ALL),
    Door("PATCH", "/api/players/{player_id}", DIRECTORS, {"name": "Somebody Renamed"}),
    Door("POST", "/api/players/{player_id}/merge", DIRECTORS, {"into": "00000000-0000-7000-8000-000000000000"}),
    Door("DELETE", "/api/players/{player_id}/merge", DIRECTORS),
    Door("GET", "/api/players/{player_id}/export", frozenset({"admin", "player"})),
    Door("GET", "/api/sessions", ALL),
    Door("POST", "/api/sessions", RECORDERS, {"dry_run": True, "entry": {
        "entry": "open", "date": "2026-11-30", "seats": {"N": "Ann", "E": "Bea", "S": "Cal", "W": "Dan"}}}),
    Door("GET", "/api/sessions/{session_id}", ALL),
    Door("GET", "/api/sessions/{session_id}", ALL, query="?at=1"),
    Door("GET", "/api/sessions/{session_id}/log", ALL),
    Door("GET", "/api/sessions/{session_id}/record", ALL),
    Door("GET", "/api/sessions/{session_id}/record", ALL, query="?effective=true"),
    Door("GET", "/api/sessions/{session_id}/stream", ALL),
    Door("GET", "/api/sessions/{session_id}/findings", ALL),
    Door("GET", "/api/sessions/{session_id}/lease", ALL),
    Door("PUT", "/api/sessions/{session_id}/lease", RECORDERS, {"device": "Tablet", "take": False}),
    Door("DELETE", "/api/sessions/{session_id}/lease", RECORDERS),
    Door("GET", "/api/sessions/{session_id}/explain", ALL, query="?place=1"),
    Door("GET", "/api/sessions/{session_id}/ledger", ALL),
    Door("GET", "/api/sessions/{session_id}/pools", ALL),
    Door("GET", "/api/sessions/{session_id}/balances", ALL),
    Door("POST", "/api/sessions/{session_id}/entries", RECORDERS | {"player"}, UNDO | {"dry_run": True}),
    Door("POST", "/api/sessions/{session_id}/entries", RECORDERS | {"player"}, UNDO),
    *statistics("players/{player_id}"),
    *statistics("players/{player_id}/curve"),
    *statistics("deals"),
    *statistics("contracts"),
    *statistics("head-to-head"),
    *statistics("leaderboard"),
    *statistics("records"),
    Door("GET", "/api/statistics/pools", ALL),
    *statistics("pools/moves"),
    Door("GET", "/api/exports/records", KEEPERS),
    Door("GET", "/api/exports/{name}", KEEPERS),
    Door("GET", "/api/sessions/{session_id}/lines/{line}", ALL),
    Door("GET", "/api/sessions/{session_id}", ALL, query="?at_time=2999-01-01T00:00:00Z"),
    Door("GET", "/api/disputes", AUDITORS),
    Door("GET", "/api/disputes", AUDITORS, query="?state=open"),
    Door("GET", "/api/findings", AUDITORS),
    Door("GET", "/api/findings", AUDITORS, query="?state=open"),
    Door("GET", "/api/sessions/{session_id}/compare", ALL, query="?at=40"),
    Door("GET", "/api/sessions/{session_id}/changes", ALL),
    Door("GET", "/api/sessions/{session_id}/timeline", AUDITORS | {"player"}),
    Door("GET", "/api/sessions/{session_id}/timeline", AUDITORS | {"player"}, query="?format=csv"),
    Door("POST", "/api/sessions/{session_id}/rulings/simulate", AUDITORS, {"lines": [{"line": 1}]}),
    Door("GET", "/api/checkpoints", ALL),
    Door("POST", "/api/checkpoints", KEEPERS),
    Door("GET", "/api/checkpoints/latest", ALL),
    Door("GET", "/api/checkpoints/{number}", ALL),
    Door("GET", "/api/sessions/{session_id}/lines/{line}/receipt", SEATED),
    Door("GET", "/api/sessions/{session_id}/lines/{line}/receipt", SEATED, query="?format=svg"),
    Door("GET", "/api/sessions/{session_id}/bundle", AUDITORS | {"player"}),
    # What ends something comes last, so that the doors before it still lead somewhere.
    Door("POST", "/api/sessions/{session_id}/void", DIRECTORS, {"reason": "a trial"}),
    Door("DELETE", "/api/keys/{key_id}", ADMIN),
    Door("POST", "/api/players/{player_id}/erase", ADMIN),
)  # fmt: skip
