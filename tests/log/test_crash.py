"""kill -9 under load: every acknowledged entry is there, nothing is half-written; and an outage ends by itself."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

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


def recording(url: str, sessions: list[str]) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.log.recording_process", url, *sessions]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT)


def acknowledged(process: subprocess.Popen[str], enough: int) -> list[list[str]]:
    """The lines of what was acknowledged, read until there are enough of them."""
    assert process.stdout is not None
    lines = []
    while len(lines) < enough:
        line = process.stdout.readline()
        assert line, process.communicate()[1]
        lines.append(line.split())
    return lines


def rest(process: subprocess.Popen[str]) -> list[list[str]]:
    """What else it had acknowledged when it ended; a line cut short by the kill was not."""
    out = process.communicate(timeout=60)[0]
    return [line.split() for line in out.splitlines(keepends=True) if line.endswith("\n")]


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
    process = recording(database, sessions)
    told = acknowledged(process, 400)
    process.send_signal(signal.SIGKILL)
    told += rest(process)
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


def test_postgres_killed_under_load(tmp_path: Path) -> None:
    sessions = [new_session() for _ in range(12)]
    with EmbeddedPostgres(tmp_path) as server:
        migrate(server.owner_url)
        process = recording(server.url, sessions)
        told = acknowledged(process, 400)
        with psycopg.connect(server.owner_url) as connection:
            (folder,) = connection.execute("SHOW data_directory").fetchone()
        pid = int((Path(folder) / "postmaster.pid").read_text().splitlines()[0])
        os.kill(pid, signal.SIGKILL)
        told += rest(process)
        assert process.returncode != 0
    with EmbeddedPostgres(tmp_path) as server:
        all_there(server.owner_url, told)


def test_an_outage_longer_than_the_pools_patience_ends_by_itself(tmp_path: Path) -> None:
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
        server = EmbeddedPostgres(tmp_path)
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
