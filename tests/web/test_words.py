"""Every problem that the service can answer has words of the tablet's own, in every language.

Codes stand in the sources as the argument or the field `code` of whatever makes a refusal or a problem. They are read
from there, so that a new one without words is found the day it is written.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

from service.problems import _CODES
from tests.web.conftest import Node

ROOT = Path(__file__).parents[2]
SOURCES = [
    (path, ast.parse(path.read_text())) for part in ("domain", "service") for path in (ROOT / part).rglob("*.py")
]
OWN = {"storage_failed", "corrected_before"}
"""What only the tablet says."""
FRAME = {"other", "rule"}
"""The sentence for a code that this tablet does not know, and the one that a rule's number is put to."""

CATALOGUE = """
const texts = {};
for (const language of ["en", "ru"]) {
  const parts = ["", "audit/"].map((part) => import(`../../service/web/text/${part}${language}.js`));
  texts[language] = (await Promise.all(parts)).flatMap((part) => Object.keys(part.default));
}
console.log(JSON.stringify(texts));
"""


def places() -> dict[str, int]:
    """What takes a code, by its name, and at which place: functions with an argument, classes with a field `code`."""
    found: dict[str, int] = {}
    for _, tree in SOURCES:
        for node in ast.walk(tree):
            names: list[str] = []
            if isinstance(node, ast.FunctionDef):
                names = [argument.arg for argument in node.args.args if argument.arg != "self"]
            elif isinstance(node, ast.ClassDef):
                made = next((one for one in node.body if getattr(one, "name", "") == "__init__"), None)
                fields = [one.target.id for one in node.body
                          if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)]  # fmt: skip
                takes = [one.arg for one in made.args.args[1:]] if isinstance(made, ast.FunctionDef) else fields
                names = takes
            if "code" in names and getattr(node, "name", "") != "__init__":
                found[str(getattr(node, "name", ""))] = names.index("code")
    return found


def codes() -> Iterator[str]:
    """Every code that is named where something takes one."""
    takes = places()
    for _, tree in SOURCES:
        for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
            name = getattr(call.func, "id", getattr(call.func, "attr", None))
            if name not in takes:
                continue
            given = [word.value for word in call.keywords if word.arg == "code"] or call.args[takes[name] :][:1]
            for part in (part for argument in given for part in ast.walk(argument)):
                if isinstance(part, ast.Constant) and re.fullmatch(r"[a-z_]+", str(part.value)):
                    yield part.value
    yield from _CODES.values()


def test_every_problem_has_words(node: Node) -> None:
    answered = set(codes())
    # One or two of each way in which a code is named.
    assert {"call_too_low", "same_person", "nothing_to_undo", "director_only", "in_doubt", "too_large"} <= answered
    for language, keys in json.loads(node("--input-type=module", "--eval", CATALOGUE)).items():
        words = {key.removeprefix("refused.") for key in keys if key.startswith("refused.")}
        assert not answered - words, f"no words in {language}"
        assert not words - answered - OWN - FRAME, f"words in {language} for what nothing answers"


def test_the_tablet_refuses_by_the_services_codes() -> None:
    told = "\n".join(path.read_text() for path in (ROOT / "service/web/game").glob("*.js"))
    judged = set(re.findall(r'(?:must\(.*, |return \[|push\()"([a-z_]+)"(?:, (?:null|rule|\d)|\))', told))
    assert {"cut_tied", "malformed", "revoke"} <= judged
    assert not judged - set(codes())
