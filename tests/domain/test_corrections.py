"""The director's corrections: later money follows, and each of them can be taken back."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from domain.corrections import in_force, standing
from domain.entries import AnyEntry, Change, Correct, Dispute
from domain.events import CorrectionMade, DealCorrected, DealSettled
from domain.game import Closed, Finished, Playing, seats_at
from domain.refusal import Refusal
from domain.session import fold, record
from tests.domain.folding import due, money, same, straight, through_json, unnumbered
from tests.evenings import RULESETS, Evening, evenings
from tests.spoken import Table, say, seated


def corrected(at: int, *put: str, behind: bool = False) -> AnyEntry:
    """A correction by which spoken lines stand in place of an entry, or behind it."""
    changes = [{"at": at, "put": [msgspec.to_builtins(say(line)) for line in put], "after": behind}]
    return msgspec.convert({"entry": "correct", "changes": changes, "reason": "misheard"}, AnyEntry)


def part_corrected(number: int, part: int, *put: str) -> AnyEntry:
    """A correction of what an earlier one put in."""
    changes = [{"at": number, "part": part, "put": [msgspec.to_builtins(say(line)) for line in put]}]
    return msgspec.convert({"entry": "correct", "changes": changes, "reason": "misheard again"}, AnyEntry)


def taken_back(number: int) -> AnyEntry:
    return Correct(undoes=number, reason="it was right")


def two_deals() -> Table:
    """Entry 4 says that N lost an 8; E then made a 7 and took the doubled pool."""
    table = seated().then("contract N 8 S; tricks 6 7 0 0; contract E 7 S; tricks 0 7 0 0")
    assert list(table.balances) == [815, 1155, 995, 995]
    return table


def test_later_money_follows_a_corrected_deal() -> None:
    table = two_deals()
    told = table.take(corrected(4, "tricks 8 5 0 0"))
    assert list(table.balances) == [1065, 1045, 925, 925]
    assert table.pool == (0, 40)
    assert [row.outcome for row in table.base.rows] == ["made", "made"]
    lines = {one.line: list(one.deltas) for one in told if isinstance(one, DealCorrected)}
    assert lines[1] == [260, -60, -60, -60]
    assert sum(sum(deltas) for deltas in lines.values()) == 0
    assert isinstance(told[0], CorrectionMade)
    table.take(taken_back(table.session.number))
    assert list(table.balances) == [815, 1155, 995, 995]


def test_the_last_entries_taken_out_come_back() -> None:
    table = two_deals()
    game = table.game
    table.take(corrected(4, "tricks 6 7 0 0", "cancel"))
    assert table.base.counted == 1
    table.take(taken_back(table.session.number))
    assert same(table.game, game)
    out = msgspec.convert(
        {"entry": "correct", "changes": [{"at": 5}, {"at": 6}], "reason": "that deal was never played"}, AnyEntry
    )
    table.take(out)
    assert table.base.counted == 1
    table.take(taken_back(table.session.number))
    assert same(table.game, game)
    assert isinstance(table.last(DealSettled), DealSettled)


def test_a_ruled_revoke_that_a_correction_passes_over_pays_as_it_was_ruled() -> None:
    house = 'rules={"revoke_fine":40}'
    table = seated(open_with=house).then("cut W; contract N 7 S; tricks 8 5 0 0; revoke E 3")
    # The settlement takes the whole pool, and the fine is in it before anyone would have to contribute.
    assert (table.pool, list(table.balances)) == ((0, 40), [1090, 930, 970, 970])
    table.then("contract N 8 S; tricks 6 7 0 0")
    before = table.game
    table.take(corrected(3))
    assert list(table.balances) == [1090 - 105 - 40, 965, 1005, 1005]
    table.take(taken_back(table.session.number))
    assert same(table.game, before)


def test_what_a_correction_changed_is_no_part_of_the_deal_in_progress() -> None:
    table = two_deals().then("deal; call S pass")
    table.take(corrected(4, "tricks 8 5 0 0"))
    assert [type(one).__name__ for one in table.session.trail[-1].events] == ["CallMade"]


def test_a_transfer_outlives_the_payments_of_its_deal() -> None:
    transfer = msgspec.convert(
        {"entry": "transfer", "deltas": {"N": -20, "E": 20, "S": 0, "W": 0}, "law": "club law 3", "reason": "shown"},
        AnyEntry,
    )
    table = seated().then("contract N 8 S; tricks 6 7 0 0")
    table.take(transfer)
    assert list(table.balances) == [825, 1045, 1025, 1025]
    table.then("cancel")
    assert list(table.balances) == [970, 1010, 990, 990]
    table = seated("russian").then("contract N 8 S; play N AS; play E 2H; play S 3S; play W 4S; tricks 8 5 0 0")
    table.take(transfer)
    table.then("revoke N 1")
    assert list(table.balances) == [110 - 75 - 40 - 40 - 20, 155, 135, 135]


def test_a_correction_that_leaves_a_deal_open_or_changes_nothing_is_refused() -> None:
    table = two_deals()
    for entry, code in (
        (corrected(4), "deal_left_open"),
        (corrected(6), "deal_left_open"),
        (corrected(4, behind=True), "nothing_changed"),
        (corrected(4, "tricks 6 3 0 0"), "tricks_cannot_be"),
        (corrected(1, "tricks 6 7 0 0"), "opening_stays"),
        (corrected(4, "undo 2"), "cannot_be_put"),
        (corrected(99, "cancel"), "not_in_force"),
        (taken_back(4), "no_such_correction"),
    ):
        refused = record(table.session, entry)
        assert isinstance(refused, Refusal)
        assert refused.code == code


@given(evenings(directed=st.just(True)))
def test_every_correction_is_taken_back_and_made_again(evening: Evening) -> None:
    for step in evening.steps():
        if not isinstance(step.entry, Correct):
            continue
        assert money(step.after.game) == due(step.after.game)
        undone = record(step.after, taken_back(step.after.number))
        assert not isinstance(undone, Refusal), undone
        assert same(undone[0].game, step.before.game)
        again = record(undone[0], taken_back(undone[0].number))
        assert not isinstance(again, Refusal), again
        assert same(again[0].game, step.after.game)


def three_deals(ruleset: str = "american-decimal") -> Table:
    """Entries 3 to 8: N lost an 8, E made a 7, S made a 6; each by its contract and its tricks."""
    return seated(ruleset).then(
        "contract N 8 S; tricks 6 7 0 0; contract E 7 S; tricks 0 7 6 0; contract S 6 H; tricks 4 3 6 0"
    )


def refused(table: Table, entry: AnyEntry) -> Refusal:
    """Why an entry is refused."""
    answer = record(table.session, entry)
    assert isinstance(answer, Refusal), answer
    return answer


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_last_correction_is_undone_and_then_the_one_before(ruleset: str) -> None:
    table = three_deals(ruleset)
    games = [table.game]
    for at, tricks in ((4, "8 5 0 0"), (6, "0 6 7 0"), (8, "0 0 7 6"), (4, "9 4 0 0")):
        in_force = at if at != 4 or len(games) == 1 else None
        change = {"at": at} if in_force else {"at": 9, "part": 1}
        put = [msgspec.to_builtins(say(f"tricks {tricks}"))]
        table.take(Correct(changes=(msgspec.convert(change | {"put": put}, Change),), reason="misheard"))
        games.append(table.game)
    made = standing(table.session.trail)
    assert made == [9, 10, 11, 12]
    for number in reversed(made):
        games.pop()
        table.take(taken_back(number))
        assert same(table.game, games[-1])
    assert standing(table.session.trail) == [13, 14, 15, 16]


def test_any_standing_correction_is_undone_whichever_came_after_it() -> None:
    """Corrections of three deals; the one in the middle is taken back, made again, and then the first."""
    table = three_deals()
    table.take(corrected(4, "tricks 8 5 0 0"))
    table.take(corrected(6, "tricks 0 6 7 0"))
    table.take(corrected(8, "tricks 4 3 5 1"))
    table.take(taken_back(10))
    straight = seated().then("contract N 8 S; tricks 8 5 0 0; contract E 7 S; tricks 0 7 6 0")
    straight.then("contract S 6 H; tricks 4 3 5 1")
    assert table.base.rows == straight.base.rows
    table.take(taken_back(12))
    straight = seated().then("contract N 8 S; tricks 8 5 0 0; contract E 7 S; tricks 0 6 7 0")
    straight.then("contract S 6 H; tricks 4 3 5 1")
    assert table.base.rows == straight.base.rows
    assert standing(table.session.trail) == [9, 10, 11, 13]
    table.take(taken_back(9))
    assert [row.outcome for row in table.base.rows] == ["failed", "failed", "failed"]
    already = refused(table, taken_back(9))
    assert (already.code, already.family) == ("no_such_correction", "not_found")
    assert "undone already" in already.message


def test_two_corrections_of_one_deal_are_undone_in_either_order() -> None:
    for first in (8, 9):
        table = seated().then("preference 7C; deal; contract N 8; trumps S; tricks 6 7 0 0")
        game = table.game
        table.take(corrected(6, "trumps H"))
        table.take(corrected(7, "tricks 8 5 0 0"))
        assert table.base.rows[0].outcome == "made"
        table.take(taken_back(first))
        row = table.base.rows[0]
        assert (row.trumps, row.outcome) == (("S", "made") if first == 8 else ("H", "failed"))
        table.take(taken_back(17 - first))
        assert same(table.game, game)


def test_a_correction_that_a_later_one_changed_stands_until_that_one_is_undone() -> None:
    table = three_deals()
    table.take(corrected(4, "tricks 8 5 0 0"))
    table.take(part_corrected(9, 1, "tricks 9 4 0 0"))
    before = table.session
    conflict = refused(table, taken_back(9))
    assert (conflict.code, conflict.family, conflict.facts) == ("changed_since", "conflict", {"correction": 10})
    assert "correction 10 has changed entry 9.1" in conflict.message
    assert table.session is before
    table.take(taken_back(10))
    table.take(taken_back(9))
    assert same(table.game, three_deals().game)
    table.take(corrected(4, "tricks 5 8 0 0"))
    # The first correction cannot be made again: the entry that it changed is another's now.
    assert refused(table, taken_back(12)).code == "changed_since"


def test_an_entry_replaced_by_its_like_and_entries_put_back_change_nothing() -> None:
    table = three_deals()
    assert refused(table, corrected(4, "tricks 6 7 0 0")).code == "nothing_changed"
    assert refused(table, corrected(3, "contract N 8 S")).code == "nothing_changed"
    assert refused(table, corrected(4, behind=True)).code == "nothing_changed"
    both = [{"at": 3, "put": []}, {"at": 4, "put": [msgspec.to_builtins(say(line)) for line in
            ("contract N 8 S", "tricks 6 7 0 0")]}]  # fmt: skip
    moved = msgspec.convert({"entry": "correct", "changes": both, "reason": "the same again"}, AnyEntry)
    assert refused(table, moved).code == "nothing_changed"


def test_what_stands_between_two_changed_entries_is_put_back_in_its_place() -> None:
    """The entry that the first correction took out comes back between what later ones changed around it."""
    table = seated().then("shuffle; cut W; preference 7C; contract N 8 S; tricks 6 7 0 0")
    table.take(msgspec.convert({"entry": "correct", "changes": [{"at": 4}], "reason": "no cut"}, AnyEntry))
    table.take(corrected(3, "shuffle still"))
    table.take(corrected(5, "preference 7D"))
    table.take(taken_back(8))
    kinds = [type(step.events[0]).__name__ for step in in_force(table.session.trail)]
    assert kinds[2:6] == ["PacksShuffled", "PackCut", "PreferenceExposed", "ContractReported"]


def test_a_deal_in_progress_goes_on_through_corrections_and_their_undoing() -> None:
    table = two_deals().then("cut S; deal; call S pass; call W 5")
    table.take(corrected(4, "tricks 8 5 0 0"))
    table.take(taken_back(table.session.number))
    table.then("call N pass")
    # What a correction put in has a later number than these, and is not of this deal.
    table.then("withdraw 9; call S 6; undo 15")
    table.then("withdraw 7; contract S 6 C; tricks 3 3 6 1")
    straight = two_deals().then("contract S 6 C; tricks 3 3 6 1")
    assert table.base.rows == straight.base.rows


def test_a_withdrawal_reaches_the_deal_in_progress_only_whatever_a_correction_put_in() -> None:
    table = two_deals().then("cut S; deal; call S pass")
    table.take(corrected(4, "tricks 8 5 0 0"))
    table.then("withdraw 8")
    assert [row.outcome for row in table.base.rows] == ["made", "made"]
    table.then("deal; call S 5")


def test_a_correction_after_the_close_divides_and_names_winners_anew() -> None:
    """Also where a deal more or less counts than when the session was closed."""
    table = seated(open_with='options={"deals":2}').then(
        "contract N 8 S; tricks 6 7 0 0; contract E 7 S; tricks 0 7 6 0; close"
    )
    assert isinstance(table.game, Closed)
    assert table.game.winners == ("E",)
    closed = table.game
    table.take(corrected(4, "tricks 8 5 0 0"))
    assert isinstance(table.game, Closed)
    assert table.game.winners == ("N",)
    assert money(table.game) == due(table.game)
    table.take(corrected(6, "cancel", behind=True))
    assert isinstance(table.game, Closed)
    assert [row.outcome for row in table.base.rows] == ["made", "cancelled"]
    assert table.base.counted == 1
    assert money(table.game) == due(table.game)
    for number in reversed(standing(table.session.trail)):
        table.take(taken_back(number))
    assert same(table.game, closed)


def test_a_deal_put_in_and_one_taken_out_leave_the_recorded_dealers() -> None:
    table = three_deals()
    dealers = [row.dealer for row in table.base.rows]
    table.take(corrected(4, "contract W LM", "tricks 4 4 4 0", behind=True))
    assert [row.dealer for row in table.base.rows] == [dealers[0], dealers[1], dealers[1], dealers[2]]
    assert [row.counts for row in table.base.rows] == [True] * 4
    table.take(taken_back(9))
    out = [{"at": 5}, {"at": 6}]
    table.take(msgspec.convert({"entry": "correct", "changes": out, "reason": "never played"}, AnyEntry))
    assert [row.dealer for row in table.base.rows] == [dealers[0], dealers[2]]


def test_a_full_evening_takes_a_deal_more_and_corrects_the_one_behind_it() -> None:
    house = 'options={"deals":2}'
    table = seated(open_with=house).then("contract N 8 S; tricks 6 7 0 0; contract E 7 S; tricks 0 7 6 0")
    assert isinstance(table.game, Finished)
    table.take(corrected(4, "contract S 5 C", "tricks 0 0 5 8", behind=True))
    table.take(corrected(6, "tricks 0 6 7 0"))
    assert [row.outcome for row in table.base.rows] == ["failed", "made", "failed"]
    table.then("close")
    assert money(table.game) == due(table.game)


def test_seats_are_corrected_at_a_point_and_back() -> None:
    table = three_deals()
    table.take(corrected(6, "reseat 2 Eva Bea Cal Dan", behind=True))
    assert [seats_at(table.base, deal).N for deal in (1, 2, 3)] == ["Ann", "Eva", "Eva"]
    table.take(taken_back(9))
    assert seats_at(table.base, 2).N == "Ann"


def test_cards_give_way_to_a_result_and_come_back() -> None:
    table = seated().then("contract W 8 S; play N AH; play E 2H; play S 3H; play W 4H; play N KH")
    assert isinstance(table.game, Playing)
    table.then("tricks 2 2 1 8; contract N 6 S; tricks 7 6 0 0")
    cards = [step.number for step in table.session.trail if type(step.events[0]).__name__ in ("CardPlayed",)]
    before = table.game
    out = [{"at": number} for number in cards] + [
        {"at": cards[-1] + 1, "put": [msgspec.to_builtins(say("tricks 8 0 0 5"))]}
    ]
    table.take(msgspec.convert({"entry": "correct", "changes": out, "reason": "only the result is sure"}, AnyEntry))
    assert (table.base.rows[0].outcome, table.base.rows[0].shortfall) == ("failed", 3)
    assert not [step for step in in_force(table.session.trail) if type(step.events[0]).__name__ == "CardPlayed"]
    table.take(taken_back(table.session.number))
    assert same(table.game, before)


def test_a_ruling_names_a_dispute_that_there_is() -> None:
    table = three_deals()
    correction = Correct(changes=(Change(at=4, put=(say("tricks 8 5 0 0"),)),), reason="misheard", dispute=9)
    assert refused(table, correction).code == "no_such_dispute"
    table.take(Dispute(line=1, by="N", reason="it was eight"))
    assert not isinstance(record(table.session, correction), Refusal)


@given(evenings(directed=st.just(True)))
def test_a_corrected_evening_is_the_one_recorded_right_from_the_start(evening: Evening) -> None:
    """Money, pools, rows, seats, findings and all else of the game, but for the numbers of the entries."""
    *_, last = evening.steps()
    made = straight(last.after)
    event("refused anew" if made.refused else "the same")
    if made.refused is None:
        assert unnumbered(made.session.game) == unnumbered(last.after.game)


@given(evenings(directed=st.just(True)))
def test_the_corrections_of_an_evening_are_undone_from_the_last_on(evening: Evening) -> None:
    *_, last = evening.steps()
    session = last.after
    for number in reversed(standing(session.trail)):
        if number not in standing(session.trail):
            continue  # It undid another one, and that one stands again.
        taken = record(session, taken_back(number))
        if isinstance(taken, Refusal):
            # What was entered since stands on what the correction made, and no entry is dropped silently; or another
            # correction has changed it, which stands again since the one that undid it was undone.
            assert taken.code != "no_such_correction", taken
            return
        folded = fold(session, map(through_json, taken[1]))
        session = taken[0]
        assert same(folded, session)
        assert money(session.game) == due(session.game)
        assert number not in standing(session.trail)


WHOLE = """
    preference 7C; deal; call N 7; call E pass; call S pass; call W pass; trumps H; tricks 6 7 0 0
    cut N; preference AD; contract E LM; tricks 4 0 4 4
    contract S 6 C; tricks 4 3 6 0; deal; misdeal
    contract W 9 H; tricks 0 0 4 9; end
"""
"""Entries 3 to 21: five lines of the score sheet, one of them a misdeal, and an early end."""

KINDS: dict[str, list[tuple[int, bool, list[str]]]] = {
    "a call": [(5, False, ["call N 8"])],
    "trumps": [(9, False, ["trumps S"])],
    "a result": [(10, False, ["tricks 7 6 0 0"])],
    "a contract": [(13, False, ["contract W GM"]), (14, False, ["tricks 4 4 4 1"])],
    "an entry withdrawn": [(11, False, [])],
    "an entry put in": [(3, True, ["cut S"])],
    "a deal made void": [(10, True, ["cancel"])],
    "a deal made a misdeal": [(10, False, ["misdeal"])],
    "a misdeal that was none": [(18, False, ["contract N 5 S", "tricks 5 4 2 2"])],
    "a deal withdrawn": [(13, False, []), (14, False, []), (11, False, []), (12, False, [])],
    "a deal put in": [(16, True, ["contract N LS", "tricks 1 4 4 3"])],
    "seats": [(14, True, ["reseat 2 Ann Bea Eva Dan"])],
    "several deals at once": [(10, False, ["tricks 8 5 0 0"]), (14, False, ["tricks 4 1 4 3"]), (20, True, ["cancel"])],
}


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("kind", KINDS)
def test_whatever_is_corrected_all_later_money_is_as_if_recorded_so(ruleset: str, kind: str) -> None:
    table = seated(ruleset).then(WHOLE)
    before = table.game
    assert isinstance(before, Closed)
    changes = tuple(Change(at=at, put=tuple(map(say, put)), after=behind) for at, behind, put in KINDS[kind])
    told = table.take(Correct(changes=changes, reason="it was otherwise", law="rule 29"))
    made = straight(table.session)
    assert made.refused is None
    assert unnumbered(made.session.game) == unnumbered(table.game)
    # One entry with its postings, line by line, each of which sums to zero; their sum is what everyone has more.
    assert type(told[0]) is CorrectionMade
    lines = [one for one in told[1:] if isinstance(one, DealCorrected)]
    assert len(lines) == len(told) - 1
    assert all(sum(one.deltas) + one.pool_paid == 0 for one in lines)
    assert isinstance(table.game, Closed)
    for seat, final in table.game.final.items():
        assert before.final[seat] + sum(one.deltas[seat] for one in lines) == final
    # Later deals keep who dealt them and whether they count.
    kept = [(row.dealer, row.counts) for row in before.base.rows[-1:]]
    if kind != "several deals at once":
        assert [(row.dealer, row.counts) for row in table.base.rows[-1:]] == kept
    assert same(fold(seated(ruleset).then(WHOLE).session, map(through_json, told)).game, table.game)
    table.take(taken_back(table.session.number))
    assert same(table.game, before)


def test_a_revoke_ruled_by_a_correction_settles_the_deal_anew() -> None:
    table = seated("russian").then(WHOLE)
    table.take(corrected(10, "revoke E 3", behind=True))
    made = straight(table.session)
    assert unnumbered(made.session.game) == unnumbered(table.game)
    assert table.base.rows[0].outcome == "made"
    assert refused(seated().then(WHOLE), corrected(10, "revoke E 3", behind=True)).code == "no_revoke_ruling"


def test_a_correction_that_the_rules_refuse_names_the_entry_and_records_nothing() -> None:
    table = seated().then(WHOLE)
    before = table.session
    for entry, code, told in (
        (corrected(10, "tricks 7 7 0 0"), "tricks_cannot_be", "the tricks put in would be refused: a deal of 7 has 13"),
        (corrected(5, "call E 7"), "call_out_of_turn", "the call put in would be refused: it is N's turn"),
        (corrected(9, "trumps S", "trumps H"), "not_now", "the trumps put in would be refused"),
        (corrected(5, "call N pass"), "not_now", "entry 9 (trumps) would be refused: trumps cannot be entered now"),
        (corrected(10), "deal_left_open", "would not come to its end before entry 11"),
        (corrected(21, "close"), "not_now", "the close put in would be refused"),
    ):
        answer = refused(table, entry)
        assert (answer.code, told in answer.message) == (code, True), answer
        assert table.session is before


def test_a_deal_comes_back_as_it_happened_though_it_would_be_refused_now() -> None:
    """The first deal's preference is another suit; then no junior suit is known for the call of the second deal."""
    table = seated("russian").then("preference 7S; contract N 7 C; tricks 8 5 0 0")
    table.then("preference 8H; contract E 6 second H; tricks 3 6 2 2")
    table.take(corrected(3, "preference 7H"))
    game = table.game
    assert (table.base.senior, table.base.junior) == ("H", None)
    assert table.base.rows[1].preference == "second"
    assert refused(table, corrected(8, "tricks 3 7 2 1")).code == "preference_unknown"
    table.take(corrected(7, "contract E 6 H"))
    assert table.base.rows[1].preference is None
    table.take(taken_back(table.session.number))
    assert same(table.game, game)
    # What was recorded is judged by the first suit again.
    table.take(taken_back(9))
    assert (table.base.senior, table.base.junior) == ("S", "H")
    table.take(corrected(8, "tricks 3 7 2 1"))
