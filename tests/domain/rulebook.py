"""Which test would fail without which rule: the list that `test_rulebook.py` keeps complete."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

Test = Callable[[], None]

PROOFS: Final[dict[int | str, list[Test]]] = {}
"""Every rule by its number, and every row in which the rule sets differ by its name, with the tests of it."""


def proves(*rules: int | str) -> Callable[[Test], Test]:
    """Says that a test would fail without these rules; such a test takes no fixture, so that it can be run anywhere."""

    def enter(test: Test) -> Test:
        for rule in rules:
            PROOFS.setdefault(rule, []).append(test)
        return test

    return enter
