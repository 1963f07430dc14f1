"""What a proof leaves out for whoever is not told of findings: an event's body, in whose place its hash stands.

The chain goes on from that hash, and the checkpoints' trees are over hashes alone, so all the rest is still proven.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from service.findings import Named, redacted


def shown(bodies: Sequence[bytes], hashes: Sequence[bytes], published: Iterable[Named]) -> list[bytes]:
    """The bodies, and for each that tells a finding which is not published its hash in hex."""
    known = list(published)
    return [
        body if redacted([body], known) == [body] else hash_.hex().encode()
        for body, hash_ in zip(bodies, hashes, strict=False)
    ]
