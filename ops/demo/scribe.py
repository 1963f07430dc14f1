"""The recorder: writes down what a table said, now and then wrongly, and mends it in the ways of the record format.

A slip changes nothing of the game. What is undone or withdrawn was acceptable when it was entered: a card
that nobody had played yet by the seat on turn, a pass, two cards of one trick typed the wrong way round.
"""

from collections.abc import Sequence
from random import Random

from msgspec.structs import replace

from domain import entries
from domain.cards import CARDS
from domain.entries import AnyEntry
from ops.demo.habits import Slips


class Scribe:
    """Numbers what it writes, because an undo names its target."""

    def __init__(self, rng: Random, slips: Slips) -> None:
        self.rng, self.slips = rng, slips
        self.written: list[AnyEntry] = []

    def write(self, said: Sequence[AnyEntry]) -> None:
        """Writes a part of the evening: the opening, a deal or the end."""
        safe = not any(isinstance(entry, entries.Deal) and entry.hands is not None for entry in said)
        played: set[str] = set()
        at = 0
        while at < len(said):
            entry = said[at]
            if isinstance(entry, entries.Play) and safe and not entry.irregular:
                at += self._play(said, at, entry, played)
            elif isinstance(entry, entries.Call):
                at += self._call(said, at, entry)
            else:
                if isinstance(entry, entries.Resolve):
                    # The dispute was written right before; its number here is another than without slips.
                    entry = replace(entry, dispute=len(self.written))
                self.written.append(entry)
                at += 1
            if isinstance(entry, entries.Play):
                played.add(entry.card)

    def _play(self, said: Sequence[AnyEntry], at: int, entry: entries.Play, played: set[str]) -> int:
        """Writes one card, or two that were typed the wrong way round; how many entries that took."""
        chance, slips = self.rng.random(), self.slips
        if chance < slips.wrong_card:
            wrong = self.rng.choice(CARDS)
            if wrong != entry.card and wrong not in played and not _exposed(said):
                self.written.append(entries.Play(seat=entry.seat, card=wrong))
                self._undo()
        elif chance < slips.wrong_card + slips.swapped:
            following = said[at + 1] if at + 1 < len(said) else None
            if len(played) % 4 < 2 and isinstance(following, entries.Play) and not following.irregular:
                if not _exposed(said):
                    self.written.append(entries.Play(seat=entry.seat, card=following.card))
                    self.written.append(entries.Play(seat=following.seat, card=entry.card))
                    self._withdraw(len(self.written) - 1)
                self.written += (entry, following)
                played.add(following.card)
                return 2
        self.written.append(entry)
        if chance > 1 - slips.undone_for_nothing:
            self._undo()
            self.written.append(entries.Redo(target=len(self.written) - 1))
        return 1

    def _call(self, said: Sequence[AnyEntry], at: int, entry: entries.Call) -> int:
        chance = self.rng.random()
        if chance < self.slips.wrong_call and entry.call != "pass":
            self.written.append(entries.Call(seat=entry.seat, call="pass"))
            self._undo()
        elif chance < self.slips.missed_pass and entry.call == "pass" and _opens(said, at):
            # The first pass was missed, so the next call was typed for the seat that had passed.
            bid = said[at + 1]
            if isinstance(bid, entries.Call) and bid.call != "pass":
                self.written.append(entries.Call(seat=entry.seat, call=bid.call))
                self._withdraw(len(self.written))
        self.written.append(entry)
        return 1

    def _undo(self) -> None:
        self.written.append(entries.Undo(target=len(self.written)))

    def _withdraw(self, start: int) -> None:
        self.written.append(entries.Withdraw(start=start))


def _opens(said: Sequence[AnyEntry], at: int) -> bool:
    """Is this the first call of the auction?"""
    return at + 1 < len(said) and not isinstance(said[at - 1], entries.Call)


def _exposed(said: Sequence[AnyEntry]) -> bool:
    """Does a hand lie open, so that a wrong card would be noticed at once?"""
    return any(isinstance(entry, entries.Expose) for entry in said)
