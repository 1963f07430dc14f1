"""The table as its recorder sees it: whose turn, what is legal as far as is known, what lies on it.

A view is read, never folded. `for_onlooker` narrows it to what players and guests may see of an open
deal: looking back at quitted tricks during play is an illegal aid.
"""

from functools import cache
from operator import attrgetter
from typing import Any

from msgspec.structs import replace

from domain.auction import legal_calls
from domain.cards import SUITS, cards_of
from domain.concession import may_concede
from domain.game import (
    Auction,
    Base,
    BetweenDeals,
    Closed,
    Contracting,
    Deal,
    DealRow,
    Discarding,
    Exposing,
    Finished,
    Game,
    Naming,
    Phase,
    PlayAt,
    Playing,
    Unopened,
    phase,
    preferences,
    seats_at,
    turn_to_call,
)
from domain.ladder import Contract, Preference, format_bid
from domain.pool import Pool
from domain.seats import Four, Seat, each, less
from domain.session import Session, last_effective, last_undone
from domain.tricks import legal_cards, plays_of
from domain.value import Value


class CallView(Value, frozen=True):
    number: int
    seat: Seat
    call: str


class AuctionView(Value, frozen=True):
    """The turns so far, and the calls that the seat on turn may make."""

    calls: tuple[CallView, ...]
    legal: tuple[str, ...]


class ContractView(Value, frozen=True):
    """What is played. No caller and no contract means a misère partout."""

    caller: Seat | None
    contract: Contract | None
    preference: Preference | None
    trumps: str | None
    conceded: tuple[Seat, ...]
    may_concede: tuple[Seat, ...]


class TrickView(Value, frozen=True):
    """A trick on the table or just quitted, its cards in the order they fell; `number` counts from 1."""

    number: int
    leader: Seat
    plays: tuple[PlayAt, ...]
    winner: Seat | None = None


class Exposed(Value, frozen=True):
    seat: Seat
    cards: tuple[str, ...]


class RowView(Value, frozen=True):
    """A line of the score sheet; `number` is the deal it counts as, or the one it was dealt for.

    `between` is what came to each chair since the line above besides this settlement: contributions, fines and rulings.
    The balances above, `between` and the settlement's deltas add up to the balances of this line.
    """

    number: int
    row: DealRow
    between: Four[int] | None = None


class TableView(Value, frozen=True, kw_only=True):
    """Everything a client needs to record the next entry. Amounts are white units."""

    phase: Phase
    date: str | None = None
    table: str | None = None
    ruleset: str | None = None
    players: Four[str] | None = None
    deal: int = 0
    deals: int = 0
    dealer: Seat | None = None
    turn: Seat | None = None
    first_preference: str | None = None
    second_preference: str | None = None
    auction: AuctionView | None = None
    contract: ContractView | None = None
    may_name: tuple[str, ...] = ()
    """The suits that the caller may name as trumps."""
    legal_cards: tuple[str, ...] = ()
    hand_known: bool = False
    played: tuple[str, ...] = ()
    trick: TrickView | None = None
    last_trick: TrickView | None = None
    tricks: Four[int] | None = None
    discarded: tuple[Seat, ...] = ()
    exposed: Exposed | None = None
    balances: Four[int | float] | None = None
    pool: Pool | None = None
    since_last: Four[int] | None = None
    """What came to each chair since the last line of the score sheet, such as the contribution after it."""
    last_deal: DealRow | None = None
    can: tuple[str, ...] = ()
    """The kinds of entry that this phase takes."""
    undo: int | None = None
    redo: int | None = None
    final: Four[int | float] | None = None
    winners: tuple[Seat, ...] = ()


_CARD = attrgetter("card")
_ALWAYS = ("reseat", "abandon")
_CAN: dict[Phase, tuple[str, ...]] = {
    "opening": ("shuffle", "first_dealer", *_ALWAYS),
    "dealing": ("shuffle", "cut", "preference", "deal", "contract", "misdeal", "cancel", "end", *_ALWAYS),
    "auction": ("cut", "preference", "call", "contract", "misdeal", "cancel", "end", *_ALWAYS),
    "trumps": ("trumps", "concede", "tricks", "misdeal", "cancel", *_ALWAYS),
    "discards": ("discard", "concede", "tricks", "misdeal", "cancel", *_ALWAYS),
    "exposing": ("expose", "concede", "tricks", "misdeal", "cancel", *_ALWAYS),
    "play": ("play", "concede", "tricks", "revoke", "misdeal", "cancel", *_ALWAYS),
    "between_deals": ("shuffle", "cut", "preference", "deal", "contract", "show", "revoke", "cancel", "end", *_ALWAYS),
    "finished": ("show", "revoke", "cancel", "close", *_ALWAYS),
    "closed": (),
    "ended": (),
    "abandoned": (),
}


def table_view(session: Session) -> TableView:
    """The table as its recorder sees it."""
    return TableView(**table_fields(session))


def table_fields(session: Session) -> dict[str, Any]:
    """What `table_view` is made of, for views that say more; what is not told has its default."""
    game = session.game
    at = phase(game)
    if isinstance(game, Unopened):
        return {"phase": at, "can": ("open",)}
    base = game.base
    rules = base.rules
    deal: Deal | None = getattr(game, "deal", None)  # Every phase of a deal under way has one.
    first, second = preferences(base, deal)
    at_rest = deal is None and at != "abandoned" and base.rows and base.rows[-1].counts
    number = base.counted if at_rest else base.counted + 1
    view: dict[str, Any] = {
        "phase": at,
        "date": base.opened.date,
        "table": base.opened.table,
        "ruleset": rules.id,
        "players": seats_at(base, number),
        "deal": number,
        "deals": rules.deals,
        "dealer": None if at == "opening" else base.dealer,
        "first_preference": first,
        "second_preference": second,
        "balances": base.balances,
        "pool": base.pool,
        "since_last": less(base.balances, _last_balances(base)),
        "can": _can(game, base, at),
        "undo": last_effective(session),
        "redo": last_undone(session),
    }
    match game:
        case Playing():
            view.update(_playing(game))
            return view
        case Auction():
            turn = turn_to_call(base, game.deal)
            calls = tuple(CallView(c.number, c.seat, format_bid(c.bid) if c.bid else "pass") for c in game.deal.calls)
            return view | {"turn": turn, "auction": AuctionView(calls, legal_calls(game))}
        case Naming():
            bound = {"first": first, "second": second}.get(game.contract.preference or "")
            return view | dict(
                turn=game.contract.caller, may_name=(bound,) if bound else tuple(SUITS), **_contracting(game)
            )
        case Discarding():
            aside = tuple(discard.seat for discard in game.discards)
            return view | dict(discarded=aside, **_contracting(game))
        case Exposing():
            aside = tuple(discard.seat for discard in game.discards)
            return view | dict(turn=game.contract.caller, discarded=aside, **_contracting(game))
        case BetweenDeals() | Finished():
            return view | {"last_deal": base.rows[-1] if base.rows else None, "last_trick": _last_trick(game)}
        case Closed():
            return view | {
                "balances": game.final,
                "pool": Pool(),
                "final": game.final,
                "winners": game.winners,
                "last_deal": base.rows[-1],
            }
        case _:
            return view


def _can(game: Game, base: Base, at: Phase) -> tuple[str, ...]:
    can, rules = _CAN[at], base.rules
    gone: set[str] = set()
    if not rules.concessions:
        gone.add("concede")
    if rules.revoke_fine is None:
        gone.add("revoke")
    if not base.counted:
        gone.add("end")
    match game:
        case Playing():
            if game.done or game.trick:
                gone.add("misdeal")
            if game.contract is None:
                gone |= {"concede", "revoke"}
        case Auction() if game.deal.calls:
            gone |= {"cut", "preference", "contract", "end"}
        case Naming() if not game.contract.reported:
            gone |= {"tricks", "concede"}
        case BetweenDeals() if game.last is None:
            gone |= {"show", "revoke", "cancel"} if base.rows else {"show", "revoke", "cancel", "misdeal"}
    return _without(can, frozenset(gone)) if gone else can


@cache
def _without(can: tuple[str, ...], gone: frozenset[str]) -> tuple[str, ...]:
    """What is left of the kinds of entry that a phase takes; there are few such pairs."""
    return tuple(kind for kind in can if kind not in gone)


def _contracting(game: Contracting) -> dict[str, Any]:
    contract = game.contract
    if contract is None:
        return {"contract": ContractView(None, None, None, None, (), ())}
    view = ContractView(
        contract.caller,
        contract.contract,
        contract.preference,
        contract.trumps,
        game.conceded,
        may_concede(game),
    )
    return {"contract": view}


def _playing(game: Playing) -> dict[str, Any]:
    turn, trick, done = game.turn, game.trick, game.done
    last = done[-1] if done else None
    return {
        "turn": turn,
        "legal_cards": cards_of(legal_cards(game, turn)),
        "hand_known": game.deal.hands[turn] is not None,
        "played": tuple(map(_CARD, plays_of(game))),
        "trick": TrickView(len(done) + 1, trick[0].seat if trick else turn, trick),
        "last_trick": TrickView(len(done), last.plays[0].seat, last.plays, last.winner) if last else None,
        "tricks": game.tricks,
        "discarded": tuple([discard.seat for discard in game.discards]),
        "exposed": Exposed(game.contract.caller, game.exposed) if game.exposed and game.contract else None,
        **_contracting(game),
    }


def _last_trick(game: BetweenDeals | Finished) -> TrickView | None:
    deal = game.last.deal if game.last else None
    if not isinstance(deal, Playing) or not deal.done:
        return None
    trick = deal.done[-1]
    return TrickView(len(deal.done), trick.plays[0].seat, trick.plays, trick.winner)


def score_sheet(base: Base) -> tuple[RowView, ...]:
    """All deals of the session so far, each with its number and what was paid before it."""
    views: list[RowView] = []
    counted = 0
    above = each(base.rules.start)
    for row in base.rows:
        before = row.balances if row.deltas is None else less(row.balances, row.deltas)
        views.append(RowView(counted + 1, row, less(before, above)))
        counted += row.counts
        above = row.balances
    return tuple(views)


def _last_balances(base: Base) -> Four[int]:
    return base.rows[-1].balances if base.rows else each(base.rules.start)


def for_onlooker(view: TableView, current_trick: bool) -> TableView:
    """What players and guests see: finished deals, and of an open one at most the trick on the table and the last.

    `current_trick` says whether the club shows those. Hands, the cards played and what is legal are left out.
    """
    under_way = view.contract is not None or view.auction is not None
    narrowed = replace(view, legal_cards=(), hand_known=False, played=(), can=(), undo=None, redo=None)
    if not under_way or current_trick:
        return narrowed
    return replace(
        narrowed, auction=None, contract=None, may_name=(), trick=None, last_trick=None, tricks=None, turn=None,
        discarded=(), exposed=None,
    )  # fmt: skip
