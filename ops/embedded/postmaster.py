"""Starting and stopping the server of one cluster, and telling a leftover from a stranger."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from ops.embedded.cluster import Cluster
from ops.embedded.errors import EmbeddedError
from ops.embedded.process import Process

LOOPBACK = "127.0.0.1"
OWNER = "boston_owner"

START_SECONDS = 60
# Beyond the start proper: replaying a long write-ahead log on a slow disk.
RECOVERY_SECONDS = 900.0
FAST_STOP_SECONDS = 60.0
HARD_STOP_SECONDS = 10.0
# Backends of a killed postmaster notice its death by themselves, within moments.
ORPHANS_SECONDS = 30.0

# What must hold whatever the configuration file says.
SETTINGS = {"listen_addresses": LOOPBACK, "unix_socket_directories": "", "timezone": "UTC", "log_timezone": "UTC"}


@dataclass(frozen=True)
class Server:
    """A running server: its first process and its port on the loopback address."""

    process: Process
    port: int


class PortTaken(EmbeddedError):
    """Another program listens on the port."""

    def __init__(self, port: int) -> None:
        super().__init__(f"port {port} on {LOOPBACK} is taken by another program: choose another port")


def run(cluster: Cluster, programs: Path, name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run one of PostgreSQL's programs in the cluster's folder, as its account, without any of our environment.

    Paths are given relative to that folder, because `pg_ctl` puts them on a
    shell's command line.
    """
    account = cluster.account
    return subprocess.run(
        [str(programs / name), *arguments],
        cwd=cluster.folder,
        env={"PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        umask=0o077,
        user=None if account is None else account.uid,
        group=None if account is None else account.gid,
        extra_groups=None if account is None else [],
    )


def create(cluster: Cluster, programs: Path) -> None:
    """Make the cluster's files, unless they are there. They appear whole, by one rename, or not at all."""
    if cluster.pgdata.exists():
        return
    part = cluster.folder / "pgdata.part"
    if part.exists():
        run_or_raise(cluster, Path("/bin"), "rm", "-rf", "--", part.name)
    cluster.password("owner")
    run_or_raise(
        cluster,
        programs,
        "initdb",
        f"--pgdata={part.name}",
        f"--username={OWNER}",
        "--pwfile=owner.password",
        "--auth=scram-sha-256",
        "--encoding=UTF8",
        "--locale-provider=builtin",
        "--builtin-locale=C.UTF-8",
        "--locale=C",
        "--no-instructions",
    )
    part.rename(cluster.pgdata)


def run_or_raise(cluster: Cluster, programs: Path, name: str, *arguments: str) -> None:
    done = run(cluster, programs, name, *arguments)
    if done.returncode != 0:
        raise EmbeddedError(f"{name} failed in {cluster.folder}: {(done.stderr or done.stdout).strip()}")


def start(cluster: Cluster, programs: Path, port: int | None) -> Server:
    """Start the server; the caller holds the cluster's lock. `port` None lets a free one be chosen.

    A server left behind by a killed keeper is stopped first. A stale pid file
    is removed when its number is nobody's, or a process that is not this server.
    """
    stop(cluster)
    clear_pid_file(cluster)
    rotate(cluster.log)
    deadline = time.monotonic() + ORPHANS_SECONDS
    while True:
        chosen = free_port(cluster) if port is None else port
        if not port_is_free(chosen):
            raise PortTaken(chosen)
        before = cluster.log.stat().st_size if cluster.log.exists() else 0
        settings = " ".join(f"-c {name}={value}" for name, value in SETTINGS.items())
        done = run(
            cluster, programs, "pg_ctl", "-w", "-t", str(START_SECONDS), "-D", "pgdata", "-l", cluster.log.name,
            "-o", f"-p {chosen} {settings}", "start",
        )  # fmt: skip
        if done.returncode == 0 or recovered(cluster):
            return remember(cluster, chosen)
        said = tail(cluster.log, before)
        if "Address already in use" in said and port is not None:
            raise PortTaken(chosen)
        passing = "Address already in use" in said or "still in use" in said
        if not passing or time.monotonic() > deadline:
            raise EmbeddedError(f"PostgreSQL does not start in {cluster.folder}: {said or done.stderr.strip()}")
        time.sleep(0.2)


def recovered(cluster: Cluster) -> bool:
    """Wait for a server that is alive but not yet ready; True when it got there."""
    deadline = time.monotonic() + RECOVERY_SECONDS
    while (lines := pid_file(cluster)) and Process.find(int(lines[0])) and time.monotonic() < deadline:
        if len(lines) > 7 and lines[7].strip() == "ready":
            return True
        time.sleep(0.2)
    return False


def remember(cluster: Cluster, port: int) -> Server:
    """Write down which process the server is, for whoever has to stop it."""
    lines = pid_file(cluster)
    process = Process.find(int(lines[0])) if lines else None
    if process is None:
        raise EmbeddedError(f"PostgreSQL ended right after its start in {cluster.folder}: {tail(cluster.log, 0)}")
    server = Server(process, port)
    cluster.write(cluster.record, json.dumps({"process": process.format(), "port": port}))
    return server


def recall(cluster: Cluster) -> Server | None:
    """The server that was last started here, running or not; None when there was none."""
    try:
        fields = json.loads(cluster.record.read_text(encoding="utf-8"))
        process = Process.parse(fields["process"])
        return None if process is None else Server(process, int(fields["port"]))
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        return None


def stop(cluster: Cluster) -> None:
    """Stop the recorded server if it still runs: fast first, which loses nothing, then hard."""
    server = recall(cluster)
    if server is None or server.process.signal(signal.SIGINT, FAST_STOP_SECONDS):
        return
    if not server.process.signal(signal.SIGQUIT, HARD_STOP_SECONDS):
        raise EmbeddedError(f"PostgreSQL in {cluster.folder}, process {server.process.pid}, does not stop")


def clear_pid_file(cluster: Cluster) -> None:
    """Remove a pid file that belongs to no server.

    PostgreSQL itself will not start while any process of its user has the
    number in that file. It is a server of this folder only if it works in it;
    such a one, not started by us, is left alone and named.
    """
    lines = pid_file(cluster)
    if not lines:
        return
    # A backend's own file has the number negated.
    process = Process.find(abs(int(lines[0])))
    if process is not None and process.folder() == cluster.pgdata.resolve():
        raise EmbeddedError(f"another PostgreSQL, process {process.pid}, runs in {cluster.pgdata}: stop it first")
    (cluster.pgdata / "postmaster.pid").unlink()


def pid_file(cluster: Cluster) -> list[str]:
    """The lines of postmaster.pid, the first of them a number; empty when there is no such file or it is cut off."""
    try:
        lines = (cluster.pgdata / "postmaster.pid").read_text(encoding="utf-8", errors="replace").splitlines()
    except FileNotFoundError:
        return []
    return lines if lines and lines[0].strip().lstrip("-").isdigit() else []


def free_port(cluster: Cluster) -> int:
    """The port of the last time where it is still free, so that a bookmark goes on working; else any free one."""
    last = recall(cluster)
    if last is not None and port_is_free(last.port):
        return last.port
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind((LOOPBACK, 0))
        return int(probe.getsockname()[1])


def port_is_free(port: int) -> bool:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        # As PostgreSQL does: a port whose old connections are only fading away is free.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((LOOPBACK, port))
        except OSError:
            return False
    return True


def rotate(log: Path, limit: int = 10_000_000) -> None:
    """Keep one old log, so that years of starts do not fill the disk; `limit` in bytes."""
    if log.exists() and log.stat().st_size > limit:
        log.replace(log.with_suffix(".log.1"))


def tail(log: Path, start: int, size: int = 2000) -> str:
    """What the log says since byte `start`, its last `size` bytes at most."""
    try:
        with log.open("rb") as file:
            end = file.seek(0, os.SEEK_END)
            file.seek(max(start if start <= end else 0, end - size))
            return file.read().decode("utf-8", "replace").strip()
    except FileNotFoundError:
        return ""
