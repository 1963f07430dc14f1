"""All that a box has signed against its log: keys, the chain of checkpoints, and every head that one of them covers.

A session whose tail was cut, head and all, is still a valid chain: its checkpoint shows it. Who owns the box could
sign everything anew, with another key: the fingerprint that was printed in time shows that.
"""

from __future__ import annotations

import datetime
from collections import defaultdict
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

import psycopg

from ops.proof.evidence import Evidence
from ops.verify import Problem
from service.envelope import GENESIS
from service.proof import tree
from service.proof.checkpoints import Head
from service.proof.statement import Checkpoint, fingerprint
from service.queries import query


@dataclass
class Signed:
    """What was found, and how much was signed: checkpoints, heads, and the fingerprints of the keys in force by club.

    The checkpoints themselves are not looked at where one session alone is asked for.
    """

    problems: list[Problem] = field(default_factory=list)
    checkpoints: int = 0
    heads: int = 0
    keys: dict[str, str] = field(default_factory=dict)

    @property
    def told(self) -> str:
        """A line that says what was checked."""
        keys = "".join(f"\nclub {club} signs with the key {key}" for club, key in self.keys.items())
        return f"{self.checkpoints} checkpoints, {self.heads} signed heads{keys or ': nothing has been signed yet'}"


def verify_signed(url: str, session: str | None = None, printed: str | None = None) -> Signed:
    """Verifies everything signed in a database, or for one session the heads that were signed of it."""
    signed = Signed()
    with psycopg.connect(url) as connection:
        connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        connection.read_only = True
        if connection.execute("SELECT to_regclass('boston.checkpoint_heads')").fetchone() == (None,):
            return signed
        connection.execute("SET TIME ZONE 'UTC'")
        heads = _heads(connection)
        keys = _keys(connection, signed, printed)
        if session is None:
            _checkpoints(connection, signed, keys, heads)
        _sessions(connection, signed, session, heads)
    return signed


Heads = dict[str, dict[int, list[Head]]]
"""By club and number of the checkpoint with which they moved on."""


def _heads(connection: psycopg.Connection[Any]) -> Heads:
    told: Heads = defaultdict(lambda: defaultdict(list))
    for club, number, *head in connection.execute(query("signed_heads", "ops"), binary=True):
        told[club][number].append(Head(*head))
    return told


def _keys(connection: psycopg.Connection[Any], signed: Signed, printed: str | None) -> dict[str, Evidence]:
    rows = connection.execute(query("signed_keys", "ops")).fetchall()
    told: dict[str, Evidence] = {}
    wanted = None if printed is None else "".join(printed.split()).lower()
    for club, group in groupby(rows, key=lambda row: row[0]):
        lines = list(group)
        evidence = Evidence(f"club {club}", club=club)
        evidence.take_keys([line for _, _, line in lines])
        if [number for _, number, _ in lines] != list(range(1, len(lines) + 1)):
            evidence.find("order", "the keys")
        told[club] = evidence
        for finding in evidence.findings:
            signed.problems.append(Problem(f"club {club}", None, "signed", str(finding)))
        if evidence.keys:
            signed.keys[club] = fingerprint(list(evidence.keys)[-1])
    if wanted is not None and not any(key.hex() == wanted for one in told.values() for key in one.keys):
        signed.problems.append(Problem("the keys", None, "signed", "none of them has the fingerprint that was given"))
    return told


def _checkpoints(connection: psycopg.Connection[Any], signed: Signed, keys: dict[str, Evidence], heads: Heads) -> None:
    rows = connection.execute(query("signed_checkpoints", "ops")).fetchall()
    clubs = {row[0] for row in rows}
    for club in heads.keys() - clubs:
        signed.problems.append(Problem(f"club {club}", None, "signed", "has signed heads and no checkpoint"))
    for club, told in groupby(rows, key=lambda row: row[0]):
        evidence = keys.get(club, Evidence(f"club {club}", club=club))
        previous, expected, last = GENESIS, 1, ""
        covered: dict[str, Head] = {}
        for _, number, made_at, line in told:
            signed.checkpoints += 1
            where = f"checkpoint {number}"

            def report(message: str, club: str = club, where: str = where) -> None:
                signed.problems.append(Problem(f"club {club}", None, "signed", f"{where}: {message}"))

            before = len(evidence.findings)
            statement, made = evidence.take(line, where)
            if statement is None or not isinstance(made, Checkpoint):
                report("the statement does not read")
                continue
            evidence.vouched(statement, made, where)
            for finding in evidence.findings[before:]:
                signed.problems.append(Problem(f"club {club}", None, "signed", str(finding)))
            for head in heads[club].get(number, ()):
                covered[head.session_id] = head
            # The order of the leaves is that of the ids as numbers, which their text keeps.
            leaves = [covered[one].leaf for one in sorted(covered)]
            if (number, made.number, made.previous) != (expected, expected, previous):
                report("does not follow the one before")
            if datetime.datetime.fromisoformat(made.at) != made_at or made.at < last:
                report("its time is not the one that was signed, or lies before the one before")
            if (made.sessions, made.root) != (len(leaves), tree.root(leaves)):
                report("the heads are not those that were signed")
            previous, expected, last = statement.hash, number + 1, made.at


def _sessions(connection: psycopg.Connection[Any], signed: Signed, only: str | None, heads: Heads) -> None:
    """Every head that was signed of a session against the session's events as they are now."""
    due: dict[str, list[tuple[int, Head]]] = defaultdict(list)
    for numbers in heads.values():
        for number, told in numbers.items():
            for head in told:
                if only in (None, head.session_id):
                    due[head.session_id].append((number, head))
                    signed.heads += 1
    with connection.cursor("hashes") as cursor:
        cursor.itersize = 20_000
        cursor.execute(query("signed_hashes", "ops"), {"session": only}, binary=True)
        for session, rows in groupby(cursor, key=lambda row: row[0]):
            wanted = defaultdict(list)
            for number, head in due.pop(session, ()):
                wanted[head.version].append((number, head))
            frontier, last = tree.Frontier(), 0
            for _, version, hash_ in rows:
                frontier.add(hash_)
                last = version
                for number, head in wanted.pop(version, ()):
                    if head.hash != hash_ or head.events != frontier.root():
                        message = f"version {version} is not the one that checkpoint {number} was signed for"
                        signed.problems.append(Problem(session, version, "checkpoint", message))
            for version, missed in wanted.items():
                message = f"ends at version {last}; it had come to {version} when checkpoint {missed[0][0]} was signed"
                signed.problems.append(Problem(session, None, "checkpoint", message))
    for session, [*_, (number, head)] in due.items():
        message = f"is gone; it had come to version {head.version} when checkpoint {number} was signed"
        signed.problems.append(Problem(session, None, "checkpoint", message))
