"""The projections' rows are written with the events, also where the memory of what was written last is old."""

from __future__ import annotations

import asyncio

import pytest

from domain.record import parse_line
from ops.facts import verify_facts
from service.record import Conflicted, Rejected
from tests.log.world import evening, new_session, world

pytestmark = pytest.mark.log


@pytest.mark.parametrize("name", ["mixed-american-5", "mixed-russian-31"])
def test_two_processes_in_turns_write_the_rows_of_one_fold(database: str, name: str) -> None:
    """Each remembers rows that the other has altered since, and each tries things in between that are not taken."""
    session, entries = new_session(), evening(name)

    async def story() -> None:
        async with world(database) as one, world(database) as other:
            version = 0
            for turn, at in enumerate(range(0, len(entries), 9)):
                here, there = (one, other) if turn % 3 else (other, one)
                answer = await here.take(session, entries[at : at + 9], version)
                late = await there.send(session, [parse_line(b'{"entry": "abandon", "reason": "late"}')], version)
                assert isinstance(late, Conflicted | Rejected)
                version = answer.folded.version

    asyncio.run(story())
    assert verify_facts(database) == []
