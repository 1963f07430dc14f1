"""`boston replay` against whole evenings, against records that must be refused, and against rubbish."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from ops.cli import main

GOLDEN = Path(__file__).parents[1] / "golden"
EVENINGS = sorted((GOLDEN / "sessions").glob("*.jsonl"))
REFUSED = json.loads((GOLDEN / "refusals.json").read_text())
OPEN = (
    b'{"entry":"open","ruleset":"american-decimal","seats":{"N":"Ann","E":"Bea","S":"Cal","W":"Dan"},'
    b'"date":"2026-11-30"}\n'
)
DEALER = b'{"entry":"first_dealer","seat":"S"}\n'
TOO_SOON = b'{"entry":"close"}\n'
NO_ENTRY = b'{"entry":"applaud"}\n'


def replay(record: bytes, *options: str) -> tuple[int, dict[str, Any]]:
    return told(CliRunner().invoke(main, ["replay", "-", *options], input=record))


def told(result: Result) -> tuple[int, dict[str, Any]]:
    lines = result.stdout.splitlines()
    assert len(lines) == 1
    return result.exit_code, json.loads(lines[0])


@pytest.mark.parametrize("evening", EVENINGS, ids=lambda path: path.stem)
def test_an_evening_gives_its_worked_out_result(evening: Path) -> None:
    code, shown = told(CliRunner().invoke(main, ["replay", str(evening)]))
    expected = json.loads(evening.with_suffix(".expected.json").read_text())
    assert (code, shown["refused"]) == (0, [])
    rows = zip(shown["deals"], expected["deals"], strict=True)
    shown["deals"] = [{name: row.get(name) for name in worked_out} for row, worked_out in rows]
    assert {name: shown[name] for name in expected} == expected
    assert list(shown["balances"].values()) == list(shown["final"].values())
    assert shown["pool"] == [0, 0]


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case["name"])
def test_a_record_stops_at_its_refused_entry(case: dict[str, Any]) -> None:
    code, shown = replay(b"\n".join(json.dumps(entry).encode() for entry in case["record"]))
    (refused,) = shown["refused"]
    malformed = refused["code"] == "malformed"
    assert (code, refused["number"], refused["line"]) == (2 if malformed else 1, case["refused"], case["refused"])
    assert refused["rule"] == case["rule"]
    assert refused["entry"] == case["record"][-1]["entry"]
    assert refused["message"]


def test_it_stops_at_the_first_refusal_or_lists_them_all() -> None:
    record = OPEN + TOO_SOON + b"\n" + NO_ENTRY + DEALER
    code, shown = replay(record)
    assert (code, shown["phase"], [r["line"] for r in shown["refused"]]) == (1, "opening", [2])
    code, shown = replay(record, "--keep-going")
    assert (code, shown["phase"]) == (2, "dealing")
    assert [(r["number"], r["line"], r["entry"]) for r in shown["refused"]] == [(2, 2, "close"), (3, 4, "applaud")]


def test_skipped_entries_use_up_their_numbers() -> None:
    code, shown = replay(OPEN + TOO_SOON + DEALER + b'{"entry":"undo","target":3}\n', "--keep-going")
    assert (code, shown["phase"]) == (1, "opening")


@pytest.mark.parametrize(
    "record",
    [
        b"",
        b"\n \n\r\n",
        b"\x00\xff\xfe",
        b"[" * 100_000,
        b'{"entry":"open","rules":' + b'{"a":' * 50_000,
        b'{"entry":"open"}',
        b'{"entry":"undo","target":' + b"9" * 400 + b"}",
        b"null\n",
        OPEN[:-3],
        OPEN.replace(b"2026", b"20x6"),
        OPEN.replace(b"}\n", b',"colour":"red"}\n'),
        OPEN.replace(b"Ann", b"\xc3"),
    ],
    ids=lambda value: repr(value[:20]),
)
@pytest.mark.parametrize("options", [(), ("--keep-going",)], ids=["stops", "keeps going"])
def test_rubbish_is_malformed_and_still_answered_with_one_object(record: bytes, options: tuple[str, ...]) -> None:
    code, shown = replay(record, *options)
    assert (code, shown["phase"], shown["ruleset"], shown["deals"]) == (2, "opening", None, [])
    assert shown["refused"][0]["code"] == "malformed"
    assert shown["refused"][0]["line"] == 1


@pytest.mark.parametrize("path", ["no-such-file.jsonl", "."])
def test_an_unreadable_file_is_answered_too(path: str, tmp_path: Path) -> None:
    code, shown = told(CliRunner().invoke(main, ["replay", str(tmp_path / path)]))
    assert code == 2
    assert str(tmp_path / path) in shown["refused"][0]["message"]


def test_a_byte_order_mark_and_foreign_line_ends_do_no_harm() -> None:
    code, shown = replay(b"\xef\xbb\xbf" + OPEN.replace(b"\n", b"\r\n") + DEALER.replace(b"\n", b"\r\n"))
    assert (code, shown["phase"]) == (0, "dealing")


def test_it_reads_standard_input_without_the_service() -> None:
    program = """
import sys
from ops.cli import main
try:
    main(["replay"])
finally:
    print(sorted({"litestar", "psycopg", "rich", "asyncio"} & set(sys.modules)))
"""
    run = subprocess.run([sys.executable, "-c", program], input=OPEN, capture_output=True, check=False)
    shown, loaded = run.stdout.splitlines()
    assert (run.returncode, json.loads(shown)["phase"], loaded) == (0, "opening", b"[]")
