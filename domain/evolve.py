"""Applies recorded results: one arm for each event that changes the game, and no judgement.

Amounts, winners, the next dealer and the end of an auction stand in the events, so an old evening
folds to the same game after any later change of a rule.
"""

from typing import Any

from msgspec.structs import replace

from domain import events
from domain.cards import BIT, PACK, card_set
from domain.events import AnyEvent
from domain.game import (
    Abandoned,
    Auction,
    Base,
    BetweenDeals,
    CallAt,
    Closed,
    Contracted,
    Contracting,
    Deal,
    Dealing,
    DealRow,
    Discarded,
    Discarding,
    Ended,
    Exposing,
    Finished,
    Game,
    Naming,
    Opening,
    PlayAt,
    Playing,
    Resting,
    Seating,
    Trick,
    UnderWay,
    Unopened,
    eldest,
    void_bit,
)
from domain.ladder import discards, exposes, numeric, parse_call
from domain.pool import Pool
from domain.seats import SEATS, Seat, Some, add, each, put, put_some
from domain.tricks import next_in_trick


class Impossible(Exception):
    """An event that no decision can have led to at this place: the log is damaged or was written by hand."""


def evolve_game(game: Game, event: AnyEvent, number: int) -> Game:
    """The game after an event of the entry with this number; raises `Impossible` where it does not fit the phase."""
    match event:
        case events.CardPlayed():
            return _card_played(_in(game, Playing), event, number)
        case events.CallMade():
            auction = _in(game, Auction)
            call = CallAt(number, event.seat, parse_call(event.call))
            return Auction(auction.base, replace(auction.deal, calls=(*auction.deal.calls, call)))
        case events.SessionOpened():
            seating = Seating(1, event.seats)
            return Opening(Base(event, (seating,), each(event.rule_set.start), Pool()))
        case events.PacksShuffled():
            return game if isinstance(game, Opening) else _dealing(game, number)
        case events.FirstDealerDrawn():
            return BetweenDeals(replace(_base(game), dealer=event.seat))
        case events.PackCut():
            return _dealing(game, number)
        case events.PreferenceExposed():
            return _preference_exposed(_dealing(game, number), event.card[1])
        case events.CardsDealt():
            return _cards_dealt(_dealing(game, number), event, number)
        case events.DealMisdealt():
            deal = _under_way(game)
            base = _with_row(_standing(deal), DealRow(dealer=deal.base.dealer, counts=False, outcome="misdeal",
                                                      balances=deal.base.balances, pool=deal.base.pool))  # fmt: skip
            return BetweenDeals(replace(base, dealer=event.next_dealer), Ended(deal, "misdeal"))
        case events.ContractReported():
            reported = _dealing(game, number)
            return Auction(reported.base, reported.deal)
        case events.AuctionWon():
            return _auction_won(_in(game, Auction), event)
        case events.PartoutBegun():
            auction = _in(game, Auction)
            return Playing(auction.base, auction.deal, None, eldest(auction.base), each(0))
        case events.DealThrownIn():
            auction = _in(game, Auction)
            base = replace(auction.base, balances=event.balances, pool=event.pool, staked=False, standing=None)
            row = DealRow(dealer=base.dealer, counts=False, outcome="thrown_in", balances=event.balances,
                          pool=event.pool)  # fmt: skip
            return BetweenDeals(replace(_with_row(base, row), dealer=event.next_dealer), Ended(auction, "thrown_in"))
        case events.TrumpsNamed():
            naming = _in(game, Naming)
            contract = replace(naming.contract, trumps=event.suit)
            return _play_begins(naming.base, naming.deal, contract, conceded=naming.conceded)
        case events.CardDiscarded():
            return _card_discarded(_in(game, Discarding), event, number)
        case events.HandExposed():
            return _hand_exposed(_in(game, Exposing), event, number)
        case events.ConcessionMade():
            contracting = _in(game, Naming, Discarding, Exposing, Playing)
            return _conceded(contracting, event.seat)
        case events.TricksReported():
            return _tricks_reported(game, event)
        case events.HandsShown():
            return _hands_shown(_in(game, BetweenDeals, Finished), event)
        case events.DealSettled():
            return _deal_settled(_under_way(game), event)
        case events.RevokeRuled():
            # The deal goes back to where it stood before its settlement; the ruling's own settlement follows.
            return _reopened(game) if isinstance(game, Resting) else game
        case events.SettlementReversed():
            return _with_base(
                game, _last_row_paid(replace(_base(game), balances=event.balances, pool=event.pool), game)
            )
        case events.DealCancelled():
            return _deal_cancelled(game)
        case events.ContributionMade():
            base = replace(_base(game), balances=event.balances, pool=event.pool)
            return _with_base(game, replace(base, staked=True) if event.why == "deal" else base)
        case events.FinePaid():
            paid = replace(_base(game), balances=event.balances, pool=event.pool)
            return _with_base(_ruled(game) if event.why == "revoke" else game, _last_row_paid(paid, game))
        case events.FindingMade():
            base = _base(game)
            return _with_base(game, replace(base, findings=(*base.findings, event)))
        case events.SeatsCorrected():
            base = _base(game)
            return _with_base(game, replace(base, seatings=(*base.seatings, Seating(event.from_deal, event.seats))))
        case events.SessionEnded() | events.SessionClosed():
            # A deal that was not bid yet is dropped; the division follows.
            return BetweenDeals(_base(game))
        case events.PoolsDivided():
            return Closed(_base(game), event.early, event.final, event.winners)
        case events.SessionAbandoned():
            return Abandoned(_base(game))
        case events.TransferRuled():
            return _transferred(game, event)
        case events.DealCorrected():
            # The corrected line has been folded already; this says what it changed.
            return game
        case (
            events.EntryUndone()
            | events.EntryRedone()
            | events.EntriesWithdrawn()
            | events.CorrectionMade()
            | events.DisputeRaised()
            | events.DisputeResolved()
            | events.FindingAcknowledged()
            | events.SettlementSigned()
        ):
            raise Impossible("this event concerns the trail or the docket, not the game")


def _in(game: Game, *phases: type) -> Any:
    if isinstance(game, phases):
        return game
    raise Impossible(f"this event does not follow in the phase {type(game).__name__}")


def _base(game: Game) -> Base:
    if isinstance(game, Unopened):
        raise Impossible("the first event of a session opens it")
    return game.base


def _under_way(game: Game) -> UnderWay:
    return _in(game, Dealing, Auction, Naming, Discarding, Exposing, Playing)  # type: ignore[no-any-return]


def _with_base(game: Game, base: Base) -> Game:
    if isinstance(game, Unopened):
        raise Impossible("the first event of a session opens it")
    return replace(game, base=base)


def _dealing(game: Game, number: int) -> Dealing | Auction:
    """The deal in its dealing; the first entry after a deal begins the next one."""
    if isinstance(game, BetweenDeals):
        return Dealing(game.base, Deal(number))
    return _in(game, Dealing, Auction)  # type: ignore[no-any-return]


def _preference_exposed(game: Dealing | Auction, suit: str) -> Dealing | Auction:
    base = game.base
    if base.rules.preferences == "session":
        if base.senior is None:
            base = replace(base, senior=suit)
        elif base.junior is None and suit != base.senior:
            base = replace(base, junior=suit)
    return replace(game, base=base, deal=replace(game.deal, preference=suit))


def _cards_dealt(game: Dealing | Auction, event: events.CardsDealt, number: int) -> Auction:
    hands: Some[int] = Some()
    if event.hands is not None:
        hands = Some(**{seat: card_set(cards) for seat, cards in event.hands.items()})
    known = [bits for _, bits in hands.items()]
    if len(known) == 3:
        # Three hands leave the fourth no choice.
        missing = next(seat for seat in SEATS if hands[seat] is None)
        hands = put_some(hands, missing, PACK & ~(known[0] | known[1] | known[2]))
    told: Some[int] = Some(**{seat: number for seat, _ in hands.items()})
    return Auction(game.base, replace(game.deal, hands=hands, told=told))


def _auction_won(game: Auction, event: events.AuctionWon) -> Game:
    reported = not game.deal.calls
    contract = Contracted(event.caller, event.contract, event.preference, event.trumps, reported)
    if numeric(event.contract) and event.trumps is None:
        return Naming(game.base, game.deal, contract)
    return _play_begins(game.base, game.deal, contract)


def _play_begins(base: Base, deal: Deal, contract: Contracted, conceded: tuple[Seat, ...] = ()) -> Game:
    if discards(contract.contract):
        return Discarding(base, deal, contract)
    if exposes(contract.contract):
        return Exposing(base, deal, contract)
    return Playing(base, deal, contract, eldest(base), each(0), conceded=conceded)


def _conceded(game: Contracting, seat: Seat) -> Contracting:
    return replace(game, conceded=(*game.conceded, seat))


def _card_discarded(game: Discarding, event: events.CardDiscarded, number: int) -> Game:
    deal = game.deal
    held = deal.hands[event.seat]
    if event.card is not None and held is not None:
        deal = replace(deal, hands=put_some(deal.hands, event.seat, held & ~BIT[event.card]))
    aside = (*game.discards, Discarded(number, event.seat, event.card))
    if len(aside) < 4:
        return Discarding(game.base, deal, game.contract, aside, game.conceded)
    if exposes(game.contract.contract):
        return Exposing(game.base, deal, game.contract, aside, game.conceded)
    return Playing(game.base, deal, game.contract, eldest(game.base), each(0), discards=aside, conceded=game.conceded)


def _hand_exposed(game: Exposing, event: events.HandExposed, number: int) -> Playing:
    # What lies on the table for all to see overrides what was entered of this hand before.
    deal = replace(
        game.deal,
        hands=put_some(game.deal.hands, event.seat, card_set(event.cards)),
        told=put_some(game.deal.told, event.seat, number),
    )
    return Playing(
        game.base,
        deal,
        game.contract,
        eldest(game.base),
        each(0),
        discards=game.discards,
        exposed=event.cards,
        conceded=game.conceded,
    )


def _card_played(game: Playing, event: events.CardPlayed, number: int) -> Playing:
    seat, card = event.seat, event.card
    plays = (*game.trick, PlayAt(number, seat, card, event.irregular))
    voids = game.voids
    led = plays[0].card[1]
    if card[1] != led:
        voids |= void_bit(seat, led)
    winner = event.winner
    if winner is None:
        done, tricks, turn = game.done, game.tricks, next_in_trick(plays)
    else:
        done, tricks, turn = (
            (*game.done, Trick(plays, winner)),
            put(game.tricks, winner, game.tricks[winner] + 1),
            winner,
        )
        plays = ()
    return Playing(
        game.base,
        game.deal,
        game.contract,
        turn,
        tricks,
        done,
        plays,
        game.played | BIT[card],
        voids,
        game.discards,
        game.exposed,
        game.conceded,
        game.concession_dead or event.kills_concession,
        game.reported,
    )


def _tricks_reported(game: Game, event: events.TricksReported) -> Playing:
    deal = _in(game, Naming, Discarding, Exposing, Playing)
    if isinstance(deal, Playing):
        return replace(deal, tricks=event.tricks, reported=True)
    aside = () if isinstance(deal, Naming) else deal.discards
    return Playing(
        deal.base,
        deal.deal,
        deal.contract,
        eldest(deal.base),
        event.tricks,
        discards=aside,
        conceded=deal.conceded,
        reported=True,
    )


def _hands_shown(game: Resting, event: events.HandsShown) -> Resting:
    last = game.last
    if last is None:
        raise Impossible("hands are shown after a deal")
    shown = last.shown
    for seat, cards in event.hands.items():
        shown = put_some(shown, seat, card_set(cards))
    return replace(game, last=replace(last, shown=shown))


def _deal_settled(game: UnderWay, event: events.DealSettled) -> Resting:
    base = game.base
    row = DealRow(
        dealer=base.dealer,
        counts=True,
        outcome=event.outcome,
        contract=event.contract,
        preference=event.preference,
        caller=event.caller,
        trumps=event.trumps,
        tricks=event.tricks,
        shortfall=event.shortfall,
        conceded=event.conceded,
        deltas=event.deltas,
        balances=event.balances,
        pool=event.pool,
    )
    after = replace(
        _with_row(base, row),
        balances=event.balances,
        pool=event.pool,
        dealer=event.next_dealer,
        counted=base.counted + 1,
        staked=False,
        standing=None,
    )
    ended = Ended(game, event.outcome)
    return Finished(after, ended) if after.counted >= base.rules.deals else BetweenDeals(after, ended)


def _deal_cancelled(game: Game) -> BetweenDeals:
    ended = _reopened(game) if isinstance(game, Resting) else _under_way(game)
    base = _standing(ended)
    row = DealRow(dealer=base.dealer, counts=False, outcome="cancelled", balances=base.balances, pool=base.pool)
    return BetweenDeals(_with_row(base, row), Ended(ended, "cancelled"))


def _reopened(game: Resting) -> UnderWay:
    """The deal that ended last, as it stood before its settlement, with what was learnt since."""
    if game.last is None:
        raise Impossible("no deal has ended")
    deal = game.last.deal
    return replace(deal, base=replace(deal.base, findings=game.base.findings, seatings=game.base.seatings))


def _standing(game: UnderWay) -> Base:
    """The base of a deal that is dealt again: its preference card stands until another is turned."""
    suit = game.deal.preference or game.base.standing
    return replace(game.base, standing=suit) if suit != game.base.standing else game.base


def _transferred(game: Game, event: events.TransferRuled) -> Game:
    if isinstance(game, Resting) and game.last is not None:
        # The ruling stands also where the deal's own payments are taken back afterwards.
        deal = game.last.deal
        before = replace(deal.base, balances=add(deal.base.balances, event.deltas))
        game = replace(game, last=replace(game.last, deal=replace(deal, base=before)))
    return _with_base(game, replace(_base(game), balances=event.balances))


def _ruled(game: Game) -> Game:
    resting: Resting = _in(game, BetweenDeals, Finished)
    return replace(resting, last=replace(resting.last, ruled=True)) if resting.last else resting


def _with_row(base: Base, row: DealRow) -> Base:
    return replace(base, rows=(*base.rows, row))


def _last_row_paid(base: Base, game: Game) -> Base:
    """The last line of the score sheet shows what lay on the table after this payment too, if the deal is over."""
    if not isinstance(game, Resting) or not base.rows:
        return base
    return replace(base, rows=(*base.rows[:-1], replace(base.rows[-1], balances=base.balances, pool=base.pool)))
