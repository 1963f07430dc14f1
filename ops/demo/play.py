"""Which card a bot plays: plain sense and no memory but the cards that lie quitted and who was void.

A bot sees its own hand and what lies open. The caller of a number draws trumps and cashes what is high; the
defenders stand against him together. Whoever must take no trick plays as high as he can without
winning, and the defenders of a misère stay under the caller.
"""

from domain.cards import BIT, PACK, SUIT_CARDS, SUITS
from domain.game import Playing, void_bit
from domain.ladder import numeric
from domain.seats import Seat
from ops.demo.hand import SUIT_BITS, above, greatest, highest, lowest, smallest, suit_of, suits

_SUIT_LETTER = dict(zip(SUIT_BITS, SUITS, strict=True))


def choose(game: Playing, seat: Seat, hand: int) -> int:
    """The card, as a bit, that the seat on turn plays from the cards still in its hand."""
    trick = game.trick
    if trick:
        follow = hand & SUIT_CARDS[trick[0].card[1]]
        legal = follow or hand
    else:
        follow, legal = 0, hand
    if legal & (legal - 1) == 0:
        return legal
    contract = game.contract
    if contract is None:
        return _shun(game, hand, legal, follow) if trick else _lead_low(game, hand)
    caller = contract.caller
    if not numeric(contract.contract):
        if seat == caller:
            return _shun(game, hand, legal, follow) if trick else _lead_low(game, hand)
        return _give(game, legal, follow, caller) if trick else _lead_at(game, hand, caller)
    trumps = SUIT_CARDS[contract.trumps or "S"]
    if seat == caller:
        return _win(game, hand, legal, follow, trumps) if trick else _lead_to_win(game, hand, trumps)
    return _defend(game, hand, legal, follow, trumps, caller) if trick else _lead_against(game, hand, trumps, caller)


def best_so_far(game: Playing, trumps: int) -> tuple[Seat, int]:
    """Who is winning the unfinished trick, and with which card."""
    first = game.trick[0]
    seat, best = first.seat, BIT[first.card]
    for play in game.trick[1:]:
        bit = BIT[play.card]
        if (bit > best and bit & suit_of(best)) or (bit & trumps and not best & trumps):
            seat, best = play.seat, bit
    return seat, best


def beating(cards: int, best: int, trumps: int) -> int:
    """The cards of a set that would win over the best one so far."""
    over = cards & suit_of(best) & above(best)
    return over if best & trumps else over | cards & trumps


def is_high(game: Playing, bit: int, hand: int) -> bool:
    """Is no higher card of the suit still out?"""
    return not suit_of(bit) & above(bit) & ~game.played & ~hand


def _win(game: Playing, hand: int, legal: int, follow: int, trumps: int) -> int:
    _, best = best_so_far(game, trumps)
    winning = beating(legal, best, trumps)
    if not winning:
        return _throw_away(legal, trumps)
    if not follow or len(game.trick) == 3:
        return lowest(winning)
    top = highest(winning)
    if len(game.trick) == 2 or is_high(game, top, hand):
        return top
    return lowest(follow)


def _defend(game: Playing, hand: int, legal: int, follow: int, trumps: int, caller: Seat) -> int:
    winner, best = best_so_far(game, trumps)
    winning = beating(legal, best, trumps)
    caller_has_played = any(play.seat == caller for play in game.trick)
    if not winning or (caller_has_played and winner != caller):
        return _throw_away(legal, trumps)
    if caller_has_played:
        return lowest(winning) if not follow or len(game.trick) == 3 else _least_that_holds(game, winning, hand)
    if not follow:
        return _throw_away(legal, trumps) if is_high(game, best, hand) and not best & trumps else lowest(winning)
    top = highest(winning)
    if is_high(game, top, hand) or len(game.trick) == 2:
        return top
    return lowest(follow)


def _least_that_holds(game: Playing, winning: int, hand: int) -> int:
    top = highest(winning)
    return top if is_high(game, top, hand) else lowest(winning)


def _throw_away(legal: int, trumps: int) -> int:
    return smallest(legal & ~trumps or legal)


def _lead_to_win(game: Playing, hand: int, trumps: int) -> int:
    own = hand & trumps
    out = trumps & ~game.played & ~hand
    high = [top for cards in suits(hand & ~trumps) if is_high(game, top := highest(cards), hand)]
    if own and out:
        if is_high(game, highest(own), hand):
            return highest(own)
        if own.bit_count() >= 4 or (high and own.bit_count() >= out.bit_count()):
            return lowest(own) if own.bit_count() > 4 else highest(own)
    if high:
        return high[0]
    side = suits(hand & ~trumps)
    if side and own.bit_count() < 5:
        return lowest(max(side, key=int.bit_count))
    return highest(own) if own else smallest(hand)


def _lead_against(game: Playing, hand: int, trumps: int, caller: Seat) -> int:
    side = [
        cards
        for cards in suits(hand & ~trumps)
        if not game.voids & void_bit(caller, _SUIT_LETTER[suit_of(cards & -cards)])
    ]
    for cards in side:
        if is_high(game, highest(cards), hand):
            return highest(cards)
    if side:
        return lowest(max(side, key=int.bit_count))
    return _throw_away(hand, trumps)


def _shun(game: Playing, hand: int, legal: int, follow: int) -> int:
    """Takes no trick if it can be helped: the highest card under the best one, or the most dangerous one thrown."""
    if not follow:
        return max((highest(cards) for cards in suits(hand)), key=lambda top: _danger(game, top, hand))
    _, best = best_so_far(game, 0)
    if under := follow & ~above(best):
        return highest(under)
    return highest(follow) if len(game.trick) == 3 else lowest(follow)


def _danger(game: Playing, top: int, hand: int) -> int:
    """How many cards still out stand under a suit's highest card, less what is held under it for shelter."""
    out = suit_of(top) & ~above(top) & ~game.played & ~hand
    return 2 * out.bit_count() - (hand & suit_of(top)).bit_count()


def _lead_low(game: Playing, hand: int) -> int:
    """The lead that most likely loses: a suit's lowest with the most cards out above and the fewest below."""

    def risk(low: int) -> int:
        out = suit_of(low) & ~game.played & ~hand
        over = out & above(low)
        return 2 * (out & ~over).bit_count() - 3 * min(3, over.bit_count())

    return min((lowest(cards) for cards in suits(hand)), key=risk)


def _give(game: Playing, legal: int, follow: int, caller: Seat) -> int:
    """Leaves the trick to the caller of a misère: under his card, or as low as can be before he has played."""
    if not follow:
        return greatest(legal)
    winner, best = best_so_far(game, 0)
    if not any(play.seat == caller for play in game.trick):
        return lowest(follow)
    if winner != caller:
        return highest(follow)
    under = follow & ~above(best)
    return highest(under) if under else highest(follow)


def _lead_at(game: Playing, hand: int, caller: Seat) -> int:
    """A lead that the caller of a misère may not get under; his hand counts where it lies open."""
    shown = game.deal.hands[caller] if game.exposed else None
    theirs = PACK & ~game.played & ~hand if shown is None else shown & ~game.played

    def hope(low: int) -> int:
        suit = suit_of(low)
        if game.voids & void_bit(caller, _SUIT_LETTER[suit]) or not theirs & suit:
            return -100 - low.bit_length() % 13
        over = (theirs & suit & above(low)).bit_count()
        under = (theirs & suit).bit_count() - over
        return over - 3 * under

    return max((lowest(cards) for cards in suits(hand)), key=hope)
