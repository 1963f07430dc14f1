"""One evening at one table: four bots deal, call and play, and the domain says what comes of it.

Nothing here knows a rule. Every entry goes through `domain.session.record`, and what the bots do next
follows from the phase they are then in; an entry that the domain refuses is an error of the bots.
"""

from collections.abc import Callable
from random import Random
from typing import Literal

import msgspec

from domain import entries
from domain.cards import BIT, CARDS, RANK, cards_of
from domain.entries import AnyEntry
from domain.game import (
    Auction,
    Base,
    Contracted,
    Contracting,
    DealRow,
    Discarding,
    Exposing,
    Finished,
    Naming,
    Over,
    Playing,
    Resting,
    Unopened,
    preferences,
    turn_to_call,
)
from domain.ladder import wanted
from domain.refusal import Refusal
from domain.seats import LEFT, OPPOSITE, RIGHT, SEATS, Four, Seat, Some, four
from domain.session import Session, initial, record
from ops.demo import bot as mind
from ops.demo.bot import Bot, Outlook
from ops.demo.habits import Habits
from ops.demo.hand import card, dealt, suit_of
from ops.demo.play import choose

_MISDEAL_REASONS = ("A card was turned up in the deal", "One hand had 14 cards", "Dealt in the wrong batches")
_CANCEL_REASONS = ("A hand was exposed", "Two tricks were mixed up", "A revoke that nobody could place")
_DISPUTES: tuple[tuple[Literal["trick", "card", "call", "settlement"], str], ...] = (
    ("trick", "The sixth trick went to the wrong side"),
    ("card", "A card was played before its turn"),
    ("call", "The call was not heard by all"),
    ("settlement", "The pool was counted wrongly"),
)
_DECISIONS: tuple[tuple[Literal["stands", "withdrawn"], str], ...] = (
    ("stands", "The record and the cards agree"),
    ("withdrawn", "Cleared up at the table"),
)
_END_REASONS = ("The hall closes at midnight", "Last train", "One player felt unwell")
_ABANDON_REASON = "The fire alarm emptied the hall"


class Table:
    """A session being played. `said` are its entries so far, without slips and without times."""

    def __init__(
        self, opening: entries.Open, bots: dict[Seat, Bot], rng: Random, habits: Habits, substitute: Bot | None = None
    ) -> None:
        self.bots, self.rng, self.habits, self.substitute = bots, rng, habits, substitute
        self.session: Session = initial()
        self.said: list[AnyEntry] = []
        self.hands: dict[Seat, int] = {}
        self.outlook: dict[Seat, Outlook] = {}
        self.revoked: tuple[Seat, int] | None = None
        self.cuts, self.shows = rng.random() < habits.cuts, rng.random() < habits.shows
        self.open_hands = rng.random() < habits.hands
        self.wrong_seats = rng.random() < habits.wrong_seats
        if self.wrong_seats:
            swapped = Four(opening.seats.E, opening.seats.N, opening.seats.S, opening.seats.W)
            opening = msgspec.structs.replace(opening, seats=swapped)
        self.say(opening)

    @property
    def base(self) -> Base:
        """What all phases share."""
        game = self.session.game
        if isinstance(game, Unopened):
            raise AssertionError("a table opens its session at once")
        return game.base

    def say(self, entry: AnyEntry) -> None:
        """Takes an entry to the domain."""
        taken = record(self.session, entry)
        if isinstance(taken, Refusal):
            raise AssertionError(f"entry {self.session.number + 1}, {entry}: {taken.message}")
        self.session = taken[0]
        self.said.append(entry)

    def play(self, part: Callable[[list[AnyEntry]], None], under_way: bool = False) -> None:
        """Plays to the close, or to an early end; `part` is given the opening, each deal, and the end.

        `under_way` leaves the table in the middle of a later deal.
        """
        self._open()
        stops = self.rng.randint(2, 6) if under_way else None
        while not isinstance(self.session.game, Over):
            if self.said:
                part(self.said)
            self.said = []
            if isinstance(self.session.game, Finished):
                self.say(entries.Close())
            elif self.base.counted == stops:
                self._deal_out()
                while len(self.said) < 25 and not isinstance(self.session.game, Resting):
                    self._step()
                break
            elif stops is not None or not self._interlude():
                self._deal()
        part(self.said)

    def _interlude(self) -> bool:
        """What happens between two deals, once in a while; whether that was the end of the evening."""
        chance, habits = self.rng.random(), self.habits
        counted = self.base.counted
        if counted > 3 and chance < habits.ends_early:
            self.say(entries.End(reason=self.rng.choice(_END_REASONS)))
        elif counted and chance > 1 - habits.abandoned:
            self.say(entries.Abandon(reason=_ABANDON_REASON))
        elif self.wrong_seats and counted and chance < 0.5:
            self.wrong_seats = False
            self._reseat(1, "N and E were entered on each other's chairs")
        elif self.substitute and counted > 4 and 0.5 < chance < 0.5 + habits.substitute and not self.wrong_seats:
            self.bots[self.rng.choice(SEATS)], self.substitute = self.substitute, None
            self._reseat(counted + 1, "A substitute took over after the break")
        return isinstance(self.session.game, Over)

    def _reseat(self, from_deal: int, reason: str) -> None:
        seats = four(lambda seat: self.bots[seat].name)
        self.say(entries.Reseat(seats=seats, from_deal=from_deal, reason=reason))

    def _open(self) -> None:
        if self.rng.random() < 0.5:
            self.say(entries.Shuffle())
        if self.base.rules.first_dealer == "lot":
            self.say(entries.FirstDealer(seat=self.rng.choice(SEATS)))
            return
        low = {card: (RANK[card] + 1) % 13 for card in CARDS}
        cut = self.rng.sample(CARDS, 4)
        while sum(low[card] == min(low[card] for card in cut) for card in cut) > 1:
            cut = self.rng.sample(CARDS, 4)
        cards = dict(zip(SEATS, cut, strict=True))
        dealer = min(SEATS, key=lambda seat: low[cards[seat]])
        self.say(entries.FirstDealer(seat=dealer, cards=Some(**cards)))

    def _deal(self) -> None:
        """Plays one deal to its end, as the recorder managed to write it down."""
        start = self.session
        self._deal_out()
        if self.rng.random() < self.habits.misdeal:
            self.say(entries.Misdeal(reason=self.rng.choice(_MISDEAL_REASONS)))
            return
        dealing = len(self.said)
        while not isinstance(self.session.game, Resting):
            self._step()
        row = self.base.rows[-1]
        if self.rng.random() < self.habits.result_only:
            self._as_result(start, 0, row)
        elif self.rng.random() < self.habits.lost_track:
            self._as_result(start, self.rng.randrange(dealing, len(self.said)), row)
        self._afterwards()
        if self.rng.random() < self.habits.dispute:
            self._dispute()

    def _deal_out(self) -> None:
        rules, dealer = self.base.rules, self.base.dealer
        self.revoked = None
        self.hands = dealt(self.rng)
        self.outlook = {seat: mind.look(self.bots[seat], hand, self.rng) for seat, hand in self.hands.items()}
        if rules.shuffle == "each_deal" and self.rng.random() < 0.1:
            self.say(entries.Shuffle())
        if self.cuts:
            wrong = self.rng.random() < 0.02
            self.say(entries.Cut(by=LEFT[dealer] if wrong else RIGHT[dealer], at=self.rng.randint(4, 48)))
            if rules.packs == 2:
                self.say(entries.Cut(by=OPPOSITE[dealer], pack="still"))
        base = self.base
        if rules.preferences == "each_deal" or not (base.senior and base.junior):
            # The still pack turns its own card; the one pack of a session-long preference turns one that is dealt.
            self.say(entries.PreferenceCard(card=self.rng.choice(CARDS)))
        hands = Some(**{seat: cards_of(hand) for seat, hand in self.hands.items()})
        self.say(entries.Deal(hands=hands if self.open_hands else None))

    def _step(self) -> None:
        """One entry, or a few that belong together, of whatever the deal waits for."""
        match self.session.game:
            case Playing() as game:
                self._card(game)
            case Auction() as game:
                seat = turn_to_call(game.base, game.deal)
                said = mind.call(game, seat, self.bots[seat], self.outlook[seat], self.rng)
                self.say(entries.Call(seat=seat, call=said))
            case Naming() as game:
                self.say(entries.Trumps(suit=self._trumps(game, game.contract)))
            case Discarding() as game:
                order = list(SEATS)
                self.rng.shuffle(order)
                for seat in order:
                    self.hands[seat] &= ~mind.laid_aside(self.hands[seat], seat == game.contract.caller)
                    self.say(entries.Discard(seat=seat))
            case Exposing() as game:
                caller = game.contract.caller
                self.say(entries.Expose(seat=caller, cards=cards_of(self.hands[caller])))
            case other:
                raise AssertionError(f"nothing is dealt in the phase {type(other).__name__}")

    def _trumps(self, game: Naming, contract: Contracted) -> str:
        if contract.preference is None:
            return mind.trumps_for(self.outlook[contract.caller])
        first, second = preferences(game.base, game.deal)
        return (first if contract.preference == "first" else second) or "S"

    def _card(self, game: Playing) -> None:
        seat = game.turn
        if self._concedes(game, seat):
            self.say(entries.Concede(seat=seat))
            if not isinstance(self.session.game, Playing):
                return
        wrong_lead = not game.trick and game.done and self.rng.random() < self.habits.wrong_lead
        if wrong_lead:
            seat = LEFT[seat]
        hand = self.hands[seat] & ~game.played
        bit = choose(game, seat, hand)
        if self.rng.random() < self.bots[seat].careless:
            bit = self._thoughtless(game, hand, bit)
        if self.rng.random() < self.habits.revoke and self._can_revoke(game, hand, bit):
            bit = next(BIT[held] for held in cards_of(hand) if not BIT[held] & suit_of(bit))
            self.revoked = (seat, len(game.done) + 1)
        seen = game.deal.hands[seat] is not None and self.revoked == (seat, len(game.done) + 1)
        irregular = bool(wrong_lead or seen)
        self.say(entries.Play(seat=seat, card=card(bit), irregular=irregular))

    def _thoughtless(self, game: Playing, hand: int, bit: int) -> int:
        legal = hand & suit_of(bit) if game.trick or hand & (hand - 1) == 0 else hand
        return BIT[self.rng.choice(cards_of(legal))]

    def _can_revoke(self, game: Playing, hand: int, bit: int) -> bool:
        following = bool(game.trick) and game.trick[0].card[1] == card(bit)[1]
        return following and self.revoked is None and bool(hand & ~suit_of(bit))

    def _concedes(self, game: Playing, seat: Seat) -> bool:
        """ "I pay": before the second card on a hopeless deal, or late where one trick is missing and sure to come."""
        contract = game.contract
        if contract is None or not game.base.rules.concessions or game.concession_dead:
            return False
        if seat == contract.caller or seat in game.conceded:
            return False
        if len(game.conceded) == 2:
            return self.rng.random() < 0.8
        late = game.tricks[contract.caller] + 1 == wanted(contract.contract) and self.rng.random() < 0.06
        return late or (len(game.done) == 1 and mind.gives_up(self.outlook[contract.caller], contract, self.rng))

    def _as_result(self, start: Session, kept: int, row: DealRow) -> None:
        """Writes the deal again: `kept` entries as they were, and its result in place of the rest."""
        if row.tricks is None or self.revoked:
            return
        whole, after = self.said, self.session
        self.session, self.said = start, []
        for entry in whole[:kept]:
            self.say(entry)
        game = self.session.game
        if not kept:
            self.say(
                entries.ContractEntry(
                    contract=row.contract or "partout", caller=row.caller, preference=None, trumps=row.trumps
                )
            )
        elif not isinstance(game, Contracting) or isinstance(game, Naming):
            self.session, self.said = after, whole
            return
        self.say(entries.Tricks(tricks=row.tricks))

    def _afterwards(self) -> None:
        """What may follow a deal: the cards shown, a revoke ruled, the deal cancelled."""
        game = self.session.game
        ended = game.last if isinstance(game, Resting) else None
        if ended is None or ended.outcome not in ("made", "failed"):
            return
        deal = ended.deal
        if isinstance(deal, Playing) and not deal.reported and self.shows:
            played = deal.played
            if isinstance(self.said[-1], entries.Play):
                played |= BIT[self.said[-1].card]
            left = {seat: cards_of(hand & ~played) for seat, hand in self.hands.items()}
            if all(left.values()):
                self.say(entries.Show(hands=Some(**left)))
        if self.revoked and self.rng.random() < 0.7:
            seat, trick = self.revoked
            if self.base.rules.revoke_fine is not None:
                self.say(entries.Revoke(seat=seat, trick=trick))
            else:
                self.say(entries.Cancel(agreed=SEATS, reason=self.rng.choice(_CANCEL_REASONS)))
        elif self.rng.random() < self.habits.cancel:
            self.say(entries.Cancel(agreed=SEATS, reason=self.rng.choice(_CANCEL_REASONS)))

    def _dispute(self) -> None:
        """A seat disputes the deal just played; the recorder gives the resolution the dispute's number."""
        about, reason = self.rng.choice(_DISPUTES)
        seat = self.rng.choice(SEATS)
        self.say(entries.Dispute(line=len(self.base.rows), by=seat, about=about, reason=reason))
        if self.rng.random() < self.habits.settled:
            outcome, why = self.rng.choice(_DECISIONS)
            self.say(entries.Resolve(dispute=self.session.number, outcome=outcome, reason=why))
