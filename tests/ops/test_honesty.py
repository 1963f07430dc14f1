"""A run names what it did not test, and in CI that is a failure."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.ops.people import ROOT

PASSES = "def test_nothing(): pass\n"
SKIPS = "import pytest\ndef test_it(): pytest.skip('no such part')\n"
NEEDS = "def test_it(need): need(None, 'a harpsichord')\n"
# Loading every installed plugin would take longer than the tests.
PLUGINS = ("-p", "_hypothesis_pytestplugin", "-p", "tests.conftest")
LOGS = "import pytest\n@pytest.mark.log\ndef test_it(): pass\n"


def run(folder: Path, text: str, ci: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run one test module under this project's conftest."""
    (folder / "test_sample.py").write_text(text)
    inherited = {n: v for n, v in os.environ.items() if not n.startswith(("BOSTON_", "DOCKER_", "PYTEST_"))}
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-c", ROOT / "pyproject.toml", *PLUGINS, folder],
        cwd=ROOT,
        env=inherited | {"CI": ci, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"} | settings,
        capture_output=True,
        text=True,
    )


@pytest.mark.parametrize("ci", ["", "true"])
def test_a_whole_run_passes_and_names_nothing(tmp_path: Path, ci: str) -> None:
    done = run(tmp_path, PASSES, ci)
    assert done.returncode == 0
    assert "NOT TESTED" not in done.stdout
    assert "seed: --hypothesis-seed=" in done.stdout


@pytest.mark.parametrize(("ci", "code"), [("", 0), ("true", 1)])
def test_a_skip_is_named(tmp_path: Path, ci: str, code: int) -> None:
    done = run(tmp_path, SKIPS, ci)
    assert done.returncode == code
    assert "NOT TESTED" in done.stdout
    assert "no such part" in done.stdout


@pytest.mark.parametrize(("ci", "code"), [("", 0), ("true", 1)])
def test_a_missing_part_is_named(tmp_path: Path, ci: str, code: int) -> None:
    done = run(tmp_path, NEEDS, ci)
    assert done.returncode == code
    assert "missing on this machine: a harpsichord" in done.stdout


@pytest.mark.parametrize(("ci", "code"), [("", 0), ("true", 1)])
def test_a_missing_container_is_named_when_the_log_was_tested(tmp_path: Path, ci: str, code: int) -> None:
    nowhere = f"unix://{tmp_path}/no-engine"
    done = run(tmp_path, LOGS, ci, DOCKER_HOST=nowhere)
    assert done.returncode == code
    assert "the Docker engine does not answer" in done.stdout
    assert run(tmp_path, LOGS, ci, BOSTON_TEST_POSTGRES="embedded").returncode == 0
