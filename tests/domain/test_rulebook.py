"""The list of rules is complete: every rule has tests, and they fail when the rule is broken."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import domain
from tests.domain import test_differences, test_rules
from tests.domain.broken import BROKE, BROKEN, HELD, Broken
from tests.domain.rulebook import PROOFS

ROOT = Path(__file__).parents[2]
LISTED = json.loads((ROOT / "tests/golden/rules.json").read_text())
RULES: list[int | str] = [*map(int, LISTED["rules"]), *LISTED["differences"]]


def test_every_rule_and_every_difference_has_its_tests() -> None:
    assert [rule for rule in RULES if isinstance(rule, int)] == list(range(1, 47))
    assert set(PROOFS) == set(RULES)
    collected = {
        function
        for module in (test_rules, test_differences)
        for name, function in vars(module).items()
        if name.startswith("test_")
    }
    assert {test for tests in PROOFS.values() for test in tests} == collected


def test_every_rule_is_broken_by_something() -> None:
    assert {broken.rule for broken in BROKEN} == set(RULES)


def run(folder: Path, rule: int | str) -> subprocess.CompletedProcess[str]:
    """The tests of a rule in a Python of their own, where `folder` comes first."""
    return subprocess.run(
        [sys.executable, "-m", "tests.domain.broken", str(folder), str(rule)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def copied(folder: Path) -> Path:
    """A domain of its own in a folder."""
    assert domain.__file__
    return Path(
        shutil.copytree(Path(domain.__file__).parent, folder / "domain", ignore=shutil.ignore_patterns("__pyc*"))
    )


@pytest.mark.slow
def test_an_unbroken_copy_holds(tmp_path: Path) -> None:
    copied(tmp_path)
    ran = run(tmp_path, 26)
    assert ran.returncode == HELD, ran.stdout + ran.stderr


def name(broken: Broken) -> str:
    return f"{broken.rule}-{broken.module}-{BROKEN.index(broken)}"


@pytest.mark.slow
@pytest.mark.parametrize("broken", BROKEN, ids=name)
def test_a_broken_rule_is_found(broken: Broken, tmp_path: Path) -> None:
    module = copied(tmp_path) / f"{broken.module}.py"
    text = module.read_text()
    assert broken.right in text, f"domain/{broken.module}.py no longer says {broken.right!r}"
    module.write_text(text.replace(broken.right, broken.wrong))
    ran = run(tmp_path, broken.rule)
    assert ran.returncode == BROKE, f"nothing failed\n{ran.stdout}{ran.stderr}"
