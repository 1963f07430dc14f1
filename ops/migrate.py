"""Migrations: plain SQL files of `ops/migrations`, applied in the order of their names, each once.

yoyo keeps the book of what was applied (in the schema `boston`, beside the tables). Its own lock is
a row that outlives a killed process, so two starting processes are kept apart by an advisory lock
instead, which the server lets go with the connection that holds it.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode

import psycopg
from psycopg.conninfo import conninfo_to_dict

FOLDER = Path(__file__).parent / "migrations"
OLDEST = 15
LOCK = 0x626F73746F6E  # "boston" in ASCII: any number will do, as long as it never changes.


class MigrationFailed(Exception):
    """The database could not be brought up to date; the message says why and what to do."""


def migrate(url: str) -> list[str]:
    """Brings the database of `url` up to date and returns the names of the migrations applied now.

    The URL's user must own the database, or at least be allowed to create schemas and roles in it.
    Safe to call twice, and from several processes at once. Raises `MigrationFailed`.
    """
    try:
        with _alone(url), warnings.catch_warnings():
            # One of yoyo's dependencies looks for a desktop session's folder and warns that it has none.
            warnings.filterwarnings("ignore", message=".*XDG_RUNTIME_DIR.*")
            return _apply(url)
    except psycopg.Error as error:
        raise MigrationFailed(f"the database could not be migrated: {str(error).strip()}") from error


@contextmanager
def _alone(url: str) -> Iterator[None]:
    """Holds the lock of migrations, and sees to it that the schema is there."""
    with psycopg.connect(url, autocommit=True) as connection:
        version = connection.info.server_version // 10_000
        if version < OLDEST:
            raise MigrationFailed(f"this is PostgreSQL {version}; Boston needs {OLDEST} or newer")
        connection.execute("SELECT pg_advisory_lock(%s)", (LOCK,))
        connection.execute("CREATE SCHEMA IF NOT EXISTS boston")
        yield


def _apply(url: str) -> list[str]:
    import yoyo  # type: ignore[import-untyped]

    with yoyo.get_backend(_yoyo_url(url)) as backend:
        pending = backend.to_apply(yoyo.read_migrations(str(FOLDER)))
        names = [migration.id for migration in pending]
        backend.apply_migrations(pending)
    return names


def _yoyo_url(url: str) -> str:
    """The same connection as yoyo wants it written, with the schema `boston` as its search path."""
    parts = {name: value for name, value in conninfo_to_dict(url).items() if value is not None}
    parts["options"] = f"{parts.get('options', '')} -c search_path=boston".strip()
    return f"postgresql+psycopg:///?{urlencode(parts)}"
