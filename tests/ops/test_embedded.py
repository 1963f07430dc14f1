"""The embedded server: nothing of it outlives its parent, nothing acknowledged is lost, no stranger is harmed.

Every scenario runs as root, when the tests do, and as an ordinary user, in a
folder whose name needs quoting and whose parents nobody else can enter.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest

from ops.embedded import EmbeddedPostgres, remove, temporary_folder
from ops.embedded.account import SYSTEM_FOLDER
from ops.embedded.process import Process
from tests.ops import people

pytestmark = pytest.mark.slow

PATIENCE = 60.0


@dataclass
class Parent:
    """A process that has started an embedded server, and what it said."""

    process: subprocess.Popen[str]
    answer: dict[str, object]

    @classmethod
    def start(cls, who: people.Person, data: Path, *port: int) -> Parent:
        """Start one and wait for its answer, which may be an error."""
        parent = cls.begin(who, data, *port)
        parent.listen()
        return parent

    @classmethod
    def begin(cls, who: people.Person, data: Path, *port: int) -> Parent:
        driver = who.path / "driver.py" if who.path != people.ROOT else Path(__file__).with_name("embedded_driver.py")
        arguments = [who.python, driver, data, *map(str, port)]
        return cls(who.popen(*arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE), {})

    def listen(self) -> dict[str, object]:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, "the parent ended without an answer"
        answer = json.loads(line)
        self.answer |= answer
        return answer

    def ask(self, word: str) -> dict[str, object]:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{word}\n")
        self.process.stdin.flush()
        return self.listen()

    @property
    def error(self) -> str:
        return str(self.answer.get("error", ""))

    @property
    def folder(self) -> Path:
        return Path(str(self.answer["folder"]))

    def postmaster(self) -> Process:
        """The server's first process, as the keeper wrote it down."""
        process = Process.parse(json.loads((self.folder / "server.json").read_text())["process"])
        assert process is not None
        return process

    def keeper(self) -> Process:
        """The one child of the parent that is a keeper."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        found = [c for c in children if b"ops.embedded.keeper" in Path(f"/proc/{c}/cmdline").read_bytes()]
        assert len(found) == 1
        process = Process.find(int(found[0]))
        assert process is not None
        return process

    def connect(self, which: str = "owner_url") -> psycopg.Connection:
        return psycopg.connect(str(self.answer[which]), autocommit=True, connect_timeout=5)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def close(self) -> None:
        """End it as a well-behaved program ends."""
        if self.process.stdin is not None:
            self.process.stdin.close()
        self.process.wait(PATIENCE)
        if self.process.stdout is not None:
            self.process.stdout.close()


def eventually(true: Callable[[], object]) -> bool:
    """Whether it becomes true within a bound that only a failure reaches."""
    deadline = time.monotonic() + PATIENCE
    while not true():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


@pytest.fixture(scope="module")
def user() -> Iterator[people.Person]:
    with people.ordinary_user() as person:
        yield person


@pytest.fixture(params=["root", "user"])
def who(request: pytest.FixtureRequest, user: people.Person, need: Callable[[object, str], None]) -> people.Person:
    if request.param == "user":
        return user
    need(os.geteuid() == 0, "root, to run the embedded server as root")
    return people.myself()


@pytest.fixture
def data(who: people.Person) -> Iterator[Path]:
    """A data folder that does not exist yet, in a private folder."""
    with who.folder() as folder:
        yield folder / "data"
        place = folder / "data" / "postgres"
        if place.is_symlink():
            remove(folder / "data")


@pytest.fixture
def start(who: people.Person, data: Path) -> Iterator[Callable[..., Parent]]:
    """Start a parent on the data folder; all are ended after the test."""
    parents: list[Parent] = []

    def start(*port: int) -> Parent:
        parents.append(Parent.start(who, data, *port))
        return parents[-1]

    yield start
    for parent in parents:
        parent.close()


def test_data_survives_a_stop_and_a_start(start: Callable[..., Parent]) -> None:
    first = start()
    with first.connect() as connection:
        connection.execute("CREATE TABLE kept AS SELECT 7 AS n")
    assert first.ask("stop") == {"stopped": True}
    assert not first.postmaster().alive()
    assert first.ask("alive") == {"alive": False}
    before = first.answer["url"]
    assert first.ask("start")["url"] == before
    assert first.ask("alive") == {"alive": True}
    first.close()
    assert eventually(lambda: not first.postmaster().alive())
    second = start()
    assert second.answer["url"] == before
    with second.connect() as connection:
        assert connection.execute("SELECT n FROM kept").fetchone() == (7,)


def test_only_the_password_opens_it_and_only_on_the_loopback_address(
    start: Callable[..., Parent], who: people.Person
) -> None:
    parent = start()
    url = str(parent.answer["url"])
    secret = url.split(":")[2].split("@")[0]
    with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
        psycopg.connect(url.replace(secret, "wrong"))
    with parent.connect() as connection:
        shown = [
            connection.execute(f"SHOW {name}").fetchone()
            for name in ("listen_addresses", "unix_socket_directories", "fsync", "synchronous_commit")
        ]
        assert shown == [("127.0.0.1",), ("",), ("on",), ("on",)]
        methods = connection.execute("SELECT DISTINCT auth_method FROM pg_hba_file_rules").fetchall()
        assert methods == [("scram-sha-256",)]
    with parent.connect("url") as connection:
        row = connection.execute("SELECT rolsuper OR rolcreaterole OR rolcreatedb FROM pg_roles WHERE rolname = user")
        assert row.fetchone() == (False,)
    owner = Path(f"/proc/{parent.postmaster().pid}").stat().st_uid
    assert owner != 0
    assert owner == parent.folder.stat().st_uid
    assert (owner == who.uid) == (who.uid != 0)
    for path in [parent.folder, *parent.folder.glob("*.password")]:
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600)


def test_a_killed_parent_takes_its_server_along(start: Callable[..., Parent]) -> None:
    parent = start()
    postmaster, keeper = parent.postmaster(), parent.keeper()
    child = int(str(parent.ask("fork")["child"]))
    parent.kill()
    try:
        assert eventually(lambda: not postmaster.alive())
        assert eventually(lambda: not keeper.alive())
    finally:
        os.kill(child, signal.SIGKILL)


def test_a_start_right_after_a_kill_waits_for_the_old_server_and_finds_everything(start: Callable[..., Parent]) -> None:
    parent = start()
    with parent.connect() as connection:
        connection.execute("CREATE TABLE kept AS SELECT 7 AS n")
    old = parent.postmaster()
    parent.kill()
    again = start()
    assert not again.error
    assert not old.alive()
    with again.connect() as connection:
        assert connection.execute("SELECT n FROM kept").fetchone() == (7,)


def test_a_server_left_by_a_killed_keeper_is_stopped_by_the_next_start(start: Callable[..., Parent]) -> None:
    parent = start()
    postmaster, keeper = parent.postmaster(), parent.keeper()
    keeper.signal(signal.SIGKILL, PATIENCE)
    parent.kill()
    assert postmaster.alive()
    again = start()
    assert not again.error
    assert not postmaster.alive()
    assert again.ask("alive") == {"alive": True}


def test_a_parent_whose_keeper_was_killed_stops_the_server_itself(start: Callable[..., Parent]) -> None:
    parent = start()
    postmaster = parent.postmaster()
    parent.keeper().signal(signal.SIGKILL, PATIENCE)
    assert parent.ask("stop") == {"stopped": True}
    assert not postmaster.alive()


def test_a_keeper_asked_to_end_stops_the_server_first(start: Callable[..., Parent]) -> None:
    parent = start()
    postmaster, keeper = parent.postmaster(), parent.keeper()
    keeper.signal(signal.SIGTERM, PATIENCE)
    assert not postmaster.alive()
    assert "database system is shut down" in (parent.folder / "server.log").read_text()


def test_a_killed_server_comes_back_with_every_acknowledged_row(start: Callable[..., Parent]) -> None:
    parent = start()
    with parent.connect() as connection:
        connection.execute("CREATE TABLE log (writer int, n int, PRIMARY KEY (writer, n))")
    acknowledged: list[set[int]] = [set() for _ in range(4)]
    enough = threading.Event()

    def write(writer: int) -> None:
        """Insert numbers, each in a transaction of its own, and go on after an outage."""
        n = 0
        while not enough.is_set():
            try:
                with parent.connect() as connection:
                    while not enough.is_set():
                        n += 1
                        connection.execute("INSERT INTO log VALUES (%s, %s)", [writer, n])
                        acknowledged[writer].add(n)
            except psycopg.OperationalError:
                time.sleep(0.05)

    threads = [threading.Thread(target=write, args=[writer]) for writer in range(4)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(2):
            marks = [len(a) for a in acknowledged]
            assert eventually(
                lambda marks=marks: all(len(a) > m + 20 for a, m in zip(acknowledged, marks, strict=True))
            )
            killed = parent.postmaster()
            killed.signal(signal.SIGKILL, PATIENCE)
            assert eventually(lambda killed=killed: parent.postmaster() != killed)
        assert eventually(progress(acknowledged, 1))
    finally:
        enough.set()
        for thread in threads:
            thread.join()
    with parent.connect() as connection:
        for writer, numbers in enumerate(acknowledged):
            rows = connection.execute("SELECT n FROM log WHERE writer = %s", [writer])
            assert numbers <= {n for (n,) in rows}


def progress(acknowledged: list[set[int]], rows: int) -> Callable[[], bool]:
    """Whether every writer has got so many more rows acknowledged than now."""
    goals = [len(a) + rows for a in acknowledged]
    return lambda: all(len(a) >= goal for a, goal in zip(acknowledged, goals, strict=True))


def stranger(owner: int) -> subprocess.Popen[bytes]:
    """A process of the user who runs the server, which has nothing to do with it."""
    switch = {"user": owner, "group": owner, "extra_groups": []} if os.geteuid() == 0 else {}
    return subprocess.Popen(["sleep", "600"], cwd="/", **switch)


@pytest.mark.parametrize("recorded", [False, True], ids=["in the pid file", "and in the record"])
def test_a_stranger_with_the_number_of_a_dead_server_lives(start: Callable[..., Parent], recorded: bool) -> None:
    parent = start()
    pid_file = parent.folder / "pgdata" / "postmaster.pid"
    lines = pid_file.read_text().splitlines()
    old = parent.postmaster()
    parent.close()
    other = stranger(parent.folder.stat().st_uid)
    try:
        pid_file.write_text("\n".join([str(other.pid), *lines[1:]]) + "\n")
        os.chown(pid_file, parent.folder.stat().st_uid, parent.folder.stat().st_gid)
        if recorded:
            record = parent.folder / "server.json"
            fields = json.loads(record.read_text())
            fields["process"] = Process(other.pid, old.started, old.boot).format()
            record.write_text(json.dumps(fields))
        again = start()
        assert not again.error
        assert again.ask("alive") == {"alive": True}
        assert other.poll() is None
        assert again.ask("stop") == {"stopped": True}
        assert other.poll() is None
    finally:
        other.kill()
        other.wait()


def test_an_unknown_server_in_the_folder_is_named_and_left_alone(start: Callable[..., Parent]) -> None:
    parent = start()
    server, keeper = parent.postmaster(), parent.keeper()
    keeper.signal(signal.SIGKILL, PATIENCE)
    parent.kill()
    record = parent.folder / "server.json"
    kept = record.read_text()
    record.unlink()
    try:
        refused = start()
        assert f"process {server.pid}" in refused.error
        assert server.alive()
    finally:
        record.write_text(kept)
        server.signal(signal.SIGINT, PATIENCE)


def test_of_two_starts_at_once_one_wins_and_the_other_is_told_who(who: people.Person, data: Path) -> None:
    both = [Parent.begin(who, data) for _ in range(2)]
    try:
        for parent in both:
            parent.listen()
        errors = [parent.error for parent in both if parent.error]
        winners = [parent for parent in both if not parent.error]
        assert len(winners) == 1
        assert f"in use by process {winners[0].process.pid}" in errors[0]
        assert winners[0].ask("alive") == {"alive": True}
    finally:
        for parent in both:
            parent.close()


def test_a_folder_that_cannot_be_written_is_named(who: people.Person, data: Path) -> None:
    # Not even root can make a folder in /proc.
    closed = Path("/proc/boston")
    if who.uid:
        closed = data.parent / "closed"
        closed.mkdir(mode=0o555)
        os.chown(closed, who.uid, who.gid)
    for folder in (closed / "data", closed / "one" / "more"):
        parent = Parent.start(who, folder)
        parent.close()
        assert f"the data folder {folder} cannot be used" in parent.error
        assert "choose another" in parent.error


def test_a_file_in_the_place_of_the_folder_is_named(who: people.Person, data: Path) -> None:
    data.write_text("not a folder")
    parent = Parent.start(who, data)
    parent.close()
    assert str(data) in parent.error
    assert data.read_text() == "not a folder"


def test_a_taken_port_is_an_error_when_asked_for_and_avoided_when_not(start: Callable[..., Parent]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        refused = start(port)
        assert f"port {port} on 127.0.0.1 is taken" in refused.error
    asked = start(port)
    assert f":{port}/" in str(asked.answer["url"])
    asked.close()
    assert eventually(lambda: not asked.postmaster().alive())
    with socket.create_server(("127.0.0.1", port)):
        moved = start()
        assert not moved.error
        assert f":{port}/" not in str(moved.answer["url"])


def test_a_database_of_another_user_is_refused(
    user: people.Person, need: Callable[[object, str], None], tmp_path: Path
) -> None:
    need(os.geteuid() == 0, "root, to be two users")
    with user.folder() as folder:
        owned = Parent.start(user, folder / "data")
        assert not owned.error
        owned.close()
        refused = Parent.start(people.myself(), folder / "data")
        refused.close()
        assert "belongs to the user boston-test-" in refused.error
    with user.folder() as folder:
        owned = Parent.start(people.myself(), folder / "data")
        assert not owned.error
        owned.close()
        try:
            (folder / "data").chmod(0o755)
            refused = Parent.start(user, folder / "data")
            refused.close()
            assert "belongs to the user boston-postgres" in refused.error
        finally:
            remove(folder / "data")


def test_a_lost_password_file_is_an_error_and_not_a_new_password(start: Callable[..., Parent]) -> None:
    parent = start()
    parent.close()
    secret = (parent.folder / "owner.password").read_text()
    (parent.folder / "owner.password").unlink()
    refused = start()
    assert "owner.password is missing" in refused.error
    (parent.folder / "owner.password").write_text(secret)
    (parent.folder / "owner.password").chmod(0o600)
    os.chown(parent.folder / "owner.password", parent.folder.stat().st_uid, parent.folder.stat().st_gid)


def test_no_permission_of_any_folder_above_changes(
    who: people.Person, data: Path, start: Callable[..., Parent]
) -> None:
    above = {*data.parents, *Path(sys.prefix).parents, *SYSTEM_FOLDER.parents, *who.path.parents, *who.python.parents}

    def permissions() -> dict[Path, tuple[int, int, int]]:
        return {f: (s.st_mode, s.st_uid, s.st_gid) for f in above for s in [f.stat()]}

    before = permissions()
    parent = start()
    assert not parent.error
    parent.close()
    assert permissions() == before
    assert stat.S_IMODE(data.stat().st_mode) == 0o700


def test_an_existing_data_folder_keeps_its_permissions(
    who: people.Person, data: Path, start: Callable[..., Parent]
) -> None:
    data.mkdir()
    os.chown(data, who.uid, who.gid)
    data.chmod(0o750)
    assert not start().error
    assert stat.S_IMODE(data.stat().st_mode) == 0o750


def test_a_temporary_folder_takes_its_database_along() -> None:
    with temporary_folder() as folder:
        with EmbeddedPostgres(folder) as server:
            assert server.alive()
        cluster = (folder / "postgres").resolve()
        assert (cluster / "pgdata").is_dir()
    assert not folder.exists()
    assert not cluster.exists()
