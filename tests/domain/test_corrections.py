"""The director's corrections: later money follows, and each of them can be taken back."""

from __future__ import annotations

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from domain.entries import AnyEntry, Correct
from domain.events import CorrectionMade, DealCorrected, DealSettled
from domain.refusal import Refusal
from domain.session import record
from tests.domain.folding import due, money, same
from tests.evenings import Evening, evenings
from tests.spoken import Table, say, seated


def corrected(at: int, *put: str, behind: bool = False) -> AnyEntry:
    """A correction by which spoken lines stand in place of an entry, or behind it."""
    changes = [{"at": at, "put": [msgspec.to_builtins(say(line)) for line in put], "after": behind}]
    return msgspec.convert({"entry": "correct", "changes": changes, "reason": "misheard"}, AnyEntry)


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
    lines = {event.line: list(event.deltas) for event in told if isinstance(event, DealCorrected)}
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
    assert [type(event).__name__ for event in table.session.trail[-1].events] == ["CallMade"]


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
