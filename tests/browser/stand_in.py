"""A stand-in for the service, in memory: the tablet's part of the API over the real domain.

The browser tests of the screens alone run against it, so that a fault they find is the tablet's. It can be made
deaf (every request fails), and it keeps what it was told when the test replaces it.
"""

from __future__ import annotations

import json
import re
import threading
import time
import uuid
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import msgspec

from domain.record import parse_line, replay, replay_object
from domain.refusal import Refusal
from domain.session import Session, initial, record
from domain.text import Malformed
from domain.view import score_sheet, table_view

WEB = Path(__file__).parents[2] / "service" / "web"
TYPES = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".html": "text/html; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".webmanifest": "application/manifest+json",
    ".txt": "text/plain; charset=utf-8",
    ".md": "text/plain; charset=utf-8",
}
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)


@dataclass
class Evening:
    """One session: its entries as lines, and what they fold to."""

    session: Session = field(default_factory=initial)
    lines: list[dict[str, Any]] = field(default_factory=list)
    holder: dict[str, Any] | None = None

    @property
    def version(self) -> int:
        return len(self.lines)


@dataclass
class Club:
    """Everything that the stand-in keeps."""

    evenings: dict[str, Evening] = field(default_factory=dict)
    players: dict[str, str] = field(default_factory=dict)
    lock: threading.RLock = field(default_factory=threading.RLock)
    deaf: bool = False
    posts: int = 0

    def state(self, key: str) -> dict[str, Any]:
        evening = self.evenings[key]
        view = msgspec.to_builtins(table_view(evening.session))
        seats = {
            seat: {"player_id": player, "name": self.players.get(player, player)}
            for seat, player in (view["players"] or {}).items()
        }
        rows = msgspec.to_builtins(score_sheet(evening.session.game.base)) if evening.lines else []  # type: ignore[union-attr]
        view["rows"] = rows
        return {**view, "session_id": key, "version": evening.version, "entries": evening.version, "seats": seats}

    def append(self, key: str, entries: list[dict[str, Any]], expected: int | None) -> tuple[int, dict[str, Any]]:
        """Takes entries as the service does: known ids are answered, all or none of the rest."""
        self.posts += 1
        evening = self.evenings.setdefault(key, Evening())
        known = {line.get("id"): number for number, line in enumerate(evening.lines, start=1)}
        fresh = [entry for entry in entries if entry.get("id") not in known]
        if fresh and expected is not None:
            taken = len(entries) - len(fresh)
            if expected + taken != evening.version:
                return 409, {"code": "conflict", "detail": "the session has moved on", "version": evening.version}
        session, problems = evening.session, []
        for entry in fresh:
            try:
                result = record(session, parse_line(json.dumps(entry).encode()))
            except Malformed as error:
                return 400, {"code": "malformed", "detail": str(error)}
            if isinstance(result, Refusal):
                problems.append({"code": result.code, "rule": result.rule, "message": result.message})
                break
            session = result[0]
        if problems:
            return 422, {**problems[0], "detail": problems[0]["message"], "problems": problems}
        evening.session = session
        evening.lines.extend(fresh)
        return 200, {"session_id": key, "version": evening.version, "entries": [], "events": []}

    def outcome(self, key: str) -> dict[str, Any]:
        """What `boston replay` says of an evening."""
        lines = [json.dumps(line).encode() for line in self.evenings[key].lines]
        return replay_object(replay(lines))


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    club: Club

    def log_message(self, format: str, *args: Any) -> None:
        """Quiet: a test's output is its own."""

    def answer(self, status: int, body: object, kind: str = "application/json") -> None:
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(raw)))
        self.send_header("content-security-policy", POLICY)
        self.send_header("cache-control", "no-cache")
        self.end_headers()
        self.wfile.write(raw)

    def body(self) -> Any:
        return json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")

    def do_GET(self) -> None:
        path = self.path.split("?")[0]
        if not path.startswith("/api/"):
            return self.file(path)
        if self.club.deaf:
            return self.answer(503, {})
        with self.club.lock:
            if path == "/api/me":
                return self.answer(200, ME)
            if path == "/api/club":
                return self.answer(200, CLUB)
            if path == "/api/players":
                rows = [{"player_id": key, "name": name} for key, name in self.club.players.items()]
                return self.answer(200, {"players": rows, "next": None})
            if path == "/api/sessions":
                return self.answer(200, {"sessions": [self.club.state(key) for key in self.club.evenings]})
            found = re.fullmatch(r"/api/sessions/([^/]+)(/\w+)?", path)
            if not found or found[1] not in self.club.evenings:
                return self.answer(404, {"code": "not_found"})
            evening = self.club.evenings[found[1]]
            if found[2] is None:
                return self.answer(200, self.club.state(found[1]))
            if found[2] == "/record":
                return self.answer(200, "\n".join(map(json.dumps, evening.lines)).encode(), "application/jsonl")
        if found[2] == "/stream":
            return self.stream(evening)
        return self.answer(404, {"code": "not_found"})

    def do_POST(self) -> None:
        path, body = self.path, self.body()
        if self.club.deaf:
            return self.answer(503, {})
        with self.club.lock:
            if path == "/api/sign-in":
                return self.answer(200, {"me": ME, "csrf": "token"})
            if path == "/api/players":
                key = str(uuid.uuid4())
                self.club.players[key] = body["name"]
                return self.answer(201, {"player_id": key, "name": body["name"]})
            if path == "/api/sessions":
                return self.answer(*self.club.append(body["session_id"], body["entries"], None))
            if found := re.fullmatch(r"/api/sessions/([^/]+)/entries", path):
                return self.answer(*self.club.append(found[1], body["entries"], body["expected_version"]))
        return self.answer(404, {"code": "not_found"})

    def do_PUT(self) -> None:
        body = self.body()
        found = re.fullmatch(r"/api/sessions/([^/]+)/lease", self.path)
        if self.club.deaf or not found or found[1] not in self.club.evenings:
            return self.answer(503 if self.club.deaf else 404, {})
        with self.club.lock:
            evening = self.club.evenings[found[1]]
            if evening.holder is None or body.get("take"):
                evening.holder = {"key_id": "key", "device": body["device"]}
            mine = evening.holder["device"] == body["device"]
            return self.answer(200, {"holder": evening.holder, "mine": mine})

    def stream(self, evening: Evening) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        sent = -1
        try:
            while not self.club.deaf:
                if evening.version != sent:
                    sent = evening.version
                    self.wfile.write(f'id: {sent}\nevent: state\ndata: {{"version": {sent}}}\n\n'.encode())
                    self.wfile.flush()
                time.sleep(0.05)
        except OSError:
            pass
        self.close_connection = True

    def file(self, path: str) -> None:
        name = {"/": "index.html", "/sw.js": "sw.js"}.get(path, path.removeprefix("/static/"))
        file = (WEB / name).resolve()
        if not file.is_file() or WEB not in file.parents:
            return self.answer(404, b"", "text/plain")
        return self.answer(200, file.read_bytes(), TYPES.get(file.suffix, "application/octet-stream"))


ME = {"club": {"name": "Cercle du Mardi", "club_id": "club"}, "role": "recorder", "name": "Nora", "csrf": "token"}
CLUB = {
    "club_id": "club",
    "name": "Cercle du Mardi",
    "time_zone": "Europe/Vienna",
    "ruleset": "american-decimal",
    "settings": {"recorder_undo": "previous_deal", "live_view": "finished"},
}


class StandIn:
    """The server with its club; `with StandIn() as it:` gives it running on a port of its own."""

    def __init__(self, club: Club | None = None, port: int = 0) -> None:
        self.club = club or Club()
        handler = type("Bound", (Handler,), {"club": self.club})
        self.server = ThreadingHTTPServer(("127.0.0.1", port), handler)
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]
        self.url = f"http://localhost:{self.port}"

    def __enter__(self) -> StandIn:
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.club.deaf = True
        self.server.shutdown()
        self.server.server_close()
