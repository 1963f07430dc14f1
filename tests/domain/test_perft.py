"""Counts of legal calls and legal cards from fixed positions, the game's perft.

The numbers are pinned, and counted a second time by a few lines that know the rules and nothing of this code.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence

import pytest

from domain.auction import legal_calls
from domain.cards import CARDS, cards_of
from domain.entries import Call, Play
from domain.game import Auction, Playing, turn_to_call
from domain.refusal import Refusal
from domain.session import Session, decide, record
from domain.tricks import legal_cards
from tests.spoken import four_hands, seated

LADDER = ["5", "6", "7", "LM", "8", "9", "GM", "10", "11", "LS", "12", "GS", "13"]


def offered(session: Session) -> Iterator[Call | Play]:
    """What the seat on turn may enter now; nothing once the auction or the deal is over."""
    game = session.game
    if isinstance(game, Auction):
        turn = turn_to_call(game.base, game.deal)
        yield from (Call(seat=turn, call=call) for call in legal_calls(game))
    elif isinstance(game, Playing):
        yield from (Play(seat=game.turn, card=card) for card in cards_of(legal_cards(game, game.turn)))


def perft(session: Session, depth: int) -> int:
    """How many sequences of that many legal entries there are; an ended auction or deal ends its sequence."""
    moves = list(offered(session))
    if depth == 1:
        assert not any(isinstance(decide(session, move), Refusal) for move in moves)
        return len(moves)
    count = 0
    for move in moves:
        taken = record(session, move)
        assert not isinstance(taken, Refusal)
        count += perft(taken[0], depth - 1)
    return count


def auctions(depth: int, may_name: bool = True, known: Sequence[int] = (1, 2)) -> int:
    """The same count for the auction: a bid is its (place on the ladder, level), a pass is nothing."""
    ascending = [
        (place, level)
        for place, contract in enumerate(LADDER)
        for level in (0, 1, 2)
        if not level or (contract.isdigit() and level in known)
    ]

    def count(calls: list[tuple[int, int] | None], left: int) -> int:
        bids = [call for call in calls if call is not None]
        if len(calls) >= 4 and not any(calls[-3:]) and (bids or len(calls) == 4):
            return 0
        if bids and bids[-1] == (len(LADDER) - 1, 2):
            return 0
        passed = None in calls[len(calls) % 4 :: 4]
        legal: list[tuple[int, int] | None] = [None]
        for bid in ascending:
            numeric = LADDER[bid[0]].isdigit()
            keeps = bool(bids) and bids[-1][0] == bid[0]
            if (not bids or bid > bids[-1]) and not (numeric and passed) and (may_name or not bid[1] or keeps):
                legal.append(bid)
        return len(legal) if left == 1 else sum(count([*calls, call], left - 1) for call in legal)

    return count([], depth)


CALLS = [32, 527, 5_952, 51_832]
CALLS_BY_KEEPS = [14, 123, 838, 4_812]
CALLS_WITHOUT_PREFERENCES = [14, 105, 560, 2_380]


@pytest.mark.parametrize(
    ("ruleset", "opened", "counts", "counted"),
    [
        ("american-decimal", "preference 5H; deal", CALLS, auctions),
        ("boston-whist", "preference 5H; deal", CALLS_BY_KEEPS, lambda depth: auctions(depth, may_name=False)),
        ("american-decimal", "deal", CALLS_WITHOUT_PREFERENCES, lambda depth: auctions(depth, known=())),
    ],
    ids=["american", "keeps only", "unknown suits"],
)
def test_calls(ruleset: str, opened: str, counts: list[int], counted: Callable[[int], int]) -> None:
    session = seated(ruleset).then(opened).session
    for depth, count in enumerate(counts, start=1):
        assert counted(depth) == count
        assert perft(session, depth) == count


def shuffled(seed: int) -> list[list[str]]:
    """Four hands from a pack shuffled by a seed."""
    pack = list(CARDS)
    random.Random(seed).shuffle(pack)
    return [sorted(pack[13 * place : 13 * place + 13]) for place in range(4)]


def plays(hands: list[list[str]], trumps: str, depth: int) -> int:
    """The same count for the play of known hands, the first seat leading."""

    def strength(card: str, led: str) -> int:
        rank = "23456789TJQKA".index(card[0])
        return rank + (100 if card[1] == trumps else 50 if card[1] == led else 0)

    def count(held: list[list[str]], leader: int, trick: list[str], left: int) -> int:
        if len(trick) == 4:
            best = max(trick, key=lambda card: strength(card, trick[0][1]))
            leader, trick = (leader + trick.index(best)) % 4, []
        seat = (leader + len(trick)) % 4
        follow = [card for card in held[seat] if trick and card[1] == trick[0][1]]
        legal = follow or held[seat]
        if left == 1:
            return len(legal)
        return sum(
            count(
                [[c for c in hand if c != card] if place == seat else hand for place, hand in enumerate(held)],
                leader,
                [*trick, card],
                left - 1,
            )
            for card in legal
        )

    return count(hands, 0, [], depth)


CARDS_OF_SEED = {
    1: [13, 37, 115, 340, 4_080, 11_518],
    2: [13, 34, 106, 326, 3_912, 10_992],
    3: [13, 38, 120, 348, 4_176, 12_224],
}


@pytest.mark.parametrize(("seed", "counts"), CARDS_OF_SEED.items(), ids=str)
def test_cards(seed: int, counts: list[int]) -> None:
    hands = shuffled(seed)
    session = seated().then(four_hands(*map(",".join, hands)) + "; contract N 9 H").session
    assert [plays(hands, "H", depth) for depth in range(1, 7)] == counts
    assert [perft(session, depth) for depth in range(1, 7)] == counts


def test_cards_unknown() -> None:
    session = seated().then("contract N 9 H").session
    assert [perft(session, depth) for depth in (1, 2)] == [52, 52 * 51]
    one = seated().then("deal E:" + ",".join(shuffled(1)[1]) + "; contract N 9 H").session
    # N may hold any of the 39 that E does not; E follows with what it has, or is free.
    lengths = {suit: sum(card[1] == suit for card in shuffled(1)[1]) for suit in "SHDC"}
    assert perft(one, 1) == 39
    assert perft(one, 2) == sum((13 - length) * (length or 13) for length in lengths.values())
