"""What is trusted for a while: one question for all who ask at once, and nothing kept that was forgotten meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from service import trusted
from service.trusted import Trusted


class Source:
    """Answers with how often it was asked, once it is let."""

    def __init__(self) -> None:
        self.asked = 0
        self.let = asyncio.Event()

    async def __call__(self, key: str) -> int | None:
        self.asked += 1
        asked = self.asked
        await self.let.wait()
        if key == "broken":
            raise LookupError(key)
        return None if key == "nobody" else asked


def with_source(told: Callable[[Source], Coroutine[Any, Any, None]]) -> None:
    async def run() -> None:
        await asyncio.wait_for(told(Source()), 10)

    asyncio.run(run())


async def at_once(kept: Trusted[str, Any], source: Source, key: str, many: int) -> list[Any]:
    """What so many hear who ask before the source answers, errors included."""
    asking = [asyncio.create_task(kept.get(key)) for _ in range(many)]
    await asyncio.sleep(0)
    source.let.set()
    return await asyncio.gather(*asking, return_exceptions=True)


def test_many_who_ask_at_once_cost_one_question_and_those_who_ask_later_none() -> None:
    async def told(source: Source) -> None:
        kept = Trusted(60, source)
        assert await at_once(kept, source, "a", 9) == [1] * 9
        assert await kept.get("a") == 1
        assert await kept.get("b") == 2

    with_source(told)


def test_what_is_older_is_asked_again() -> None:
    async def told(source: Source) -> None:
        source.let.set()
        kept = Trusted(0, source)
        assert [await kept.get("a") for _ in range(3)] == [1, 2, 3]

    with_source(told)


def test_nothing_is_kept_of_nobody_and_of_an_error_all_who_wait_hear() -> None:
    async def told(source: Source) -> None:
        kept = Trusted(60, source)
        assert [type(one) for one in await at_once(kept, source, "broken", 3)] == [LookupError] * 3
        with pytest.raises(LookupError):
            await kept.get("broken")
        assert [await kept.get("nobody") for _ in range(2)] == [None, None]
        assert source.asked == 4

    with_source(told)


def test_what_is_not_to_be_kept_is_told_to_all_who_wait_and_asked_again() -> None:
    async def told(source: Source) -> None:
        kept = Trusted(60, source, lambda found: found != 1)
        assert await at_once(kept, source, "a", 3) == [1] * 3
        assert [await kept.get("a") for _ in range(3)] == [2] * 3

    with_source(told)


def test_an_answer_that_was_under_way_when_all_was_forgotten_is_not_kept() -> None:
    async def told(source: Source) -> None:
        kept = Trusted(60, source)
        before = asyncio.create_task(kept.get("a"))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        kept.forget()
        after = asyncio.create_task(kept.get("a"))
        await asyncio.sleep(0)
        source.let.set()
        assert (await before, await after, await kept.get("a")) == (1, 2, 2)

    with_source(told)


def test_whoever_goes_away_takes_the_answer_from_nobody() -> None:
    async def told(source: Source) -> None:
        kept = Trusted(60, source)
        one, other = (asyncio.create_task(kept.get("a")) for _ in range(2))
        await asyncio.sleep(0)
        one.cancel()
        await asyncio.sleep(0)
        source.let.set()
        assert (await other, source.asked) == (1, 1)

    with_source(told)


def test_no_more_is_kept_than_was_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trusted, "MOST", 2)

    async def told(source: Source) -> None:
        source.let.set()
        kept = Trusted(60, source)
        assert [await kept.get(key) for key in "abc"] == [1, 2, 3]
        assert [await kept.get(key) for key in "ca"] == [3, 4]

    with_source(told)
