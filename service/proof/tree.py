"""Merkle trees as RFC 6962 defines them: a root over a list of leaves, and short paths that prove one of them.

A leaf is hashed behind a zero byte and a node behind a one, so that neither can be taken for the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from uuid import UUID

EMPTY = sha256(b"").digest()
"""The root of a tree without leaves."""


def root(leaves: Sequence[bytes]) -> bytes:
    """The root over these leaves."""
    frontier = Frontier()
    for leaf in leaves:
        frontier.add(leaf)
    return frontier.root()


def path(leaves: Sequence[bytes], index: int) -> list[bytes]:
    """The hashes that lead from a leaf, by its place from 0, to the root: the nearest first."""
    level = [hash_leaf(leaf) for leaf in leaves]
    told = []
    while len(level) > 1:
        beside = index ^ 1
        if beside < len(level):
            told.append(level[beside])
        level = [_node(*level[at : at + 2]) if at + 1 < len(level) else level[at] for at in range(0, len(level), 2)]
        index //= 2
    return told


def led(leaf: bytes, index: int, size: int, path: Sequence[bytes]) -> bytes | None:
    """The root to which a path leads from the leaf at a place in a tree of that size; None if its length is another."""
    if not 0 <= index < size:
        return None
    now, last, hashes = hash_leaf(leaf), size - 1, list(path)
    while last:
        if index % 2 or index < last:
            if not hashes:
                return None
            beside = hashes.pop(0)
            now = _node(beside, now) if index % 2 else _node(now, beside)
        index, last = index // 2, last // 2
    return None if hashes else now


class Frontier:
    """A tree that grows leaf by leaf; it holds the roots of its complete subtrees alone, the largest first."""

    def __init__(self) -> None:
        self._complete: list[tuple[int, bytes]] = []

    def add(self, leaf: bytes) -> None:
        """The next leaf."""
        size, now = 1, hash_leaf(leaf)
        while self._complete and self._complete[-1][0] == size:
            now = _node(self._complete.pop()[1], now)
            size *= 2
        self._complete.append((size, now))

    def root(self) -> bytes:
        """The root over the leaves so far."""
        if not self._complete:
            return EMPTY
        *rest, (_, now) = self._complete
        for _, left in reversed(rest):
            now = _node(left, now)
        return now


def hash_leaf(leaf: bytes) -> bytes:
    """The hash of a leaf."""
    return sha256(b"\0" + leaf).digest()


def _node(left: bytes, right: bytes) -> bytes:
    return sha256(b"\1" + left + right).digest()


def head_leaf(session_id: str, version: int, hash_: bytes, events: bytes) -> bytes:
    """A session's leaf in a checkpoint: its id, its version in four bytes, its last hash, the root over its hashes."""
    return UUID(session_id).bytes + version.to_bytes(4, "big") + hash_ + events
