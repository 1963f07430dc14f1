"""What keeps the shape of the whole: imports run one way, every word of the domain is handled, pinned and told."""

from __future__ import annotations

import ast
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from domain import evolve
from domain.docket import evolve_docket
from domain.entries import AnyEntry
from domain.events import ASIDES, ENTRY_EVENTS, AnyEvent
from domain.game import Game, Outcome, Phase
from domain.refusal import Family
from domain.session import initial
from tests.evenings import RULESETS, Evening

ROOT = Path(__file__).parents[2]
SHAPES = ROOT / "tests/golden/events"
GLOSSARY = (ROOT / "domain/README.md").read_text()
EVENTS = get_args(AnyEvent)
ENTRIES = get_args(AnyEntry)

LAYERS = ("domain", "projections", "service", "ops")
"""Each may import itself and those before it; `ops` may import all and nothing imports it."""
ONLY = {"domain": {"msgspec"}, "projections": {"msgspec"}}
"""What the inner layers may use beside the standard library."""


def modules(layer: str) -> Iterator[tuple[Path, ast.Module]]:
    for path in sorted((ROOT / layer).rglob("*.py")):
        yield path.relative_to(ROOT), ast.parse(path.read_text())


def imported(tree: ast.AST) -> Iterator[str]:
    """The top-level packages that a module imports, anywhere in it; a relative import is of no layer of its own."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (name.name.split(".")[0] for name in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            yield node.module.split(".")[0]


@pytest.mark.parametrize("layer", LAYERS)
def test_imports_run_one_way(layer: str) -> None:
    reached = LAYERS[LAYERS.index(layer) + 1 :]
    wrong = [
        f"{path} imports {package}"
        for path, tree in modules(layer)
        for package in imported(tree)
        if package in reached or package == "tests"
    ]
    assert not wrong


@pytest.mark.parametrize("layer", ONLY)
def test_the_inner_layers_use_the_standard_library_and_msgspec(layer: str) -> None:
    allowed = sys.stdlib_module_names | ONLY[layer] | set(LAYERS)
    wrong = [
        f"{path} imports {name}" for path, tree in modules(layer) for name in imported(tree) if name not in allowed
    ]
    assert not wrong


def test_the_domain_has_no_clock_no_chance_and_no_door_to_the_outside() -> None:
    forbidden = {"random", "secrets", "uuid", "time", "os", "io", "pathlib", "socket", "subprocess", "logging", "sys"}
    wrong = [
        f"{path} imports {name}" for path, tree in modules("domain") for name in imported(tree) if name in forbidden
    ]
    calls = {"now", "today", "utcnow", "open", "print", "input"}
    for path, tree in modules("domain"):
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                if name in calls:
                    wrong.append(f"{path} calls {name}")
    assert not wrong


def test_evolve_has_one_arm_for_every_event_and_none_for_the_rest() -> None:
    """The type checker sees a missing arm; this sees that none hides behind a default."""
    tree = ast.parse(Path(evolve.__file__).read_text())
    function = next(node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == "evolve_game")
    (match,) = (node for node in ast.walk(function) if isinstance(node, ast.Match))
    named: list[str] = []
    for case in match.cases:
        patterns = case.pattern.patterns if isinstance(case.pattern, ast.MatchOr) else [case.pattern]
        for pattern in patterns:
            assert isinstance(pattern, ast.MatchClass), ast.unparse(pattern)
            named.append(ast.unparse(pattern.cls).removeprefix("events."))
    assert sorted(named) == sorted(event.__name__ for event in EVENTS)
    for aside in ASIDES:
        docket = initial().docket
        assert evolve_docket(docket, a_pinned(aside), 1) != docket or aside.__name__ == "DisputeResolved"


def tag(kind: type[msgspec.Struct]) -> str:
    return str(kind.__struct_config__.tag)


def a_pinned(kind: type[msgspec.Struct]) -> AnyEvent:
    """The event of a kind as its golden file has it."""
    event: AnyEvent = msgspec.json.decode((SHAPES / f"{tag(kind)}.json").read_bytes(), type=AnyEvent)
    return event


def test_every_event_is_pinned_and_nothing_else() -> None:
    assert {path.stem for path in SHAPES.glob("*.json")} == {tag(event) for event in EVENTS}


@pytest.mark.parametrize("event", EVENTS, ids=tag)
def test_the_shape_of_an_event(event: type[msgspec.Struct]) -> None:
    """All fields of an event are in its file, and it reads and writes exactly as it stands there."""
    pinned = (SHAPES / f"{tag(event)}.json").read_bytes()
    read = a_pinned(event)
    assert type(read) is event
    assert msgspec.json.format(msgspec.json.encode(read), indent=1) + b"\n" == pinned
    fields = {field.encode_name for field in msgspec.structs.fields(event)}
    assert set(json.loads(pinned)) == fields | {"type"}


def test_every_entry_has_its_own_event() -> None:
    assert set(ENTRY_EVENTS) == set(ENTRIES)
    assert len(set(ENTRY_EVENTS.values())) == len(ENTRIES)
    for entry, event in ENTRY_EVENTS.items():
        fields = {field.encode_name for field in msgspec.structs.fields(entry)} - {"id", "time"}
        assert fields <= {field.encode_name for field in msgspec.structs.fields(event)}, entry


def told(heading: str) -> list[list[str]]:
    """The rows of the table below a heading of the glossary, each as its cells."""
    section = GLOSSARY.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    rows = [line for line in section.splitlines() if line.startswith("|")][2:]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]


def quoted(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def test_every_entry_and_event_is_in_the_glossary() -> None:
    rows = [(quoted(entry)[0], quoted(event)[0]) for entry, event, _ in told("Entries and their own events")]
    assert rows == [(tag(entry), tag(ENTRY_EVENTS[entry])) for entry in ENTRIES]
    following = [quoted(event)[0] for event, _ in told("Events that follow")]
    assert sorted(following) == sorted(tag(event) for event in EVENTS if event not in set(ENTRY_EVENTS.values()))


def test_every_phase_is_in_the_glossary() -> None:
    rows = told("Phases")
    assert [quoted(row[0])[0] for row in rows] == list(get_args(Phase))
    assert {name for row in rows for name in quoted(row[1])} >= {kind.__name__ for kind in get_args(Game)}
    assert len(get_args(Outcome)) == 6


def test_every_module_is_in_the_reading_order() -> None:
    listed = {name for row in told("Reading order") for name in quoted(row[0])}
    assert listed == {path.stem for path, _ in modules("domain")} - {"__init__"}


def refusals() -> Iterator[tuple[str, str | None, list[int]]]:
    """Every refusal that the domain's code makes: its code, its family where it is told, the rules that stand there."""
    for _, tree in modules("domain"):
        for node in ast.walk(tree):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
                continue
            maker = node.func.id
            if maker not in ("refuse", "Refusal", "_conflict") or not isinstance(node.args[0], ast.Constant):
                continue
            rule = node.args[1] if maker == "refuse" else None
            numbers = [n.value for n in ast.walk(rule) if isinstance(n, ast.Constant)] if rule is not None else []
            family = {"refuse": "refused", "_conflict": "conflict"}.get(maker)
            constants = [*node.args[2:], *(word.value for word in node.keywords if word.arg == "family")]
            for constant in constants if family is None else []:
                if isinstance(constant, ast.Constant) and constant.value in get_args(Family):
                    family = str(constant.value)
            yield node.args[0].value, family, [number for number in numbers if isinstance(number, int)]


def test_every_refusal_is_in_the_glossary() -> None:
    glossary = {
        quoted(code)[0]: (family, [int(number) for number in re.findall(r"\d+", rules)])
        for code, family, rules, _ in told("Refusals")
    }
    assert len(glossary) == len(told("Refusals"))
    made = list(refusals())
    assert {code for code, _, _ in made} == set(glossary)
    for code, family, rules in made:
        assert glossary[code][0] == family, code
        assert set(rules) <= set(glossary[code][1]), code


def test_every_finding_is_in_the_glossary() -> None:
    listed = {quoted(row[0])[0] for row in told("Findings")}
    found: set[str] = set()
    for seed in range(150):
        for step in Evening(seed, RULESETS[seed % 3], 2, 1.0).steps():
            found |= {event.kind for event in step.events if tag(type(event)) == "finding_made"}
    assert found <= listed
    source = "".join(path.read_text() for path in (ROOT / "domain").glob("*.py"))
    assert all(f'"{kind}"' in source for kind in listed)
