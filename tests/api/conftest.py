"""The service on a database of its own, with a club and a key for every role."""

from __future__ import annotations

import secrets
from collections.abc import Iterator

import pytest

from service.settings import Settings
from tests import postgres as servers
from tests.api.house import House


@pytest.fixture
def house(database: str) -> Iterator[House]:
    """A running service with one club."""
    with House(Settings(database_url=database, key_trust=0.2, watch_every=0.1, heartbeat=0.4)) as house:
        yield house


@pytest.fixture(scope="module")
def module_database(postgres: servers.Server, template: str) -> Iterator[str]:
    """A fresh, migrated database that the tests of a module share."""
    with servers.fresh(postgres, f"boston_test_{secrets.token_hex(6)}", template) as url:
        yield url
