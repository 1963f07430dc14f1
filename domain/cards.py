"""Cards of one 52-card pack: rank then suit, `TC`, `AH` (rules 2 and 3).

A card travels as its two-letter text. A set of cards is an `int` with one bit a card, so that
"held and not yet played" is a single `&` on the hot path of a fold.
"""

from collections.abc import Iterable
from functools import cache

from domain.text import Malformed

SUITS = "SHDC"
RANKS = "23456789TJQKA"
CARDS: tuple[str, ...] = tuple(rank + suit for suit in SUITS for rank in RANKS)

BIT: dict[str, int] = {card: 1 << place for place, card in enumerate(CARDS)}
RANK: dict[str, int] = {card: RANKS.index(card[0]) for card in CARDS}
SUIT_CARDS: dict[str, int] = {suit: sum(BIT[rank + suit] for rank in RANKS) for suit in SUITS}
PACK = (1 << len(CARDS)) - 1
_SUIT = (1 << len(RANKS)) - 1

SUIT_NAMES = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
SAME_COLOUR = {"S": "C", "C": "S", "H": "D", "D": "H"}

_GLYPHS = str.maketrans({"♠": "S", "♥": "H", "♦": "D", "♣": "C", "♤": "S", "♡": "H", "♢": "D", "♧": "C"})


def parse_card(text: str) -> str:
    """The two-letter form of `TC`, `10C`, `tc`, `♣10` or `C10`; raises `Malformed` for anything else."""
    if text in BIT:
        return text
    plain = text.strip().translate(_GLYPHS).upper().replace("10", "T")
    if plain in BIT:
        return plain
    if plain[::-1] in BIT:
        return plain[::-1]
    raise Malformed(f"{text!r} is not a card; a card is rank then suit, such as TC or AH")


def parse_suit(text: str) -> str:
    """`S`, `H`, `D` or `C`, from the letter or the glyph; raises `Malformed` for anything else."""
    plain = text.strip().translate(_GLYPHS).upper()
    if plain in SUIT_CARDS:
        return plain
    raise Malformed(f"{text!r} is not a suit; a suit is S, H, D or C")


def card_set(cards: Iterable[str]) -> int:
    """The set of some cards, as bits."""
    bits = 0
    for card in cards:
        bits |= BIT[card]
    return bits


def cards_of(bits: int) -> tuple[str, ...]:
    """The cards of a set, spades first and low to high within a suit."""
    spades, hearts, diamonds, clubs = bits & _SUIT, bits >> 13 & _SUIT, bits >> 26 & _SUIT, bits >> 39 & _SUIT
    return _of_suit(0, spades) + _of_suit(1, hearts) + _of_suit(2, diamonds) + _of_suit(3, clubs)


@cache
def _of_suit(place: int, bits: int) -> tuple[str, ...]:
    """The cards of one suit, by its place in `SUITS` and a bit for each rank: 8192 sets a suit at most."""
    return tuple(card for at, card in enumerate(CARDS[13 * place : 13 * place + 13]) if bits >> at & 1)
