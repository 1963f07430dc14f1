"""The queue: many sessions share a commit, none suffers for another, and what is in doubt is not acknowledged."""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec
import psycopg
import pytest
from psycopg import errors

from domain.events import PacksShuffled
from ops.embedded import EmbeddedPostgres
from ops.migrate import migrate
from ops.verify import verify
from service.append import Append
from service.envelope import Envelope, decode, now, seal
from service.log import Also, InDoubt, Log
from service.log_queue import CAP, ENOUGH, Queue
from tests.log.world import World, evening, new_session, world

pytestmark = pytest.mark.log


async def opened(here: World, count: int) -> list[str]:
    sessions = [new_session() for _ in range(count)]
    await asyncio.gather(*(here.take(session, evening("american-1")[:1]) for session in sessions))
    return sessions


async def next_event(log: Log, session: str, entry_id: str = "next") -> Append:
    """One more event for a session, whatever its rules say: the log does not know them."""
    head = await log.head(session)
    envelope = Envelope(
        session=session, version=head.version + 1, entry=head.entries + 1, id=entry_id, at=now(), data=PacksShuffled()
    )
    events = seal(head.hash, [envelope])
    return Append(session_id=session, base=head.version, base_hash=head.hash, events=events, phase="opening")


def poisoned(append: Append) -> Append:
    """An event that no PostgreSQL takes: a text with a zero byte."""
    return msgspec.structs.replace(append, events=[msgspec.structs.replace(append.events[0], type="shuff\0led")])


def test_a_poisoned_row_fails_only_its_own_session(database: str) -> None:
    async def story() -> None:
        async with world(database) as here:
            sessions = await opened(here, 12)
            appends = [await next_event(here.log, session) for session in sessions]
            appends[5] = poisoned(appends[5])
            answers = await asyncio.gather(*map(here.log.append, appends), return_exceptions=True)
            assert isinstance(answers.pop(5), psycopg.Error)
            assert answers == [True] * 11
            heads = [(await here.log.head(session)).version for session in sessions]
            assert heads == [3] * 5 + [2] + [3] * 6

    asyncio.run(story())


def test_an_append_of_which_no_statement_can_be_made_fails_alone(database: str) -> None:
    """A time that is none is found before anything is sent: its caller hears of it, the others are written."""

    async def story() -> None:
        async with world(database) as here:
            sessions = await opened(here, 3)
            for lap in range(2):
                appends = [await next_event(here.log, session, f"lap {lap}") for session in sessions]
                (event,) = appends[1].events
                broken = msgspec.structs.replace(event, at="never")
                appends[1] = msgspec.structs.replace(appends[1], events=[broken, broken])
                answers = await asyncio.gather(*map(here.log.append, appends), return_exceptions=True)
                assert isinstance(answers[1], ValueError)
                assert answers[::2] == [True, True]

    asyncio.run(story())


def test_a_conflict_fails_only_its_own_session(database: str) -> None:
    async def story() -> None:
        async with world(database) as here:
            sessions = await opened(here, 6)
            appends = [await next_event(here.log, session) for session in sessions]
            assert await here.log.append(appends[2])
            answers = await asyncio.gather(*map(here.log.append, appends))
            assert answers == [True, True, False, True, True, True]
            twice = await next_event(here.log, sessions[0], "one more")
            assert sorted(await asyncio.gather(here.log.append(twice), here.log.append(twice))) == [False, True]
            assert len(await here.log.read(sessions[0])) == 4

    asyncio.run(story())


def test_another_hash_on_the_same_version_is_no_base(database: str) -> None:
    """A stream that was replaced under a memory of it is not carried on."""

    async def story() -> None:
        async with world(database) as here:
            (session,) = await opened(here, 1)
            append = await next_event(here.log, session)
            assert not await here.log.append(msgspec.structs.replace(append, base_hash=bytes(32)))
            assert await here.log.append(append)

    asyncio.run(story())


def test_many_sessions_share_a_commit(database: str) -> None:
    """What gathers while one commit runs goes into the next: far fewer transactions than appends."""

    async def story() -> tuple[int, int]:
        async with world(database) as here:
            sessions = await opened(here, 40)
            appends = [await next_event(here.log, session) for session in sessions]
            with psycopg.connect(database, autocommit=True) as connection:
                count = "SELECT count(DISTINCT xmin::text) FROM boston.events WHERE version = 3"
                assert await asyncio.gather(*map(here.log.append, appends)) == [True] * 40
                return connection.execute(count).fetchone()[0], len(appends)

    transactions, appends = asyncio.run(story())
    assert transactions <= 3 < appends


def test_what_waits_for_a_lock_holds_up_its_own_parcel_alone(database: str) -> None:
    """Enough others go by another connection meanwhile; the next append of the session that waits comes after it."""

    async def story() -> None:
        async with world(database) as here:
            held, *sessions = await opened(here, ENOUGH + 1)
            first = await next_event(here.log, held, "first")
            envelope = msgspec.structs.replace(
                decode(first.events[0].body), version=first.base + 2, entry=first.events[0].entry + 1, id="second"
            )
            second = msgspec.structs.replace(
                first,
                base=first.base + 1,
                base_hash=first.events[0].hash,
                events=seal(first.events[0].hash, [envelope]),
            )
            others = [await next_event(here.log, session) for session in sessions]
            with psycopg.connect(database) as connection:
                connection.execute("SELECT FROM boston.sessions WHERE session_id = %s FOR UPDATE", [held])
                waiting = [here.log.begin(first)]
                assert await asyncio.gather(*map(here.log.append, others)) == [True] * ENOUGH
                waiting.append(here.log.begin(second))
                await asyncio.sleep(0.1)
                assert [one.done() for one in waiting] == [False, False]
            assert await asyncio.gather(*waiting) == [True, True]

    asyncio.run(asyncio.wait_for(story(), 60))


def test_a_batch_stays_under_the_cap(database: str) -> None:
    async def story() -> None:
        async with world(database) as here:
            sessions = await opened(here, 9)
            appends = []
            for session in sessions:
                append = await next_event(here.log, session)
                (event,) = append.events
                body = event.body + b" " * (CAP // 4)
                appends.append(msgspec.structs.replace(append, events=[msgspec.structs.replace(event, body=body)]))
            queue = Queue(here.database.writes, lambda append: None)
            for append in appends:
                queue._waiting.append((append, asyncio.get_running_loop().create_future()))
            sizes = []
            while queue._waiting:
                sizes.append(sum(append.size for append, _ in queue._next_batch()))
            assert len(sizes) == 3
            assert max(sizes) <= CAP
            assert await asyncio.gather(*map(here.log.append, appends)) == [True] * 9

    asyncio.run(story())


def test_an_append_sent_while_the_log_is_being_closed_keeps_its_connection(database: str) -> None:
    """The next append goes out in the turn in which the last was answered, before whoever closes has his."""

    async def story() -> None:
        async with world(database) as here:
            (session,) = await opened(here, 1)
            appends = [await next_event(here.log, session, "0")]
            for number in range(1, 30):
                (before,) = appends[-1].events
                envelope = msgspec.structs.replace(
                    decode(before.body), version=before.version + 1, entry=before.entry + 1, id=f"{number}"
                )
                events = seal(before.hash, [envelope])
                appends.append(
                    msgspec.structs.replace(appends[-1], base=before.version, base_hash=before.hash, events=events)
                )

            async def write() -> list[bool]:
                return [await here.log.append(append) for append in appends]

            writing = asyncio.create_task(write())
            while not writing.done():
                await asyncio.sleep(0)
                await here.log.close()
            assert await writing == [True] * len(appends)

    asyncio.run(asyncio.wait_for(story(), 60))


def test_a_caller_that_goes_away_stops_nothing(database: str) -> None:
    async def story() -> None:
        async with world(database) as here:
            sessions = await opened(here, 8)
            tasks = [asyncio.create_task(here.log.append(await next_event(here.log, session))) for session in sessions]
            await asyncio.sleep(0)
            for task in tasks[::2]:
                task.cancel()
            answers = await asyncio.gather(*tasks, return_exceptions=True)
            assert answers[1::2] == [True] * 4
            await here.log.close()
            assert {(await here.log.head(session)).version for session in sessions} == {3}

    asyncio.run(story())


def test_what_comes_along_is_written_with_the_events_or_not_at_all(database: str) -> None:
    text = {"session": new_session(), "digest": "d", "salt": b"salt", "text": "text"}
    also = Also(b"INSERT INTO boston.texts VALUES (%(session)s, %(digest)s, %(salt)s, %(text)s)", text)

    async def story() -> None:
        async with world(database) as here:
            (session,) = await opened(here, 1)
            append = msgspec.structs.replace(await next_event(here.log, session), also=[also])
            moved_on = msgspec.structs.replace(append, base=1)
            assert not await here.log.append(moved_on)
            broken = msgspec.structs.replace(append, also=[also, Also(b"INSERT INTO boston.texts VALUES (1/0)")])
            with pytest.raises(psycopg.Error):
                await here.log.append(broken)
            assert (await here.log.head(session)).version == 2
            async with here.database.reads.connection() as connection:
                count = "SELECT count(*) FROM boston.texts WHERE digest = 'd'"
                assert await (await connection.execute(count)).fetchone() == (0,)
                assert await here.log.append(append)
                assert await (await connection.execute(count)).fetchone() == (1,)

    asyncio.run(story())


def test_what_comes_along_shares_a_commit_and_suffers_for_nobody_else(database: str) -> None:
    """Of sessions that each bring something one is on an old base, and one brings what cannot be done."""

    def brings(append: Append, digest: str) -> Append:
        text = {"session": append.session_id, "digest": digest}
        insert = b"INSERT INTO boston.texts (session_id, digest, salt, text) VALUES (%(session)s, %(digest)s, '', '')"
        return msgspec.structs.replace(append, also=[Also(insert, text)])

    async def story() -> None:
        async with world(database) as here:
            sessions.extend(await opened(here, 9))
            first = [brings(await next_event(here.log, session, "1"), "first") for session in sessions]
            assert await asyncio.gather(*map(here.log.append, first)) == [True] * 9
            second = [brings(await next_event(here.log, session, "2"), "second") for session in sessions]
            second[2] = brings(first[2], "old")
            second[5] = brings(second[5], "first")
            answers = await asyncio.gather(*map(here.log.append, second), return_exceptions=True)
            assert isinstance(answers.pop(5), errors.UniqueViolation)
            assert answers == [True, True, False, True, True, True, True, True]
            written = [3 if place in (2, 5) else 4 for place in range(9)]
            assert [(await here.log.head(session)).version for session in sessions] == written
        with psycopg.connect(database) as connection:
            commits = "SELECT count(DISTINCT xmin::text) FROM boston.texts WHERE digest = 'first'"
            assert connection.execute(commits).fetchone()[0] <= 2
            kept = "SELECT count(*) FROM boston.texts WHERE digest = 'second' AND session_id = ANY(%s)"
            assert connection.execute(kept, [sessions]).fetchone() == (7,)

    sessions: list[str] = []
    asyncio.run(story())


def test_a_commit_that_did_not_wait_for_its_standby_is_not_acknowledged(embedded_folder: Path) -> None:
    """The cancelled wait leaves the rows committed here, perhaps nowhere else: in doubt, then found by their ids."""

    async def story(url: str, owner: str) -> None:
        async with world(url) as here:
            session = new_session()
            entries = evening("american-1")
            version = (await here.take(session, entries[:4])).folded.version
            with psycopg.connect(owner, autocommit=True) as control:
                control.execute("ALTER SYSTEM SET synchronous_standby_names = 'elsewhere'")
                control.execute("SELECT pg_reload_conf()")
                await asyncio.sleep(0.3)
                other = new_session()
                for more, told, at in ((False, session, 4), (True, session, 5), (False, other, 0)):
                    # Once by itself, once with what comes along, and once where a session is opened.
                    here = World(here.database)
                    if more:
                        here.recorder._rows = lambda folded, events: [Also(b"SELECT 1")]
                    sending = asyncio.create_task(here.send(told, entries[at : at + 1], version if at else 0))
                    waiting = "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
                    for _ in range(200):
                        if control.execute(waiting).fetchall():
                            break
                        await asyncio.sleep(0.05)
                    with pytest.raises(InDoubt):
                        await sending
                    version += told == session
                control.execute("ALTER SYSTEM RESET synchronous_standby_names")
                control.execute("SELECT pg_reload_conf()")
            again = await here.take(session, entries[4:7], version - 2)
            assert [entry.replayed for entry in again.entries] == [True, True, False]
            assert (await here.take(other, entries[:1], 0)).entries[0].replayed

    with EmbeddedPostgres(embedded_folder) as server:
        migrate(server.owner_url)
        asyncio.run(story(server.url, server.owner_url))
        assert verify(server.owner_url).problems == []


def test_the_guard_is_told_apart_from_a_division_of_its_own(database: str) -> None:
    """A statement that comes along and divides by zero is an error, not a conflict."""

    async def story() -> None:
        async with world(database) as here:
            (session,) = await opened(here, 1)
            append = msgspec.structs.replace(await next_event(here.log, session), also=[Also(b"SELECT 1 / 0")])
            with pytest.raises(errors.DivisionByZero):
                await here.log.append(append)

    asyncio.run(story())
