"""The service on a database of its own, with a club and a key for every role."""

from __future__ import annotations

import secrets
from collections.abc import Iterator

import pytest

from service.settings import Settings
from tests import postgres as servers
from tests.api.house import House


@pytest.fixture(scope="module")
def module_database(postgres: servers.Server, template: str) -> Iterator[str]:
    """A fresh, migrated database that the tests of a module share."""
    with servers.fresh(postgres, f"boston_test_{secrets.token_hex(6)}", template) as url:
        yield url


@pytest.fixture(scope="module")
def module_house(module_database: str) -> Iterator[House]:
    """A running service that the tests of a module share."""
    with House(settings(module_database)) as house:
        yield house


@pytest.fixture
def house(request: pytest.FixtureRequest) -> Iterator[House]:
    """A running service with one club, which is the test's own; so is all of it where it looks into the `database`."""
    if "database" not in request.fixturenames:
        yield request.getfixturevalue("module_house").with_a_new_club()
        return
    with House(settings(request.getfixturevalue("database"))) as house:
        yield house


def settings(database_url: str) -> Settings:
    """Quick to notice what changes, and no checkpoint but those that a test asks for."""
    return Settings(database_url=database_url, key_trust=0.2, watch_every=0.1, heartbeat=0.4, checkpoint_every=3600)
