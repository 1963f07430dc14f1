"""Migrations: twice in a row, by several starting processes at once, and told in a sentence when they cannot be."""

from __future__ import annotations

import secrets
import subprocess
import sys
from collections.abc import Iterator

import psycopg
import pytest
from click.testing import CliRunner

from ops.cli import main
from ops.migrate import FOLDER, MigrationFailed, migrate
from tests import postgres as servers

pytestmark = pytest.mark.log


@pytest.fixture
def empty(postgres: servers.Server) -> Iterator[str]:
    with servers.fresh(postgres, f"boston_empty_{secrets.token_hex(6)}", "template0") as url:
        yield url


def test_all_once_and_nothing_the_second_time(empty: str) -> None:
    assert migrate(empty) == sorted(path.stem for path in FOLDER.glob("*.sql"))
    assert migrate(empty) == []


def test_processes_that_start_at_once_take_turns(empty: str) -> None:
    script = "import sys; from ops.migrate import migrate; print(len(migrate(sys.argv[1])))"
    starting = [
        subprocess.Popen([sys.executable, "-c", script, empty], stdout=subprocess.PIPE, text=True) for _ in range(4)
    ]
    applied = sorted(int(process.communicate(timeout=120)[0]) for process in starting)
    assert [process.returncode for process in starting] == [0] * 4
    assert applied == [0, 0, 0, len(list(FOLDER.glob("*.sql")))]


def test_a_process_killed_in_the_middle_blocks_nobody(empty: str) -> None:
    script = (
        "import sys, time; from ops import migrate\n"
        "with migrate._alone(sys.argv[1]):\n    print('in', flush=True); time.sleep(600)"
    )
    holding = subprocess.Popen([sys.executable, "-c", script, empty], stdout=subprocess.PIPE, text=True)
    assert holding.stdout is not None
    assert holding.stdout.readline() == "in\n"
    holding.kill()
    holding.wait()
    assert migrate(empty)


def test_an_owner_who_is_no_superuser_may_migrate_and_act_as_the_service(postgres: servers.Server, empty: str) -> None:
    owner, password = f"boston_owner_{secrets.token_hex(4)}", secrets.token_hex(8)
    name = psycopg.conninfo.conninfo_to_dict(empty)["dbname"]
    with postgres.connect() as connection:
        connection.execute(f"CREATE ROLE {owner} LOGIN CREATEROLE PASSWORD '{password}'")
        connection.execute(f"ALTER DATABASE {name} OWNER TO {owner}")
        if connection.info.server_version >= 160_000:
            connection.execute("DO $$ BEGIN CREATE ROLE boston_service; EXCEPTION WHEN OTHERS THEN NULL; END $$")
            connection.execute(f"GRANT boston_service TO {owner} WITH ADMIN OPTION")
    url = psycopg.conninfo.make_conninfo(empty, user=owner, password=password)
    try:
        assert migrate(url)
        with psycopg.connect(url, options="-c role=boston_service") as connection:
            assert connection.execute("SELECT count(*) FROM boston.events").fetchone() == (0,)
    finally:
        with psycopg.connect(empty, autocommit=True) as connection:
            connection.execute(f"REASSIGN OWNED BY {owner} TO CURRENT_USER")
            connection.execute(f"DROP OWNED BY {owner}")
        with postgres.connect() as connection:
            connection.execute(f"REASSIGN OWNED BY {owner} TO CURRENT_USER")
            connection.execute(f"DROP ROLE {owner}")


def test_an_unreachable_database_is_told_in_a_sentence() -> None:
    with pytest.raises(MigrationFailed, match="could not be migrated"):
        migrate("postgresql://nobody@127.0.0.1:1/none")
    told = CliRunner().invoke(main, ["migrate", "--database", "postgresql://nobody@127.0.0.1:1/none"])
    assert told.exit_code == 1
    assert "Traceback" not in told.output
