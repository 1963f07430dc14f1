"""kill -9 under load: every acknowledged entry is there, nothing is half-written; and an outage ends by itself."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import IO

import msgspec
import psycopg
import pytest

from ops.embedded import EmbeddedPostgres
from ops.migrate import migrate
from ops.verify import verify
from service.envelope import decode
from service.log import InDoubt, Unavailable
from service.record import Recorded
from tests.log.world import World, evening, new_session, world

pytestmark = pytest.mark.log

ROOT = Path(__file__).parent.parent.parent


class Recording:
    """A process that records at several tables. What it acknowledges is read all the time, so that it never waits."""

    def __init__(self, url: str, sessions: list[str]) -> None:
        command = [sys.executable, "-m", "tests.log.recording_process", url, *sessions]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT)
        self.lines: list[str] = []
        self._reading = [
            threading.Thread(target=self._read, args=(self.process.stdout, self.lines), daemon=True),
            threading.Thread(target=self._read, args=(self.process.stderr, errors := []), daemon=True),
        ]
        self.errors: list[str] = errors
        for thread in self._reading:
            thread.start()

    @staticmethod
    def _read(stream: IO[str], lines: list[str]) -> None:
        for line in stream:
            lines.append(line)

    def until(self, enough: int) -> None:
        """Waits for so many acknowledged parcels."""
        while len(self.lines) < enough:
            assert self.process.poll() is None, "".join(self.errors)
            time.sleep(0.01)

    def end(self) -> list[list[str]]:
        """All that was acknowledged when the process ended; a line cut short by the kill was not."""
        self.process.wait(timeout=120)
        for thread in self._reading:
            thread.join(timeout=30)
        return [line.split() for line in self.lines if line.endswith("\n")]


def all_there(url: str, told: list[list[str]]) -> None:
    """Every acknowledged entry is in the log, every entry whole, every chain and fold sound."""
    with psycopg.connect(url) as connection:
        held = {row[0] for row in connection.execute("SELECT entry_id FROM boston.events WHERE entry_id IS NOT NULL")}
        heads = dict(connection.execute("SELECT session_id::text, version FROM boston.sessions").fetchall())
    for session, version, *ids in told:
        assert set(ids) <= held
        assert heads[session] >= int(version)
    report = verify(url)
    assert report.problems == []
    assert report.sessions == len({session for session, *_ in told})


def test_the_service_killed_under_load(database: str) -> None:
    sessions = [new_session() for _ in range(12)]
    recording = Recording(database, sessions)
    recording.until(400)
    recording.process.kill()
    told = recording.end()
    all_there(database, told)

    # The tablets send their queues again, from the start and in other parcels: nothing is doubled or lost.
    async def resume() -> None:
        async with world(database) as here:
            for session in sessions[:3]:
                entries = evening("mixed-whist-32")
                entries = [msgspec.structs.replace(e, id=f"{session}/{n}") for n, e in enumerate(entries)]
                version = 0
                for at in range(0, len(entries), 50):
                    answer = await here.take(session, entries[at : at + 50], version)
                    version = answer.folded.version
                ids = [e.id for e in map(decode, await here.bodies(session)) if e.id is not None]
                assert ids == [entry.id for entry in entries]

    asyncio.run(resume())
    assert verify(database).problems == []


def test_postgres_killed_under_load(embedded_folder: Path) -> None:
    sessions = [new_session() for _ in range(12)]
    with EmbeddedPostgres(embedded_folder) as server:
        migrate(server.owner_url)
        # Connected before the load, so that the kill comes before the evenings end.
        with psycopg.connect(server.owner_url) as connection:
            (folder,) = connection.execute("SHOW data_directory").fetchone()
            recording = Recording(server.url, sessions)
            recording.until(200)
            backends = connection.execute("SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()").fetchall()
        postmaster = int((Path(folder) / "postmaster.pid").read_text().splitlines()[0])
        # The backends too: a busy one would notice only later that its postmaster is gone.
        for pid in (postmaster, *(pid for (pid,) in backends)):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        # What was being written just then is in doubt, and so the recording ends; if nothing was, the pools find the
        # server that the keeper starts in its place, and the recording goes on.
        more = len(recording.lines) + 200
        while recording.process.poll() is None and len(recording.lines) < more:
            time.sleep(0.01)
        ended = recording.process.poll() is not None
        recording.process.kill()
        told = recording.end()
        if ended:
            assert "InDoubt" in "".join(recording.errors) or "Unavailable" in "".join(recording.errors)
    with EmbeddedPostgres(embedded_folder) as server:
        all_there(server.owner_url, told)


def test_an_outage_longer_than_the_pools_patience_ends_by_itself(embedded_folder: Path) -> None:
    """While the database is away callers are told so; when it is back the same pools go on."""

    async def send_until_taken(here: World, session: str, at: int, version: int) -> Recorded:
        deadline = time.monotonic() + 60
        while True:
            try:
                answer = await here.send(session, evening("american-1")[at : at + 1], version)
                assert isinstance(answer, Recorded)
                return answer
            except (Unavailable, InDoubt):
                assert time.monotonic() < deadline, "the pool did not come back"
                await asyncio.sleep(0.2)

    async def story() -> None:
        server = EmbeddedPostgres(embedded_folder)
        server.start()
        migrate(server.owner_url)
        try:
            async with world(server.url, give_up=1.5) as here:
                session = new_session()
                version = (await here.take(session, evening("american-1")[:4])).folded.version
                await asyncio.to_thread(server.stop)
                away = time.monotonic() + 6
                failures = 0
                while time.monotonic() < away:
                    with pytest.raises((Unavailable, InDoubt)):
                        await here.send(session, evening("american-1")[4:5], version)
                    failures += 1
                    await asyncio.sleep(0.2)
                assert failures
                await asyncio.to_thread(server.start)
                answer = await send_until_taken(here, session, 4, version)
                assert answer.entries[0].number == 5
                answer = await send_until_taken(here, session, 5, answer.folded.version)
                assert answer.entries[0].number == 6
            assert verify(server.owner_url).problems == []
        finally:
            server.stop()

    asyncio.run(story())
