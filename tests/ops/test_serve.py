"""`boston serve` as people start it, stop it and pull its plug; and the commands that let people in."""

from __future__ import annotations

import json
import os
import re
import secrets
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
import uvicorn
from click.testing import CliRunner, Result
from psycopg import sql
from psycopg.conninfo import make_conninfo

from ops import serving
from ops.cli import main
from ops.commands.serve import _database
from ops.doors import with_database
from ops.tls import own
from service.clubs import Clubs

BOSTON = Path(sys.executable).parent / "boston"
GOLDEN = Path(__file__).parents[1] / "golden" / "sessions"
READY_SECONDS = 300.0
GONE_SECONDS = 120.0


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Service:
    """A running `boston serve`, with what it has printed."""

    def __init__(self, data: Path, port: int, *options: str) -> None:
        self.data = data
        self.url = f"http://127.0.0.1:{port}"
        self.group = subprocess.Popen(
            [BOSTON, "serve", "--data", data, "--port", str(port), *options],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True,
        )  # fmt: skip
        self.lines: list[str] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.group.stdout is not None
        self.lines += iter(self.group.stdout.readline, "")

    def links(self) -> list[str]:
        """The codes of the links that it prints when it is ready."""
        until = time.monotonic() + READY_SECONDS
        while time.monotonic() < until and self.group.poll() is None:
            codes = re.findall(r"#pair=(\S+)", "".join(self.lines))
            if len(codes) == 2:
                return codes
            time.sleep(0.05)
        raise AssertionError(f"the service did not get ready: {self.lines}")

    def family(self) -> list[int]:
        """Every process that was started with it and still runs."""
        group = self.group.pid
        found = []
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                try:
                    fields = (entry / "stat").read_text().rpartition(")")[2].split()
                    command = (entry / "cmdline").read_bytes()
                except OSError:
                    continue
                if fields[0] != "Z" and (int(fields[3]) == group or str(self.data).encode() in command):
                    found.append(int(entry.name))
        return found


@contextmanager
def served(data: Path, port: int, *options: str) -> Iterator[Service]:
    service = Service(data, port, *options)
    try:
        yield service
    finally:
        if service.group.poll() is None:
            service.group.send_signal(signal.SIGTERM)
            service.group.wait(GONE_SECONDS)


@contextmanager
def signed_in(service: Service, code: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=service.url, timeout=30) as client:
        answer = client.post("/api/sign-in", json={"code": code})
        assert answer.status_code == 200, answer.text
        client.headers["x-csrf-token"] = answer.json()["csrf"]
        yield client


def gone(service: Service) -> bool:
    until = time.monotonic() + GONE_SECONDS
    while time.monotonic() < until:
        if not service.family():
            return True
        time.sleep(0.1)
    return False


@pytest.mark.slow
@pytest.mark.parametrize("workers", ["1", "2"])
def test_what_was_recorded_outlives_a_pulled_plug_and_nothing_is_left_running(
    embedded_folder: Path, workers: str
) -> None:
    data, port = embedded_folder, free_port()
    record = [json.loads(line) for line in (GOLDEN / "american-1.jsonl").read_text().splitlines()]
    with served(data, port, "--workers", workers) as service:
        director, admin = service.links()
        with signed_in(service, director) as client:
            assert len(client.get("/api/sessions").json()["sessions"]) > 10, "a new box has its demo club"
            session = client.post("/api/sessions", json={"entry": record[0]}).json()["session_id"]
            told = client.post(f"/api/sessions/{session}/entries", json={"entries": record[1:40]}).json()
            cookies = dict(client.cookies)
            recorded = (
                'boston_requests_total{method="POST",route="/api/sessions/{session_id}/entries",status="200"} 1.0'
            )
            until = time.monotonic() + READY_SECONDS
            while recorded not in httpx.get(f"{service.url}/metrics").text:
                assert time.monotonic() < until, "a worker publishes what it counted"
                time.sleep(0.1)
            for _ in range(2 * int(workers)):
                assert recorded in httpx.get(f"{service.url}/metrics").text, "whichever worker is asked tells of all"
        with signed_in(service, admin) as client:
            assert client.get("/api/keys").status_code == 200
        assert httpx.post(f"{service.url}/api/sign-in", json={"code": director}).status_code == 401
        os.kill(service.group.pid, signal.SIGKILL)
        service.group.wait(GONE_SECONDS)
        assert gone(service)
    with served(data, port, "--workers", workers) as service:
        service.links()
        again = httpx.get(f"{service.url}/api/sessions/{session}", cookies=cookies, timeout=30).json()
        assert (again["version"], again["entries"]) == (told["version"], 40)
        assert again["trick"] == told["state"]["trick"]
        with httpx.stream("GET", f"{service.url}/api/sessions/{session}/stream", cookies=cookies, timeout=30) as live:
            heard = live.iter_lines()
            assert next(heard)
            service.group.send_signal(signal.SIGTERM)
            # It is ended and not cut off, which would raise here.
            assert list(heard) is not None
        assert service.group.wait(GONE_SECONDS) == 0
        assert gone(service)


def run(*arguments: Any) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def test_a_port_that_is_taken_is_told_in_a_sentence(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        told = run("serve", "--data", tmp_path / "data", "--port", port)
    assert told.exit_code == 1
    assert f"port {port}" in told.output
    assert "--port" in told.output
    assert not (tmp_path / "data").exists(), "nothing is begun that cannot be finished"


def test_a_login_without_the_owners_rights_serves_what_the_owner_migrated(database: str, tmp_path: Path) -> None:
    name, password = f"boston_login_{secrets.token_hex(4)}", secrets.token_hex(8)
    login = sql.Identifier(name)
    with psycopg.connect(database, autocommit=True) as connection:
        made = sql.SQL("CREATE ROLE {} LOGIN PASSWORD {} IN ROLE boston_service")
        connection.execute(made.format(login, sql.Literal(password)))
        try:
            url = make_conninfo(database, user=name, password=password)
            with _database(tmp_path, url, database) as (owner, service):
                assert (owner, service) == (database, url)
                assert with_database(service, lambda opened: Clubs(opened).all()) == []
                with psycopg.connect(service) as narrow, pytest.raises(psycopg.errors.InsufficientPrivilege):
                    narrow.execute("DELETE FROM boston.events")
        finally:
            connection.execute(sql.SQL("DROP ROLE {}").format(login))


def test_the_log_is_lines_of_json_and_tells_nothing_of_what_was_entered() -> None:
    script = """
import logging
from ops.logs import write_log
from service.problems import problem
write_log(True)
problem(LookupError("Ann Smith"), "/api/players")
logging.getLogger("elsewhere").warning("the %s is away", "database")
"""
    told = subprocess.run([sys.executable, "-c", script], stderr=subprocess.PIPE, text=True, check=True).stderr
    failed, away = map(json.loads, told.splitlines())
    assert "Ann" not in told
    assert (failed["level"], failed["error"], failed["path"]) == ("error", "LookupError", "/api/players")
    assert (away["level"], away["event"]) == ("warning", "the database is away")


def test_a_setting_that_does_not_fit_is_told_by_its_name() -> None:
    told = serving.settings_from({"BOSTON_HEARTBEAT": "3.5", "BOSTON_WEB": "/srv/web"}, database_url="postgresql:///x")
    assert (told.heartbeat, told.web) == (3.5, Path("/srv/web"))
    with pytest.raises(serving.CannotServe, match="BOSTON_BODY_LIMIT"):
        serving.settings_from({"BOSTON_BODY_LIMIT": "much"}, database_url="postgresql:///x")


def test_clubs_and_keys_by_the_command_line(database: str) -> None:
    at = ("--database", database)
    assert "make one" in run("key", "list", *at).output
    made = run("club", "make", "The Thursday Club", "--time-zone", "Europe/Moscow", "--rules", "russian", *at)
    assert made.exit_code == 0, made.output
    club = made.output.split()[0]
    assert run("club", "make", "x", "--time-zone", "Mars/Olympus", *at).exit_code == 2
    for command in (("club", "make"), ("key", "make", "--role", "viewer")):
        for name, told in ((" ", "length >= 1"), ("Thurs\u200bday", "invisible"), ("x" * 101, "length <= 100")):
            refused = run(*command, name, *at)
            assert (refused.exit_code, told in refused.output) == (2, True), refused.output
    assert "The Thursday Club  Europe/Moscow  russian" in run("club", "list", *at).output

    told = run("key", "make", "the table", "--role", "recorder", *at)
    key = told.output.split()[0]
    assert key.startswith("bk_")
    listed = run("key", "list", *at).output
    assert key not in listed
    key_id = listed.split()[0]
    assert "in force" in listed
    linked = run("key", "make", "a tablet", "--role", "viewer", "--qr", "--public-url", "https://box.local", *at)
    assert re.search(r"https://box.local/#pair=[A-Z2-9-]{14}", linked.output)
    assert "\u2588" in linked.output or "\u2580" in linked.output, "the QR code is drawn"
    assert run("key", "make", "p", "--role", "player", *at).exit_code == 2
    assert run("key", "make", "p", "--role", "player", "--player", "Nobody", *at).exit_code == 1
    assert run("key", "revoke", key_id, *at).exit_code == 0
    assert "revoked" in run("key", "list", *at).output
    assert run("key", "revoke", "00000000-0000-7000-8000-000000000000", *at).exit_code == 1

    run("club", "make", "The Other Club", *at)
    assert "--club" in run("key", "list", *at).output
    assert "in force" not in run("key", "list", "--club", club, *at).output
    assert run("club", "remove", "The Other Club", *at).exit_code == 1, "nobody said yes"
    assert run("club", "remove", "The Other Club", "--yes", *at).exit_code == 0
    assert run("club", "remove", "The Other Club", "--yes", *at).exit_code == 1
    assert "The Other Club" not in run("club", "list", *at).output


def test_a_renewed_certificate_is_shown_without_a_restart(tmp_path: Path) -> None:
    first, second = own(tmp_path / "a", ["127.0.0.1"]), own(tmp_path / "b", ["127.0.0.1"])
    port = free_port()

    async def nothing(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    config = uvicorn.Config(
        nothing, port=port, lifespan="off", ssl_certfile=first.chain, ssl_keyfile=first.key, log_level="error"
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    until = time.monotonic() + READY_SECONDS
    while not server.started and time.monotonic() < until:
        time.sleep(0.02)

    def shown() -> str:
        return ssl.get_server_certificate(("127.0.0.1", port))

    before = shown()
    serving._show(config, second)
    after = shown()
    server.should_exit = True
    thread.join(GONE_SECONDS)
    assert before in first.chain.read_text()
    assert after in second.chain.read_text()
    assert before != after
