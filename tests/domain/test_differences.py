"""Where `boston-whist` and `russian` differ from `american-decimal`, one test a row of the table."""

from __future__ import annotations

from domain.events import ContributionMade, DealSettled, DealThrownIn, FindingMade, FinePaid, PoolsDivided, RevokeRuled
from domain.game import BetweenDeals, Closed, Discarding, Exposing, Finished, Playing
from domain.rulesets import RULESETS
from domain.seats import SEATS
from tests.domain.rulebook import proves
from tests.domain.test_rules import FAILURE, MISERE, PLAY_OUT, SUCCESS, paid, won
from tests.spoken import Table, seated

OTHERS = ("boston-whist", "russian")
AMERICAN, WHIST, RUSSIAN = "american-decimal", *OTHERS


@proves("packs")
def test_packs() -> None:
    for two in AMERICAN, WHIST:
        seated(two).then("cut E still")
    seated(RUSSIAN).refuses("cut E still", "no_still_pack", 2)
    seated(RUSSIAN).refuses("shuffle still", "no_still_pack", 2)
    seated(RUSSIAN).then("cut S dealt")


@proves("deal")
def test_batches() -> None:
    batches = {name: rules.batches for name, rules in RULESETS.items()}
    assert batches == {AMERICAN: (4, 4, 5), WHIST: (4, 4, 5), RUSSIAN: (3, 3, 3, 3, 1)}


@proves("shuffle, cut")
def test_shuffling_and_cutting() -> None:
    for ruleset, found in (AMERICAN, ["shuffled_again"]), (WHIST, ["shuffled_again"]), (RUSSIAN, []):
        table = seated(ruleset).then("contract N 7 S; tricks 7 0 0 0; shuffle; cut W")
        assert table.findings() == found
        table = seated(ruleset, "W").then("cut N")
        assert (table.findings(), table.last(FindingMade).rule) == (["wrong_cutter"], 9)


@proves("first dealer")
def test_the_first_dealer_is_cut_for_ace_low() -> None:
    assert {name: rules.first_dealer for name, rules in RULESETS.items()} == {
        AMERICAN: "lot",
        WHIST: "lot",
        RUSSIAN: "cut",
    }
    opened = Table(f"open {RUSSIAN}")
    opened.refuses('first_dealer N cards={"N":"2S","E":"AH","S":"KD","W":"KC"}', "cut_disagrees", 5)
    opened.refuses('first_dealer N cards={"N":"2S","E":"2H","S":"KD","W":"KC"}', "cut_tied", 5)
    opened.then('first_dealer E cards={"N":"2S","E":"AH","S":"KD","W":"KC"}')
    assert opened.base.dealer == "E"


@proves("preferences")
def test_preferences_stand_for_the_session() -> None:
    table = seated(RUSSIAN).then("preference 5S; deal")
    table.refuses("preference 6H", "preference_opened", 8)
    table.then("call N 7/1").refuses("call E 8/2", "preference_unknown", 8)
    # A redeal counts; the same suit again leaves the junior unknown, the next different one is it.
    table.then("misdeal; preference 9S; deal").refuses("call E 8/2", "preference_unknown", 8)
    table.then("misdeal; preference 2H; deal; call S 8/2; call W pass; call N pass; call E pass")
    table.refuses("trumps C", "trumps_bound", 24)
    table.then("trumps H; tricks 1 1 8 3")
    table.refuses("preference 3D", "preferences_known", 8)
    table.then("deal; call W 5/1; call N pass; call E pass; call S pass")
    table.refuses("trumps H", "trumps_bound", 24)
    # In the other two every deal has its own, and the second is the suit of the same colour.
    for ruleset in AMERICAN, WHIST:
        table = seated(ruleset).then("preference 5S; contract N 7 second; trumps C; tricks 7 0 0 0")
        table.then("preference 5H; contract N 7 second").refuses("trumps C", "trumps_bound", 24)
        # The card stands for a redeal.
        seated(ruleset).then("preference 5S; deal; misdeal; contract N 7 second; trumps C")


@proves("within a number")
def test_bare_then_second_then_first_everywhere() -> None:
    for ruleset in OTHERS:
        table = seated(ruleset).then("preference 5S; deal; call N 6")
        if ruleset == RUSSIAN:
            table = seated(ruleset).then(
                "preference 5S; deal; misdeal; preference 5H; deal; call E 6; call S 6/2; call W 6/1"
            )
            table.refuses("call N 6/2", "call_too_low", 19)
        else:
            table.then("call E 6/2; call S 6/1").refuses("call W 6/2", "call_too_low", 19)


@proves("suit with the call")
def test_naming_a_suit_with_the_call() -> None:
    seated(AMERICAN).then("preference 5S; deal; call N 6/1")
    seated(RUSSIAN).then("preference 5S; deal; call N 6/1")
    table = seated(WHIST).then("preference 5S; deal")
    table.refuses("call N 6/1", "preference_needs_keep", 18)
    table.then("call N 6").refuses("call E 7/2", "preference_needs_keep", 18)
    table.then("call E 6/2; call S 6/1")


@proves("re-entry")
def test_reentry_with_a_misere() -> None:
    for ruleset in OTHERS:
        table = seated(ruleset).then("deal; call N pass; call E 6; call S pass; call W pass")
        table.refuses("call N 7", "numeric_after_pass", 22)
        table.then("call N LM")


@proves("all pass")
def test_all_pass() -> None:
    passes = "deal; call N pass; call E pass; call S pass; call W pass"
    assert isinstance(seated(AMERICAN).then(passes).game, Playing)
    whist, russian = seated(WHIST).then(passes), seated(RUSSIAN).then(passes)
    assert (whist.pool, russian.pool) == ((0, 40), (0, 80))
    for table in whist, russian:
        assert isinstance(table.game, BetweenDeals)
        assert table.base.dealer == "N"
    assert (whist.last(DealThrownIn).fine, russian.last(DealThrownIn).fine) == (0, 10)
    assert list(russian.balances) == [100] * 4
    # The pool is carried: the next deal pays its own stake on top, also where it is reported by its result.
    assert seated(RUSSIAN).then("contract partout; deal").pool == (0, 120)
    assert seated(WHIST).then("contract partout; deal").pool == (0, 80)


@proves("misdeal")
def test_misdeal() -> None:
    for ruleset, fine, dealer in (AMERICAN, 10, "W"), (WHIST, 0, "W"), (RUSSIAN, 10, "N"):
        table = seated(ruleset).then("deal; misdeal")
        assert (table.pool, table.base.dealer) == ((0, 40 + fine), dealer)
        assert any(isinstance(event, FinePaid) for _, event in table.log) == bool(fine)
        # The stake paid for it stands for the deal dealt in its place.
        assert table.then("deal").pool == (0, 40 + fine)


REVOKED = "contract N 8 S; play N AS; play E 2H; play S 3S; play W 4S"


@proves("revoke")
def test_a_revoke_decides_the_deal() -> None:
    for ruleset in AMERICAN, WHIST:
        seated(ruleset).then(REVOKED).refuses("revoke E 1", "no_revoke_ruling", None)
    by_defender = seated(RUSSIAN).then(REVOKED + "; revoke E 1")
    assert (by_defender.last(DealSettled).outcome, by_defender.last(RevokeRuled).seat) == ("made", "E")
    assert dict(by_defender.last(DealSettled).deltas.items()) == {"N": 3 * 25 + 40, "E": -25, "S": -25, "W": -25}
    assert (by_defender.balances["E"], by_defender.pool) == (110 - 25 - 40, (0, 40))
    by_caller = seated(RUSSIAN).then(REVOKED + "; revoke N 1")
    assert by_caller.last(DealSettled).shortfall == 7
    assert by_caller.pool == (0, 40 + 40 + 40)
    # Ruled after the deal was paid: in place of the settlement, and short by one at least.
    after = seated(RUSSIAN).then("contract N 7 S; tricks 8 5 0 0; revoke N 3")
    assert after.last(DealSettled).shortfall == 1
    assert (after.balances["N"], after.pool) == (110 - 3 * 20 - 40 - 40, (0, 120))
    assert [row.outcome for row in after.base.rows] == ["failed"]
    after.refuses("revoke E 3", "ruled_already", None)
    for seat, outcome in ("N", "failed"), ("S", "made"):
        misere = (
            seated(RUSSIAN).then("contract N GM; play N 2S; play E AS; play S 2H; play W 4S").then(f"revoke {seat} 1")
        )
        assert misere.last(DealSettled).outcome == outcome
    seated(RUSSIAN).then(REVOKED).refuses("revoke E 2", "trick_not_played", 26)


@proves("discard in LM / LS")
def test_all_four_discard() -> None:
    for ruleset in RULESETS:
        for contract in "LM", "LS":
            table = seated(ruleset).then(f"contract N {contract}; discard N; discard E; discard S")
            assert isinstance(table.game, Discarding)
            assert not isinstance(table.then("discard W").game, Discarding)
        for contract in "GM", "GS":
            assert isinstance(seated(ruleset).then(f"contract N {contract}").game, Playing | Exposing)


@proves("LM, GM, LS")
def test_the_lower_miseres_cost_the_same() -> None:
    for ruleset in OTHERS:
        for contract in "LM", "GM", "LS":
            assert paid(won("N", contract, 0), seated(ruleset))["E"] == -MISERE[contract]
            assert paid(won("N", contract, 1), seated(ruleset))["E"] == MISERE[contract]


@proves("GS")
def test_grand_spread_costs_what_was_printed() -> None:
    for ruleset, amount in (AMERICAN, 160), (WHIST, 100), (RUSSIAN, 160):
        assert paid(won("N", "GS", 1), seated(ruleset))["E"] == amount


@proves("success table")
def test_success_costs_the_same() -> None:
    for ruleset in OTHERS:
        for number, amount in SUCCESS.items():
            assert paid(won("N", str(number), number), seated(ruleset))["E"] == -amount


@proves("failure table")
def test_failure_costs_the_same() -> None:
    for ruleset in OTHERS:
        for number, amounts in FAILURE.items():
            for short, amount in enumerate(map(int, amounts.split()), start=1):
                table = seated(ruleset, open_with=PLAY_OUT)
                assert paid(won("N", str(number), number - short), table)["E"] == amount


@proves("contribution")
def test_the_stake_comes_before_every_deal() -> None:
    for ruleset in OTHERS:
        table = seated(ruleset)
        assert table.pool == (0, 0)
        for line, whole in ("cut S", 40), ("deal", 40), ("cancel", 40), ("deal", 40):
            table.then(line)
            assert table.pool == (0, whole), line
        table.then(won("N", "8", 6).removeprefix("deal; "))
        assert table.pool == (0, 80)
        assert table.then("deal").pool == (0, 120)
        assert table.last(ContributionMade).why == "deal"
    american = seated(AMERICAN).then(won("N", "8", 6))
    assert american.then("deal").pool == (0, 80)


@proves("cap")
def test_the_cap_and_the_russian_bank_walk() -> None:
    table = seated(RUSSIAN).then("deal")
    for line, pool in (
        ("call N pass; call E pass; call S pass; call W pass", (0, 80)),
        ("deal", (0, 120)),
        (won("N", "8", 6), (0, 240)),
        ("deal", (1, 30)),
        (won("N", "7", 7), (0, 30)),
        ("deal", (0, 70)),
    ):
        table.then(line)
        assert table.pool == pool, line
    # Without a cap a failure doubles everything, and a success takes it all.
    whist = seated(WHIST)
    for line, pool in (
        (won("N", "8", 6), (0, 80)),
        (won("N", "8", 6), (0, 240)),
        (won("N", "8", 6), (0, 560)),
        (won("N", "8", 8), (0, 0)),
    ):
        whist.then(line)
        assert whist.pool == pool, line
    assert whist.last(DealSettled).pool_paid == -600


@proves("pool at 5 and 6")
def test_5_and_6_win_no_pool() -> None:
    for ruleset, taken in (AMERICAN, -40), (WHIST, 0), (RUSSIAN, 0):
        for number in 5, 6:
            assert seated(ruleset).then(won("N", str(number), number)).last(DealSettled).pool_paid == taken
            # A failure doubles it all the same.
            assert seated(ruleset).then(won("N", str(number), number - 1)).last(DealSettled).pool_paid == 40
        assert seated(ruleset).then(won("N", "7", 7)).last(DealSettled).pool_paid == -40


@proves("concessions")
def test_no_concessions() -> None:
    for ruleset in OTHERS:
        for contract in "5 S", "7 S", "GM":
            seated(ruleset).then(f"contract N {contract}").refuses("concede E", "no_concessions", 40)


@proves("start balance")
def test_start_balance() -> None:
    for ruleset, start in (AMERICAN, 1000), (WHIST, 1000), (RUSSIAN, 120):
        table = Table(f"open {ruleset}")
        assert sum(table.balances) + table.pool[1] == 4 * start


@proves("deals")
def test_twelve_deals() -> None:
    for ruleset in RULESETS:
        table = seated(ruleset)
        for _ in range(11):
            table.then(won("N", "GM", 1))
        table.refuses("close", "not_now", 46)
        assert isinstance(table.then(won("N", "GM", 1)).game, Finished)


@proves("a thrown-in deal counts")
def test_a_thrown_in_deal_does_not_count() -> None:
    for ruleset in OTHERS:
        table = seated(ruleset).then("contract partout; contract partout")
        assert table.base.counted == 0
        assert [(row.outcome, row.counts) for row in table.base.rows] == [("thrown_in", False)] * 2
    assert seated(AMERICAN).then("contract partout; tricks 4 4 4 1").base.counted == 1


@proves("end")
def test_quarters_and_ties() -> None:
    for ruleset in OTHERS:
        table = seated(ruleset, open_with='options={"deals":1}').then(won("N", "8", 6) + "; close")
        assert table.last(PoolsDivided).share == 20
        assert isinstance(table.game, Closed)
        assert table.game.winners == ("E", "S", "W")
        assert sum(table.game.final[seat] for seat in SEATS) == 4 * RULESETS[ruleset].start
