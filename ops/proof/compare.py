"""Files against one another: what one of them was signed for, the others may not contradict.

A chain that was cut at its end, replaced or taken out is still whole by itself. It shows against anything that was
signed before: a receipt, an earlier bundle, a checkpoint.
"""

from __future__ import annotations

from collections.abc import Sequence

from ops.proof.evidence import Claim, Evidence


def compare(files: Sequence[Evidence], fingerprint: str | None = None) -> None:
    """Adds to each file what the others, and a key's fingerprint as it was printed, say against it."""
    if fingerprint is not None:
        wanted = "".join(fingerprint.split()).lower()
        for file in files:
            if not any(key.hex() == wanted for key in file.keys):
                file.find("key")
    _compare_keys(files)
    _compare_checkpoints(files)
    for file in files:
        _compare_chain(file, [claim for other in files for claim in other.claims])
    _compare_claims(files)
    _compare_heads(files)
    for file in files:
        _superseded(file, files)


def _compare_keys(files: Sequence[Evidence]) -> None:
    """A club has one line of keys: of two files' keys one begins like the other, and a code's key is among them."""
    known: dict[str, list[bytes]] = {}
    for file in sorted(files, key=lambda file: file.kind == "code"):
        if file.club is None or not file.keys:
            continue
        keys, other = list(file.keys), known.get(file.club)
        if other is None:
            known[file.club] = keys if file.kind != "code" else []
        elif file.kind == "code":
            if other and keys[0] not in other:
                file.find("key", "receipt")
        elif keys[: len(other)] != other[: len(keys)]:
            file.find("key")
        else:
            known[file.club] = max(keys, other, key=len)


def _compare_checkpoints(files: Sequence[Evidence]) -> None:
    """There is one checkpoint of a number, and each names the one before."""
    known: dict[tuple[str, int], bytes] = {}
    for file in files:
        for made, signed in file.checkpoints:
            if known.setdefault((made.club, made.number), signed.hash) != signed.hash:
                file.find("fork", f"checkpoint {made.number}")
    for file in files:
        for made, _ in file.checkpoints:
            if known.get((made.club, made.number - 1), made.previous) != made.previous:
                file.find("fork", f"checkpoint {made.number}")


def _compare_chain(file: Evidence, claims: Sequence[Claim]) -> None:
    """A bundle's events against everything that was signed for its session."""
    for claim in claims:
        if file.kind != "bundle" or claim.session != file.session:
            continue
        if claim.version > len(file.hashes):
            if file.sealed_at and file.sealed_at < claim.at:
                file.find("older", f"version {claim.version}")
            elif claim.version > file.sealed_head:
                file.find("tail", f"session {claim.session}")
        elif file.hashes[claim.version - 1] != claim.hash:
            file.find("fork", f"event {claim.version}")


def _compare_claims(files: Sequence[Evidence]) -> None:
    """What was signed for one event of a session is the same in all files."""
    known: dict[tuple[str, int], bytes] = {}
    for file in files:
        for claim in file.claims:
            if known.setdefault((claim.session, claim.version), claim.hash) != claim.hash:
                file.find("fork", f"event {claim.version}")


def _compare_heads(files: Sequence[Evidence]) -> None:
    """A whole checkpoint covers every session that was there before, at least as far."""
    for file in files:
        if file.heads is None:
            continue
        made, heads = file.heads
        for other in files:
            if other.club != made.club:
                continue
            for claim in other.claims:
                if claim.at >= made.at:
                    continue
                head = heads.get(claim.session)
                if head is None:
                    file.find("gone", f"session {claim.session}")
                elif head.version < claim.version:
                    file.find("tail", f"session {claim.session}")


def _superseded(file: Evidence, files: Sequence[Evidence]) -> None:
    """Does the line of a receipt still stand, as far as the other files go?"""
    receipt = file.receipt
    if receipt is None:
        return
    stands = False
    later: list[str] = []
    for other in files:
        if not other.sound:
            continue
        if other.kind == "bundle" and other.session == receipt.session and len(other.hashes) >= receipt.head:
            version = other.lines.get(receipt.line)
            if version == receipt.version:
                stands = True
            elif version is None:
                later.append(f"line {receipt.line}")
            else:
                later.append(f"entry {other.events[version - 1].get('entry')}")
        late = other.receipt
        if late is None or (late.session, late.line) != (receipt.session, receipt.line):
            continue
        if late.at > receipt.at and late.version != receipt.version:
            later.append(f"version {late.version}")
    for where in later:
        file.find("superseded", where)
    if stands and not later:
        file.find("stands", f"line {receipt.line}")
