"""Makes the project's environment `.venv` from the lock files, with nothing but Python's standard library.

    ops/environment run     what the service needs, and the command `boston`
    ops/environment test    the same and what the tests need

Every package is checked against its hash in the lock file. `uv` does it faster
where it is installed; the `pip` that is kept beside this file does it anywhere,
also where Python came without `ensurepip`, as Debian's does. Running it again
costs nothing while the lock files, the Python and the place are the same.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
PIP = ROOT / "ops" / "pip" / "pip-26.3-py3-none-any.whl"
PIP_SHA256 = "f3b60b20ffaadd4415ed7957212a38ac63fa4c5fa375bd0f4a797777940fad13"
# The larger lock file contains the smaller one, so the test environment serves both.
LOCKS = {"run": "requirements.lock", "test": "requirements-test.lock"}
SERVES = {"run": ("run",), "test": ("run", "test")}


class CannotMake(Exception):
    """The environment cannot be made; the message says why, in one sentence."""


def main(arguments: list[str]) -> int:
    if len(arguments) != 1 or arguments[0] not in LOCKS:
        print(f"usage: ops/environment {'|'.join(LOCKS)}", file=sys.stderr)
        return 2
    try:
        make(arguments[0])
    except CannotMake as error:
        print(f"ops/environment: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"ops/environment: the environment {VENV} cannot be made: {error}", file=sys.stderr)
        return 1
    return 0


def make(kind: str) -> None:
    """Bring the environment up to date for one kind of use; two at once wait for each other."""
    VENV.mkdir(exist_ok=True)
    # Not `.lock`: uv holds that one itself and would wait for us.
    with (VENV / ".boston-lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if stamp(kind).exists() and stamp(kind).read_text() == wanted(kind) and works():
            return
        if not works():
            say(f"making {VENV} with Python {sys.version.split()[0]}")
            shutil.rmtree(VENV / "lib", ignore_errors=True)
            shutil.rmtree(VENV / "bin", ignore_errors=True)
            run([sys.executable, "-m", "venv", "--without-pip", VENV])
        say(f"installing {LOCKS[kind]}")
        install(kind)
        for served in SERVES[kind]:
            stamp(served).write_text(wanted(served))


def works() -> bool:
    """Whether the environment has a Python that starts and is new enough; its system Python may be gone."""
    code = "import sys; sys.exit(sys.version_info < (3, 11) or sys.prefix == sys.base_prefix)"
    try:
        return subprocess.run([PYTHON, "-I", "-c", code], capture_output=True).returncode == 0
    except OSError:
        return False


def stamp(kind: str) -> Path:
    return VENV / f".boston-{kind}"


def wanted(kind: str) -> str:
    """What the finished environment was made from. The place counts: scripts in it name their interpreter."""
    digest = hashlib.sha256(str(ROOT).encode())
    for name in (LOCKS[kind], "pyproject.toml"):
        digest.update((ROOT / name).read_bytes())
    return f"{digest.hexdigest()}\n"


def install(kind: str) -> None:
    """Install the locked packages, then the project itself in place."""
    locked = ["--require-hashes", "-r", str(ROOT / LOCKS[kind])]
    itself = ["--no-deps", "--no-build-isolation", "--no-index", "-e", str(ROOT)]
    uv = shutil.which("uv")
    if uv is not None:
        command = [uv, "pip", "install", "--quiet", "--python", str(PYTHON)]
        if all(subprocess.run([*command, *step], cwd=ROOT).returncode == 0 for step in (locked, itself)):
            return
        say("uv did not manage, going on with pip")
    pip = [str(PYTHON), str(checked(PIP) / "pip"), "--disable-pip-version-check", "install", "--quiet"]
    for step in (locked, itself):
        run([*pip, *step])


def checked(pip: Path) -> Path:
    if hashlib.sha256(pip.read_bytes()).hexdigest() != PIP_SHA256:
        raise CannotMake(f"{pip} is damaged: get it again with `git checkout -- ops/pip`")
    return pip


def run(command: list[str | Path]) -> None:
    # A personal setting must not send the packages elsewhere than into this environment.
    clean = {n: v for n, v in os.environ.items() if n not in ("PYTHONPATH", "PYTHONHOME", "PIP_TARGET", "PIP_PREFIX")}
    done = subprocess.run(command, cwd=ROOT, env=clean | {"PIP_USER": "0"})
    if done.returncode != 0:
        raise CannotMake(f"this failed, see above: {' '.join(map(str, command))}")


def say(text: str) -> None:
    print(f"ops/environment: {text}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
