"""A bundle's entries decided anew, and its score sheet folded anew: what no key can make true that the rules do not."""

from __future__ import annotations

from ops.proof.evidence import Evidence
from ops.verify import Problem, Stream
from service.folded import Folded


def judge(told: Evidence) -> None:
    """Notes what does not follow under the rules of the session. Only a chain that is whole and shown is judged."""
    if told.kind != "bundle" or not told.bodies or any(f.code in _BROKEN for f in told.findings):
        return
    problems: list[Problem] = []
    stream = Stream(told.session or "", problems)
    for version, body in enumerate(told.bodies, start=1):
        stream.take(version, body, told.hashes[version - 1])
    stream.end()
    for problem in problems:
        if problem.grave:
            told.find("judged", f"event {problem.version}")
    if stream.session is None:
        return
    folded = Folded(told.session or "", told.club or "").read(told.bodies)
    stands = {number: line.version for number, line in enumerate(folded.lines, start=1)}
    for number in sorted(stands.keys() | told.lines.keys()):
        if stands.get(number) != told.lines.get(number):
            told.find("judged", f"row {number}")


_BROKEN = ("chain", "unreadable", "order", "withheld")
