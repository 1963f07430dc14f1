"""The tablet's own fold in Node: held to the examples that the domain is held to."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

HERE = Path(__file__).parent


def test_the_tablets_fold(need: Callable[[object, str], None]) -> None:
    node = shutil.which("node")
    need(node, "Node.js 20 or newer (for the tests of the tablet's fold)")
    run = subprocess.run(
        [str(node), "--test", *sorted(map(str, HERE.glob("*.test.mjs")))],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert "# pass 0" not in run.stdout
