"""The README tells the truth: its story runs, its paths exist, and every decision is in the index."""

import json
import re
import subprocess
from pathlib import Path

from click.testing import CliRunner

from ops.cli import main
from tests.ops.people import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
DECISIONS = ROOT / "ops" / "decisions"


def test_the_readme_is_short() -> None:
    assert len(README.splitlines()) <= 150


def test_the_story_runs_and_ends_as_told(tmp_path: Path) -> None:
    evening = re.search(r"<<'END'\n(.*?)^END$", README, re.MULTILINE | re.DOTALL)
    told = re.search(r"```json\n(.*?)\n```", README, re.DOTALL)
    assert evening
    assert told
    file = tmp_path / "evening.jsonl"
    file.write_text(evening[1], encoding="utf-8")
    result = CliRunner().invoke(main, ["replay", str(file)])
    assert result.exit_code == 0
    assert json.loads(result.stdout)["final"] == json.loads(told[1])

    file.write_text(evening[1].replace('"N": 6', '"N": 7'), encoding="utf-8")
    result = CliRunner().invoke(main, ["replay", str(file)])
    (refusal,) = json.loads(result.stdout)["refused"]
    assert "14" in refusal["message"]
    assert refusal["rule"]
    assert len(json.loads(result.stdout)["deals"]) == 1


def test_every_path_that_the_readme_names_is_there() -> None:
    named = set(re.findall(r"`((?:domain|projections|service|ops|tests|\.ci)/[\w./-]*)", README))
    assert len(named) > 10
    assert [path for path in sorted(named) if not (ROOT / path).exists()] == []


def test_the_command_lines_of_the_readme_can_be_run() -> None:
    for name in ("start", "check", "lock", "environment"):
        assert (ROOT / "ops" / name).stat().st_mode & 0o111
        subprocess.run(["sh", "-n", ROOT / "ops" / name], check=True)


def test_every_decision_is_in_the_index() -> None:
    index = (DECISIONS / "README.md").read_text(encoding="utf-8")
    notes = sorted(path.name for path in DECISIONS.glob("[0-9]*.md"))
    assert re.findall(r"\]\((\d{4}-[\w-]+\.md)\)", index) == notes
    assert len({name[:4] for name in notes}) == len(notes)
