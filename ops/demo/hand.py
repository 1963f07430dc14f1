"""A hand as its player looks at it: bits of `domain.cards`, the lowest, the highest, what stands above."""

from random import Random

from domain.cards import CARDS, RANKS, SUIT_CARDS, SUITS
from domain.seats import SEATS, Seat

SUIT_BITS = tuple(SUIT_CARDS[suit] for suit in SUITS)
_LOW_RANKS = tuple(sum(1 << rank << place * len(RANKS) for place in range(len(SUITS))) for rank in range(len(RANKS)))


def dealt(rng: Random) -> dict[Seat, int]:
    """Thirteen cards for each chair, from a pack in random order."""
    pack = list(range(len(CARDS)))
    rng.shuffle(pack)
    return {seat: sum(1 << place for place in pack[13 * at : 13 * at + 13]) for at, seat in enumerate(SEATS)}


def card(bit: int) -> str:
    """The text of a set of one card."""
    return CARDS[bit.bit_length() - 1]


def suit_of(bit: int) -> int:
    """The whole suit that a card is of."""
    return SUIT_BITS[(bit.bit_length() - 1) // len(RANKS)]


def rank_of(bit: int) -> int:
    """A card's rank, 0 for a two to 12 for an ace."""
    return (bit.bit_length() - 1) % len(RANKS)


def lowest(cards: int) -> int:
    """The lowest card of a set within one suit."""
    return cards & -cards


def highest(cards: int) -> int:
    """The highest card of a set within one suit."""
    return 1 << cards.bit_length() - 1


def above(bit: int) -> int:
    """Every card that stands higher in the pack's order, so with a suit's bits: the higher ones of that suit."""
    return ~((bit << 1) - 1)


def smallest(cards: int) -> int:
    """A card of the lowest rank in a set of any suits."""
    for same_rank in _LOW_RANKS:
        if found := cards & same_rank:
            return found & -found
    raise ValueError("there is no lowest card in an empty set")


def greatest(cards: int) -> int:
    """A card of the highest rank in a set of any suits."""
    for same_rank in reversed(_LOW_RANKS):
        if found := cards & same_rank:
            return found & -found
    raise ValueError("there is no highest card in an empty set")


def suits(cards: int) -> list[int]:
    """The cards of a set, parted by suit; empty suits are left out."""
    return [found for suit in SUIT_BITS if (found := cards & suit)]
