"""A recorded entry told again, on top of other money: what happened at the table stays, and what it paid is due anew.

A deal keeps its cards, its result, its dealer and whether it counts. Nothing is judged here.
"""

from msgspec.structs import replace

from domain import events
from domain.decide import contribution_due, division, reversal, stake_due, with_contribution
from domain.events import AnyEvent
from domain.evolve import Impossible, evolve_game
from domain.game import BetweenDeals, Contracted, Contracting, Finished, Game, Resting, Step, Unopened
from domain.pool import put_in
from domain.seats import Seat, add, each
from domain.settlement import Result, fine, settle, settle_partout

Events = tuple[AnyEvent, ...]

_DEALING = (
    events.PacksShuffled,
    events.PackCut,
    events.PreferenceExposed,
    events.CardsDealt,
    events.ContractReported,
)


def evolve_again(game: Game, event: AnyEvent, number: int) -> Game:
    """The game after an event of a recorded entry; a deal that was dealt stays one, however many count by now."""
    if isinstance(event, _DEALING) and isinstance(game, Finished):
        game = BetweenDeals(game.base, game.last)
    return evolve_game(game, event, number)


def as_dealt(game: Game, recorded: Step) -> Game:
    """Between deals, the next dealer is the one who really dealt."""
    if isinstance(game, Resting) and isinstance(recorded.before, Resting):
        return dealt_by(game, recorded.before.base.dealer)
    return game


def dealt_by(game: Resting, dealer: Seat) -> Resting:
    """The game between deals, of which this seat deals the next."""
    return game if game.base.dealer == dealer else replace(game, base=replace(game.base, dealer=dealer))


def to_be_judged(game: Game, step: Step) -> Game:
    """A deal that was really dealt is judged as one, also where all counted deals are played by now."""
    if isinstance(game, Finished) and isinstance(step.before, Resting) and isinstance(step.events[0], _DEALING):
        return BetweenDeals(game.base, game.last)
    return game


def paid_again(game: Game, step: Step, number: int) -> Events:
    """The events of a recorded entry with what is paid now; contributions come and go with the pool."""
    start = game
    ruled = isinstance(step.events[0], events.RevokeRuled)
    told: list[AnyEvent] = []
    for recorded in step.events:
        if isinstance(recorded, events.ContributionMade):
            continue
        paid = _money(start, game, recorded)
        due: Events = (paid,)
        if isinstance(paid, events.DealSettled) and not ruled and not isinstance(game, Unopened):
            due = with_contribution(game.base, paid)
        if isinstance(paid, events.FinePaid) and ruled and not isinstance(game, Unopened):
            # A ruling's fine is paid last, when its deal has been counted.
            due = (paid, *contribution_due(game.base.rules, game.base.counted, paid))
        if isinstance(recorded, _DEALING) and isinstance(start, BetweenDeals | Finished):
            due = (*due, *stake_due(BetweenDeals(start.base, start.last)))
        for event in due:
            told.append(event)
            game = evolve_again(game, event, number)
    return tuple(told)


def _money(start: Game, game: Game, event: AnyEvent) -> AnyEvent:
    """An event as it is paid now; `start` is the game before its entry, `game` the one right before the event."""
    if isinstance(start, Unopened) or isinstance(game, Unopened):
        return event
    base = game.base
    match event:
        case events.DealSettled() if isinstance(game, Contracting):
            if event.outcome == "misere_partout" and event.tricks is not None:
                return replace(settle_partout(base, event.tricks), next_dealer=event.next_dealer)
            contract = _contract(event, game)
            result = Result(event.outcome == "made", event.shortfall, event.tricks, event.conceded)
            return replace(settle(base, contract, result), next_dealer=event.next_dealer)
        case events.FinePaid():
            return fine(base.balances, base.pool, base, event.seat, event.amount, event.why)
        case events.DealThrownIn():
            pool = put_in(base.pool, 4 * event.fine, base.rules.cap)
            return replace(event, balances=add(base.balances, each(-event.fine)), pool=pool)
        case events.SettlementReversed() if isinstance(start, Resting) and start.last is not None:
            return reversal(start.base, start.last.deal.base)
        case events.TransferRuled():
            return replace(event, balances=add(base.balances, event.deltas))
        case events.PoolsDivided():
            return division(base, event.early)
        case _:
            return event


def _contract(event: events.DealSettled, game: Contracting) -> Contracted:
    if game.contract is None or event.contract is None or event.caller is None:
        raise Impossible("a settlement of a contract names it")
    return game.contract
