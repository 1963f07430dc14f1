"""What a demo's deals look like in numbers: contracts by rule set, how many were made, and how deals ended."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from domain.entries import AnyEntry
from domain.game import Unopened
from domain.ladder import LADDER, Contract
from domain.refusal import Refusal
from domain.session import initial, record

LOW: tuple[Contract, ...] = ("5", "6", "7")
"""The contracts that most auctions end in."""


@dataclass(slots=True)
class Tally:
    """Counts of one rule set."""

    sessions: int = 0
    entries: Counter[str] = field(default_factory=Counter)
    outcomes: Counter[str] = field(default_factory=Counter)
    played: Counter[Contract] = field(default_factory=Counter)
    made: Counter[Contract] = field(default_factory=Counter)
    conceded: int = 0
    findings: Counter[str] = field(default_factory=Counter)

    @property
    def deals(self) -> int:
        """All deals, those that did not count included."""
        return self.outcomes.total()

    def share(self, contract: Contract) -> float:
        """How many of the contracts were this one."""
        return self.played[contract] / max(1, self.played.total())

    def failed(self, contracts: Iterable[Contract] = LADDER) -> float:
        """How many of some contracts failed, all together."""
        played = sum(self.played[contract] for contract in contracts)
        return 1 - sum(self.made[contract] for contract in contracts) / max(1, played)


def tally(evenings: Iterable[Iterable[AnyEntry]]) -> dict[str, Tally]:
    """Folds some records and counts them by rule set; raises `ValueError` with the first entry that is refused."""
    tallies: dict[str, Tally] = {}
    for number, evening in enumerate(evenings, start=1):
        session = initial()
        kinds: Counter[str] = Counter()
        for entry in evening:
            taken = record(session, entry)
            if isinstance(taken, Refusal):
                raise ValueError(f"evening {number}, entry {session.number + 1}: {taken.message}")
            session = taken[0]
            kinds[str(entry.__struct_config__.tag)] += 1
        if isinstance(session.game, Unopened):
            raise ValueError(f"evening {number} has no entry")
        base = session.game.base
        counted = tallies.setdefault(base.rules.id, Tally())
        counted.sessions += 1
        counted.entries += kinds
        counted.findings.update(finding.kind for finding in base.findings)
        for row in base.rows:
            counted.outcomes[row.outcome] += 1
            counted.conceded += row.conceded
            if row.contract is not None:
                counted.played[row.contract] += 1
                counted.made[row.contract] += row.outcome == "made"
    return tallies
