"""What checks find: any amount, winner or total changed in a log, entries too quick, deals unlike the others."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from domain import events
from domain.checks import settlement_findings
from domain.entries import Acknowledge, Transfer
from domain.events import AnyEvent, FindingMade
from domain.game import Steps
from domain.pace import Pace, Timed
from domain.pool import Pool
from domain.refusal import Refusal
from domain.seats import SEATS, Four, put
from domain.session import record
from domain.settlement import ENGINE
from tests.evenings import RULESETS, Evening, evenings
from tests.spoken import Table, seated


@given(evenings())
def test_a_record_that_its_own_rules_made_passes(evening: Evening) -> None:
    *_, last = evening.steps()
    assert settlement_findings(last.after.trail) == []


def tampered(event: AnyEvent, rng: random.Random) -> Iterator[AnyEvent]:
    """The event with each thing in it changed that says what was paid or won."""
    seat, other = rng.sample(SEATS, 2)
    amount = rng.choice((-5, 5, 250))
    for name in ("deltas", "balances"):
        amounts = getattr(event, name, None)
        if amounts is not None and not (name == "deltas" and isinstance(event, events.SettlementReversed)):
            yield replace(event, **{name: put(amounts, seat, amounts[seat] + amount)})
    pool = getattr(event, "pool", None)
    if pool is not None:
        yield replace(event, pool=Pool(pool.full, pool.open + amount))  # type: ignore[call-arg]
        yield replace(event, pool=Pool(pool.full + 1, pool.open))  # type: ignore[call-arg]
    match event:
        case events.DealSettled():
            yield replace(event, pool_paid=event.pool_paid + amount)
            if event.contract is not None:
                yield replace(event, price=event.price + 5)
                yield replace(event, shortfall=event.shortfall + 1)
                yield replace(event, outcome="failed" if event.outcome == "made" else "made")
                yield replace(event, contract="8" if event.contract != "8" else "LM")
        case events.ContributionMade():
            yield replace(event, each=event.each + 10)
        case events.FinePaid():
            yield replace(event, amount=event.amount + 10)
        case events.DealThrownIn():
            yield replace(event, fine=event.fine + 10)
        case events.PoolsDivided():
            yield replace(event, share=event.share + 0.5)
            yield replace(event, final=put(event.final, seat, event.final[seat] + 1))
            yield replace(event, winners=tuple(chair for chair in SEATS if chair not in event.winners))
        case events.CardPlayed() if event.winner is not None:
            yield replace(event, winner=other if event.winner != other else seat)


@given(evenings(), st.randoms(use_true_random=False))
def test_any_amount_or_winner_changed_in_the_log_is_found_at_its_entry(evening: Evening, rng: random.Random) -> None:
    *_, last = evening.steps()
    trail = last.after.trail
    in_steps = [(at, place) for at, step in enumerate(trail) for place, event in enumerate(step.events)
                if not isinstance(step.events[0], events.EntriesWithdrawn | events.CorrectionMade)
                and next(tampered(event, rng), None) is not None]  # fmt: skip
    if not in_steps:
        return
    at, place = rng.choice(in_steps)
    for changed in tampered(trail[at].events[place], rng):
        found = settlement_findings(with_event(trail, at, place, changed))
        assert any(trail[at].number in one.entries for one in found), (trail[at].events[place], changed)
        assert all(one.entries and one.text for one in found)


def with_event(trail: Steps, at: int, place: int, event: AnyEvent) -> Steps:
    told = trail[at].events
    step = replace(trail[at], events=(*told[:place], event, *told[place + 1 :]))
    return (*trail[:at], step, *trail[at + 1 :])


def settled(table: Table) -> tuple[int, int, events.DealSettled]:
    """Where the first settlement stands in the trail."""
    return next((at, place, event) for at, step in enumerate(table.session.trail)
                for place, event in enumerate(step.events) if isinstance(event, events.DealSettled))  # fmt: skip


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_wrong_settlement_names_its_entries_and_what_is_due(ruleset: str) -> None:
    table = seated(ruleset).then("contract N 8 S; tricks 6 4 2 1")
    at, place, event = settled(table)
    wrong = replace(event, price=25, deltas=replace(event.deltas, N=-115, E=25, S=25, W=25))
    (found,) = settlement_findings(with_event(table.session.trail, at, place, wrong))
    assert (found.kind, found.entries, found.rule, found.seat) == ("settlement_differs", (3, 4), 36, "N")
    assert found.text == (
        "the price is 35, not 25; N is paid -115 and would be paid -145; E is paid 25 and would be paid 35; "
        "S is paid 25 and would be paid 35; W is paid 25 and would be paid 35"
    )


def test_what_another_engine_settled_otherwise_is_told_apart() -> None:
    table = seated().then("contract N 8 S; tricks 6 4 2 1")
    assert settlement_findings(table.session.trail, ENGINE + 1) == []
    at, place, event = settled(table)
    wrong = with_event(table.session.trail, at, place, replace(event, price=25))
    (found,) = settlement_findings(wrong, ENGINE + 1)
    assert found.kind == "other_engine"
    assert found.text.startswith(f"engine {ENGINE} settled it, engine {ENGINE + 1} would otherwise: the price is 35")


def test_a_missing_and_an_undue_contribution_are_found() -> None:
    made = "contract N 8 S; tricks 8 5 0 0"
    table = seated().then(made)
    step = table.session.trail[-1]
    assert isinstance(step.events[-1], events.ContributionMade)
    (found,) = settlement_findings((*table.session.trail[:-1], replace(step, events=step.events[:-1])))
    assert (found.entries, found.rule) == ((4,), 43)
    # A cancelled deal is none of those that count, so one more follows here.
    table = seated(open_with='options={"deals":2}').then(f"{made}; cancel; {made}")
    step = table.session.trail[-1]
    (found,) = settlement_findings((*table.session.trail[:-1], replace(step, events=step.events[:-1])))
    assert found.rule == 43
    table = seated().then("contract N 8 S; tricks 6 4 2 1")
    step = table.session.trail[-1]
    balances = replace(table.balances, **{seat: table.balances[seat] - 10 for seat in SEATS})
    undue = events.ContributionMade(each=10, why="pool_empty", balances=balances, pool=Pool(0, 120))
    (found,) = settlement_findings((*table.session.trail[:-1], replace(step, events=(*step.events, undue))))
    assert found.text == "there was 80 in the pools, so nothing was due"


def test_a_transfer_stands_where_the_deal_is_taken_back() -> None:
    table = seated("russian").then("contract N 8 S; tricks 6 4 2 1")
    table.take(Transfer(deltas=Four(-20, 20, 0, 0), law="club law 3", reason="a card was shown"))
    assert settlement_findings(table.then("revoke E 3").session.trail) == []
    assert settlement_findings(table.then("cancel").session.trail) == []


def test_tricks_that_do_not_add_up_name_the_cards_that_prove_it() -> None:
    table = seated().then("contract N LM; discard N; discard E; discard S; discard W; play N 2S; play E 3S; play S 4S")
    table.then("play W 5S; play W 6S; play N AS; play E 7S; play S 8S")
    at, place, event = settled(table)
    assert event.tricks is not None
    wrong = replace(event, tricks=replace(event.tricks, W=0, S=1))
    (found,) = settlement_findings(with_event(table.session.trail, at, place, wrong))
    assert (found.kind, found.entries) == ("tricks_differ", (table.session.number,))
    assert found.text == "settled by N 1, E 0, S 1, W 0, where the cards give N 1, E 0, S 0, W 1"
    first = next(at for at, step in enumerate(table.session.trail) if getattr(step.events[0], "winner", None) == "W")
    played: Any = table.session.trail[first].events[0]
    found = settlement_findings(with_event(table.session.trail, first, 0, replace(played, winner="S")))[0]
    assert (found.entries, found.rule, found.seat) == ((8, 9, 10, 11), 27, "S")
    assert found.text == "S is given a trick that W has won with the 5S"


def test_a_found_difference_is_acknowledged_once_and_published_by_a_ruling() -> None:
    table = seated().then("contract N 8 S; tricks 6 4 2 1")
    seen = Acknowledge(kind="settlement_differs", entries=(3, 4), reason="paid by hand")
    refused = record(table.session, seen)
    assert isinstance(refused, Refusal)
    assert refused.code == "no_such_finding"
    at, place, event = settled(table)
    wrong = with_event(table.session.trail, at, place, replace(event, price=25))
    table.session = replace(table.session, trail=wrong)
    table.take(seen)
    again = record(table.session, seen)
    assert isinstance(again, Refusal)
    assert again.code == "acknowledged_already"
    assert table.session.docket.published == ()
    table.take(replace(seen, publish=True))
    assert table.session.docket.published == table.session.docket.acknowledged == (("settlement_differs", (3, 4)),)
    table.take(Acknowledge(kind="deal_slow", entries=(3, 4), reason="the bell rang"))
    unknown = record(table.session, Acknowledge(kind="deal_slow", entries=(3, 99), reason="no such entry"))
    assert isinstance(unknown, Refusal)


def deal(line: int, first: int, start: float, each: float, count: int = 52) -> list[Timed]:
    """A deal's entries, one every `each` seconds."""
    return [Timed(first + at, line, start + at * each) for at in range(count)]


def pace_findings(entries: list[Timed], upto: int | None = None) -> list[FindingMade]:
    pace = Pace()
    for one in entries:
        pace.passes(one)
    return pace.findings(upto)


def test_an_even_evening_has_no_unusual_pace() -> None:
    timed = [one for line in range(1, 6) for one in deal(line, 60 * line, 420.0 * line, 4.6)]
    assert pace_findings(timed) == []
    assert pace_findings([]) == []
    # Deals by their results alone, and three passes at once, are how it is done.
    assert pace_findings([Timed(at, at // 2, 300.0 * (at // 2) + at % 2) for at in range(20)]) == []
    assert pace_findings([Timed(at, 1, 0.3 * at) for at in range(4)]) == []


def test_many_entries_within_a_second_are_found_with_all_of_them() -> None:
    timed = (
        deal(1, 1, 0.0, 4.6, 20) + [Timed(21 + at, 1, 100.0 + at / 20) for at in range(12)] + deal(1, 33, 110.0, 5, 5)
    )
    (found,) = pace_findings(timed)
    assert (found.kind, found.entries) == ("entries_at_once", tuple(range(21, 33)))
    assert found.text == "12 entries, from 21 to 32, were made within a second"
    assert pace_findings(timed, upto=0) == []


def test_a_deal_much_quicker_or_slower_than_the_others_is_found() -> None:
    even = [one for line in range(1, 5) for one in deal(line, 60 * line, 420.0 * line, 4.6)]
    (quick,) = pace_findings([*even, *deal(5, 300, 2200.0, 1.0)])
    assert (quick.kind, quick.entries) == ("deal_quick", (300, 351))
    assert quick.text == "1.0 seconds an entry in line 5, where the evening's others take 4.6"
    (slow,) = pace_findings([*even, *deal(5, 300, 2200.0, 20.0)])
    assert (slow.kind, slow.entries) == ("deal_slow", (300, 351))
    assert pace_findings([*even, *deal(5, 300, 2200.0, 20.0)], upto=4) == []
    # Three deals tell nothing of an evening.
    assert pace_findings([*even[:104], *deal(5, 300, 2200.0, 20.0)]) == []
