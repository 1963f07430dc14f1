"""The embedded server as the rest of Boston sees it: start, two URLs, stop."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import weakref
from pathlib import Path
from types import TracebackType
from typing import ClassVar, Self
from urllib.parse import quote

import psycopg
from psycopg import sql

from ops.embedded import postmaster
from ops.embedded.cluster import Cluster, locate
from ops.embedded.errors import EmbeddedError

DATABASE = "boston"
# The role the service signs in as. The migrations say what it may do.
SERVICE = "boston_service"

STOP_SECONDS = postmaster.FAST_STOP_SECONDS + postmaster.HARD_STOP_SECONDS + 10


class EmbeddedPostgres:
    """A PostgreSQL on the loopback address, its data in `data_dir / "postgres"`.

    It runs from `start()` to `stop()`, or as a context manager, and never
    longer than this process. `port` None takes the port of the last time, or
    any free one. Errors are `EmbeddedError`, each with what to do about it.
    """

    def __init__(self, data_dir: Path, *, port: int | None = None) -> None:
        self.data_dir = Path(data_dir)
        self.port = port
        self._running: Running | None = None

    @property
    def url(self) -> str:
        """For the service's own role, which may do no more than the migrations grant it."""
        return self._url(SERVICE, "service")

    @property
    def owner_url(self) -> str:
        """For the owner of the database, a superuser: migrations and maintenance."""
        return self._url(postmaster.OWNER, "owner")

    def start(self) -> Self:
        """Start the server and return when it takes connections; does nothing when it already runs."""
        if self._running is not None and self._running.kept():
            return self
        self.stop()
        self._running = Running.launch(locate(self.data_dir), self.data_dir, self.port)
        try:
            self._prepare()
        except BaseException:
            self.stop()
            raise
        return self

    def stop(self) -> None:
        """Stop the server and return when it has ended; does nothing when it does not run."""
        running, self._running = self._running, None
        if running is not None:
            running.end()

    def alive(self) -> bool:
        """Whether the server answers a query now; found out by asking one."""
        if self._running is None:
            return False
        try:
            with psycopg.connect(self.owner_url, connect_timeout=5) as connection:
                connection.execute("SELECT 1")
        except psycopg.Error:
            return False
        return True

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.stop()

    def _url(self, role: str, secret: str, database: str = DATABASE) -> str:
        if self._running is None:
            raise EmbeddedError("the embedded PostgreSQL is not running: call start() first")
        password = quote(self._running.cluster.password(secret), safe="")
        return f"postgresql://{role}:{password}@{postmaster.LOOPBACK}:{self._running.port}/{database}"

    def _prepare(self) -> None:
        """The database and the service's role; made on the first start, and made good by any later one."""
        assert self._running is not None
        secret = self._running.cluster.password("service")
        with psycopg.connect(self._url(postmaster.OWNER, "owner", "postgres"), autocommit=True) as connection:
            if not connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [SERVICE]).fetchone():
                connection.execute(sql.SQL("CREATE ROLE {}").format(sql.Identifier(SERVICE)))
            connection.execute(
                sql.SQL("ALTER ROLE {} LOGIN PASSWORD {}").format(sql.Identifier(SERVICE), sql.Literal(secret))
            )
            if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone():
                connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(DATABASE)))


class Running:
    """One keeper with its server: the pipe that binds it to this process, and the lock both hold."""

    # A forked child must not hold the pipe open, or the server would outlive the parent.
    everywhere: ClassVar[weakref.WeakSet[Running]] = weakref.WeakSet()

    def __init__(self, cluster: Cluster, lock: int, keeper: subprocess.Popen[bytes], port: int) -> None:
        self.cluster = cluster
        self.port = port
        self._lock = lock
        self._keeper = keeper
        self._pid = os.getpid()
        Running.everywhere.add(self)

    @classmethod
    def launch(cls, cluster: Cluster, data: Path, port: int | None) -> Running:
        lock = cluster.lock()
        wish = json.dumps({"data": str(data.absolute()), "port": port})
        try:
            with (cluster.folder / "keeper.log").open("ab") as errors:
                cluster.give(errors.fileno())
                keeper = subprocess.Popen(
                    [sys.executable, "-P", "-m", "ops.embedded.keeper", wish],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=errors,
                    pass_fds=[lock],
                    # A Ctrl-C at the terminal is for the parent; the keeper learns of it through the pipe.
                    start_new_session=True,
                    cwd="/",
                )
            running = cls(cluster, lock, keeper, 0)
        except BaseException:
            os.close(lock)
            raise
        try:
            running.port = running._await_port()
        except BaseException:
            running.end()
            raise
        return running

    def _await_port(self) -> int:
        assert self._keeper.stdout is not None
        line = self._keeper.stdout.readline()
        if not line:
            said = postmaster.tail(self.cluster.folder / "keeper.log", 0)
            raise EmbeddedError(f"the keeper of the embedded PostgreSQL ended without a word: {said}")
        answer = json.loads(line)
        if "error" in answer:
            raise EmbeddedError(answer["error"])
        return int(answer["port"])

    def kept(self) -> bool:
        return self._keeper.poll() is None

    def end(self) -> None:
        """Close the pipe, wait until the keeper has stopped the server, and free the folder."""
        if os.getpid() != self._pid:
            return
        assert self._keeper.stdin is not None
        assert self._keeper.stdout is not None
        self._keeper.stdin.close()
        try:
            self._keeper.wait(STOP_SECONDS)
            # A keeper that was killed itself has left its server running.
            postmaster.stop(self.cluster)
        except subprocess.TimeoutExpired as error:
            raise EmbeddedError(f"the embedded PostgreSQL in {self.cluster.folder} does not stop") from error
        finally:
            self._keeper.stdout.close()
            os.close(self._lock)

    def forget(self) -> None:
        """In a forked child: let go of what binds the server to the parent."""
        for stream in (self._keeper.stdin, self._keeper.stdout):
            if stream is not None:
                stream.close()
        os.close(self._lock)


def _forget_all() -> None:
    for running in list(Running.everywhere):
        if running._keeper.stdin is not None and not running._keeper.stdin.closed:
            running.forget()


os.register_at_fork(after_in_child=_forget_all)
