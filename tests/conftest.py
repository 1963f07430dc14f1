"""What every test can rely on: a database of its own, a printed seed, and no silent skip.

Whatever a run could not test is named at its end, in full; where CI is set, that
is a failure. A test asks for an outside part with the fixture `need`.
"""

from __future__ import annotations

import os
import secrets
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from ops.embedded import temporary_folder
from tests import postgres as servers

IN_CI = os.environ.get("CI", "").lower() not in ("", "0", "false")
CHOICE = pytest.StashKey[servers.Choice]()

settings.register_profile(
    "everyday", max_examples=60, deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("thorough", parent=settings.get_profile("everyday"), max_examples=3000)
# For running everything once more elsewhere, where another server or Python is what is looked at.
settings.register_profile("brief", parent=settings.get_profile("everyday"), max_examples=15)
settings.load_profile("everyday")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    config.stash[CHOICE] = servers.choose()
    # Drawn here rather than inside hypothesis, so that a failing run can be repeated whole.
    if config.option.hypothesis_seed is None:
        config.option.hypothesis_seed = str(secrets.randbelow(2**32))


def pytest_report_header(config: pytest.Config) -> list[str]:
    return [
        f"postgres: {config.stash[CHOICE].description}",
        f"seed: --hypothesis-seed={config.option.hypothesis_seed}",
    ]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    missing = untested(terminalreporter)
    if not missing:
        return
    terminalreporter.section("NOT TESTED", sep="=", red=IN_CI, yellow=not IN_CI, bold=True)
    for line in missing:
        terminalreporter.line(line)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if IN_CI and exitstatus == pytest.ExitCode.OK and reporter is not None and untested(reporter):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def untested(reporter: pytest.TerminalReporter) -> list[str]:
    """What this run left untested, one sentence each: skipped tests by reason, and a lesser server than wanted."""
    skipped: dict[str, Counter[str]] = {}
    for report in reporter.stats.get("skipped", []):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        file = report.nodeid.partition("::")[0]
        skipped.setdefault(reason.removeprefix("Skipped: "), Counter())[file] += 1
    lines = [
        f"{reason}. Skipped: " + ", ".join(f"{n} in {file}" for file, n in files.items())
        for reason, files in skipped.items()
    ]
    ran = [r for key in ("passed", "failed") for r in reporter.stats.get(key, [])]
    lacks = reporter.config.stash[CHOICE].lacks
    if lacks and any({"log", "api"} & set(r.keywords) for r in ran):
        lines.append(f"{lacks}. The log and API tests ran on the embedded server instead.")
    return lines


@pytest.fixture(scope="session")
def need() -> Callable[[object, str], None]:
    """`need(there, part)`: go on when the outside part is there, else skip, or fail in CI, naming it."""

    def check(there: object, part: str) -> None:
        if there:
            return
        if IN_CI:
            pytest.fail(f"missing on this machine: {part}")
        pytest.skip(f"missing on this machine: {part}")

    return check


@pytest.fixture(scope="session")
def chromium(need: Callable[[object, str], None]) -> str:
    """The path of the system's Chromium."""
    names = ("chromium", "chromium-browser", "google-chrome")
    path = os.environ.get("BOSTON_CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    need(path, "Chromium (install the system's package `chromium`, or set BOSTON_CHROMIUM)")
    assert path is not None
    return path


@pytest.fixture(scope="session")
def postgres(pytestconfig: pytest.Config) -> Iterator[servers.Server]:
    """The running server, with a superuser's URL."""
    with servers.running(pytestconfig.stash[CHOICE]) as server:
        yield server


@pytest.fixture
def embedded_folder() -> Iterator[Path]:
    """A data folder for an embedded server of the test's own; its database is deleted afterwards."""
    with temporary_folder() as folder:
        yield folder


@pytest.fixture(scope="session")
def template(postgres: servers.Server) -> Iterator[str]:
    """The name of a migrated database to clone."""
    with servers.template(postgres, servers.migration()) as name:
        yield name


@pytest.fixture
def database(postgres: servers.Server, template: str) -> Iterator[str]:
    """The URL of a fresh, migrated database, for a superuser; dropped after the test."""
    with servers.fresh(postgres, f"boston_test_{secrets.token_hex(6)}", template) as url:
        yield url
