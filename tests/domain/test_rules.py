"""Rules 1 to 46 one by one, in `american-decimal`: each test would fail without its rule."""

from __future__ import annotations

import itertools

import pytest

from domain.cards import CARDS, RANKS
from domain.events import (
    AuctionWon,
    CardPlayed,
    ContributionMade,
    DealSettled,
    FindingMade,
    FinePaid,
    PartoutBegun,
    PoolsDivided,
    SettlementReversed,
)
from domain.game import Abandoned, Auction, BetweenDeals, Closed, Discarding, Exposing, Finished, Naming, Playing, phase
from domain.ladder import numeric, wanted
from domain.rulesets import AMERICAN_DECIMAL
from domain.seats import LEFT, SEATS, clockwise
from tests.domain.rulebook import proves
from tests.spoken import Table, four_hands, say, seated

SUITS_APART = four_hands(*(",".join(rank + suit for rank in RANKS) for suit in "SHDC"))
"""N has all the spades, E the hearts, S the diamonds, W the clubs: without trumps the leader wins every trick."""


def rounds(*ranks: str) -> str:
    """Tricks led by N, in which every seat plays its card of a rank from `SUITS_APART`."""
    return "; ".join(f"play {seat} {rank}{suit}" for rank in ranks for seat, suit in zip(SEATS, "SHDC", strict=True))


def called(text: str, dealer: str = "W") -> Table:
    """A table with both preferences known (hearts, then diamonds), its hands dealt unseen, and these calls made."""
    turns = clockwise(LEFT[dealer])  # type: ignore[index]
    calls = "; ".join(f"call {turns[place % 4]} {call}" for place, call in enumerate(text.split()))
    return seated(dealer=dealer).then(f"preference 5H; deal; {calls}")


def won(caller: str, contract: str, tricks: int) -> str:
    """A contract with the tricks that its caller won, the next seat winning all the others of a whole deal."""
    whole = 12 if contract in ("LM", "LS") else 13
    shares = {caller: tricks, LEFT[caller]: whole - tricks}  # type: ignore[index]
    totals = " ".join(str(shares.get(seat, 0)) for seat in SEATS)
    return f"contract {caller} {contract}{' S' if numeric(contract) else ''}; tricks {totals}"  # type: ignore[arg-type]


def paid(text: str, table: Table | None = None) -> dict[str, int]:
    """What each seat gets by the settlement that a told deal leads to."""
    return dict((table or seated()).then(text).last(DealSettled).deltas.items())


@proves(1)
def test_one_caller_plays_against_three() -> None:
    for caller in SEATS:
        deltas = paid(won(caller, "9", 8))
        assert {deltas[seat] for seat in SEATS if seat != caller} == {35}
    twice = '{"N":"Ann","E":"Ann","S":"Cal","W":"Dan"}'
    Table().refuses(f"open american-decimal seats={twice}", "player_twice", 1)


@proves(2)
def test_a_pack_has_each_card_once() -> None:
    assert len(set(CARDS)) == 52
    twice = SUITS_APART.replace("E:2H", "E:2S")
    seated().refuses(twice, "card_twice", 2)
    seated().then("cut E still; cut S dealt")
    table = seated().then("contract N LM; discard N 4H")
    table.refuses("discard E 4H", "card_twice", 2)


@proves(3)
def test_the_ace_is_highest_and_the_two_lowest() -> None:
    descending = "AKQJT98765432"
    for higher, lower in itertools.pairwise(descending):
        for suit in "SHDC":
            table = seated().then(f"contract partout; play N {lower}{suit}; play E {higher}{suit}")
            others = [card for card in CARDS if card[1] not in suit][:2]
            table.then(f"play S {others[0]}; play W {others[1]}")
            assert table.last(CardPlayed).winner == "E"


@proves(4)
def test_packs_are_shuffled_once() -> None:
    table = seated().then("shuffle; contract partout; tricks 4 4 4 1")
    assert table.findings() == []
    table.then("shuffle still")
    assert table.findings() == ["shuffled_again"]
    assert table.last(FindingMade).rule == 4


@proves(5)
def test_the_deal_passes_left_after_each_completed_deal() -> None:
    table = Table("open american-decimal; first_dealer S")
    dealers = [table.base.dealer]
    for _ in range(4):
        table.then("contract partout; tricks 4 4 4 1")
        dealers.append(table.base.dealer)
    assert dealers == ["S", "W", "N", "E", "S"]
    Table("open american-decimal").refuses("deal", "not_now", 5)


@proves(6)
def test_thirteen_cards_each_in_batches() -> None:
    table = seated()
    table.refuses(SUITS_APART.replace("E:2H,", "E:"), "wrong_count", 6)
    table.then(SUITS_APART)
    place, dealt = 1, {seat: [] for seat in SEATS}
    for batch in AMERICAN_DECIMAL.batches:
        for seat in clockwise("N"):
            dealt[seat] += range(place, place + batch)
            place += batch
    assert dealt["N"] == [1, 2, 3, 4, 17, 18, 19, 20, 33, 34, 35, 36, 37]
    assert dealt["E"] == [5, 6, 7, 8, 21, 22, 23, 24, 38, 39, 40, 41, 42]
    assert dealt["S"] == [9, 10, 11, 12, 25, 26, 27, 28, 43, 44, 45, 46, 47]
    assert dealt["W"] == [13, 14, 15, 16, 29, 30, 31, 32, 48, 49, 50, 51, 52]


@proves(7)
def test_the_player_opposite_the_dealer_cuts_the_still_pack() -> None:
    assert seated(dealer="W").then("cut E still").findings() == []
    for wrong in "NSW":
        table = seated(dealer="W").then(f"cut {wrong} still")
        assert table.findings() == ["wrong_cutter"]
        assert (table.last(FindingMade).rule, table.last(FindingMade).seat) == (7, wrong)


@proves(8)
def test_the_exposed_suit_is_first_preference_and_its_colour_the_second() -> None:
    for exposed, second in ("S", "C"), ("C", "S"), ("H", "D"), ("D", "H"):
        table = seated().then(
            f"preference 9{exposed}; deal; call N 7/2; call E 7/1; call S pass; call W pass; call N pass"
        )
        table.refuses(f"trumps {second}", "trumps_bound", 24)
        table.then(f"trumps {exposed}")
        table = seated().then(f"preference 9{exposed}; contract N 7 second")
        table.refuses(f"trumps {exposed}", "trumps_bound", 24)
        table.then(f"trumps {second}")
    # Preferences rank calls; they do not make trumps, and the last card turned before the calls counts.
    table = seated().then("preference 9S; preference 9H; contract N 7 first; trumps H")
    assert isinstance(table.game, Playing)
    seated().then("deal").refuses("call N 7/1", "preference_unknown", 8)


@proves(9)
def test_dealers_right_cuts_with_four_cards_in_each_packet() -> None:
    assert seated(dealer="W").then("cut S").findings() == []
    assert seated(dealer="W").then("cut S dealt at=4; cut S dealt at=48").findings() == []
    for wrong in "NEW":
        table = seated(dealer="W").then(f"cut {wrong}")
        assert (table.last(FindingMade).kind, table.last(FindingMade).rule) == ("wrong_cutter", 9)
    for at in 3, 49:
        with pytest.raises(ValueError, match="Expected `int`"):
            say(f"cut S at={at}")


@proves(10)
def test_everyone_starts_with_1000_and_contributes_10() -> None:
    table = Table("open american-decimal")
    assert list(table.balances) == [990] * 4
    assert table.pool == (0, 40)
    table.then("first_dealer W")
    for _ in range(3):
        table.then(won("N", "13", 12))
    assert table.balances["N"] < 0


@proves(11)
def test_balances_and_pools_add_up_to_4000() -> None:
    table = seated()
    misses = ";".join([won("N", "8", 6)] * 5)
    told = f"{misses}; {won('E', 'LM', 1)}; {won('S', '9', 9)}; {won('W', '7', 0)}; deal; misdeal; deal; cancel; cancel"
    for line in told.split(";")[:-1]:
        table.then(line)
        full, left = table.pool
        assert sum(table.balances) + 250 * full + left == 4000, line


@proves(12)
def test_the_ladder_ascends() -> None:
    ladder = ["5", "6", "7", "LM", "8", "9", "GM", "10", "11", "LS", "12", "GS", "13"]
    for place, lower in enumerate(ladder):
        for higher in ladder[place + 1 :]:
            called(f"{lower} {higher}")
            called(higher).refuses(f"call E {lower}", "call_too_low", 12)


@proves(13)
def test_a_number_needs_that_many_tricks() -> None:
    for number in range(5, 14):
        made = seated().then(won("N", str(number), number)).last(DealSettled)
        assert (made.outcome, made.shortfall) == ("made", 0)
        failed = seated().then(won("N", str(number), number - 1)).last(DealSettled)
        assert (failed.outcome, failed.shortfall) == ("failed", 1)


@proves(14)
def test_little_misere_has_twelve_tricks_without_trumps() -> None:
    table = called("pass LM pass pass pass")
    assert isinstance(table.game, Discarding)
    table.then("discard W; discard N; discard S; discard E")
    table.then(rounds(*"23456789TJQ"))
    assert isinstance(table.game, Playing)
    table.then(rounds("K"))
    settled = table.last(DealSettled)
    assert (settled.outcome, settled.trumps, sum(settled.tricks)) == ("made", None, 12)
    seated().then("contract E LM").refuses("tricks 13 0 0 0", "tricks_cannot_be", 29)


@proves(15)
def test_grand_misere_has_thirteen_tricks_and_no_discard() -> None:
    table = called("pass GM pass pass pass")
    assert isinstance(table.game, Playing)
    table.then(rounds(*"23456789TJQK"))
    assert isinstance(table.game, Playing)
    table.then(rounds("A"))
    settled = table.last(DealSettled)
    assert (settled.outcome, settled.trumps, sum(settled.tricks)) == ("made", None, 13)
    seated().then("contract E GM").refuses("tricks 12 0 0 0", "tricks_cannot_be", 29)


@proves(16)
def test_a_spread_lies_open_before_the_opening_lead() -> None:
    hearts = [rank + "H" for rank in RANKS]
    table = seated().then("contract E LS; discard N; discard E; discard S; discard W")
    assert isinstance(table.game, Exposing)
    table.refuses(f"expose E {','.join(hearts)}", "wrong_count", 6)
    table.refuses(f"expose N {','.join(hearts[1:])}", "not_the_caller", 16)
    table.refuses("play N AS", "not_now", 28)
    table.then(f"expose E {','.join(hearts[1:])}; play N AS")
    table = seated().then("contract E GS")
    assert isinstance(table.game, Exposing)
    table.refuses(f"expose E {','.join(hearts[1:])}", "wrong_count", 6)
    table.then(f"expose E {','.join(hearts)}; play N AS; play E AH")


@proves(17)
def test_dealers_left_speaks_first_then_clockwise() -> None:
    for dealer in SEATS:
        table = seated(dealer=dealer).then("deal")
        for seat in clockwise(LEFT[dealer]):
            for other in SEATS:
                if other != seat:
                    table.refuses(f"call {other} pass", "call_out_of_turn", 17)
            table.then(f"call {seat} pass")


@proves(18)
def test_a_number_may_name_its_preference_from_the_start() -> None:
    for call in "5", "5/2", "5/1", "13", "13/2":
        called(call)


@proves(19)
def test_bare_then_second_then_first() -> None:
    called("6").refuses("call E 6", "call_too_low", 19)
    called("6 6/2").refuses("call S 6/2", "call_too_low", 19)
    called("6 6/2").refuses("call S 6", "call_too_low", 19)
    called("6 6/1").refuses("call S 6/2", "call_too_low", 19)
    called("6 6/2 6/1 LM")
    called("6 6/1 7")


@proves(20)
def test_keeping_over_at_once_and_keeping_ones_own() -> None:
    called("6 6/1")
    table = called("6 6/2 pass pass 6/1 pass pass pass")
    won = table.last(AuctionWon)
    assert (won.caller, won.contract, won.preference) == ("N", "6", "first")


@proves(21)
def test_a_misere_or_spread_cannot_be_kept() -> None:
    for contract in "LM", "GM", "LS", "GS":
        for keep in "2", "1":
            called(contract).refuses(f"call E {contract}/{keep}", "misere_cannot_be_kept", 21)


@proves(22)
def test_who_has_passed_comes_back_only_with_a_misere() -> None:
    table = called("pass 6 pass pass")
    table.refuses("call N 7", "numeric_after_pass", 22)
    table.refuses("call N 6/2", "numeric_after_pass", 22)
    table.then("call N LM; call E 8; call S pass; call W pass")
    table.refuses("call N 9", "numeric_after_pass", 22)
    table.then("call N GM")


@proves(23)
def test_the_auction_ends() -> None:
    assert isinstance(called("5 pass pass").game, Auction)
    assert isinstance(called("5 pass pass pass").game, Naming)
    assert isinstance(called("pass pass pass").game, Auction)
    assert isinstance(called("pass pass pass pass").game, Playing)
    assert isinstance(called("13/2").game, Auction)
    assert isinstance(called("13/1").game, Naming)
    # Nobody overcalls himself: after three passes his call stands, so he is never asked again.
    assert called("pass 5 pass pass pass").last(AuctionWon).caller == "E"


@proves(24)
def test_a_preference_binds_the_trumps_and_a_bare_call_does_not() -> None:
    for suit in "SHDC":
        assert isinstance(called("7 pass pass pass").then(f"trumps {suit}").game, Playing)
        if suit != "D":
            called("7/2 pass pass pass").refuses(f"trumps {suit}", "trumps_bound", 24)
        if suit != "H":
            called("7/1 pass pass pass").refuses(f"trumps {suit}", "trumps_bound", 24)
    called("7/2 pass pass pass").then("trumps D")
    called("7/1 pass pass pass").then("trumps H")
    called("7 pass pass pass").refuses("play N AS", "not_now", 24)


@proves(25)
def test_dealers_left_leads_in_every_contract() -> None:
    for dealer in SEATS:
        for contract in "7 H", "GM":
            table = seated(dealer=dealer).then(f"contract S {contract}")
            for seat in SEATS:
                if seat != LEFT[dealer]:
                    table.refuses(f"play {seat} AS", "out_of_turn", 25)
            table.then(f"play {LEFT[dealer]} AS")


@proves(26)
def test_follow_suit_if_able() -> None:
    table = seated().then(four_hands("AS,KH", "3H,2S", "4H") + "; contract N 7 C; play N AS")
    table.refuses("play E 3H", "revoke", 26)
    table.then("play E 2S")
    # W is void, and neither has to trump nor to overtake.
    table = seated().then(SUITS_APART + "; contract N 7 C; play N 2S; play E 2H; play S AD; play W AC")
    table.then("play W KC")
    table.refuses("play N 2S", "already_played", 26)
    seated().then(SUITS_APART + "; contract N 7 C").refuses("play N AH", "not_held", 26)


@proves(27)
def test_the_highest_trump_wins_else_the_highest_of_the_led_suit() -> None:
    def winner(trumps: str, *cards: str) -> str:
        table = seated().then(f"contract N 13 {trumps}" if trumps else "contract partout")
        table.then("; ".join(f"play {seat} {card}" for seat, card in zip(SEATS, cards, strict=True)))
        return str(table.last(CardPlayed).winner)

    assert winner("H", "9S", "AS", "2H", "KS") == "S"
    assert winner("H", "9S", "3H", "2H", "KS") == "E"
    assert winner("H", "9S", "AD", "AC", "TS") == "W"
    assert winner("", "9S", "AH", "AD", "AC") == "N"
    table = seated().then("contract N 7 H; play N 2S; play E 3S; play S 4S; play W 5S")
    table.refuses("play N AS", "out_of_turn", 27)
    table.then("play W AS")


@proves(28)
def test_discards_are_final_and_come_before_the_lead() -> None:
    table = seated().then("contract E LM; discard S; discard N; discard W")
    table.refuses("play N AS", "not_now", 28)
    table.refuses("discard N 3S", "discarded_already", 28)
    table.then("discard E 2H; play N AS")
    table.refuses("discard N", "not_now", 25)
    # A little spread is laid down after all four discards, a grand one at once.
    assert isinstance(seated().then("contract E LS; discard S; discard N; discard W").game, Discarding)
    assert isinstance(seated().then("contract E GS").game, Exposing)


@proves(29)
def test_a_number_ends_with_its_last_trick_and_fails_only_at_the_end() -> None:
    table = seated().then(SUITS_APART + "; contract N 5 S; " + rounds(*"AKQJ"))
    assert isinstance(table.game, Playing)
    table.then(rounds("T"))
    assert (table.last(DealSettled).outcome, sum(table.last(DealSettled).tricks)) == ("made", 5)
    assert paid(won("N", "5", 13)) == paid(won("N", "5", 5))
    # E cannot make 12 any more after the second trick lost, and it is played on.
    table = seated().then(SUITS_APART + "; contract E 12 S; " + rounds(*"AKQJT98765432"[:12]))
    assert isinstance(table.game, Playing)
    table.then(rounds("2"))
    assert table.last(DealSettled).shortfall == 12
    seated().then("contract N 7 S").refuses("tricks 6 3 3 0", "tricks_cannot_be", 29)


@proves(30)
def test_a_misere_ends_with_its_callers_first_trick() -> None:
    for contract in "GM", "LM":
        table = seated().then(f"contract N {contract}")
        if contract == "LM":
            table.then("discard N; discard E; discard S; discard W")
        table.then(rounds("7"))
        assert table.last(DealSettled).outcome == "failed"
        assert sum(table.last(DealSettled).tricks) == 1


@proves(31)
def test_a_thirteen_stops_at_its_first_lost_trick_or_is_played_out() -> None:
    lost = "contract E 13 S; play N AS; play E 2S; play S 3S; play W 4S"
    stopped = seated().then(lost)
    assert (stopped.last(DealSettled).outcome, stopped.last(DealSettled).shortfall) == ("failed", 1)
    out = '{"slam_after_failure":"play_out"}'
    played = seated(open_with=f"options={out}").then(lost)
    assert isinstance(played.game, Playing)
    played.then("tricks 4 9 0 0")
    assert played.last(DealSettled).shortfall == 4
    # Stopped after the third trick: the ten that were not played do not count as lost.
    assert seated().then("contract E 13 S; tricks 1 2 0 0").last(DealSettled).shortfall == 1


@proves(32)
def test_remaining_cards_are_shown_after_an_early_end_and_suit_is_verified() -> None:
    table = seated().then("contract N GM; play N AS; play E 2H; play S 3S; play W 4S")
    table.refuses("show E:5S,6S", "wrong_count", 6)
    table.then("show E:" + ",".join(["9S", *[rank + "H" for rank in "3456789TJQK"]]))
    found = table.last(FindingMade)
    assert (found.kind, found.seat, found.cards, found.rule) == ("revoke", "E", ("9S",), 26)
    assert found.entries == (5, 8)
    seated().then("contract partout; tricks 4 4 4 1").refuses("show N:AS", "nothing_to_show", 32)


@proves(33)
def test_a_misdeal_costs_10_and_is_dealt_again() -> None:
    table = seated(dealer="S").then("preference 4H; deal; misdeal")
    assert table.last(FinePaid).amount == 10
    assert list(table.balances) == [990, 990, 980, 990]
    assert (table.pool, table.base.dealer, table.base.counted) == ((0, 50), "S", 0)
    assert [row.outcome for row in table.base.rows] == ["misdeal"]
    # Also when full pools exist it goes into the open one.
    for contract in "GM", "GM", "GM":
        table.then(won("N", contract, 1))
    full, left = table.pool
    assert full == 1
    table.then("deal; misdeal")
    assert table.pool == (full, left + 10)
    table.then("deal; contract N 7 S; play S AS")
    table.refuses("misdeal", "card_played", 33)


@proves(34)
def test_all_four_cancel_a_deal_until_the_next_begins() -> None:
    table = seated().then("deal; misdeal")
    table.then(won("N", "8", 6))
    table.refuses("cancel N E S", "not_all_agreed", 34)
    table.then("cancel")
    assert table.last(SettlementReversed).deltas["N"] == 35 * 3 + 50
    assert list(table.balances) == [990, 990, 990, 980]
    assert (table.pool, table.base.dealer, table.base.counted) == ((0, 50), "W", 0)
    assert [row.outcome for row in table.base.rows] == ["misdeal", "cancelled"]
    table.then(won("N", "8", 6)).then("deal; call E pass; cancel")
    assert table.base.counted == 1
    assert table.base.rows[-1].outcome == "cancelled"
    table.refuses("cancel", "nothing_to_cancel", 34)


SUCCESS = {5: 10, 6: 15, 7: 20, 8: 25, 9: 35, 10: 45, 11: 65, 12: 105, 13: 170}
FAILURE = {
    5: "10 20 30 40 50",
    6: "15 25 35 45 55 65",
    7: "20 30 40 50 60 70 80",
    8: "25 35 45 55 70 85 100 115",
    9: "35 45 55 65 80 95 110 125 140",
    10: "45 55 70 80 95 110 125 140 155 170",
    11: "70 80 95 110 125 140 155 170 185 200 220",
    12: "120 130 145 160 180 200 220 240 260 280 300 320",
    13: "180 200 220 240 260 280 300 320 340 360 390 420 450",
}
MISERE = {"LM": 20, "GM": 40, "LS": 80, "GS": 160}
PLAY_OUT = 'options={"slam_after_failure":"play_out"}'


@proves(35)
def test_success_table() -> None:
    for number, amount in SUCCESS.items():
        deltas = paid(won("N", str(number), number))
        assert [deltas[seat] for seat in "ESW"] == [-amount] * 3
        assert deltas["N"] == 3 * amount + 40


@proves(36)
def test_failure_table() -> None:
    for number, amounts in FAILURE.items():
        for short, amount in enumerate(map(int, amounts.split()), start=1):
            deltas = paid(won("N", str(number), number - short), seated(open_with=PLAY_OUT))
            assert [deltas[seat] for seat in "ESW"] == [amount] * 3, (number, short)
            assert deltas["N"] == -3 * amount - 40


@proves(37)
def test_misere_table_won_or_lost_and_any_trumps_cost_the_same() -> None:
    for contract, amount in MISERE.items():
        assert paid(won("N", contract, 0))["E"] == -amount
        assert paid(won("N", contract, 1))["E"] == amount
    for suit in "SHDC":
        assert paid(f"contract N 7 {suit}; tricks 7 0 0 0")["E"] == -20


@proves(38)
def test_every_success_wins_a_pool_unless_5_or_6_was_conceded() -> None:
    for contract in ["5", "6", "7", "LM", "8", "9", "GM", "10", "11", "LS", "12", "GS", "13"]:
        tricks = wanted(contract) if numeric(contract) else 0  # type: ignore[arg-type]
        assert seated().then(won("N", contract, tricks)).last(DealSettled).pool_paid == -40
        said = f"contract N {contract}{' S' if numeric(contract) else ''}; concede E; concede S; concede W"  # type: ignore[arg-type]
        taken = 0 if contract in "56" else -40
        assert seated().then(said).last(DealSettled).pool_paid == taken


@proves(39)
def test_every_failure_doubles_the_pool() -> None:
    for contract in ["5", "6", "7", "LM", "8", "9", "GM", "10", "11", "LS", "12", "GS", "13"]:
        tricks = wanted(contract) - 1 if numeric(contract) else 1  # type: ignore[arg-type]
        table = seated().then(won("N", contract, tricks))
        assert table.last(DealSettled).pool_paid == 40
        assert table.pool == (0, 80)


FIVE = "contract N 5 H; "
FIRST_TRICK = "play N AH; play E 2H; play S 3H; play W 4H; "


@proves(40)
def test_i_pay_until_ones_own_card_to_trick_2() -> None:
    ended = seated().then(FIVE + FIRST_TRICK + "concede E; play N KH; play E 5H; concede S; play S 6H; concede W")
    settled = ended.last(DealSettled)
    assert (settled.outcome, settled.conceded, settled.price, settled.pool_paid) == ("made", True, 10, 0)
    assert settled.tricks is None
    dead = seated().then(FIVE + FIRST_TRICK + "concede E; play N KH; play E 5H")
    dead.refuses("concede E", "already_conceded", 40)
    dead.then("play S 6H").refuses("concede W", "concession_dead", 40)
    dead.refuses("concede N", "caller_cannot_concede", 40)
    # A defender who leads to trick 2 kills it as well, and the caller's own card never does.
    table = seated().then(FIVE + "play N 2H; play E AH; play S 3H; play W 4H; play E KH")
    table.refuses("concede S", "concession_dead", 40)
    called("5 pass pass pass").refuses("concede E", "trumps_not_named", 40)
    seated().then(FIVE + FIRST_TRICK + "play N KH; concede E; concede S; concede W")


@proves(41)
def test_from_7_up_the_defenders_concede_at_any_time() -> None:
    played = FIRST_TRICK + "play N KH; play E 5H; play S 6H; play W 7H; "
    for contract in "7 H", "GM":
        table = seated().then(f"contract E {contract}; " + played + "concede N; concede S; concede W")
        settled = table.last(DealSettled)
        assert (settled.outcome, settled.conceded, settled.pool_paid) == ("made", True, -40)
    two = seated().then("contract E 7 H; " + played + "concede N; concede S")
    assert isinstance(two.game, Playing)
    two.refuses("concede N", "already_conceded", 41)
    seated().then("contract partout").refuses("concede N", "no_concession_in_partout", 41)
    seated().then("contract E LM; concede N; concede S; concede W")


@proves(42)
def test_a_pool_holds_250_and_full_ones_are_won_and_doubled_first() -> None:
    table = seated()
    for pool in (0, 80), (0, 160), (1, 70), (2, 70), (3, 70):
        table.then(won("N", "5", 4))
        assert table.pool == pool
    assert table.last(DealSettled).pool_paid == 250
    table.then(won("N", "5", 5))
    assert (table.last(DealSettled).pool_paid, table.pool) == (-250, (2, 70))
    for pool in (1, 70), (0, 70), (0, 40):
        table.then(won("N", "5", 5))
        assert table.pool == pool
    # A pool that reaches exactly 250 is full.
    table = seated(open_with='options={"start":1000,"stake":60}')
    assert table.pool == (0, 240)
    assert table.then("deal; misdeal").pool == (1, 0)


@proves(43)
def test_everyone_contributes_again_when_no_pool_remains() -> None:
    table = seated(open_with='options={"deals":2}').then(won("N", "7", 7))
    assert table.last(ContributionMade).why == "pool_empty"
    assert (table.pool, table.balances["E"]) == ((0, 40), 990 - 20 - 10)
    table.then(won("N", "7", 7))
    assert isinstance(table.game, Finished)
    assert table.pool == (0, 0)
    full = seated().then(won("N", "5", 4) + ";" + won("N", "5", 4) + ";" + won("N", "5", 4))
    assert full.pool == (1, 70)
    full.then(won("N", "5", 5))
    assert full.pool == (0, 70)
    # A full pool alone is a pool too.
    alone = seated(open_with='options={"stake":60}').then("deal; misdeal;" + won("N", "5", 4))
    assert alone.pool == (2, 0)
    assert alone.then(won("N", "5", 5)).pool == (1, 0)
    assert alone.then(won("N", "5", 5)).pool == (0, 240)


@proves(44)
def test_four_passes_make_a_misere_partout() -> None:
    table = called("pass pass pass pass")
    assert isinstance(table.last(PartoutBegun), PartoutBegun)
    assert isinstance(table.game, Playing)
    table.then(rounds(*"23456789TJQK"))
    assert isinstance(table.game, Playing)
    table.then(rounds("A"))
    settled = table.last(DealSettled)
    assert (settled.outcome, dict(settled.tricks.items())) == ("misere_partout", {"N": 13, "E": 0, "S": 0, "W": 0})
    assert (table.pool, table.base.counted, table.base.dealer) == ((0, 40), 1, "N")
    seated().then("contract partout").refuses("tricks 4 4 4 0", "tricks_cannot_be", 44)


@proves(45)
def test_what_a_partout_costs() -> None:
    assert paid("contract partout; tricks 7 3 2 1") == {"N": -150, "E": 40, "S": 50, "W": 60}
    assert paid("contract partout; tricks 5 5 1 2") == {"N": -35, "E": -35, "S": 40, "W": 30}
    assert paid("contract partout; tricks 4 1 4 4") == {"N": -10, "E": 30, "S": -10, "W": -10}
    assert paid("contract partout; tricks 0 0 13 0") == {"N": 130, "E": 130, "S": -390, "W": 130}


@proves(46)
def test_the_pools_are_divided_after_twelve_deals_or_an_early_end() -> None:
    table = seated()
    for _ in range(11):
        table.then("contract partout; tricks 4 4 4 1")
    assert isinstance(table.game, BetweenDeals)
    table.refuses("close", "not_now", 46)
    table.then("contract partout; tricks 4 4 4 1")
    table.refuses("deal", "not_now", 46)
    table.then("close")
    assert isinstance(table.game, Closed)
    assert (table.game.final["W"], table.game.winners) == (990 + 12 * 30 + 10, ("W",))
    # Quarters are exact, also the halves of a pool that four does not divide, and a tie stands.
    early = seated().then("contract partout; tricks 5 5 1 2; deal; misdeal").then("end")
    assert isinstance(early.game, Closed)
    assert early.last(PoolsDivided).share == 12.5
    assert list(early.game.final) == [957.5, 967.5, 1042.5, 1032.5]
    tied = seated().then("contract partout; tricks 13 0 0 0; end")
    assert (phase(tied.game), tied.game.winners) == ("ended", ("E", "S", "W"))  # type: ignore[union-attr]
    seated().refuses("end", "no_deal_counted", 46)
    seated().then("contract partout; tricks 13 0 0 0; deal; call E pass").refuses("end", "deal_under_way", 46)
    void = seated().then("deal; abandon")
    assert isinstance(void.game, Abandoned)
    void.refuses("deal", "not_now", 46)
