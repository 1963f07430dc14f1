"""The process between Boston and its PostgreSQL: it starts the server, keeps it up, and stops it.

    python -P -m ops.embedded.keeper '{"data": ..., "port": ...}'

Its standard input is a pipe whose other end the parent holds and never writes
to. The kernel closes that end when the parent ends, however it ends, and that
is the sign to stop the server. A parent killed with -9 leaves nothing behind.
The keeper also holds the cluster's lock, inherited as an open file: the folder
is free again when the server has really stopped, not when the parent is gone.

It answers once on standard output, one line of JSON: {"port": n} or {"error": text}.
A server that is killed later is started again on the same port.
"""

from __future__ import annotations

import json
import select
import signal
import sys
import time
from pathlib import Path
from types import FrameType

from ops.embedded import postmaster
from ops.embedded.binaries import programs
from ops.embedded.cluster import Cluster, locate
from ops.embedded.errors import EmbeddedError

LOOK_SECONDS = 0.25
# A server that dies this often within this time will not get better by itself.
RESTARTS = 5
RESTARTS_SECONDS = 60.0


class Terminated(BaseException):
    """Somebody asked this process to end; the server goes first."""


def main() -> int:
    wish = json.loads(sys.argv[1])
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, terminate)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    cluster: Cluster | None = None
    try:
        try:
            cluster = locate(Path(wish["data"]))
            where = programs(cluster.account)
            postmaster.create(cluster, where)
            server = postmaster.start(cluster, where, wish["port"])
        except (EmbeddedError, OSError) as error:
            answer({"error": str(error)})
            return 1
        answer({"port": server.port})
        keep(cluster, where, server)
    except Terminated:
        pass
    finally:
        # From here on only the end of the server ends this process.
        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        if cluster is not None:
            postmaster.stop(cluster)
    return 0


def terminate(number: int, frame: FrameType | None) -> None:
    raise Terminated


def answer(fields: dict[str, object]) -> None:
    try:
        print(json.dumps(fields), flush=True)
    except BrokenPipeError:
        # The parent died while the server started; the pipe on standard input says so too.
        sys.stdout = None


def keep(cluster: Cluster, where: Path, server: postmaster.Server) -> None:
    """Watch the parent and the server until the parent is gone."""
    poll = select.poll()
    poll.register(sys.stdin, select.POLLIN | select.POLLHUP)
    restarts: list[float] = []
    while not poll.poll(LOOK_SECONDS * 1000):
        if server.process.alive():
            continue
        now = time.monotonic()
        restarts = [at for at in restarts if now - at < RESTARTS_SECONDS] + [now]
        if len(restarts) > RESTARTS:
            raise EmbeddedError(f"PostgreSQL in {cluster.folder} keeps ending: {postmaster.tail(cluster.log, 0)}")
        print(f"process {server.process.pid} is gone, starting PostgreSQL again", file=sys.stderr, flush=True)
        try:
            server = postmaster.start(cluster, where, server.port)
        except EmbeddedError as error:
            print(error, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
