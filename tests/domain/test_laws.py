"""Laws that hold for every evening: money, folding, taking back, cards, and that nothing ever raises."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.auction import check_call, legal_calls
from domain.cards import BIT, PACK, cards_of
from domain.corrections import is_marker
from domain.entries import Call, Concede, Correct, Entry, Play, Redo, Trumps, Undo, Withdraw
from domain.entry_events import entry_of
from domain.events import ASIDES, ENTRY_EVENTS
from domain.game import Auction, Contracting, Naming, Playing, UnderWay, Unopened, phase, preferences, turn_to_call
from domain.ladder import BIDS, format_bid
from domain.mainline import main_line
from domain.record import format_entry, parse_line, replay
from domain.refusal import Refusal
from domain.seats import SEATS, Four
from domain.session import Session, decide, evolve, fold, initial, last_effective, last_undone, record
from domain.settlement import partout_deltas
from domain.tricks import discarded, legal_cards, plays_of
from domain.view import for_onlooker, table_view
from tests.domain.folding import due, folded, money, same, through_json, unnumbered
from tests.evenings import RULESETS, Evening, Recorded, evenings
from tests.strategies import KINDS, any_entry, entry_of_kind

undirected = evenings(directed=st.just(False))


def test_the_evenings_reach_every_kind_of_entry_and_event() -> None:
    entered: Counter[type[Entry]] = Counter()
    told: Counter[str] = Counter()
    for seed in range(240):
        untidy, cards = (0.3, 1.0)[seed % 2], seed % 3 != 1
        for step in Evening(seed, RULESETS[seed % 3], 2, untidy, cards=cards, directed=True).steps():
            entered[type(step.entry)] += 1
            told.update(type(event).__name__ for event in step.events)
    assert not set(KINDS) - set(entered)
    derived = {"AuctionWon", "PartoutBegun", "DealThrownIn", "DealSettled", "SettlementReversed", "ContributionMade"}
    assert not {kind.__name__ for kind in ENTRY_EVENTS.values()} - set(told)
    assert not (derived | {"FinePaid", "FindingMade", "PoolsDivided", "DealCorrected"}) - set(told)


@given(evenings())
def test_money_is_conserved_after_every_event(evening: Evening) -> None:
    for step in evening.steps():
        session = step.before
        for event in step.events:
            session = evolve(session, event)
            assert money(session.game) == due(session.game), event
            if not isinstance(session.game, Unopened):
                pool, cap = session.game.base.pool, session.game.base.rules.cap
                assert pool.full >= 0
                assert pool.open >= 0
                assert cap is None or pool.open < cap


@given(evenings())
def test_an_evening_is_the_fold_of_its_events_and_of_its_lines(evening: Evening) -> None:
    session, told, lines = initial(), [], []
    for step in evening.steps():
        session = step.after
        told += step.events
        lines.append(format_entry(step.entry))
    assert same(folded(told), session)
    assert same(folded(map(through_json, told)), session)
    replayed = replay(lines)
    assert replayed.refused == ()
    assert same(replayed.session, session)


@given(evenings(), st.data())
def test_a_fold_of_many_events_is_the_fold_one_by_one_from_anywhere(evening: Evening, data: st.DataObject) -> None:
    told = [event for step in evening.steps() for event in step.events]
    start = data.draw(st.integers(0, len(told)))
    session = folded(told[:start])
    assert same(fold(session, told[start:]), folded(told))
    assert same(fold(session, iter(told[start:])), folded(told))


@given(evenings())
def test_events_read_back_as_they_were_written_and_hold_their_entry(evening: Evening) -> None:
    own = set(ENTRY_EVENTS.values())
    for step in evening.steps():
        assert [type(event) in own for event in step.events] == [True] + [False] * (len(step.events) - 1)
        assert same(tuple(map(through_json, step.events)), step.events)
        assert entry_of(step.events[0], step.entry.id, step.entry.time) == step.entry
        assert all(entry_of(event) is None for event in step.events[1:])
        assert step.after.number == step.before.number + 1


@given(st.data())
@settings(max_examples=600)
def test_parse_and_format_are_inverse(data: st.DataObject) -> None:
    entry = data.draw(any_entry)
    line = format_entry(entry)
    assert parse_line(line) == entry
    assert format_entry(parse_line(line)) == line
    assert b"\n" not in line


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
@settings(max_examples=10)
def test_every_kind_of_entry_reads_back(kind: type[Entry], data: st.DataObject) -> None:
    entry = data.draw(entry_of_kind(kind))
    assert type(entry) is kind
    assert parse_line(format_entry(entry)) == entry


@given(evenings(most_deals=2), st.data())
def test_any_entry_at_any_time_is_taken_or_refused_and_never_raises(evening: Evening, data: st.DataObject) -> None:
    steps = list(evening.steps())
    for _ in range(12):
        step = steps[data.draw(st.integers(0, len(steps) - 1))]
        _taken_or_refused(step.after, data.draw(any_entry))


def _taken_or_refused(session: Session, entry: Entry) -> None:
    before = msgspec.json.encode(session, enc_hook=list)
    decided = decide(session, entry)
    assert msgspec.json.encode(session, enc_hook=list) == before
    if isinstance(decided, Refusal):
        assert decided.message
        assert decided.rule is None or 1 <= decided.rule <= 46
        assert decided.code.replace("_", "").isalpha()
        msgspec.json.encode(decided)
        return
    for event in decided:
        session = evolve(session, event)
        assert money(session.game) == due(session.game)
    table_view(session)


@given(evenings(most_deals=2), st.randoms(use_true_random=False))
def test_entries_of_another_time_are_taken_or_refused(evening: Evening, rng: random.Random) -> None:
    """Entries that were right at one moment of the evening come at any other; they reach deeper than any entry."""
    steps = list(evening.steps())
    for _ in range(40):
        _taken_or_refused(rng.choice(steps).after, rng.choice(steps).entry)


@given(evenings())
def test_every_refusal_leaves_the_session_as_it_was(evening: Evening) -> None:
    wrong = [step.entry for step in Evening(evening.seed, evening.ruleset, 1).steps()]
    rng = random.Random(evening.seed)
    session, told = initial(), []
    for step in evening.steps():
        for entry in rng.choices(wrong, k=2):
            refused = record(session, entry)
            assert not isinstance(refused, Refusal) or record(session, entry) == refused
        taken = record(session, step.entry)
        assert not isinstance(taken, Refusal)
        session = taken[0]
        told += taken[1]
    assert same(folded(told), session)


@given(evenings())
def test_every_entry_is_undone_and_redone_to_an_equal_game(evening: Evening) -> None:
    for step in evening.steps():
        if type(step.events[0]) in ASIDES or isinstance(step.entry, Undo | Redo) or step.before.number == 0:
            continue
        if isinstance(step.entry, Correct) and isinstance(step.before.game, UnderWay):
            # The deal in progress stays above a correction, which another correction then takes back.
            back = Correct(undoes=step.after.number, reason="it was right after all")
            assert same(_took(step.after, back).game, step.before.game)
            continue
        undone = _took(step.after, Undo(target=step.after.number))
        assert same(undone.game, step.before.game)
        assert same(undone.trail, step.before.trail)
        redone = _took(undone, Redo(target=step.after.number))
        assert same(redone.game, step.after.game)
        assert same(redone.trail, step.after.trail)


def _took(session: Session, entry: Entry) -> Session:
    taken = record(session, entry)
    assert not isinstance(taken, Refusal), taken
    return taken[0]


def test_every_kind_of_entry_of_the_game_is_undone_and_redone() -> None:
    seen: set[type[Entry]] = set()
    for seed in range(240):
        for step in Evening(seed, RULESETS[seed % 3], 2, 0.6, cards=seed % 3 != 1, directed=True).steps():
            if type(step.entry) in seen or type(step.events[0]) in ASIDES or step.before.number == 0:
                continue
            if isinstance(step.entry, Undo | Redo):
                continue
            if isinstance(step.entry, Correct) and isinstance(step.before.game, UnderWay):
                continue
            seen.add(type(step.entry))
            undone = _took(step.after, Undo(target=step.after.number))
            assert same(undone.game, step.before.game)
            assert _took(undone, Redo(target=step.after.number)).game == step.after.game
    left = {entry for entry, event in ENTRY_EVENTS.items() if event not in ASIDES} - seen
    assert {kind.__name__ for kind in left} == {"Open", "Undo", "Redo"}


@given(evenings())
def test_a_whole_evening_is_undone_to_its_opening_and_redone_to_its_end(evening: Evening) -> None:
    end = list(evening.steps())[-1].after
    session, targets = end, []
    while (target := last_effective(session)) is not None:
        session = _took(session, Undo(target=target))
        targets.append(target)
    assert phase(session.game) == "opening"
    assert len(session.trail) == 1
    while (target := last_undone(session)) is not None:
        assert target == targets.pop() or session.undone
        session = _took(session, Redo(target=target))
    assert same(session.game, end.game)
    assert same(session.trail, end.trail)


@given(undirected)
def test_what_is_in_force_equals_the_evening_recorded_right_from_the_start(evening: Evening) -> None:
    log, end = _logged(evening)
    fresh = initial()
    for step in main_line(log):
        entry = entry_of(step.events[0][0])
        assert entry is not None
        fresh = _took(fresh, entry)
    assert same(unnumbered(fresh.game), unnumbered(end.game))


def _logged(evening: Evening) -> tuple[list[tuple[int, object, None]], Session]:
    log: list[tuple[int, object, None]] = []
    end = initial()
    for step in evening.steps():
        end = step.after
        log += ((end.number, event, None) for event in step.events)
    return log, end


@given(evenings())
def test_the_main_line_folds_to_the_game_as_it_stands(evening: Evening) -> None:
    log, end = _logged(evening)
    line = main_line(log)
    kept = [(step.number, step.part) for step in line]
    assert kept == [(step.number, step.part) for step in end.trail if not is_marker(step)]
    if not evening.directed:
        game = folded(event for step in line for event, _ in step.events).game
        assert same(unnumbered(game), unnumbered(end.game))


@given(undirected)
def test_a_deal_withdrawn_and_entered_again_equals_the_deal_recorded_at_once(evening: Evening) -> None:
    rng = random.Random(evening.seed)
    steps = list(evening.steps())
    for step in rng.sample(steps, min(6, len(steps))):
        trail = step.after.trail
        for back in (1, 2, 7, 30):
            if back >= len(trail) or is_marker(trail[-back]):
                continue
            taken = record(step.after, Withdraw(start=trail[-back].number))
            if isinstance(taken, Refusal):
                assert taken.family == "conflict"
                continue
            session = taken[0]
            assert same(session.game, trail[-back].before)
            for gone in trail[-back:]:
                entry = entry_of(gone.events[0])
                assert entry is not None
                session = session if isinstance(entry, Withdraw) else _took(session, entry)
            assert same(unnumbered(session.game), unnumbered(step.after.game))


@given(evenings(directed=st.just(False)))
def test_every_card_is_in_exactly_one_place(evening: Evening) -> None:
    for step in evening.steps():
        game = step.after.game
        if isinstance(game, Contracting) and not (isinstance(game, Playing) and _irregular(game)):
            _check_places(game)


def _irregular(game: Playing) -> bool:
    return any(play.irregular for play in plays_of(game)) or bool(game.base.findings)


def _check_places(game: Contracting) -> None:
    hands = [bits for _, bits in game.deal.hands.items()]
    aside = [] if isinstance(game, Naming) else [d.card for d in game.discards if d.card is not None]
    played = plays_of(game) if isinstance(game, Playing) else ()
    cards = [play.card for play in played]
    assert len(set(cards)) == len(cards)
    assert len(set(aside)) == len(aside)
    assert not set(cards) & set(aside)
    assert sum(bits.bit_count() for bits in hands) == _union(hands).bit_count()
    assert not any(_union(hands) & BIT[card] for card in aside)
    for play in played:
        held = game.deal.hands[play.seat]
        elsewhere = _union([bits for seat, bits in game.deal.hands.items() if seat != play.seat])
        assert held is None or held & BIT[play.card]
        assert not elsewhere & BIT[play.card]
    if len(hands) == 4 and not (isinstance(game, Playing) and game.exposed):
        assert _union(hands) | _union([BIT[card] for card in aside]) == PACK


def _union(sets: list[int]) -> int:
    union = 0
    for bits in sets:
        union |= bits
    return union


def test_partout_payments_are_whole_and_what_the_rule_says() -> None:
    splits = [(a, b, c, 13 - a - b - c) for a in range(14) for b in range(14 - a) for c in range(14 - a - b)]
    assert len(splits) == 560
    for split in splits:
        tricks = Four(*split)
        most, leaders = max(split), [seat for seat in SEATS if tricks[seat] == max(split)]
        owed = dict.fromkeys(SEATS, Fraction(0))
        for payer in leaders:
            for seat in SEATS:
                if seat not in leaders:
                    amount = Fraction(10 * (most - tricks[seat]), len(leaders))
                    owed[payer] -= amount
                    owed[seat] += amount
        assert dict(partout_deltas(tricks, 10).items()) == owed


@given(evenings())
def test_the_view_offers_what_is_accepted_and_nothing_else(evening: Evening) -> None:
    rng = random.Random(evening.seed)
    steps = list(evening.steps())
    for step in steps:
        kind = str(step.entry.__struct_config__.tag)
        if type(step.events[0]) not in ASIDES and kind not in ("undo", "redo", "withdraw", "transfer", "correct"):
            assert kind in table_view(step.before).can, phase(step.before.game)
    for step in rng.sample(steps, min(25, len(steps))):
        _check_offers(step)


def _check_offers(step: Recorded) -> None:
    session, game, view = step.after, step.after.game, table_view(step.after)
    if isinstance(game, Auction):
        assert view.auction is not None
        turn = turn_to_call(game.base, game.deal)
        calls = ("pass", *(format_bid(bid) for bid in BIDS if check_call(game, turn, bid) is None))
        assert view.auction.legal == legal_calls(game) == calls
        assert all(not isinstance(decide(session, Call(seat=turn, call=call)), Refusal) for call in view.auction.legal)
    if isinstance(game, Naming):
        suits = preferences(game.base, game.deal)
        named = [suit for suit in "SHDC" if not isinstance(decide(session, Trumps(suit=suit)), Refusal)]
        assert sorted(view.may_name) == sorted(named), suits
    if isinstance(game, Playing):
        legal = set(cards_of(legal_cards(game, game.turn)))
        taken = {card for card in BIT if not isinstance(decide(session, Play(seat=game.turn, card=card)), Refusal)}
        assert set(view.legal_cards) == legal == taken
    if view.contract is not None:
        willing = [seat for seat in SEATS if not isinstance(decide(session, Concede(seat=seat)), Refusal)]
        assert list(view.contract.may_concede) == willing


@given(evenings(most_deals=1))
def test_an_onlooker_sees_no_hand_and_no_quitted_trick_of_an_open_deal(evening: Evening) -> None:
    for step in evening.steps():
        game = step.after.game
        if not isinstance(game, Playing):
            continue
        seen = msgspec.json.encode(for_onlooker(table_view(step.after), current_trick=False)).decode()
        assert not any(f'"{card}"' in seen for card in BIT)
        shown = for_onlooker(table_view(step.after), current_trick=True)
        assert shown.legal_cards == shown.played == ()
        assert not game.deal.hands.items() or not shown.hand_known


@given(evenings(directed=st.just(True)))
def test_corrections_leave_the_sheet_and_the_money_in_step(evening: Evening) -> None:
    for step in evening.steps():
        if isinstance(step.entry, Correct) and not isinstance(step.after.game, Unopened):
            base = step.after.game.base
            assert base.counted == sum(row.counts for row in base.rows)
            for row in base.rows:
                assert sum(row.deltas or (0,)) % 1 == 0


@given(evenings(most_deals=1), st.data())
@settings(max_examples=20)
def test_a_known_discard_is_never_legal(evening: Evening, data: st.DataObject) -> None:
    playing = [step.after for step in evening.steps() if isinstance(step.after.game, Playing)]
    for session in playing:
        game = session.game
        assert isinstance(game, Playing)
        assert not legal_cards(game, game.turn) & discarded(game)
