"""Making the environment: what makes it anew, and what it says when it cannot. CI runs the whole of it."""

import shutil
import subprocess
from pathlib import Path

import pytest

from ops import environment
from tests.ops.people import ROOT


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with this project's lock files and no environment."""
    root = tmp_path / "a project"
    root.mkdir()
    for name in ("pyproject.toml", *environment.LOCKS.values()):
        shutil.copy(ROOT / name, root / name)
    monkeypatch.setattr(environment, "ROOT", root)
    monkeypatch.setattr(environment, "VENV", root / ".venv")
    monkeypatch.setattr(environment, "PYTHON", root / ".venv" / "bin" / "python")
    return root


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The kinds that were installed; recorded here in place of half a minute of downloads."""
    kinds: list[str] = []
    monkeypatch.setattr(environment, "install", kinds.append)
    return kinds


def test_the_second_time_nothing_is_installed(project: Path, installed: list[str]) -> None:
    assert environment.main(["run"]) == 0
    assert environment.main(["run"]) == 0
    assert installed == ["run"]
    assert environment.works()


def test_the_test_environment_serves_the_service_too(project: Path, installed: list[str]) -> None:
    for kind in ("test", "run", "test"):
        assert environment.main([kind]) == 0
    assert installed == ["test"]


@pytest.mark.parametrize("name", ["pyproject.toml", "requirements.lock"])
def test_a_change_of_what_is_asked_for_installs_again(project: Path, installed: list[str], name: str) -> None:
    environment.main(["run"])
    with (project / name).open("a") as file:
        file.write("\n")
    environment.main(["run"])
    assert installed == ["run", "run"]


def test_a_moved_project_installs_again(project: Path, installed: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    environment.main(["run"])
    before = environment.wanted("run")
    moved = project.rename(project.with_name("elsewhere"))
    monkeypatch.setattr(environment, "ROOT", moved)
    assert environment.wanted("run") != before


def test_a_vanished_python_is_replaced(project: Path, installed: list[str]) -> None:
    environment.main(["run"])
    environment.PYTHON.unlink()
    environment.PYTHON.symlink_to("/no/such/python")
    assert not environment.works()
    environment.main(["run"])
    assert environment.works()
    assert installed == ["run", "run"]


def test_an_installation_that_failed_is_tried_again(
    project: Path, installed: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(kind: str) -> None:
        raise environment.CannotMake("no network")

    monkeypatch.setattr(environment, "install", fail)
    assert environment.main(["run"]) == 1
    assert "ops/environment: no network" in capsys.readouterr().err
    monkeypatch.setattr(environment, "install", installed.append)
    assert environment.main(["run"]) == 0
    assert installed == ["run"]


def test_a_damaged_pip_is_not_run(tmp_path: Path) -> None:
    damaged = tmp_path / "pip.whl"
    damaged.write_bytes(environment.PIP.read_bytes()[:-1])
    assert environment.checked(environment.PIP) == environment.PIP
    with pytest.raises(environment.CannotMake, match="damaged"):
        environment.checked(damaged)


@pytest.mark.parametrize("arguments", [[], ["everything"], ["run", "test"]])
def test_a_wrong_use_is_told(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert environment.main(arguments) == 2
    assert "usage: ops/environment run|test" in capsys.readouterr().err


def test_a_folder_that_cannot_be_written_is_told(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(environment, "VENV", Path("/proc/boston"))
    assert environment.main(["run"]) == 1
    assert "/proc/boston cannot be made" in capsys.readouterr().err


def test_an_unfit_python_is_named(tmp_path: Path) -> None:
    old = tmp_path / "python3"
    old.write_text("#!/bin/sh\nexit 1\n")
    old.chmod(0o755)

    def say(**settings: str) -> str:
        done = subprocess.run(
            ["/bin/sh", ROOT / "ops" / "environment", "run"],
            env={"PATH": f"{tmp_path}:{tmp_path / 'bin'}"} | settings,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 1
        return done.stderr

    # What the script itself needs, and no other Python than the unfit one.
    (tmp_path / "bin").mkdir()
    for tool in ("dirname", "pwd"):
        (tmp_path / "bin" / tool).symlink_to(str(shutil.which(tool)))
    assert f"BOSTON_PYTHON is {old}, which is no Python of version 3.11" in say(BOSTON_PYTHON=str(old))
    assert "Boston needs Python 3.11 or newer" in say()
