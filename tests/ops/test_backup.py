"""A box's backup: taken while it runs, and another box made of it that holds the same to the last byte."""

from __future__ import annotations

import stat
import tarfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from click.testing import CliRunner, Result

from ops.cli import main
from ops.embedded import EmbeddedPostgres, temporary_folder
from ops.where import is_box
from service.queries import query

pytestmark = pytest.mark.log
GOLDEN = Path(__file__).parents[1] / "golden" / "sessions"


def boston(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [str(a) for a in arguments], env={"DATABASE_URL": None, "BOSTON_DATA": None})


@pytest.fixture
def another_folder() -> Iterator[Path]:
    with temporary_folder() as folder:
        yield folder


def rows(url: str) -> dict[str, list[tuple[object, ...]]]:
    """Every row of every table with anything of a club, in order."""
    with psycopg.connect(url) as connection:
        tables = connection.execute(query("club_tables", "ops")).fetchall()
        return {
            f"{schema}.{table}": sorted(connection.execute(f"SELECT * FROM {schema}.{table}").fetchall(), key=repr)  # type: ignore[call-overload]
            for schema, table, _ in tables
        }


def test_a_box_is_made_again_from_its_backup(embedded_folder: Path, another_folder: Path, tmp_path: Path) -> None:
    (embedded_folder / "tls").mkdir()
    (embedded_folder / "tls" / "authority.key").write_text("the box's own")
    with EmbeddedPostgres(embedded_folder) as server:
        assert boston("club", "make", "The Thursday Club", "--data", embedded_folder).exit_code == 0
        assert boston("import", GOLDEN, "--data", embedded_folder).exit_code == 0
        assert boston("key", "make", "a tablet", "--role", "recorder", "--data", embedded_folder).exit_code == 0
        told = boston("backup", tmp_path / "usb stick", "--data", embedded_folder)
        assert told.exit_code == 0, told.output
        before = rows(server.owner_url)
    file = Path(told.stdout.strip())
    assert [file] == list((tmp_path / "usb stick").iterdir())
    assert stat.S_IMODE(file.stat().st_mode) == 0o600

    made = boston("restore", file, "--data", another_folder)
    assert made.exit_code == 0, made.output
    verified = boston("verify", "--data", another_folder)
    assert verified.exit_code == 0, verified.output
    assert f"{len(list(GOLDEN.glob('*.jsonl')))} sessions" in verified.stdout
    with EmbeddedPostgres(another_folder) as server:
        assert rows(server.owner_url) == before
        with psycopg.connect(server.url) as connection, pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("DELETE FROM boston.events")
    kept = another_folder / "tls" / "authority.key"
    assert (kept.read_text(), stat.S_IMODE(kept.stat().st_mode)) == ("the box's own", 0o600)
    assert boston("demo", "--sessions", "1", "--data", another_folder).exit_code == 0

    again = boston("restore", file, "--data", another_folder)
    assert (again.exit_code, "already" in again.stderr) == (1, True)


def test_what_is_no_backup_leaves_no_box(another_folder: Path, tmp_path: Path) -> None:
    broken, empty, cut = tmp_path / "broken", tmp_path / "empty", tmp_path / "cut"
    broken.write_bytes(b"no archive")
    with tarfile.open(empty, "w"):
        pass
    (tmp_path / "boston.dump").write_bytes(b"PGDMP and no more")
    with tarfile.open(cut, "w") as archive:
        archive.add(tmp_path / "boston.dump", "boston.dump")
    for file, said in ((broken, "cannot be read"), (empty, "no backup of Boston"), (cut, "pg_restore failed")):
        told = boston("restore", file, "--data", another_folder)
        assert told.exit_code == 1
        assert said in told.stderr
        assert not is_box(another_folder)


def test_a_backup_of_nothing_says_so(tmp_path: Path) -> None:
    told = boston("backup", tmp_path / "out", "--data", tmp_path / "none")
    assert (told.exit_code, "there is no box" in told.stderr) == (1, True)
    assert not (tmp_path / "out").exists()
