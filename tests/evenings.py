"""Believable random evenings, shipped for every test that wants one: domain, log, API, projections.

An `Evening` is a seed with what the club plays and how untidy its recorder is. Its `steps` walk the evening
entry by entry: real hands are dealt behind the scenes and the cards come from them, while the record knows
all, some or none of it. Slips are undone, redone, withdrawn and entered again, deals go wrong, are cancelled
and ruled. Everything hangs on the seed alone, so the repr of an `Evening` is enough to repeat it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec
from hypothesis import strategies as st

from domain import entries
from domain.auction import legal_calls
from domain.cards import CARDS, SUITS
from domain.concession import may_concede
from domain.corrections import is_marker
from domain.entries import AnyEntry
from domain.events import AnyEvent, CorrectionMade, TricksReported
from domain.game import (
    Abandoned,
    Auction,
    BetweenDeals,
    Closed,
    Contracting,
    Dealing,
    Discarding,
    Exposing,
    Finished,
    Naming,
    Opening,
    Playing,
    Resting,
    UnderWay,
    Unopened,
    preferences,
)
from domain.ladder import LADDER, numeric, tricks_in
from domain.refusal import Refusal
from domain.rulesets import Options
from domain.seats import LEFT, OPPOSITE, RIGHT, SEATS, Four, Seat, Some, clockwise
from domain.session import Session, initial, last_effective, last_undone, record
from domain.tricks import legal_cards, plays_of

NAMES = ("Ann", "Bea", "Cal", "Dan", "Eva", "Finn", "Gül", "Hugo")
RULESETS = ("american-decimal", "boston-whist", "russian")
MOST = 4000
"""No evening of these is longer; one that would be has lost its way."""


@dataclass(frozen=True)
class Evening:
    """What an evening hangs on. `untidy` from 0 to 1 is how often the recorder slips and the table errs."""

    seed: int = 0
    ruleset: str = "american-decimal"
    deals: int | None = 4
    untidy: float = 0.5
    options: dict[str, Any] = field(default_factory=dict)
    rules: dict[str, Any] | None = None
    cards: bool = True
    """Are deals recorded card by card at all, or only by their results?"""
    directed: bool = False
    """Is there a director, who hears disputes, moves money and corrects finished deals?"""

    def steps(self) -> Iterator[Recorded]:
        """The evening, one accepted entry after the other, until it is over."""
        return _Recorder(self).steps()

    def entries(self) -> list[AnyEntry]:
        """The entries of the evening, as its record holds them."""
        return [step.entry for step in self.steps()]


@dataclass(frozen=True)
class Recorded:
    """One accepted entry of an evening: the session before it, its events, and the session after it."""

    before: Session
    entry: AnyEntry
    events: tuple[AnyEvent, ...]
    after: Session


HOUSES: tuple[dict[str, Any] | None, ...] = (
    None,
    {"cap": 100, "stake": 20},
    {"cap": None, "misdeal_fine": 20, "shuffle": "each_deal"},
    {"start": 0, "stake": 0},
    {"all_pass": "thrown_in", "thrown_in_fine": 10, "misdeal_dealer": "left"},
    {"all_pass": "misere_partout", "contribution": "when_empty", "concessions": True, "revoke_fine": 40},
    {"preferences": "session", "packs": 1, "batches": [3, 3, 3, 3, 1], "naming": "with_call"},
    {"low_contract_pool": True, "low_contracts": ["5", "6", "7"], "partout": 20},
)
"""House rules that together reach every policy of a rule set."""


def evenings(
    rulesets: Sequence[str] = RULESETS,
    most_deals: int = 4,
    houses: Sequence[dict[str, Any] | None] = HOUSES,
    directed: st.SearchStrategy[bool] = st.booleans(),  # noqa: B008 (a strategy is a value)
) -> st.SearchStrategy[Evening]:
    """Evenings of any of the rule sets, plain or by house rules, tidy or not."""
    return st.builds(
        Evening,
        seed=st.integers(0, 2**32 - 1),
        ruleset=st.sampled_from(rulesets),
        deals=st.integers(1, most_deals),
        untidy=st.sampled_from((0.0, 0.3, 1.0)),
        options=st.sampled_from(({}, {}, {"slam_after_failure": "play_out"})),
        rules=st.sampled_from(houses),
        cards=st.booleans(),
        directed=directed,
    )


class _Truth:
    """What really lies on the table in one deal, and how much of it the recorder will write down."""

    def __init__(self, rng: random.Random, cards: bool) -> None:
        pack = list(CARDS)
        rng.shuffle(pack)
        self.hands = {seat: pack[13 * place : 13 * place + 13] for place, seat in enumerate(SEATS)}
        self.aside = {seat: rng.choice(self.hands[seat]) for seat in SEATS}
        self.known = tuple(seat for seat in SEATS if rng.random() < 0.6) if rng.random() < 0.6 else ()
        self.turned = rng.choice(CARDS)
        self.by_turns = rng.random() < (0.7 if cards else 0.2)
        self.bold = rng.choice((0.0, 0.25, 0.25, 0.6))
        self.lost_after = rng.choice((52, 52, 52, rng.randrange(52))) if cards else 0
        self.gives_up = rng.random() < 0.3
        self.opened = {kind for kind, share in (("cut", 0.4), ("preference", 0.9)) if rng.random() < share}


class _Recorder:
    """Writes an evening. Each `_at_...` names what could well be entered next in a phase."""

    def __init__(self, evening: Evening) -> None:
        self.evening = evening
        self.rng = random.Random(f"{evening}")
        self.session = initial()
        self.truths: dict[int, _Truth] = {}
        self.queue: list[AnyEntry] = []
        self.taken = 0

    def steps(self) -> Iterator[Recorded]:
        while self.taken < MOST:
            entry = self._next()
            if entry is None:
                return
            before = self.session
            recorded = record(before, entry)
            assert not isinstance(recorded, Refusal), f"{self.evening} entered {entry}, refused: {recorded}"
            self.session, told = recorded
            self.taken += 1
            yield Recorded(before, entry, told, self.session)
        raise AssertionError(f"{self.evening} does not end")

    def chance(self, share: float) -> bool:
        """A thing that happens to the untidy only."""
        return self.rng.random() < share * self.evening.untidy

    def accepted(self, entry: AnyEntry) -> bool:
        return not isinstance(record(self.session, entry), Refusal)

    def _next(self) -> AnyEntry | None:
        game = self.session.game
        if self.queue:
            entry = self.queue.pop(0)
            if self.accepted(entry):
                return entry
            self.queue.clear()
        if isinstance(game, Closed | Abandoned):
            # The end itself may be undone, but an evening of a finite test has to end at last.
            return self._second_thoughts() if self.chance(0.2) and self.taken < MOST // 2 else None
        # A long evening has no patience left for slips.
        if self.taken < MOST // 2 and self.chance(0.04) and (entry := self._second_thoughts()):
            return entry
        return self._first_accepted(self._likely())

    def _first_accepted(self, likely: Iterator[AnyEntry]) -> AnyEntry:
        for entry in likely:
            if self.accepted(entry):
                return entry
        raise AssertionError(f"{self.evening}: nothing to enter at {self.session.game}")

    def _second_thoughts(self) -> AnyEntry | None:
        """Undo, a chain of undos and redos, or a withdrawal."""
        last, lost, trail = last_effective(self.session), last_undone(self.session), self.session.trail
        roll = self.rng.random()
        if roll < 0.4 and last is not None:
            deep = self.rng.choice((1, 1, 2, 5, 30))
            numbers = [step.number for step in trail[:0:-1]][:deep]
            self.queue = [entries.Undo(target=number) for number in numbers[1:]]
            if self.rng.random() < 0.5:
                self.queue += [entries.Redo(target=number) for number in reversed(numbers)]
            return entries.Undo(target=last)
        if roll < 0.7 and lost is not None:
            return entries.Redo(target=lost)
        if len(trail) > 1:
            recent = trail[1:] if roll < 0.8 else trail[max(1, len(trail) - 8) :]
            entry = entries.Withdraw(start=self.rng.choice(recent).number)
            return entry if self.accepted(entry) else None
        return None

    def _truth(self) -> _Truth:
        game = self.session.game
        first = game.deal.first_entry if isinstance(game, UnderWay) else self.session.number + 1
        if first not in self.truths:
            self.truths[first] = _Truth(self.rng, self.evening.cards)
        return self.truths[first]

    def _likely(self) -> Iterator[AnyEntry]:
        game = self.session.game
        if not isinstance(game, Unopened):
            yield from self._at_any_time()
        match game:
            case Unopened():
                yield self._open()
            case Opening():
                if self.rng.random() < 0.5:
                    yield entries.Shuffle()
                yield self._first_dealer()
            case BetweenDeals():
                yield from self._after_a_deal(game)
                yield from self._at_dealing(game)
            case Dealing():
                yield from self._gone_wrong()
                yield from self._at_dealing(game)
            case Auction():
                yield from self._gone_wrong()
                yield from self._at_auction(game)
            case Naming():
                yield from self._gone_wrong()
                yield from self._at_naming(game)
            case Discarding():
                yield from self._gone_wrong()
                yield from self._at_discards(game)
            case Exposing():
                yield from self._gone_wrong()
                yield from self._at_exposing(game)
            case Playing():
                yield from self._gone_wrong()
                yield from self._at_play(game)
            case Finished():
                yield from self._after_a_deal(game)
                yield entries.Close()

    def _open(self) -> AnyEntry:
        evening = self.evening
        options = Options(**(evening.options | ({"deals": evening.deals} if evening.deals else {})))
        seats = Four(*self.rng.sample(NAMES, 4))
        return entries.Open(
            ruleset=evening.ruleset, seats=seats, date="2026-11-30", options=options, rules=evening.rules
        )

    def _first_dealer(self) -> AnyEntry:
        seat = self.rng.choice(SEATS)
        if self.rng.random() < 0.5:
            return entries.FirstDealer(seat=seat)
        low = {"A": 1, "T": 10, "J": 11, "Q": 12, "K": 13}
        cut = sorted(self.rng.sample(CARDS, 4), key=lambda card: low.get(card[0]) or int(card[0]))
        while cut[0][0] == cut[1][0]:
            cut[0] = self.rng.choice([card for card in CARDS if card not in cut])
            cut.sort(key=lambda card: low.get(card[0]) or int(card[0]))
        return entries.FirstDealer(seat=seat, cards=Some(**dict(zip(clockwise(seat), cut, strict=True))))

    def _at_any_time(self) -> Iterator[AnyEntry]:
        game = self.session.game
        assert not isinstance(game, Unopened)
        if self.chance(0.004):
            from_deal = self.rng.randint(1, game.base.counted + 1)
            yield entries.Reseat(seats=Four(*self.rng.sample(NAMES, 4)), from_deal=from_deal, reason="a substitute")
        if self.chance(0.0005):
            yield entries.Abandon(reason="the lights went out")
        if self.evening.directed and self.rng.random() < (0.4 if isinstance(game, Resting) else 0.005):
            for _ in range(3):
                yield self.rng.choice((self._dispute, self._resolution, self._acknowledgement, self._signature,
                                       self._transfer, *[self._correction] * 4))()  # fmt: skip

    def _dispute(self) -> AnyEntry:
        by = self.rng.choice((*SEATS, "director"))
        return entries.Dispute(line=self.rng.randint(1, 4), by=by, reason="that was not what I called")

    def _resolution(self) -> AnyEntry:
        raised = [dispute.number for dispute in self.session.docket.disputes] or [1]
        outcome = self.rng.choice(("withdrawn", "stands", "adjusted"))
        return entries.Resolve(dispute=self.rng.choice(raised), outcome=outcome, law="34", reason="heard")

    def _acknowledgement(self) -> AnyEntry:
        game = self.session.game
        findings = game.base.findings if not isinstance(game, Unopened) else ()
        if not findings:
            return entries.Acknowledge(kind="revoke", entries=(1,), reason="seen")
        found = self.rng.choice(findings)
        return entries.Acknowledge(kind=found.kind, entries=found.entries, reason="seen")

    def _signature(self) -> AnyEntry:
        device = self.rng.choice(("own", "recorder"))
        return entries.Sign(seat=self.rng.choice(SEATS), line=self.rng.randint(1, 4), hash="0" * 64, device=device)

    def _transfer(self) -> AnyEntry:
        amount = self.rng.randint(-50, 50)
        return entries.Transfer(deltas=Four(amount, -amount, 0, 0), law="club law 3", reason="a wrong card shown")

    def _correction(self) -> AnyEntry:
        """Another result of some deal, an entry taken out or put in, or an earlier correction taken back."""
        rng = self.rng
        in_force = [step for step in self.session.trail[1:] if not is_marker(step)]
        made = [step for step in self.session.trail if isinstance(step.events[0], CorrectionMade)]
        if made and rng.random() < 0.3:
            return entries.Correct(undoes=rng.choice(made).number, reason="it was right after all")
        if not in_force:
            return entries.Correct(undoes=1, reason="nothing to correct")
        reported = [step for step in in_force if isinstance(step.events[0], TricksReported)]
        step = rng.choice(reported if reported and rng.random() < 0.6 else in_force)
        seats = rng.sample(SEATS, 4)
        drawn = [0, *sorted(rng.randint(0, 13) for _ in range(3)), 13]
        totals = Four(**{seat: drawn[place + 1] - drawn[place] for place, seat in enumerate(seats)})
        put: tuple[AnyEntry, ...] = rng.choice((
            (),
            (entries.Tricks(tricks=totals),),
            (entries.Trumps(suit=rng.choice(SUITS)),),
            (entries.Play(seat=seats[0], card=rng.choice(CARDS), irregular=rng.random() < 0.7),),
            (entries.Cancel(agreed=SEATS, reason="ruled void"),),
            (entries.ContractEntry(contract=rng.choice(LADDER), caller=seats[0]), entries.Tricks(tricks=totals)),
        ))  # fmt: skip
        change = entries.Change(at=step.number, part=step.part, put=put, after=rng.random() < 0.3 and bool(put))
        return entries.Correct(changes=(change,), reason="the recorder misheard")

    def _gone_wrong(self) -> Iterator[AnyEntry]:
        if self.chance(0.01):
            yield entries.Misdeal(reason="a card was turned")
        if self.chance(0.002):
            yield entries.Cancel(agreed=SEATS, reason="the hands got mixed")

    def _after_a_deal(self, game: Resting) -> Iterator[AnyEntry]:
        last = game.last
        if last is not None and isinstance(last.deal, UnderWay):
            if self.rng.random() < 0.4 and last.outcome in ("made", "failed"):
                yield from self._shown(game)
            if self.chance(0.05):
                yield entries.Cancel(agreed=SEATS, reason="someone saw a card")
            if self.chance(0.2):
                yield self._revoke()
        if self.chance(0.02):
            yield entries.End(reason="the last bus")

    def _revoke(self) -> AnyEntry:
        return entries.Revoke(seat=self.rng.choice(SEATS), trick=self.rng.randint(1, 13))

    def _shown(self, game: Resting) -> Iterator[AnyEntry]:
        """The cards left, as they really were, or with one wrong."""
        last = game.last
        assert last is not None
        deal = last.deal
        truth = self.truths.get(deal.deal.first_entry)
        if truth is None or not isinstance(deal, Contracting):
            return
        gone = {play.card for play in plays_of(deal)} if isinstance(deal, Playing) else set()
        aside = {discard.seat for discard in deal.discards} if not isinstance(deal, Naming) else set()
        left = {
            seat: tuple(c for c in hand if c not in gone and not (seat in aside and c == truth.aside[seat]))
            for seat, hand in truth.hands.items()
        }
        if isinstance(deal, Playing) and deal.reported:
            left = {seat: cards[sum(deal.tricks) - len(deal.done) :] for seat, cards in left.items()}
        showing = self.rng.sample(SEATS, self.rng.randint(1, 4))
        hands = {seat: left[seat] for seat in SEATS if seat in showing}
        if self.chance(0.3) and any(hands.values()):
            seat = self.rng.choice([seat for seat, cards in hands.items() if cards])
            spare = [card for card in CARDS if all(card not in cards for cards in hands.values())]
            hands[seat] = (*hands[seat][1:], self.rng.choice(spare)) if spare else hands[seat]
        yield entries.Show(hands=Some(**hands))

    def _at_dealing(self, game: BetweenDeals | Dealing) -> Iterator[AnyEntry]:
        truth, base = self._truth(), game.base
        if base.rules.shuffle == "each_deal" and isinstance(game, BetweenDeals) and self.rng.random() < 0.5:
            yield entries.Shuffle()
        if self.chance(0.02):
            yield entries.Shuffle(pack="still")
        if "cut" in truth.opened:
            truth.opened.discard("cut")
            by = self.rng.choice(SEATS) if self.chance(0.1) else RIGHT[base.dealer]
            yield entries.Cut(by=by, pack=self.rng.choice((None, "dealt")), at=self.rng.choice((None, 4, 26, 48)))
            yield entries.Cut(by=OPPOSITE[base.dealer], pack="still")
        if "preference" in truth.opened:
            truth.opened.discard("preference")
            yield entries.PreferenceCard(card=truth.turned)
        if truth.by_turns or self.rng.random() < 0.4:
            known = {seat: tuple(sorted(truth.hands[seat])) for seat in SEATS if seat in truth.known}
            yield entries.Deal(hands=Some(**known) if known else None)
        yield from self._result(game)

    def _result(self, game: BetweenDeals | Dealing | Auction) -> Iterator[AnyEntry]:
        """The auction's result, entered instead of its turns."""
        rng = self.rng
        if rng.random() < 0.12:
            yield entries.ContractEntry(contract="partout")
        contract = rng.choice(LADDER[: rng.choice((3, 7, 13))])
        caller = rng.choice(SEATS)
        if numeric(contract):
            preference = rng.choice((None, "second", "first"))
            suits = preferences(game.base, game.deal if not isinstance(game, BetweenDeals) else None)
            bound = {"first": suits[0], "second": suits[1]}.get(preference or "")
            trumps = rng.choice((None, bound or rng.choice(SUITS)))
            yield entries.ContractEntry(contract=contract, caller=caller, preference=preference, trumps=trumps)
            yield entries.ContractEntry(contract=contract, caller=caller, trumps=trumps)
        yield entries.ContractEntry(contract=contract, caller=caller)

    def _at_auction(self, game: Auction) -> Iterator[AnyEntry]:
        truth, base = self._truth(), game.base
        if not game.deal.calls:
            if self.chance(0.05):
                yield entries.Cut(by=self.rng.choice(SEATS), pack=self.rng.choice((None, "still")))
            if "preference" in truth.opened or self.chance(0.05):
                truth.opened.discard("preference")
                yield entries.PreferenceCard(card=self.rng.choice(CARDS))
            if not truth.by_turns:
                yield from self._result(game)
        seat = clockwise(LEFT[base.dealer])[len(game.deal.calls) % 4]
        legal = legal_calls(game)
        bold = truth.bold if self.rng.random() < 0.9 else 0.5
        step = min(int(self.rng.expovariate(0.6)), len(legal) - 2) if len(legal) > 1 else 0
        call = legal[1 + step] if len(legal) > 1 and self.rng.random() < bold else "pass"
        yield entries.Call(seat=seat, call=call)

    def _at_naming(self, game: Naming) -> Iterator[AnyEntry]:
        yield from self._talk(game)
        if game.contract.reported and self.rng.random() < 0.5:
            yield self._totals(game)
        for suit in self.rng.sample(SUITS, 4):
            yield entries.Trumps(suit=suit)

    def _talk(self, game: Contracting) -> Iterator[AnyEntry]:
        """A defender says "I pay"; where one begins, the others often follow."""
        willing = self._truth().gives_up
        if not willing and not self.chance(0.01):
            return
        if self.rng.random() < 0.25 and (seats := may_concede(game)):
            yield entries.Concede(seat=self.rng.choice(seats))

    def _at_discards(self, game: Discarding) -> Iterator[AnyEntry]:
        yield from self._talk(game)
        truth = self._truth()
        if not self.evening.cards and self.rng.random() < 0.8:
            yield self._totals(game)
        for seat in self.rng.sample(SEATS, 4):
            if self.rng.random() < 0.3:
                yield entries.Discard(seat=seat, card=truth.aside[seat])
            yield entries.Discard(seat=seat)

    def _at_exposing(self, game: Exposing) -> Iterator[AnyEntry]:
        yield from self._talk(game)
        truth, caller = self._truth(), game.contract.caller
        if not self.evening.cards and self.rng.random() < 0.8:
            yield self._totals(game)
        hand = tuple(card for card in truth.hands[caller] if not game.discards or card != truth.aside[caller])
        if self.chance(0.1):
            hand = (*hand[1:], self.rng.choice([card for card in CARDS if card not in hand]))
        yield entries.Expose(seat=caller, cards=hand)

    def _at_play(self, game: Playing) -> Iterator[AnyEntry]:
        yield from self._talk(game)
        truth = self._truth()
        if len(plays_of(game)) >= truth.lost_after:
            yield self._totals(game)
        if self.chance(0.01):
            yield self._revoke()
        if self.chance(0.03):
            yield from self._irregular(game)
        evidence = "seen" if self.rng.random() < 0.97 else self.rng.choice(("inferred", "reconstructed"))
        for card in self._own_cards(game, game.turn):
            yield entries.Play(seat=game.turn, card=card, evidence=evidence)  # type: ignore[arg-type]
        # What was recorded wrongly before can leave a seat without a card that it may play.
        for card in self._own_cards(game, game.turn):
            yield entries.Play(seat=game.turn, card=card, irregular=True)

    def _irregular(self, game: Playing) -> Iterator[AnyEntry]:
        """A card out of turn, one that breaks rule 26, or one that cannot be right at all."""
        waiting = [seat for seat in SEATS if all(play.seat != seat for play in game.trick)]
        seat = self.rng.choice(waiting)
        cards = self._own_cards(game, seat) if self.rng.random() < 0.7 else self.rng.sample(CARDS, 1)
        yield entries.Play(seat=seat, card=self.rng.choice(cards), irregular=True)

    def _own_cards(self, game: Playing, seat: Seat) -> list[str]:
        """The cards that the seat really has, those by which it follows suit first; a believable order else."""
        truth = self._truth()
        gone = {play.card for play in plays_of(game)}
        aside = {discard.seat: discard.card or truth.aside[discard.seat] for discard in game.discards}
        own = [card for card in truth.hands[seat] if card not in gone and card != aside.get(seat)]
        self.rng.shuffle(own)
        if game.trick and not self.chance(0.02):
            led = game.trick[0].card[1]
            own.sort(key=lambda card: card[1] != led)
        allowed = legal_cards(game, seat)
        rest = [card for place, card in enumerate(CARDS) if allowed >> place & 1 and card not in own]
        return own + (rest or [card for card in CARDS if card not in gone])

    def _totals(self, game: Contracting) -> AnyEntry:
        """Totals that can be the end of this deal."""
        rng, contract = self.rng, game.contract
        won = game.tricks if isinstance(game, Playing) else Four(0, 0, 0, 0)
        whole = 13 if contract is None else tricks_in(contract.contract)
        for _ in range(2000):
            total = whole if rng.random() < 0.6 else rng.randint(sum(won), whole)
            tricks = dict(won.items())
            favoured = contract.caller if contract is not None and rng.random() < 0.8 else rng.choice(SEATS)
            drawn = rng.random()
            for _ in range(total - sum(won)):
                tricks[favoured if rng.random() < drawn else rng.choice(SEATS)] += 1
            entry = entries.Tricks(tricks=Four(**tricks))
            if self.accepted(entry):
                return entry
        return entries.Tricks(tricks=Four(13, 13, 13, 13))


def with_ids(record_lines: Sequence[AnyEntry], of: Callable[[int], str] = "entry-{}".format) -> list[AnyEntry]:
    """The same entries, each with the id that `of` makes of its number, as a client sends them."""
    return [msgspec.structs.replace(entry, id=of(number)) for number, entry in enumerate(record_lines, start=1)]
