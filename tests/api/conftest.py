"""The service on a database of its own, with a club and a key for every role."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest

from service.settings import Settings
from tests.api.house import House


@pytest.fixture
def house(database: str) -> Iterator[House]:
    """A running service with one club."""
    with House(Settings(database_url=database, key_trust=0.2, watch_every=0.1, heartbeat=0.4)) as house:
        yield house


__all__ = ["AsyncIterator"]
