"""Tricks: whose turn it is, which cards may be played, who wins (rules 25 to 27)."""

from itertools import chain

from domain.cards import BIT, PACK, RANK, SUIT_CARDS
from domain.game import PlayAt, Playing
from domain.seats import LEFT, Seat


def trick_winner(plays: tuple[PlayAt, ...], trumps: str | None) -> Seat:
    """The highest trump wins, otherwise the highest card of the led suit (rule 27).

    Of two equal cards, which only an irregular play can bring, the earlier stands.
    """
    led = plays[0].card[1]
    best, best_strength = plays[0].seat, -1
    for play in plays:
        suit = play.card[1]
        strength = RANK[play.card] + 20 if suit == trumps else RANK[play.card] if suit == led else -1
        if strength > best_strength:
            best, best_strength = play.seat, strength
    return best


def next_in_trick(trick: tuple[PlayAt, ...]) -> Seat:
    """Who plays next to an unfinished trick: clockwise from its leader, the first seat that has not played."""
    seat, played = LEFT[trick[0].seat], [play.seat for play in trick]
    while seat in played:
        seat = LEFT[seat]
    return seat


def trumps_of(game: Playing) -> str | None:
    """The trump suit, where there is one."""
    return game.contract.trumps if game.contract is not None else None


def hidden_discard(game: Playing, seat: Seat) -> int:
    """1 if the seat has laid aside a card that nobody saw, so that one card of its known hand may be gone."""
    if game.exposed is not None and game.contract is not None and seat == game.contract.caller:
        return 0
    return sum(1 for discard in game.discards if discard.seat == seat and discard.card is None)


def must_follow(game: Playing, seat: Seat) -> int:
    """The held cards of the led suit that the seat is known to have to follow with (rule 26); no bits if none."""
    held = game.deal.hands[seat]
    if held is None or not game.trick:
        return 0
    following = held & ~game.played & SUIT_CARDS[game.trick[0].card[1]]
    return following if following.bit_count() > hidden_discard(game, seat) else 0


def legal_cards(game: Playing, seat: Seat) -> int:
    """The cards that the seat may play as far as is known: all that it may still hold, narrowed by rule 26."""
    hands = game.deal.hands
    held = hands[seat]
    if held is None:
        elsewhere = (hands.N or 0) | (hands.E or 0) | (hands.S or 0) | (hands.W or 0)
        return PACK & ~(game.played | elsewhere | discarded(game))
    return must_follow(game, seat) or held & ~game.played


def discarded(game: Playing) -> int:
    """The cards that are known to lie aside."""
    bits = 0
    for discard in game.discards:
        if discard.card is not None:
            bits |= BIT[discard.card]
    return bits


def plays_of(game: Playing) -> list[PlayAt]:
    """All cards played in the deal so far, in the order they fell."""
    return [*chain.from_iterable([trick.plays for trick in game.done]), *game.trick]


def cards_left(game: Playing, seat: Seat, of: int) -> int:
    """How many of its `of` cards a seat has not played; after totals were entered, by the number of tricks."""
    if game.reported:
        return of - sum(game.tricks)
    return of - [play.seat for play in plays_of(game)].count(seat)
