"""The tablet's modules in Node: its fold held to the examples that the domain is held to, its words, its shell."""

from __future__ import annotations

from tests.web.conftest import HERE, PATIENCE, Node


def test_the_tablets_modules(node: Node) -> None:
    # A file that leaves something open is named by Node itself, before the whole run is given up.
    limit = f"--test-timeout={PATIENCE * 1000 // 2}"
    told = node("--test", limit, *sorted(path.name for path in HERE.glob("*.test.mjs")))
    assert "# pass 0" not in told
