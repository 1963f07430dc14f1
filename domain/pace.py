"""Pace: entries that came faster than a hand can make them, and deals much quicker or slower than the evening's others.

Times are data: whoever has a log says when each entry was made, by one clock, in seconds from any moment. Only what
was entered at the table counts; what a correction put in has no pace.
"""

from collections.abc import Sequence
from itertools import groupby
from operator import attrgetter

from domain.events import FindingMade
from domain.value import Value

KINDS = frozenset({"entries_at_once", "deal_quick", "deal_slow"})
"""What these checks find."""

AT_ONCE = 8
"""So many entries within a second are no recording at the table; passes are often entered a few at a time."""
TIMES = 4
"""A deal is unusual whose entries take so many times longer, or shorter, than those of the other deals."""
LEAST_ENTRIES = 12
"""A deal entered by its result has no pace of its own."""
LEAST_DEALS = 4


class Timed(Value, frozen=True):
    """An entry in force with the line of its deal on the score sheet, and when it was made, in seconds."""

    number: int
    line: int
    at: float


class Pace:
    """The pace of an evening, whose entries pass in their order."""

    def __init__(self) -> None:
        self._entries: list[Timed] = []
        self._any_at_once = False

    def passes(self, entry: Timed) -> None:
        """The next entry."""
        entries = self._entries
        entries.append(entry)
        if len(entries) >= AT_ONCE and entry.at - entries[-AT_ONCE].at < 1:
            self._any_at_once = True

    def findings(self, upto: int | None = None) -> list[FindingMade]:
        """What is unusual in all of it, or in the deals up to a line."""
        entries = self._entries if upto is None else [one for one in self._entries if one.line <= upto]
        at_once = _at_once(entries) if self._any_at_once else []
        return at_once + _unlike_the_others(entries)


def _at_once(entries: Sequence[Timed]) -> list[FindingMade]:
    """Runs of entries of which each has enough others within the same second."""
    found: list[FindingMade] = []
    begin = 0
    while begin < len(entries):
        end = begin
        while end + 1 < len(entries) and 0 <= entries[end + 1].at - entries[begin].at < 1:
            end += 1
        if end + 1 - begin >= AT_ONCE:
            run = entries[begin : end + 1]
            text = f"{len(run)} entries, from {run[0].number} to {run[-1].number}, were made within a second"
            found.append(FindingMade(kind="entries_at_once", entries=tuple(one.number for one in run), text=text))
            begin = end
        begin += 1
    return found


def _unlike_the_others(entries: Sequence[Timed]) -> list[FindingMade]:
    deals = [list(deal) for _, deal in groupby(entries, key=attrgetter("line"))]
    paces = [
        (deal, (deal[-1].at - deal[0].at) / (len(deal) - 1))
        for deal in deals
        if len(deal) >= LEAST_ENTRIES and deal[-1].at > deal[0].at
    ]
    found: list[FindingMade] = []
    if len(paces) < LEAST_DEALS:
        return found
    for deal, pace in paces:
        usual = _median([other for told, other in paces if told is not deal])
        kind = "deal_slow" if pace > TIMES * usual else "deal_quick" if TIMES * pace < usual else None
        if kind is not None:
            text = f"{pace:.1f} seconds an entry in line {deal[0].line}, where the evening's others take {usual:.1f}"
            found.append(FindingMade(kind=kind, entries=(deal[0].number, deal[-1].number), text=text))
    return found


def _median(values: list[float]) -> float:
    ordered, middle = sorted(values), len(values) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2
