"""Random evenings over HTTP: recorded through the service's door, and folded again from its log to the same state.

The bots of the demo play them, more wildly than a club would, under a careless recorder. Some go in entry by entry, the
others in parcels of any size; some parcels are sent again, as if their answers had been lost.
`python -m ops.evenings` records 500 of each rule set in a service of its own.
"""

from __future__ import annotations

import argparse
import http.client
import json
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from random import Random
from typing import Any, NoReturn, Protocol
from uuid import UUID

import msgspec

from domain import entries
from domain.entries import AnyEntry
from domain.record import Replay, format_entry, replay, replay_object
from domain.rulesets import RULESETS
from domain.seats import SEATS, Four
from domain.session import Session, evolve, initial
from ops.demo.bot import Bot
from ops.demo.habits import Habits, Slips
from ops.demo.scribe import Scribe
from ops.demo.table import Table
from ops.doors import with_database
from ops.embedded import EmbeddedPostgres, temporary_folder
from ops.migrate import migrate
from service.clubs import Clubs
from service.envelope import decode
from service.keys import Safe

WILD = Habits(
    misdeal=0.05, cancel=0.04, result_only=0.06, lost_track=0.06, dispute=0.05, revoke=0.002, wrong_lead=0.005,
    ends_early=0.01, abandoned=0.003, substitute=0.05, wrong_seats=0.1, cuts=0.5, shows=0.7, hands=0.2,
)  # fmt: skip
CARELESS = Slips(wrong_card=0.02, undone_for_nothing=0.01, swapped=0.02, wrong_call=0.1, missed_pass=0.2)
ONE_BY_ONE = 25
"""Of so many evenings of a rule set one is recorded entry by entry, the first among them."""
_NAMES = ("Ann", "Bea", "Cal", "Dan")


class Differs(AssertionError):
    """The service did otherwise than the domain says; the message names the seed."""


class Door(Protocol):
    """The way to a service, with a key that may record."""

    def ask(self, method: str, path: str, body: bytes | None = None) -> tuple[int, bytes]:
        """The status and the body of an answer."""
        ...


def evening(ruleset: str, seed: str) -> list[AnyEntry]:
    """A random evening with slips, each entry with an id; the same seed gives the same."""
    rng = Random(f"{seed} {ruleset}")
    opening = entries.Open(ruleset=ruleset, seats=Four(*_NAMES), date="2026-11-30", table="1")
    bots = {seat: Bot(name, boldness=rng.gauss(0.1, 0.15)) for seat, name in zip(SEATS, _NAMES, strict=True)}
    scribe = Scribe(rng, CARELESS)
    Table(opening, bots, rng, WILD, Bot("Eva")).play(scribe.write, under_way=rng.random() < 0.05)
    return [msgspec.structs.replace(entry, id=f"e{number}") for number, entry in enumerate(scribe.written, start=1)]


def record(door: Door, ruleset: str, seed: str, one_by_one: bool) -> int:
    """Records an evening and compares what the service makes of it; how many entries that were. Raises `Differs`."""
    told = evening(ruleset, seed)
    where = f"evening {seed!r} of {ruleset}"
    rng = Random(f"{seed} {ruleset} parcels")
    session = str(UUID(int=rng.getrandbits(128), version=4))
    opened = _ask(door, where, 201, "POST", "/api/sessions", _parcel(told[:1], session_id=session))
    version, at = opened["version"], 1
    while at < len(told):
        size = 1 if one_by_one else rng.choice((1, 2, 4, 13, 52))
        parcel = _parcel(told[at : at + size], expected_version=version)
        answer = _ask(door, where, 200, "POST", f"/api/sessions/{session}/entries", parcel)
        if rng.random() < 0.1:
            again = _ask(door, where, 200, "POST", f"/api/sessions/{session}/entries", parcel)
            if again["version"] != answer["version"] or not all(entry["replayed"] for entry in again["entries"]):
                raise Differs(f"{where}: entries from {at + 1} were sent twice and recorded twice")
        version, at = answer["version"], at + size
    _compare(door, where, session, told)
    return len(told)


def _compare(door: Door, where: str, session: str, told: list[AnyEntry]) -> None:
    """What was sent, what the state shows, and what the log folds to are the same."""
    expected = _shown(replay(map(format_entry, told)))
    if expected["refused"]:
        raise Differs(f"{where}: the bots broke a rule: {expected['refused'][0]}")
    if _shown(Replay(_folded(door, where, session), ())) != expected:
        raise Differs(f"{where}: the log folds to another state than the record")
    state = _ask(door, where, 200, "GET", f"/api/sessions/{session}")
    rows = [
        {name: line["row"].get(name) for name in row}
        for line, row in zip(state["rows"], expected["deals"], strict=True)
    ]
    names = ("phase", "final", "winners") if "final" in expected else ("phase", "balances", "pool")
    shown = {"deals": rows} | {name: state[name] for name in names}
    for name, value in shown.items():
        if value != expected[name]:
            raise Differs(f"{where}: the state shows {name} {value}, the record gives {expected[name]}")
    status, body = door.ask("GET", f"/api/sessions/{session}/record")
    if status != 200 or body.splitlines() != [format_entry(entry) for entry in told]:
        raise Differs(f"{where}: the record read back is not the record sent")


def _shown(replayed: Replay) -> dict[str, Any]:
    """What `boston replay` prints of it, read back."""
    told: dict[str, Any] = json.loads(msgspec.json.encode(replay_object(replayed)))
    return told


class _Page(msgspec.Struct):
    """A page of the log; the events are kept as the bytes that they are."""

    events: list[msgspec.Raw]
    next: int | None = None


def _folded(door: Door, where: str, session: str) -> Session:
    folded, after = initial(), 0
    while True:
        status, body = door.ask("GET", f"/api/sessions/{session}/log?after={after}&limit=200")
        if status != 200:
            raise Differs(f"{where}: the log is answered with {status}: {body.decode()}")
        page = msgspec.json.decode(body, type=_Page)
        for raw in page.events:
            envelope = decode(raw)
            if envelope.version != after + 1:
                raise Differs(f"{where}: version {envelope.version} follows {after} in the log")
            folded, after = evolve(folded, envelope.data), envelope.version
        if page.next is None:
            return folded


def _parcel(parcel: list[AnyEntry], **more: Any) -> bytes:
    return msgspec.json.encode({"entries": parcel, **more})


def _ask(door: Door, where: str, wanted: int, method: str, path: str, body: bytes | None = None) -> dict[str, Any]:
    status, answer = door.ask(method, path, body)
    if status != wanted:
        raise Differs(f"{where}: {method} {path} is answered with {status}: {answer.decode()}")
    told: dict[str, Any] = json.loads(answer)
    return told


class Line:
    """A door over one kept connection."""

    def __init__(self, port: int, key: str) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self._headers = {"authorization": f"Bearer {key}", "content-type": "application/json"}

    def ask(self, method: str, path: str, body: bytes | None = None) -> tuple[int, bytes]:
        self._connection.request(method, path, body, self._headers)
        answer = self._connection.getresponse()
        return answer.status, answer.read()


@contextmanager
def service() -> Iterator[Line]:
    """A service of one's own for a block, with an empty database and one club."""
    with temporary_folder() as folder, EmbeddedPostgres(folder) as server:
        migrate(server.owner_url)
        club = with_database(
            server.owner_url, lambda db: Clubs(db).make("Evenings", "Europe/London", "american-decimal")
        )
        key = with_database(server.owner_url, lambda db: Safe(db).make_key(club.club_id, "evenings", "director"))
        with closing(socket.create_server(("127.0.0.1", 0))) as free:
            port = free.getsockname()[1]
        program = "from ops.cli import main; main()"
        command = [sys.executable, "-c", program, "serve", "--database", server.owner_url, "--port", str(port)]
        process = subprocess.Popen([*command, "--no-demo"], stdout=subprocess.DEVNULL)
        try:
            _await(process, port)
            yield Line(port, key.key)
        finally:
            process.terminate()
            process.wait(30)


def _await(process: subprocess.Popen[bytes], port: int) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise SystemExit(f"the service ended with {process.returncode}")
        try:
            if Line(port, "").ask("GET", "/health/ready")[0] == 200:
                return
        except OSError:
            pass
        time.sleep(0.1)
    raise SystemExit("the service does not become ready")


def main() -> NoReturn:
    """Records evenings of each rule set, and says how many there were."""
    parser = argparse.ArgumentParser(prog="python -m ops.evenings", description=__doc__)
    parser.add_argument("--each", type=int, default=500, help="evenings of each rule set (500)")
    parser.add_argument("--seed", default="1", help="another seed gives other evenings")
    chosen = parser.parse_args()
    with service() as line:
        for ruleset in RULESETS:
            started, recorded = time.monotonic(), 0
            for number in range(chosen.each):
                try:
                    recorded += record(line, ruleset, f"{chosen.seed}/{number}", number % ONE_BY_ONE == 0)
                except Differs as differs:
                    sys.exit(f"differs: {differs}")
            took = time.monotonic() - started
            print(
                f"{ruleset}: {chosen.each} evenings, {recorded} entries, all the same again; {took:.0f} s", flush=True
            )
    sys.exit(0)


if __name__ == "__main__":
    main()
