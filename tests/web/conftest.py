"""Node.js, which runs the tablet's modules here: one way to start it, with an end to every run."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

HERE = Path(__file__).parent

# How long a run is waited for, in seconds: what only a failure reaches, also where the machine has much to do.
PATIENCE = 300

Node = Callable[..., str]


@pytest.fixture(scope="session")
def node(need: Callable[[object, str], None]) -> Node:
    """`node(*arguments, said="")`: what a run prints that was told `said`; one that fails or never ends fails here."""
    program = shutil.which("node")
    need(program, "Node.js 20 or newer (for the tests of the tablet's modules)")

    def run(*arguments: str, said: str = "") -> str:
        command = [str(program), *arguments]
        try:
            ran = subprocess.run(
                command, input=said, capture_output=True, text=True, timeout=PATIENCE, check=False, cwd=HERE
            )
        except subprocess.TimeoutExpired as error:
            told = b"".join(part if isinstance(part, bytes) else b"" for part in (error.stdout, error.stderr))
            pytest.fail(f"{' '.join(command)} did not end within {PATIENCE} s; so far it said:\n{told.decode()}")
        assert ran.returncode == 0, ran.stdout + ran.stderr
        return ran.stdout

    return run
