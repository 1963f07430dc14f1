"""A bot at the table: who it is, what it thinks of a hand, and what it therefore calls.

The weights are fitted to 25,000 numeric and 8,000 misère hands that the bots of `ops.demo.play` played
out from random deals: over the whole range the tricks expected are the tricks won, give or take one, and
a misère thought to be good for 60 in 100 is made about that often.
"""

import math
from dataclasses import dataclass, field
from random import Random

from domain.auction import check_call, standing_bid
from domain.cards import BIT, SUIT_CARDS, SUITS
from domain.game import Auction, Contracted, preferences
from domain.ladder import Bid, Contract, discards, format_bid, numeric, rank, wanted
from domain.seats import Seat
from ops.demo.hand import SUIT_BITS, greatest, rank_of

_OWN_WORTH = {"A": 1.37, "K": 0.95, "Q": 0.64, "J": 0.38}
_SIDE_WORTH = {"A": (1.07, 1), "K": (0.79, 2), "Q": (0.33, 3)}
"""What a high card outside trumps is worth, and in how many cards it has to stand for that."""
_OWN_HONOURS = {suit: tuple((BIT[rank + suit], worth) for rank, worth in _OWN_WORTH.items()) for suit in SUITS}
_SIDE_HONOURS = {suit: tuple((BIT[rank + suit], *worth) for rank, worth in _SIDE_WORTH.items()) for suit in SUITS}
_TRUMP, _LONG_TRUMP, _SHORT, _LONG_SIDE, _NOTHING = 0.96, 0.11, 0.42, 0.38, -3.49
_SPREAD = 1.0
"""Standard deviation of the tricks won about the tricks expected."""

_LADDER_OF_FEAR = ((0, 0.23), (2, 0.195), (4, 0.145), (7, 0.11))
"""For a suit's lowest card, second lowest and so on: the rank that is safe there, and what each above it costs."""
_NERVE_FOR = {"LM": 2.43, "GM": 2.4, "LS": 1.7, "GS": 1.6}
_ASKED = {"GS": 0.85, "LS": 0.8, "GM": 0.65, "LM": 0.6}
"""How sure an ordinary player wants to be of a misère or spread, the dearest first."""
_HOPELESS = 4.0


@dataclass(frozen=True, slots=True)
class Bot:
    """A player: `boldness` is how little certainty is enough for a call, the other two are chances of an error."""

    name: str
    boldness: float = 0.0
    misjudges: float = 0.75
    """Standard deviation, in tricks, of the error in judging a hand."""
    careless: float = 0.03
    """How often a card is played without a thought."""


@dataclass(slots=True)
class Outlook:
    """What a seat thinks of its hand, before the auction."""

    tricks: dict[str, float] = field(default_factory=dict)
    """The tricks expected with each suit as trumps."""
    misere: dict[Contract, float] = field(default_factory=dict)
    """The chance of taking none, where it is worth a thought."""


def tricks_expected(hand: int, trumps: str) -> float:
    """How many of 13 tricks a hand is worth against three, with a suit as trumps."""
    own = (hand & SUIT_CARDS[trumps]).bit_count()
    worth = _NOTHING + _TRUMP * own + (_LONG_TRUMP * (own - 5) if own > 5 else 0)
    for bit, value in _OWN_HONOURS[trumps]:
        if hand & bit:
            worth += value
    for suit in SUITS:
        if suit == trumps:
            continue
        held = (hand & SUIT_CARDS[suit]).bit_count()
        if held < 2:
            worth += _SHORT * (2 - held)
        elif held > 4:
            worth += _LONG_SIDE * (held - 4)
        for bit, value, guarded in _SIDE_HONOURS[suit]:
            if held >= guarded and hand & bit:
                worth += value
    return worth


def fear(hand: int) -> float:
    """How dangerous a hand is to whoever must take no trick; 0 is none at all."""
    felt = 0.0
    for suit in SUIT_BITS:
        cards = hand & suit
        for safe, cost in _LADDER_OF_FEAR:
            if not cards:
                break
            over = rank_of(cards & -cards) - safe
            if over > 0:
                felt += cost * over
            cards &= cards - 1
    return felt


def least_fear_without(hand: int) -> tuple[int, float]:
    """The card to lay aside for a misère, and how dangerous the rest is."""
    best, least = 0, math.inf
    cards = hand
    while cards:
        bit = cards & -cards
        cards ^= bit
        if (felt := fear(hand ^ bit)) <= least:
            best, least = bit, felt
    return best, least


def laid_aside(hand: int, caller: bool) -> int:
    """The card that a seat discards: the caller of a misère his worst, a defender his highest."""
    return least_fear_without(hand)[0] if caller else greatest(hand)


def look(bot: Bot, hand: int, rng: Random) -> Outlook:
    """A bot's own view of a hand, its errors of judgement included."""
    error = rng.gauss(0.0, bot.misjudges)
    outlook = Outlook({suit: tricks_expected(hand, suit) + error for suit in SUITS})
    whole = fear(hand)
    if whole < _HOPELESS + 1.5:
        rest = least_fear_without(hand)[1]
        for contract in _ASKED:
            felt = (rest if discards(contract) else whole) + error * 0.3  # type: ignore[arg-type]
            if felt < _HOPELESS:
                chance = 1 / (1 + math.exp(felt - _NERVE_FOR[contract]))
                outlook.misere[contract] = chance  # type: ignore[index]
    return outlook


def chance(expected: float, least: int) -> float:
    """The chance of at least so many tricks, where so many are expected."""
    return 0.5 * (1 + math.erf((expected - least + 0.5) / (_SPREAD * math.sqrt(2))))


def call(game: Auction, seat: Seat, bot: Bot, outlook: Outlook, rng: Random) -> str:
    """What the bot calls on its turn: the best number or misère it trusts itself with, or a pass."""
    stands = standing_bid(game)
    number = _number(game, seat, bot, outlook, rng)
    for contract, asked in _ASKED.items():
        trusted = outlook.misere.get(contract, 0.0)  # type: ignore[call-overload]
        bid = Bid(contract)  # type: ignore[arg-type]
        if trusted < asked - bot.boldness or (stands is not None and rank(bid) <= rank(stands[1])):
            continue
        if number is None or trusted > number[1]:
            return contract
    return format_bid(number[0]) if number else "pass"


def _number(game: Auction, seat: Seat, bot: Bot, outlook: Outlook, rng: Random) -> tuple[Bid, float] | None:
    """The numeric bid that a hand is good for now, and how sure of it the bot is."""
    rules = game.base.rules
    suit = max(SUITS, key=lambda suit: outlook.tricks[suit])
    expected = outlook.tricks[suit]
    if expected < 4 or any(said.seat == seat and said.bid is None for said in game.deal.calls):
        return None
    first, second = preferences(game.base, game.deal)
    claims = (None, *(("second",) if suit == second else ()), *(("first",) if suit == first else ()))
    stands = standing_bid(game)
    for tricks in range(5, 14):
        sure = chance(expected, tricks)
        low = str(tricks) in rules.low_contracts
        asked = 0.4 - bot.boldness + (0.12 if low and not rules.low_contract_pool else 0.0)
        if sure < asked:
            return None
        if low and not rules.low_contract_pool and chance(expected, 7) > 0.55 - bot.boldness:
            # Nothing but the tariff is won under seven, and the pool is lost all the same.
            continue
        if tricks < 13 and chance(expected, tricks + 1) > 0.93 and rng.random() < 0.6:
            continue
        named = claims[::-1] if rules.naming == "with_call" and rng.random() < 0.35 else claims
        for claim in named:
            bid = Bid(str(tricks), claim)  # type: ignore[arg-type]
            if (stands is None or rank(bid) > rank(stands[1])) and check_call(game, seat, bid) is None:
                return bid, sure
    return None


def trumps_for(outlook: Outlook) -> str:
    """The suit that a caller who is bound to none names."""
    return max(SUITS, key=lambda suit: outlook.tricks[suit])


def gives_up(caller: Outlook, contract: Contracted, rng: Random) -> bool:
    """Does a defender think that the caller cannot be stopped, as he may well think when it is so?"""
    if not numeric(contract.contract):
        return rng.random() < 0.03
    sure = chance(caller.tricks[contract.trumps or "S"], wanted(contract.contract))
    return rng.random() < (0.55 if sure > 0.93 else 0.03)
