"""What a screen is told: a score sheet whose lines add up, and refusals that say what to do."""

from __future__ import annotations

import pytest
from hypothesis import given

from domain.game import Closed, Unopened
from domain.refusal import Refusal
from domain.seats import add, each
from domain.session import initial, record
from domain.view import score_sheet, table_view
from tests.evenings import RULESETS, Evening, evenings
from tests.spoken import Table, say, seated


@given(evenings())
def test_the_lines_of_a_score_sheet_add_up_to_the_balances(evening: Evening) -> None:
    """Balances above, what was paid between, and the settlement give the balances of each line, and of the table."""
    *_, last = evening.steps()
    game = last.after.game
    assert not isinstance(game, Unopened)
    so_far = each(game.base.rules.start)
    for line in score_sheet(game.base):
        assert line.between is not None
        so_far = add(so_far, line.between)
        if line.row.deltas is not None:
            so_far = add(so_far, line.row.deltas)
        assert so_far == line.row.balances
    since = table_view(last.after).since_last
    assert since is not None
    assert add(so_far, since) == game.base.balances
    if isinstance(game, Closed):
        assert sum(game.final) == 4 * game.base.rules.start


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_contribution_stands_between_the_lines(ruleset: str) -> None:
    table = seated(ruleset).then("contract N 8 S; tricks 8 5 0 0; contract E 7 S; tricks 0 6 7 0")
    first, second = score_sheet(table.base)
    assert first.between == second.between == each(-10)
    paid_before = [first.row.balances[seat] + second.row.deltas[seat] for seat in "NESW"]  # type: ignore[index]
    assert [amount - 10 for amount in paid_before] == list(second.row.balances)
    assert table_view(table.session).since_last == each(0)


def test_a_contribution_after_the_last_line_is_told_with_the_table() -> None:
    table = seated().then("contract N 8 S; tricks 8 5 0 0")
    assert table_view(table.session).since_last == each(-10)


def test_totals_that_cannot_be_say_what_they_add_up_to() -> None:
    table = seated().then("contract N 6 S")
    refusal = table.refusal("tricks 6 4 2 2")
    assert refusal.message == "a deal of 6 has 13 tricks; these add up to 14"
    assert table.refusal("tricks 3 3 3 3").message == ("a failed 6 is played out: 13 tricks; these add up to 12")
    assert seated().refusal("deal N:AS,KS").message == "N was dealt 13 cards; 2 were entered"


def test_the_end_after_the_last_deal_names_close() -> None:
    table = seated(open_with='options={"deals":1}').then("contract N 8 S; tricks 8 5 0 0")
    refusal = table.refusal("end")
    assert (refusal.code, refusal.rule) == ("not_now", 46)
    assert refusal.message == "end cannot be entered now: all deals are played; close ends the session now"


@pytest.mark.parametrize("ruleset", RULESETS)
def test_house_rules_take_no_other_rule_set_s_name(ruleset: str) -> None:
    other = next(name for name in RULESETS if name != ruleset)
    refusal = record(initial(), say(f'open {ruleset} rules={{"id":"{other}","stake":20}}'))
    assert isinstance(refusal, Refusal)
    assert (refusal.code, refusal.family) == ("rules_unknown", "malformed")
    assert f"cannot be called {other}" in refusal.message
    assert Table(f'open {ruleset} rules={{"id":"our-house","stake":20}}').base.rules.id == "our-house"
    assert Table(f'open {ruleset} rules={{"id":"{ruleset}","stake":20}}').base.rules.stake == 20
