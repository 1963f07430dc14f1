"""The lock files: every package pinned and hashed, no registry named, the tests' file a superset of the service's."""

import re
import tomllib

import pytest

from tests.ops.people import ROOT

LOCKS = ("requirements.lock", "requirements-test.lock")


def pins(name: str) -> dict[str, str]:
    """Package name to pinned version."""
    found = re.findall(r"^([a-z0-9-]+)==(\S+)", (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE)
    return dict(found)


@pytest.mark.parametrize("name", LOCKS)
def test_every_package_is_pinned_with_hashes_and_nothing_names_a_registry(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    blocks = text.replace("\\\n", " ").splitlines()
    assert len(blocks) == len(pins(name)) > 20
    for block in blocks:
        assert re.fullmatch(r"[a-z0-9-]+==\S+( ; [^#]+?)?(\s+--hash=sha256:[0-9a-f]{64})+", block), block
    assert "://" not in text


def test_the_tests_run_on_what_the_service_runs_on() -> None:
    service, tests = map(pins, LOCKS)
    assert service.items() <= tests.items()


def test_what_the_project_asks_for_is_locked() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

    def names(requirements: list[str]) -> set[str]:
        return {re.split(r"[^A-Za-z0-9-]", r)[0].lower() for r in requirements}

    assert names(project["dependencies"] + project["optional-dependencies"]["build"]) <= pins(LOCKS[0]).keys()
    assert names(project["optional-dependencies"]["test"]) <= pins(LOCKS[1]).keys()
