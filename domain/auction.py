"""The auction: which calls are legal, and when it is over (rules 17 to 23)."""

from domain.events import AuctionWon
from domain.game import Auction, preferences, turn_to_call
from domain.ladder import BIDS, Bid, format_bid, numeric, rank
from domain.refusal import Refusal, refuse
from domain.seats import Seat

HIGHEST = BIDS[-1]


def standing_bid(game: Auction) -> tuple[Seat, Bid] | None:
    """The call that stands and who made it, if anyone has called."""
    return next(((call.seat, call.bid) for call in reversed(game.deal.calls) if call.bid is not None), None)


def check_call(game: Auction, seat: Seat, bid: Bid | None) -> Refusal | None:
    """Why a seat may not make this call now; nothing where it may. No bid is a pass."""
    turn = turn_to_call(game.base, game.deal)
    if seat != turn:
        return refuse("call_out_of_turn", 17, f"it is {turn}'s turn to call, not {seat}'s", seat=seat, turn=turn)
    if bid is None:
        return None
    text = format_bid(bid)
    stands = standing_bid(game)
    if bid.preference is not None:
        if not numeric(bid.contract):
            return refuse("misere_cannot_be_kept", 21, f"{bid.contract} carries no suit and cannot be kept", call=text)
        if game.base.rules.naming == "keeps_only" and (stands is None or stands[1].contract != bid.contract):
            return refuse(
                "preference_needs_keep",
                18,
                f"{text} names a preference, which here only keeps a {bid.contract} already called",
                call=text,
            )
        if preferences(game.base, game.deal)[0 if bid.preference == "first" else 1] is None:
            return refuse(
                "preference_unknown",
                8,
                f"{text} claims the {bid.preference} preference, and that suit is not known yet",
                call=text,
            )
    if numeric(bid.contract) and _has_passed(game, seat):
        return refuse(
            "numeric_after_pass",
            22,
            f"{seat} has passed and may only come back with a higher misère or spread, not with {text}",
            seat=seat,
            call=text,
        )
    if stands is not None and rank(bid) <= rank(stands[1]):
        same = bid.contract == stands[1].contract and numeric(bid.contract)
        return refuse(
            "call_too_low",
            19 if same else 12,
            f"{text} does not outrank {format_bid(stands[1])}, called by {stands[0]}",
            call=text,
            standing=format_bid(stands[1]),
        )
    return None


def legal_calls(game: Auction) -> tuple[str, ...]:
    """Every call that the seat on turn may make, the pass first, then ascending."""
    turn, stands = turn_to_call(game.base, game.deal), standing_bid(game)
    first, second = preferences(game.base, game.deal)
    # All that `check_call` asks of the table when the seat on turn calls.
    situation = (
        stands[1] if stands is not None else None,
        _has_passed(game, turn),
        game.base.rules.naming,
        first is not None,
        second is not None,
    )
    legal = _LEGAL.get(situation)
    if legal is None:
        calls = ("pass", *(format_bid(bid) for bid in BIDS if check_call(game, turn, bid) is None))
        legal = _LEGAL[situation] = calls
    return legal


_LEGAL: dict[tuple[object, ...], tuple[str, ...]] = {}
"""The legal calls in each situation that has come up; there are some four hundred."""


def _has_passed(game: Auction, seat: Seat) -> bool:
    return any(call.seat == seat and call.bid is None for call in game.deal.calls)


def all_passed(game: Auction) -> bool:
    """Did all four pass (rule 44)?"""
    return len(game.deal.calls) == 4 and standing_bid(game) is None


def auction_won(game: Auction) -> AuctionWon | None:
    """The end of an auction that someone has won, if it has ended (rule 23)."""
    stands = standing_bid(game)
    if stands is None:
        return None
    caller, bid = stands
    if bid != HIGHEST and any(call.bid is not None for call in game.deal.calls[-3:]):
        return None
    return AuctionWon(caller=caller, contract=bid.contract, preference=bid.preference)
