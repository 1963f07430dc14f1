"""Appends: one winner a version, no gap, no fork, all or nothing, byte for byte."""

from __future__ import annotations

import asyncio
import hashlib

import psycopg
import pytest

from domain.record import parse_line
from ops.verify import verify
from service.envelope import Envelope, decode, now, seal
from service.log import Append, Log
from service.record import Conflicted, Recorded
from tests.log.world import TABLET, broken_links, evening, new_session, world

pytestmark = pytest.mark.log


def shuffles(session: str, base: int, head: bytes, writer: int, count: int = 1) -> Append:
    """Events of real kinds on top of a head, told apart by the writer."""
    from domain.events import PacksShuffled

    envelopes = [
        Envelope(
            session=session,
            version=base + at,
            entry=base + at,
            id=f"{writer}-{base + at}",
            role="recorder",
            at=now(),
            data=PacksShuffled(),
        )
        for at in range(1, count + 1)
    ]
    return Append(session_id=session, base=base, base_hash=head, events=seal(head, envelopes), phase="opening")


def test_fifty_writers_on_one_session_take_turns(database: str) -> None:
    """Each version has one winner, and together they leave neither a gap nor a fork."""
    session, until = new_session(), 120

    async def write(log: Log, writer: int) -> list[int]:
        won = []
        while True:
            head = await log.head(session)
            assert head is not None
            if head.version >= until:
                return won
            count = 1 + writer % 3
            if await log.append(shuffles(session, head.version, head.hash, writer, count)):
                won.extend(range(head.version + 1, head.version + count + 1))
            await asyncio.sleep(0)

    async def race() -> list[list[int]]:
        async with world(database) as first, world(database) as second, world(database) as third:
            await first.take(session, evening("american-1")[:1])
            worlds = (first, second, third)
            return await asyncio.gather(*(write(worlds[writer % 3].log, writer) for writer in range(50)))

    won = asyncio.run(race())
    versions = sorted(version for each in won for version in each)
    with psycopg.connect(database) as connection:
        held = connection.execute(
            "SELECT version, entry_id FROM boston.events WHERE session_id = %s AND version > 2 ORDER BY version",
            (session,),
        ).fetchall()
    assert [version for version, _ in held] == versions == list(range(3, 3 + len(versions)))
    assert len(versions) >= until - 2
    for version, entry_id in held:
        assert version in won[int(entry_id.partition("-")[0])], "the writer that was told so is the one in the log"
    assert sum(bool(each) for each in won) > 1, "more than one writer got a turn"
    assert broken_links(database, session) == []


def test_fifty_recorders_with_one_expected_version(database: str) -> None:
    """One is recorded; the others are told what they missed and that it cannot be put on top."""
    session = new_session()
    opening = evening("american-1")[0]

    async def race() -> list[object]:
        async with world(database) as one, world(database) as other:
            version = (await one.take(session, [opening])).folded.version
            draws = [parse_line(b'{"entry": "first_dealer", "seat": "N", "id": "draw-%d"}' % n) for n in range(50)]
            return await asyncio.gather(
                *((one, other)[n % 2].send(session, [each], version) for n, each in enumerate(draws))
            )

    answers = asyncio.run(race())
    recorded = [answer for answer in answers if isinstance(answer, Recorded)]
    conflicts = [answer for answer in answers if isinstance(answer, Conflicted)]
    assert len(recorded) == 1
    assert len(conflicts) == 49
    for conflict in conflicts:
        assert conflict.missed == recorded[0].events
        assert not conflict.accepted
    assert verify(database).problems == []


def test_a_batch_is_taken_whole_or_not_at_all(database: str) -> None:
    session = new_session()
    entries = evening("american-1")

    async def story() -> tuple[int, list[bytes]]:
        async with world(database) as here:
            version = (await here.take(session, entries[:4])).folded.version
            spoiled = [*entries[4:6], parse_line(b'{"entry": "trumps", "suit": "H"}'), *entries[6:8]]
            answer = await here.send(session, spoiled, version)
            assert not isinstance(answer, Recorded)
            return version, await here.bodies(session)

    version, bodies = asyncio.run(story())
    assert len(bodies) == version


@pytest.mark.parametrize("name", ["american-1", "mixed-whist-32", "mixed-russian-31"])
def test_an_evening_is_read_back_byte_for_byte(database: str, name: str) -> None:
    """What was answered is what the log holds, and another process folds it to the same state."""
    session, entries = new_session(), evening(name)

    async def record() -> tuple[list[bytes], Recorded]:
        answered = []
        async with world(database) as here:
            version = 0
            for at in range(0, len(entries), 7):
                answer = await here.take(session, entries[at : at + 7], version)
                version = answer.folded.version
                answered += answer.events
        return answered, answer

    async def read() -> tuple[list[bytes], object]:
        async with world(database) as elsewhere:
            return await elsewhere.bodies(session), await elsewhere.recorder.load(session, elsewhere.club)

    answered, last = asyncio.run(record())
    held, folded = asyncio.run(read())
    assert held == answered
    assert folded.session == last.folded.session
    assert (folded.version, folded.hash) == (last.folded.version, last.folded.hash)
    assert folded.envelopes == last.folded.envelopes
    assert broken_links(database, session) == []
    report = verify(database)
    assert (report.problems, report.events, report.sessions) == ([], len(held), 1)


def test_the_columns_and_the_view_repeat_the_body(database: str) -> None:
    session = new_session()

    async def record() -> None:
        async with world(database) as here:
            await here.take(session, evening("american-1")[:60])

    asyncio.run(record())
    with psycopg.connect(database) as connection:
        connection.execute("SET TIME ZONE 'Asia/Kolkata'")
        rows = connection.execute(
            """
            SELECT e.body, e.hash, e.version, e.entry, e.entry_id, e.type,
                to_char(e.recorded_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), j.body
            FROM boston.events e JOIN boston.events_json j USING (session_id, version) ORDER BY e.version
            """
        ).fetchall()
    head = bytes(32)
    for body, hash_, version, entry, entry_id, kind, at, shown in rows:
        envelope = decode(body)
        head = hashlib.sha256(head + body).digest()
        assert hash_ == head
        assert (version, entry, entry_id, at) == (envelope.version, envelope.entry, envelope.id, envelope.at)
        assert shown["data"]["type"] == kind
        assert shown["session"] == session
        assert shown["key"] == TABLET.key


def test_opening_twice_at_once_opens_once(database: str) -> None:
    session, opening = new_session(), evening("american-1")[:2]

    async def race() -> list[object]:
        async with world(database) as one, world(database) as other:
            return await asyncio.gather(*((one, other)[n % 2].send(session, opening) for n in range(10)))

    answers = asyncio.run(race())
    assert all(isinstance(answer, Recorded) for answer in answers)
    assert len({tuple(answer.events) for answer in answers}) == 1
    assert sum(not answer.entries[0].replayed for answer in answers) == 1
    assert verify(database).problems == []


def test_another_club_sees_and_takes_nothing(database: str) -> None:
    session, opening = new_session(), evening("american-1")[:2]

    async def story() -> None:
        async with world(database) as ours, world(database, club=new_session()) as theirs:
            await ours.take(session, opening)
            assert await theirs.recorder.load(session, theirs.club) is None
            for entries in (opening, evening("american-1")[2:3]):
                answer = await theirs.send(session, entries, 2)
                assert [problem.refusal.family for problem in answer.problems] in (["conflict"], ["not_found"])
                assert answer.folded is None
            assert len(await ours.bodies(session)) == 3

    asyncio.run(story())


def test_a_session_removed_by_the_owner_is_gone_for_who_remembers_it(database: str) -> None:
    session, entries = new_session(), evening("american-1")

    async def story() -> None:
        async with world(database) as here:
            version = (await here.take(session, entries[:4])).folded.version
            with psycopg.connect(database) as connection:
                connection.execute("ALTER TABLE boston.events DISABLE TRIGGER append_only")
                connection.execute("DELETE FROM boston.events")
                connection.execute("DELETE FROM boston.sessions")
                connection.execute("ALTER TABLE boston.events ENABLE TRIGGER append_only")
            for _ in range(2):
                answer = await here.send(session, entries[4:5], version)
                assert [problem.refusal.code for problem in answer.problems] == ["session_not_found"]

    asyncio.run(story())
