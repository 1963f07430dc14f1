"""Append-only by privilege, and by a trigger where even the owner errs."""

from __future__ import annotations

import asyncio

import psycopg
import pytest
from psycopg import errors

from service.database import as_service
from tests.log.world import evening, new_session, world

pytestmark = pytest.mark.log

CHANGES = (
    "UPDATE boston.events SET type = 'x'",
    "DELETE FROM boston.events",
    "TRUNCATE boston.events",
    "TRUNCATE boston.events CASCADE",
)
BEYOND = (
    "DELETE FROM boston.sessions",
    "TRUNCATE boston.sessions",
    "DELETE FROM boston.texts",
    "UPDATE boston.events_json SET type = 'x'",
    "ALTER TABLE boston.events DISABLE TRIGGER append_only",
    "DROP TABLE boston.events",
    "DROP TRIGGER append_only ON boston.events",
    "CREATE TABLE boston.mine (n integer)",
    "DROP SCHEMA boston CASCADE",
    "CREATE ROLE another",
)


@pytest.fixture
def recorded(database: str) -> str:
    async def record() -> None:
        async with world(database) as here:
            await here.take(new_session(), evening("american-1")[:5])

    asyncio.run(record())
    return database


def held(url: str) -> list[tuple[object, ...]]:
    with psycopg.connect(url) as connection:
        return connection.execute("SELECT * FROM boston.events ORDER BY session_id, version").fetchall()


@pytest.mark.parametrize("statement", [*CHANGES, *BEYOND])
def test_the_service_may_not(recorded: str, statement: str) -> None:
    before = held(recorded)
    with psycopg.connect(as_service(recorded), autocommit=True) as connection:
        assert connection.execute("SELECT current_user").fetchone() == ("boston_service",)
        with pytest.raises(errors.InsufficientPrivilege):
            connection.execute(statement)
    assert held(recorded) == before


@pytest.mark.parametrize("statement", CHANGES)
def test_the_owner_is_stopped_by_the_trigger(recorded: str, statement: str) -> None:
    before = held(recorded)
    stopped = pytest.raises(errors.InsufficientPrivilege, match="append-only")
    with psycopg.connect(recorded, autocommit=True) as connection, stopped:
        connection.execute(statement)
    assert held(recorded) == before


def test_the_service_is_no_superuser_and_owns_nothing(database: str) -> None:
    with psycopg.connect(database) as connection:
        role = connection.execute(
            "SELECT rolsuper, rolcreatedb, rolcreaterole, rolbypassrls FROM pg_roles WHERE rolname = 'boston_service'"
        ).fetchone()
        owned = connection.execute(
            "SELECT count(*) FROM pg_class WHERE relowner = 'boston_service'::regrole"
        ).fetchone()
    assert role == (False, False, False, False)
    assert owned == (0,)


def test_every_key_of_the_log_begins_with_the_session(database: str) -> None:
    """So that the tables can be distributed by it: no index of them, unique or not, that is not the club's list."""
    with psycopg.connect(database) as connection:
        indexes = connection.execute(
            """
            SELECT c.relname, i.indisunique, a.attname
            FROM pg_index i
            JOIN pg_class c ON c.oid = i.indexrelid
            JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
            WHERE i.indrelid::regclass::text IN ('boston.sessions', 'boston.events', 'boston.texts', 'boston.leases')
            """
        ).fetchall()
        foreign = connection.execute("SELECT count(*) FROM pg_constraint WHERE contype = 'f'").fetchone()
        sequences = connection.execute(
            "SELECT count(*) FROM pg_class c JOIN pg_depend d ON d.objid = c.oid AND d.deptype IN ('a', 'i')"
            " WHERE c.relkind = 'S' AND d.refobjid = ANY (ARRAY['boston.sessions', 'boston.events']::regclass[])"
        ).fetchone()
    assert {name for name, _, first in indexes if first != "session_id"} == {"sessions_by_club"}
    assert all(first == "session_id" for _, unique, first in indexes if unique)
    assert (foreign, sequences) == ((0,), (0,))
