"""The list of rules is complete: every rule has tests, and they fail when the rule is broken."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
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


Breaker = Callable[[Path, int | str], tuple[int, str]]


@pytest.fixture(scope="module")
def run() -> Iterator[Breaker]:
    """`run(folder, rule)`: what the tests of a rule say where the domain in `folder` comes first, and their words."""
    with subprocess.Popen(
        [sys.executable, "-m", "tests.domain.broken"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as breaker:

        def run(folder: Path, rule: int | str) -> tuple[int, str]:
            assert breaker.stdin
            assert breaker.stdout
            print(json.dumps([str(folder), str(rule)]), file=breaker.stdin, flush=True)
            answer, said = json.loads(breaker.stdout.readline())
            return answer, said

        yield run


def copied(folder: Path) -> Path:
    """A domain of its own in a folder."""
    assert domain.__file__
    return Path(
        shutil.copytree(Path(domain.__file__).parent, folder / "domain", ignore=shutil.ignore_patterns("__pyc*"))
    )


@pytest.mark.slow
def test_an_unbroken_copy_holds(run: Breaker, tmp_path: Path) -> None:
    copied(tmp_path)
    answer, said = run(tmp_path, 26)
    assert answer == HELD, said


def name(broken: Broken) -> str:
    return f"{broken.rule}-{broken.module}-{BROKEN.index(broken)}"


@pytest.mark.slow
@pytest.mark.parametrize("broken", BROKEN, ids=name)
def test_a_broken_rule_is_found(run: Breaker, broken: Broken, tmp_path: Path) -> None:
    module = copied(tmp_path) / f"{broken.module}.py"
    text = module.read_text()
    assert broken.right in text, f"domain/{broken.module}.py no longer says {broken.right!r}"
    module.write_text(text.replace(broken.right, broken.wrong))
    answer, said = run(tmp_path, broken.rule)
    assert answer == BROKE, f"nothing failed\n{said}"
