"""`boston import`, `boston export` and `boston demo` on a real database: in, out, in again, and gone."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from pathlib import Path

import click
import psycopg
import pytest
from click.testing import CliRunner, Result

from domain.record import format_entry, parse_line, replay
from ops.cli import main
from ops.demo import Plan, load, remove
from ops.embedded import EmbeddedPostgres
from ops.recordfile import Record, read
from ops.verify import verify
from ops.where import running_url
from service.queries import query

pytestmark = pytest.mark.log

GOLDEN = Path(__file__).parents[1] / "golden" / "sessions"
WRONG = (
    b'{"entry":"open","ruleset":"russian","seats":{"N":"Ann","E":"Bea","S":"Cal","W":"Dan"},"date":"2026-11-30"}\n'
    b'\n{"entry":"close"}\n'
)


def boston(*arguments: str | Path, database: str | None = None) -> Result:
    return CliRunner().invoke(main, [str(a) for a in arguments], env={"DATABASE_URL": database, "BOSTON_DATA": None})


def club(database: str, name: str) -> str:
    made = boston("club", "make", name, database=database)
    assert made.exit_code == 0, made.output
    return made.stdout.split()[0]


def test_records_go_in_and_come_out_as_they_were(database: str, tmp_path: Path) -> None:
    club(database, "Here")
    told = boston("import", GOLDEN, database=database)
    files = sorted(GOLDEN.glob("*.jsonl"))
    assert (told.exit_code, told.stdout) == (0, f"Here: {len(files)} imported, 0 were there already, 0 refused\n")
    told = boston("import", GOLDEN, files[0], database=database)
    assert (told.exit_code, told.stdout) == (
        0, f"Here: 0 imported, {len(files) + 1} were there already, 0 refused\n",
    )  # fmt: skip

    assert boston("export", tmp_path / "out", database=database).exit_code == 0
    exported = {entries(file) for file in (tmp_path / "out").glob("*.jsonl")}
    assert exported == {entries(file) for file in files}

    club(database, "There")
    told = boston("import", "--club", "There", tmp_path / "out", database=database)
    assert told.stdout == f"There: {len(files)} imported, 0 were there already, 0 refused\n"
    assert verify(database).problems == []


def test_a_refused_file_is_reported_and_the_others_go_on(database: str, tmp_path: Path) -> None:
    club(database, "Here")
    (tmp_path / "wrong.jsonl").write_bytes(WRONG)
    (tmp_path / "broken.jsonl").write_bytes(b"{}\n")
    (tmp_path / "good.jsonl").write_bytes((GOLDEN / "scripted-results.jsonl").read_bytes())
    told = boston("import", tmp_path, database=database)
    assert (told.exit_code, told.stdout) == (1, "Here: 1 imported, 0 were there already, 2 refused\n")
    assert f"{tmp_path / 'wrong.jsonl'}:3: not_now (rule 46): close cannot be entered now" in told.stderr
    assert f"{tmp_path / 'broken.jsonl'}:1: malformed: " in told.stderr


def test_what_cannot_be_done_says_what_to_do(database: str, tmp_path: Path) -> None:
    assert "boston club make" in boston("import", GOLDEN, database=database).stderr
    club(database, "Here")
    club(database, "There")
    assert "--club" in boston("import", GOLDEN, database=database).stderr
    nothing = boston("import", tmp_path, "--club", "Here", database=database)
    assert (nothing.exit_code, "no .jsonl file" in nothing.stderr) == (2, True)
    mistyped = boston("import", GOLDEN, "--data", tmp_path / "dta")
    assert (mistyped.exit_code, mistyped.stdout) == (1, "")
    assert f"there is no box in {tmp_path / 'dta'}: name its folder by --data, or make one by: " in mistyped.stderr
    assert not (tmp_path / "dta").exists()
    both = boston("import", GOLDEN, "--data", tmp_path, "--database", database)
    assert (both.exit_code, "two places" in both.stderr) == (2, True)
    unknown = boston("export", tmp_path, "--club", "Here", "--session", "01890a5d-0000-7000-8000-000000000001",
                     database=database)  # fmt: skip
    assert (unknown.exit_code, "has no session" in unknown.stderr) == (1, True)
    assert boston("export", "-", "--club", "Here", database=database).exit_code == 2


def test_one_record_to_standard_output_whole_or_as_it_stands(database: str) -> None:
    club(database, "Here")
    file = GOLDEN / "mixed-american-5.jsonl"
    assert boston("import", file, database=database).exit_code == 0
    with psycopg.connect(database) as connection:
        ((session,),) = connection.execute("SELECT session_id::text FROM boston.sessions").fetchall()
    whole = boston("export", "-", "--session", session, database=database)
    assert tuple(map(parse_line, whole.stdout_bytes.splitlines())) == entries(file)
    stands = boston("export", "-", "--session", session, "--effective", database=database)
    kinds = {parse_line(line).__struct_config__.tag for line in stands.stdout_bytes.splitlines()}
    assert not kinds & {"undo", "redo", "withdraw"}
    either = [replay(text.stdout_bytes.splitlines()) for text in (whole, stands)]
    assert either[0].session.game.base.rows == either[1].session.game.base.rows  # type: ignore[union-attr]
    by_id = boston("export", "-", "--session", session, "--ids", database=database)
    assert b"Ann" not in by_id.stdout_bytes
    again = boston("import", "--club", "Here", file, database=database)
    assert again.stdout == "Here: 0 imported, 1 were there already, 0 refused\n"


def test_a_demo_club_goes_in_once_and_out_without_a_trace(database: str) -> None:
    own = club(database, "Real club")
    assert boston("import", "--club", own, GOLDEN, database=database).exit_code == 0
    before = rows(database)
    arguments = ("demo", "--sessions", "7", "--from", "2026-01-01", "--to", "2026-11-30", "--club", "Trial")
    first = boston(*arguments, database=database)
    again = boston(*arguments, database=database)
    assert first.stdout.startswith("7 evenings loaded into Trial (")
    assert again.stdout.startswith("0 evenings loaded into Trial (")
    assert again.stdout.endswith("), 7 were there already\n")
    assert verify(database).problems == []
    removed = boston("demo", "--remove", database=database)
    assert removed.exit_code == 0
    assert removed.stdout.startswith("removed Trial (")
    assert rows(database) == before
    assert boston("demo", "--remove", database=database).exit_code == 1
    with psycopg.connect(database) as connection, pytest.raises(psycopg.errors.InsufficientPrivilege):
        connection.execute("DELETE FROM boston.events")


def test_a_demo_club_with_evenings_of_ones_own_stays_until_that_is_said(database: str) -> None:
    day = datetime.date(2026, 11, 30)
    club_id = load(database, Plan(1, 2, day - datetime.timedelta(30), day, under_way=True)).club.club_id
    assert boston("import", "--club", club_id, GOLDEN / "scripted-results.jsonl", database=database).exit_code == 0
    before = rows(database)
    kept = boston("demo", "--remove", database=database)
    assert kept.exit_code == 1
    assert "holds evenings recorded by hand (1), and nothing was removed" in kept.stderr
    assert "--with-recorded" in kept.stderr
    assert rows(database) == before
    assert boston("demo", "--remove", "--with-recorded", database=database).exit_code == 0
    assert boston("club", "list", database=database).stdout == ""


def test_an_evening_of_the_demo_that_somebody_went_on_with_is_his(database: str, tmp_path: Path) -> None:
    day = datetime.date(2026, 11, 30)
    load(database, Plan(1, 2, day - datetime.timedelta(30), day, under_way=True))
    assert boston("export", tmp_path, database=database).exit_code == 0
    for file in tmp_path.glob("*.jsonl"):
        with file.open("ab") as record:
            record.write(b'{"entry":"abandon","reason":"the demo is over"}\n')
    assert boston("import", tmp_path, database=database).exit_code == 1, "the evening that had ended"
    kept = boston("demo", "--remove", database=database)
    assert (kept.exit_code, "by hand (1)" in kept.stderr) == (1, True)


def test_a_plan_that_cannot_be_carried_out_leaves_no_club(database: str) -> None:
    told = boston("demo", "--sessions", "9999", "--players", "4", database=database)
    assert (told.exit_code, "do not fit" in told.stderr) == (2, True)
    assert boston("club", "list", database=database).stdout == ""


def test_a_dry_run_needs_no_database() -> None:
    told = boston("demo", "--dry-run", "--sessions", "4", "--rules", "russian")
    assert told.exit_code == 0
    assert "russian: 4 evenings" in told.stdout


def test_two_demo_clubs_stand_apart(database: str) -> None:
    day = datetime.date(2026, 11, 30)
    one = load(database, Plan(1, 2, day - datetime.timedelta(30), day), "One")
    two = load(database, Plan(1, 2, day - datetime.timedelta(30), day), "Two")
    assert (one.imported, two.imported, one.club.demo, one.club.club_id != two.club.club_id) == (2, 2, True, True)
    assert [(gone.name, sessions) for gone, sessions in remove(database, "One")] == [("One", 2)]
    assert [(gone.name, sessions) for gone, sessions in remove(database)] == [("Two", 2)]


def test_a_folder_without_a_running_server_has_no_address(tmp_path: Path) -> None:
    assert running_url(tmp_path) is None


def test_a_one_box_club_is_verified_and_rebuilt_by_its_data_folder(embedded_folder: Path) -> None:
    with EmbeddedPostgres(embedded_folder):
        pass
    told = boston("migrate", "--data", embedded_folder)
    assert (told.exit_code, "applied 0002.log" in told.stdout) == (0, True), told.output
    # What is typed goes before what the environment says.
    made = boston("demo", "--sessions", "1", "--data", embedded_folder, database="postgresql://nobody@127.0.0.1:1/none")
    assert made.exit_code == 0, made.output
    for command in ("verify", "rebuild"):
        told = boston(command, "--data", embedded_folder)
        assert told.exit_code == 0, told.output
        assert "1 sessions" in told.output


def test_every_command_finds_its_database_alike() -> None:
    taking = {name for name, options in options_of(main) if "--data" in options}
    assert taking == {name for name, _ in options_of(main)} - {"replay"}
    assert taking - {"restore"} == {name for name, options in options_of(main) if "--database" in options}


def options_of(group: click.Group, before: str = "") -> Iterator[tuple[str, set[str]]]:
    """Every command with its options."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from options_of(command, f"{name} ")
        else:
            yield f"{before}{name}", {option for parameter in command.params for option in parameter.opts}


def entries(file: Path) -> tuple[object, ...]:
    record = read(file)
    assert isinstance(record, Record), record
    assert [parse_line(format_entry(entry)) for entry in record.entries] == list(record.entries)
    return record.entries


def rows(database: str) -> dict[str, int]:
    """How many rows each table with anything of a club has."""
    with psycopg.connect(database) as connection:
        tables = connection.execute(query("club_tables", "ops")).fetchall()
        return {
            f"{schema}.{table}": connection.execute(f"SELECT count(*) FROM {schema}.{table}").fetchone()[0]  # type: ignore[index]
            for schema, table, _ in tables
        }
