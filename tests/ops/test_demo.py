"""The demo's evenings: reproducible, acceptable to the last entry, and like those of a real club."""

import datetime
from collections import Counter
from random import Random

import pytest

from domain import entries
from domain.cards import BIT, PACK
from domain.entries import AnyEntry
from domain.game import BetweenDeals, Closed, Over, Playing
from domain.mainline import main_line
from domain.pool import total
from domain.record import format_entry, replay
from domain.rulesets import RULESETS
from domain.seats import SEATS, Four
from domain.session import initial, record
from ops.demo import Plan, evenings
from ops.demo.bot import Bot, chance, fear, least_fear_without, tricks_expected
from ops.demo.calendar import meetings
from ops.demo.habits import Habits, Slips
from ops.demo.hand import dealt
from ops.demo.scribe import Scribe
from ops.demo.table import Table
from ops.demo.tally import LOW, Tally, tally

FIRST, LAST = datetime.date(2023, 1, 1), datetime.date(2026, 11, 30)
SESSIONS = 40
CARELESS = Slips(wrong_card=0.05, undone_for_nothing=0.05, swapped=0.1, wrong_call=0.3, missed_pass=0.5)


def plan(rules: str = "mixed", sessions: int = SESSIONS, seed: int = 11, **more: object) -> Plan:
    return Plan(seed, sessions, FIRST, LAST, rules, **more)  # type: ignore[arg-type]


@pytest.fixture(scope="module", params=list(RULESETS))
def played(request: pytest.FixtureRequest) -> tuple[str, list[list[AnyEntry]]]:
    return request.param, list(evenings(plan(request.param)))


@pytest.fixture(scope="module")
def counted(played: tuple[str, list[list[AnyEntry]]]) -> tuple[str, Tally]:
    rules, records = played
    return rules, tally(records)[rules]


def test_a_seed_gives_the_same_evenings_entry_by_entry() -> None:
    once, again, other = (
        [[format_entry(entry) for entry in evening] for evening in evenings(plan(sessions=6, seed=seed))]
        for seed in (3, 3, 4)
    )
    assert once == again
    assert once != other


def test_every_evening_replays_from_its_lines_without_a_refusal(played: tuple[str, list[list[AnyEntry]]]) -> None:
    rules, records = played
    assert len(records) == SESSIONS
    for evening in records:
        replayed = replay([format_entry(entry) for entry in evening])
        assert replayed.refused == ()
        game = replayed.session.game
        assert isinstance(game, Over)
        assert game.base.rules.id == rules
        assert sum(game.base.balances) + total(game.base.pool, game.base.rules.cap) == 4 * game.base.rules.start


def test_contracts_fail_and_succeed_as_in_a_club(counted: tuple[str, Tally]) -> None:
    rules, tally = counted
    assert 0.22 < tally.failed(LOW) < 0.42
    assert 0.6 < sum(map(tally.share, LOW)) < 0.92
    assert 0.06 < tally.share("LM") + tally.share("GM") < 0.25
    assert 0.03 < tally.outcomes["misere_partout" if rules == "american-decimal" else "thrown_in"] / tally.deals < 0.2
    assert tally.outcomes["misdeal"]
    assert tally.outcomes["made"] > tally.outcomes["failed"]
    assert 40 < tally.entries.total() / tally.deals < 60


def test_recorders_err_and_mend(counted: tuple[str, Tally]) -> None:
    rules, tally = counted
    kinds = {"undo", "redo", "withdraw", "show", "contract", "tricks", "cut", "shuffle", "misdeal", "discard"}
    assert kinds <= set(tally.entries)
    assert bool(tally.conceded) == (rules == "american-decimal")


def test_everything_that_may_happen_happens() -> None:
    often = Habits(
        misdeal=0.1, cancel=0.1, result_only=0.1, lost_track=0.2, dispute=0.1, revoke=0.01, wrong_lead=0.02,
        ends_early=0.1, abandoned=0.05, substitute=0.3, wrong_seats=0.5, cuts=1.0, hands=0.3,
    )  # fmt: skip
    seen: Counter[str] = Counter()
    for number in range(45):
        rng = Random(f"often {number}")
        rules = list(RULESETS)[number % 3]
        scribe = Scribe(rng, CARELESS)
        a_table(rules, rng, often, Bot("Eva"), boldness=0.2).play(scribe.write, under_way=number % 5 == 0)
        counted = tally([scribe.written])[rules]
        seen += counted.entries + counted.findings
    assert set(seen) >= {
        "open", "shuffle", "first_dealer", "cut", "preference", "deal", "misdeal", "call", "contract", "trumps",
        "discard", "expose", "concede", "play", "tricks", "show", "revoke", "cancel", "undo", "redo", "withdraw",
        "reseat", "end", "close", "abandon", "dispute", "resolve", "wrong_cutter", "out_of_turn",
    }  # fmt: skip


def test_slips_leave_the_game_as_it_was_said() -> None:
    for number in range(12):
        rng = Random(f"slips {number}")
        said: list[AnyEntry] = []
        scribe = Scribe(rng, CARELESS)

        def both(part: list[AnyEntry], said: list[AnyEntry] = said, scribe: Scribe = scribe) -> None:
            said.extend(part)
            scribe.write(part)

        a_table("russian", rng, Habits(hands=0, dispute=0), None).play(both)
        assert len(scribe.written) > len(said) + 20
        assert effective(scribe.written) == said


def test_bots_keep_the_rules_with_open_hands() -> None:
    """With all four hands known the domain refuses every card that breaks a rule, so nothing is left to find."""
    careful = Habits(misdeal=0, cancel=0, revoke=0, wrong_lead=0, lost_track=0, cuts=0, hands=1.0)
    for number in range(9):
        table = a_table(list(RULESETS)[number % 3], Random(f"hands {number}"), careful, None)
        table.play(lambda part: None)
        assert table.base.findings == ()


def test_who_revokes_from_a_known_hand_is_seen_to() -> None:
    told = 0
    for number in range(4):
        table = a_table("russian", Random(f"revoke {number}"), Habits(revoke=0.2, hands=1.0, cancel=0), None)
        table.play(lambda part: None)
        told += any(finding.kind == "revoke" for finding in table.base.findings)
    assert told


def test_the_last_table_may_still_be_playing() -> None:
    *finished, last = evenings(plan(sessions=5, under_way=True))
    games = [replay(map(format_entry, evening)).session.game for evening in (*finished, last)]
    assert [isinstance(game, Closed) for game in games] == [True] * 4 + [False]
    assert isinstance(games[-1], Playing | BetweenDeals)


def test_the_clock_runs_like_a_real_evening(played: tuple[str, list[list[AnyEntry]]]) -> None:
    minutes, deals = 0.0, 0
    for evening in played[1]:
        times = [datetime.datetime.fromisoformat(entry.time or "") for entry in evening]
        assert times == sorted(times)
        opened = evening[0]
        assert isinstance(opened, entries.Open)
        assert times[0].date().isoformat() == opened.date
        assert times[0].utcoffset() in (datetime.timedelta(hours=1), datetime.timedelta(hours=2))
        minutes += (times[-1] - times[0]).total_seconds() / 60
        deals += sum(isinstance(entry, entries.Deal) for entry in evening)
    assert 5.5 < minutes / deals < 8.5


def test_nobody_sits_at_two_tables_at_once() -> None:
    sits: dict[str, set[str]] = {}
    for evening in evenings(plan(sessions=15, players=13)):
        opened = evening[0]
        assert isinstance(opened, entries.Open)
        assert opened.time
        hour = opened.date + opened.time[11:13]
        assert not sits.setdefault(hour, set()) & set(opened.seats)
        sits[hour] |= set(opened.seats)


@pytest.mark.parametrize(("sessions", "days", "tables"), [(1, 1, 1), (60, 365, 5), (21, 7, 1), (300, 100, 1)])
def test_meetings_hold_all_evenings_within_the_time(sessions: int, days: int, tables: int) -> None:
    last = FIRST + datetime.timedelta(days - 1)
    met = list(meetings(sessions, FIRST, last, tables))
    assert sum(meeting.tables for meeting in met) == sessions
    assert all(FIRST <= meeting.date <= last and meeting.tables <= tables for meeting in met)
    assert [(meeting.date, meeting.start) for meeting in met] == sorted({(m.date, m.start) for m in met})


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (Plan(1, 22, FIRST, FIRST + datetime.timedelta(6), players=4), "room for 21"),
        (Plan(1, 0, FIRST, LAST), "at least one"),
        (Plan(1, 5, LAST, FIRST), "comes after"),
        (Plan(1, 5, FIRST, LAST, "whist"), "'whist' is not a rule set"),
        (Plan(1, 5, FIRST, LAST, players=3), "not 3"),
    ],
)
def test_a_plan_that_cannot_be_carried_out_says_why(wrong: Plan, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        list(evenings(wrong))


def test_hands_are_judged_by_sense() -> None:
    strong = sum(BIT[card] for card in ["AS", "KS", "QS", "JS", "TS", "9S", "8S", "AH", "KH", "AD", "KD", "AC", "KC"])
    weak = sum(BIT[card] for card in ["2S", "3S", "4S", "5S", "2H", "3H", "4H", "2D", "3D", "4D", "2C", "3C", "4C"])
    assert tricks_expected(strong, "S") > 11 > 3 > tricks_expected(weak, "S")
    assert fear(weak) == 0 < fear(strong)
    risky = weak & ~BIT["4C"] | BIT["AC"]
    assert least_fear_without(risky)[0] == BIT["AC"]
    assert 0.99 > chance(5.0, 5) > 0.5 > chance(5.0, 6)
    hands = dealt(Random(1))
    assert sum(hands.values()) == PACK
    assert all(hand.bit_count() == 13 for hand in hands.values())


def a_table(rules: str, rng: Random, habits: Habits, substitute: Bot | None, boldness: float = 0.0) -> Table:
    names = ("Ann", "Bea", "Cal", "Dan")
    opening = entries.Open(ruleset=rules, seats=Four(*names), date="2026-11-30")
    return Table(
        opening, {seat: Bot(name, boldness) for seat, name in zip(SEATS, names, strict=True)}, rng, habits, substitute
    )


def effective(written: list[AnyEntry]) -> list[AnyEntry]:
    session, log = initial(), []
    for entry in written:
        taken = record(session, entry)
        assert isinstance(taken, tuple), taken
        session = taken[0]
        log += [(session.number, event, None) for event in taken[1]]
    kept = [step.number for step in main_line(log)]
    return [entry for number in kept if not isinstance(entry := written[number - 1], entries.Withdraw)]
