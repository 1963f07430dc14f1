"""Imports run one way, and the game knows nothing of the world: no clock, no chance, no disk, no network."""

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

# What each package may import of the others. `ops` may import all, and nothing imports `ops`.
MAY = {
    "domain": {"domain"},
    "projections": {"projections", "domain"},
    "service": {"service", "projections", "domain"},
    "ops": {"ops", "service", "projections", "domain"},
}
# All that the domain needs from outside: values, types, and the wire format.
PURE = {"__future__", "collections", "dataclasses", "decimal", "enum", "fractions", "functools", "hashlib"} | {
    "itertools", "json", "math", "operator", "re", "types", "typing", "msgspec", "datetime", "string", "unicodedata"
}  # fmt: skip
# Part of otherwise pure modules, but a question to the world.
IMPURE = {"now", "today", "utcnow", "time_ns"}


def modules(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


def imports(path: Path) -> set[str]:
    """The top-level names that a module imports, wherever in it."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add((node.module or "").partition(".")[0] if node.level == 0 else path.relative_to(ROOT).parts[0])
    return found


@pytest.mark.parametrize("package", MAY)
def test_imports_run_one_way(package: str) -> None:
    assert modules(package)
    against = {str(p.relative_to(ROOT)): sorted(imports(p) & MAY.keys() - MAY[package]) for p in modules(package)}
    assert {path: names for path, names in against.items() if names} == {}


@pytest.mark.parametrize("package", ["domain", "projections"])
def test_the_pure_packages_import_nothing_that_asks_the_world(package: str) -> None:
    against = {str(p.relative_to(ROOT)): sorted(imports(p) - PURE - MAY[package]) for p in modules(package)}
    assert {path: names for path, names in against.items() if names} == {}


def test_the_domain_reads_no_clock() -> None:
    for path in modules("domain"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        asked = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)} & IMPURE
        assert asked == set(), path


def test_what_counts_as_pure_is_the_standard_library_and_msgspec() -> None:
    assert {"msgspec"} == PURE - sys.stdlib_module_names


def test_every_module_says_what_it_is_about() -> None:
    silent = [p for package in MAY for p in modules(package) if not ast.get_docstring(ast.parse(p.read_text("utf-8")))]
    assert silent == []
