"""Repeating changes nothing: an entry's id is its idempotency key, a batch only a parcel."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import msgspec
import psycopg
import pytest

from domain.entries import Misdeal
from domain.record import parse_line
from ops.verify import verify
from service.envelope import decode
from service.log import Unavailable
from service.record import Conflicted, Recorded, Rejected
from tests.log.world import World, evening, new_session, world

pytestmark = pytest.mark.log

EVENING = evening("american-1")


def story(database: str, told: Callable[[World, str], Awaitable[None]]) -> None:
    """Tells a story in a log where an evening has begun, and verifies the log afterwards."""
    session = new_session()

    async def tell() -> None:
        async with world(database) as here:
            await here.take(session, EVENING[:4])
            await told(here, session)

    asyncio.run(tell())
    assert verify(database).problems == []


def test_an_answer_lost_and_sent_five_times_again(database: str) -> None:
    """One event, and each time the same answer."""

    async def told(here: World, session: str) -> None:
        version = here.recorder._cache.get(session).version
        first = await here.take(session, EVENING[4:5], version)
        async with world(here.database.reads.conninfo) as elsewhere:
            for again in range(5):
                answer = await (elsewhere if again % 2 else here).take(session, EVENING[4:5], version)
                assert answer.events == first.events
                assert [(e.number, e.replayed) for e in answer.entries] == [(5, True)]
                assert answer.folded.version == first.folded.version
        assert len(await here.bodies(session)) == first.folded.version

    story(database, told)


def test_what_cannot_be_told_of_known_entries_has_recorded_none_of_the_others(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever is told that the database is away was told the truth: nothing was written."""

    async def told(here: World, session: str) -> None:
        version = len(await here.bodies(session))

        async def away(*_: object) -> list[bytes]:
            raise Unavailable("the database does not answer")

        with monkeypatch.context() as lost:
            lost.setattr(here.recorder.log, "read", away)
            with pytest.raises(Unavailable):
                await here.take(session, EVENING[3:6], version)
        assert len(await here.bodies(session)) == version
        answer = await here.take(session, EVENING[3:6], version)
        assert [entry.replayed for entry in answer.entries] == [True, False, False]

    story(database, told)


def test_packed_into_other_batches_none_is_doubled_and_none_lost(database: str) -> None:
    """The queue of a tablet that lost the answers is sent in parcels of another size, old base included."""

    async def told(here: World, session: str) -> None:
        version = len(await here.bodies(session))
        await here.take(session, EVENING[4:7], version)
        answer = await here.take(session, EVENING[5:12], version)
        assert [e.replayed for e in answer.entries] == [True, True] + [False] * 5
        again = await here.take(session, EVENING[:14], 0)
        assert [e.number for e in again.entries] == list(range(1, 15))
        assert [e.replayed for e in again.entries] == [True] * 12 + [False] * 2
        assert again.events == await here.bodies(session)
        ids = [e.id for e in map(decode, await here.bodies(session)) if e.id]
        assert ids == [entry.id for entry in EVENING[:14]]

    story(database, told)


@pytest.mark.parametrize(
    "other",
    [b'{"entry": "call", "seat": "S", "call": "5"}', b'{"entry": "deal"}', b'{"entry": "undo", "target": 4}'],
)
def test_a_known_id_with_another_content_is_an_error(database: str, other: bytes) -> None:
    async def told(here: World, session: str) -> None:
        before = (await here.take(session, EVENING[4:5])).folded
        sent = msgspec.structs.replace(parse_line(other), id=EVENING[4].id)
        for dry_run in (True, False):
            answer = await here.send(session, [sent, EVENING[5]], before.version, dry_run)
            assert isinstance(answer, Rejected)
            assert [(p.index, p.refusal.code, p.refusal.family) for p in answer.problems] == [
                (0, "id_reused", "conflict")
            ]
        assert len(await here.bodies(session)) == before.version

    story(database, told)


def test_an_id_twice_in_one_batch(database: str) -> None:
    """Said twice it is one entry; with another content it is an error."""

    async def told(here: World, session: str) -> None:
        answer = await here.take(session, [EVENING[4], EVENING[4], EVENING[5]])
        assert [(e.number, e.replayed) for e in answer.entries] == [(5, False), (5, True), (6, False)]
        twice = [EVENING[6], msgspec.structs.replace(EVENING[7], id=EVENING[6].id)]
        refused = await here.send(session, twice)
        assert [(p.index, p.refusal.code) for p in refused.problems] == [(1, "id_reused")]

    story(database, told)


def test_dry_runs_and_refusals_use_up_nothing(database: str) -> None:
    async def told(here: World, session: str) -> None:
        before = await here.recorder.load(session, here.club)
        tried = await here.send(session, EVENING[4:8], before.version, dry_run=True)
        assert isinstance(tried, Recorded)
        assert [e.number for e in tried.entries] == [5, 6, 7, 8]
        wrong = msgspec.structs.replace(EVENING[4], call="13/1", seat="N")
        assert isinstance(await here.send(session, [wrong], before.version), Rejected)
        after = await here.recorder.load(session, here.club)
        assert (after.version, after.hash, after.session) == (before.version, before.hash, before.session)
        assert len(await here.bodies(session)) == before.version
        taken = await here.take(session, EVENING[4:8], before.version)
        assert [e.number for e in taken.entries] == [5, 6, 7, 8]
        assert taken.folded.session == tried.folded.session

    story(database, told)


def test_all_problems_of_a_batch_are_listed(database: str) -> None:
    async def told(here: World, session: str) -> None:
        wrong = [parse_line(b'{"entry": "trumps", "suit": "H"}'), EVENING[4], parse_line(b'{"entry": "close"}')]
        answer = await here.send(session, wrong)
        assert [(p.index, p.number) for p in answer.problems] == [(0, 5), (2, 6)]

    story(database, told)


def test_a_late_queue_is_taken_where_its_base_is_the_head(database: str) -> None:
    """Known entries right behind the base count as the base; those of others do not."""

    async def told(here: World, session: str) -> None:
        base = (await here.recorder.load(session, here.club)).version
        await here.take(session, EVENING[4:6], base)
        late = await here.take(session, EVENING[4:9], base)
        assert [e.replayed for e in late.entries] == [True, True, False, False, False]

    story(database, told)


def test_a_late_queue_on_another_base_is_a_conflict_with_its_rebase(database: str) -> None:
    async def told(here: World, session: str) -> None:
        base = (await here.recorder.load(session, here.club)).version
        async with world(here.database.reads.conninfo) as director:
            other = msgspec.structs.replace(EVENING[4], id="the director's")
            others = await director.take(session, [other], base)
        same = await here.send(session, EVENING[4:6], base)
        assert isinstance(same, Conflicted)
        assert same.missed == others.events
        assert same.folded.version == others.folded.version
        assert [(p.index, p.refusal.family) for p in same.problems] == [(0, "refused")]
        fits = await here.send(session, EVENING[5:7], base)
        assert isinstance(fits, Conflicted)
        assert fits.accepted
        ahead = await here.send(session, EVENING[5:7], base + 100)
        assert isinstance(ahead, Conflicted)
        assert ahead.missed == []
        assert len(await here.bodies(session)) == others.folded.version
        await here.take(session, EVENING[5:7], fits.folded.version)

    story(database, told)


def test_a_stale_memory_decides_nothing(database: str) -> None:
    """A process whose memory of a session is old, and that is not told a base, still records on the head."""

    async def told(here: World, session: str) -> None:
        async with world(here.database.reads.conninfo) as elsewhere:
            await elsewhere.take(session, EVENING[4:9])
            known = await here.take(session, EVENING[7:10])
            assert [e.number for e in known.entries] == [8, 9, 10]
            assert [e.replayed for e in known.entries] == [True, True, False]
            late = await elsewhere.take(session, EVENING[10:11])
            assert late.entries[0].number == 11

    story(database, told)


def test_free_text_is_kept_apart_and_known_again(database: str) -> None:
    """No body holds it, a repetition is recognised by it, and after its erasure all hashes still hold."""
    secret = "Old Hugo dropped the pack, again"
    misdeal = Misdeal(reason=secret, id="m", time="2026-11-30T21:43:05+01:00")

    async def told(here: World, session: str) -> None:
        first = await here.take(session, [misdeal])
        assert not any(secret.encode() in body or b"window" in body for body in await here.bodies(session))
        assert (await here.take(session, [misdeal])).entries[0].replayed
        other = await here.send(session, [msgspec.structs.replace(misdeal, reason="someone else did")])
        assert [p.refusal.code for p in other.problems] == ["id_reused"]
        with psycopg.connect(here.database.reads.conninfo) as connection:
            erased = connection.execute(
                "UPDATE boston.texts SET salt = NULL, text = NULL, erased_at = now() WHERE text = %s", (secret,)
            )
            assert erased.rowcount == 1
        async with world(here.database.reads.conninfo) as elsewhere:
            again = await elsewhere.take(session, [misdeal])
            assert again.events == first.events[: len(again.events)]
            assert again.entries[0].replayed

    story(database, told)


def test_players_are_ids_in_the_log(database: str) -> None:
    async def told(here: World, session: str) -> None:
        opening = decode((await here.bodies(session))[0])
        assert all(len(seat) == 36 for seat in opening.data.seats)
        assert (await here.take(session, EVENING[:1], 0)).entries[0].replayed
        other = msgspec.structs.replace(EVENING[0], seats=msgspec.structs.replace(EVENING[0].seats, N="Zoe"))
        answer = await here.send(session, [other], 0)
        assert [p.refusal.code for p in answer.problems] == ["id_reused"]

    story(database, told)


def test_an_opening_without_ids_is_known_by_its_session(database: str) -> None:
    session = new_session()
    bare = [msgspec.structs.replace(entry, id=None) for entry in EVENING[:3]]

    async def tell() -> None:
        async with world(database) as here:
            first = await here.take(session, bare)
            again = await here.take(session, bare)
            assert again.events == first.events
            other = msgspec.structs.replace(bare[0], date="2026-12-01")
            refused = await here.send(session, [other])
            assert [p.refusal.code for p in refused.problems] == ["session_exists"]

    asyncio.run(tell())
    assert verify(database).problems == []
