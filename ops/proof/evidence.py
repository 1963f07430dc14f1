"""What a file says, as far as it could be read and checked by itself."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from domain.text import Malformed
from ops.proof.finding import Finding
from service.proof import tree
from service.proof.checkpoints import Head, HeadTold
from service.proof.statement import AnyStatement, Checkpoint, KeyMade, Receipt, Signed, key_id, split


@dataclass(frozen=True)
class Claim:
    """Somebody signed at this time that the session's event of that version has this hash."""

    session: str
    version: int
    hash: bytes
    at: str


@dataclass
class Evidence:
    """A file and what it came to. `keys` are public keys by their ids, in the order of their making."""

    name: str
    kind: str = "unknown"
    club: str | None = None
    session: str | None = None
    findings: list[Finding] = field(default_factory=list)
    keys: dict[bytes, bytes] = field(default_factory=dict)
    claims: list[Claim] = field(default_factory=list)
    receipt: Receipt | None = None
    checkpoints: list[tuple[Checkpoint, Signed]] = field(default_factory=list)
    heads: tuple[Checkpoint, dict[str, Head]] | None = None
    """A checkpoint whose heads are all in the file."""
    hashes: list[bytes] = field(default_factory=list)
    events: list[dict[str, Any]] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)
    lines: dict[int, int] = field(default_factory=dict)
    sealed_at: str = ""
    sealed_head: int = 0

    def find(self, code: str, where: str = "") -> None:
        """Notes something, once."""
        finding = Finding(code, where)
        if finding not in self.findings:
            self.findings.append(finding)

    @property
    def sound(self) -> bool:
        return not any(finding.grave for finding in self.findings)

    def take_keys(self, lines: list[str]) -> None:
        """The club's keys, each vouched for by the one before; what is signed with any of them is the club's."""
        before: bytes | None = None
        for number, line in enumerate(lines, start=1):
            where = f"key {number}"
            signed, made = self.take(line, where)
            if signed is None or not isinstance(made, KeyMade):
                self.find("unreadable", where)
                before = None
                continue
            if made.number != number:
                self.find("order", where)
            if self.club not in (None, made.club):
                self.find("other", where)
            by = made.public if number == 1 else before
            if by is not None and key_id(by) != made.key:
                self.find("key", where)
            elif by is not None and not signed.by(by):
                self.find("signature", where)
            if (number == 1) != (signed.accepted is None) or not signed.accepted_by(made.public):
                self.find("signature", where)
            before = made.public
            self.keys[key_id(made.public)] = made.public

    def take(self, line: str, where: str) -> tuple[Signed | None, AnyStatement | None]:
        """A signed line taken apart, with its statement; nothing where it does not read."""
        try:
            signed = split(line)
            return signed, signed.statement
        except Malformed:
            self.find("unreadable", where)
            return None, None

    def vouched(self, signed: Signed, statement: AnyStatement, where: str) -> bool:
        """Is it signed with one of the club's keys?"""
        if self.club not in (None, statement.club):
            self.find("other", where)
            return False
        public = self.keys.get(statement.key)
        if public is None:
            self.find("key", where)
        elif not signed.by(public) or signed.accepted is not None:
            self.find("signature", where)
        else:
            return True
        return False

    def take_checkpoint(self, line: str, told: HeadTold, index: int, path: list[str], session: str | None) -> bool:
        """A checkpoint with the path to it from a session's head; true where all of that holds."""
        signed, made = self.take(line, "checkpoint")
        if signed is None or not isinstance(made, Checkpoint):
            self.find("unreadable", "checkpoint")
            return False
        where = f"checkpoint {made.number}"
        vouched = self.vouched(signed, made, where)
        head, hashes = read_head(told), [read_hash(one) for one in path]
        if head is None or None in hashes:
            self.find("unreadable", where)
            return False
        if session not in (None, head.session_id):
            self.find("other", where)
            return False
        if tree.led(head.leaf, index, made.sessions, [one for one in hashes if one is not None]) != made.root:
            self.find("path", where)
            return False
        if vouched:
            self.checkpoints.append((made, signed))
            self.claims.append(Claim(head.session_id, head.version, head.hash, made.at))
            self.find("covered", where)
        return vouched


def read_hash(text: str) -> bytes | None:
    """A hash in lower-case hex; nothing for anything else."""
    if len(text) != 64 or any(letter not in "0123456789abcdef" for letter in text):
        return None
    return bytes.fromhex(text)


def read_head(told: HeadTold) -> Head | None:
    """A head as files carry it; nothing where it does not read."""
    hash_, events = read_hash(told.hash), read_hash(told.events)
    plain = told.session.replace("-", "")
    shaped = [len(part) for part in told.session.split("-")] == [8, 4, 4, 4, 12]
    lower = all(letter in "0123456789abcdef" for letter in plain)
    if hash_ is None or events is None or not shaped or not lower or not 1 <= told.version < 2**31:
        return None
    return Head(told.session, told.version, hash_, events)
