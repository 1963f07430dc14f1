"""What an entry leads to: the pair (phase, entry) on one screen, one named function an arm.

Everything is computed here, settlements included, and written into the events; `domain.evolve`
only applies it. Undo, redo and withdraw concern the trail and stand in `domain.session`.
"""

from domain import auction, entries, events
from domain.cards import BIT, RANK, SUIT_NAMES
from domain.concession import check_concession, kills_concession
from domain.events import AnyEvent
from domain.findings import (
    check_hands,
    cut_finding,
    expose_findings,
    holder_of,
    nowhere_finding,
    revoke_finding,
    show_findings,
)
from domain.game import (
    Abandoned,
    Auction,
    Base,
    BetweenDeals,
    CallAt,
    Closed,
    Contracting,
    Deal,
    Dealing,
    Discarding,
    Exposing,
    Finished,
    Game,
    Naming,
    Opening,
    PlayAt,
    Playing,
    Resting,
    UnderWay,
    Unopened,
    phase,
    preferences,
    void_bit,
)
from domain.ladder import HAND, Preference, discards, numeric, parse_call, tricks_in, wanted
from domain.pool import Pool, put_in, total
from domain.refusal import Refusal, refuse
from domain.rulesets import RuleSet, chosen, digest
from domain.seats import LEFT, SEATS, Four, Seat, Some, add, each, four, put
from domain.settlement import (
    Result,
    check_totals,
    contribute,
    divide,
    fine,
    result_of,
    settle,
    settle_partout,
    slam_result,
)
from domain.text import Malformed
from domain.tricks import cards_left, must_follow, trick_winner, trumps_of

Decision = tuple[AnyEvent, ...] | Refusal


def decide_game(game: Game, entry: entries.Entry, number: int) -> Decision:
    """The events that an entry of this number leads to, its own first, or why it is refused."""
    match game, entry:
        case Playing(), entries.Play():
            return _play(game, entry, number)
        case Auction(), entries.Call():
            return _call(game, entry, number)
        case Unopened(), entries.Open():
            return _open(entry)
        case Opening() | BetweenDeals() | Dealing(), entries.Shuffle():
            return _shuffle(game, entry, number)
        case Opening(), entries.FirstDealer():
            return _first_dealer(entry)
        case BetweenDeals() | Dealing() | Auction(), entries.Cut():
            return _cut(game, entry, number)
        case BetweenDeals() | Dealing() | Auction(), entries.PreferenceCard():
            return _preference(game, entry)
        case BetweenDeals() | Dealing(), entries.Deal():
            return _deal(game, entry)
        case BetweenDeals() | Dealing() | Auction(), entries.ContractEntry():
            return _contract(game, entry)
        case Naming(), entries.Trumps():
            return _trumps(game, entry)
        case Discarding(), entries.Discard():
            return _discard(game, entry)
        case Exposing(), entries.Expose():
            return _expose(game, entry, number)
        case Naming() | Discarding() | Exposing() | Playing(), entries.Concede():
            return _concede(game, entry)
        case Naming() | Discarding() | Exposing() | Playing(), entries.Tricks():
            return _tricks(game, entry)
        case BetweenDeals() | Finished(), entries.Show():
            return _show(game, entry, number)
        case Dealing() | Auction() | Naming() | Discarding() | Exposing() | Playing(), entries.Misdeal():
            return _misdeal(game, entry)
        case Playing() | BetweenDeals() | Finished(), entries.Revoke():
            return _revoke(game, entry)
        case Dealing() | Auction() | Naming() | Discarding() | Exposing() | Playing(), entries.Cancel():
            return _cancel(game, entry)
        case BetweenDeals() | Finished(), entries.Cancel():
            return _cancel_settled(game, entry)
        case BetweenDeals() | Dealing() | Auction(), entries.End():
            return _end(game, entry)
        case Finished(), entries.Close():
            return (events.SessionClosed(), division(game.base, early=False))
        case Closed(), entries.Transfer():
            return refuse(
                "pools_divided", 46, "the pools are divided; a correction puts the transfer in before the close"
            )
        case Unopened() | Closed() | Abandoned(), _:
            return _not_now(game, entry)
        case _, entries.Transfer():
            return _transfer(game.base, entry)
        case _, entries.Reseat():
            return _reseat(game.base, entry)
        case _, entries.Abandon():
            return (events.SessionAbandoned(reason=entry.reason),)
        case _:
            return _not_now(game, entry)


_AWAITED: dict[str, tuple[int | None, str]] = {
    "opening": (5, "the first dealer is not known yet"),
    "dealing": (6, "the cards are not dealt yet"),
    "auction": (17, "the auction is under way"),
    "trumps": (24, "the caller has to name trumps first"),
    "discards": (28, "all four have to discard first"),
    "exposing": (28, "the caller has to lay down his hand first"),
    "play": (25, "the cards are being played"),
    "between_deals": (6, "the next deal has not begun"),
    "finished": (46, "all deals are played"),
    "closed": (46, "the session is closed"),
    "ended": (46, "the session has ended"),
    "abandoned": (46, "the session is abandoned"),
}
_OWN_RULE: dict[type[entries.Entry], int] = {entries.Close: 46, entries.End: 46, entries.Misdeal: 33, entries.Show: 32}


def _not_now(game: Game, entry: entries.Entry) -> Refusal:
    name = entry.__struct_config__.tag
    if isinstance(game, Unopened):
        return refuse("not_open", None, f"a record begins with open, not with {name}", entry=str(name))
    if isinstance(entry, entries.Open):
        return refuse("already_open", None, "the session is open already", entry="open")
    at = phase(game)
    rule, why = _AWAITED[at]
    if isinstance(game, Finished) and isinstance(entry, entries.End):
        why += "; close ends the session now"
    return refuse(
        "not_now", _OWN_RULE.get(type(entry), rule), f"{name} cannot be entered now: {why}", entry=str(name), phase=at
    )


def _open(entry: entries.Open) -> Decision:
    try:
        rules = chosen(entry.ruleset, entry.options, entry.rules)
    except Malformed as error:
        return Refusal("rules_unknown", str(error), family="malformed")
    if twice := _seated_twice(entry.seats):
        return twice
    opened = events.SessionOpened(
        ruleset=entry.ruleset,
        seats=entry.seats,
        date=entry.date,
        club=entry.club,
        table=entry.table,
        options=entry.options,
        rules=entry.rules,
        format=entry.format,
        rule_set=rules,
        digest=digest(rules),
    )
    if rules.contribution == "every_deal" or not rules.stake:
        return (opened,)
    return (opened, contribute(each(rules.start), Pool(), rules, "opening"))


def _seated_twice(seats: Four[str]) -> Refusal | None:
    sits: dict[str, Seat] = {}
    for seat, player in seats.items():
        if player in sits:
            return refuse(
                "player_twice", 1, f"{player} sits both on {sits[player]} and on {seat}", player=player, seat=seat
            )
        sits[player] = seat
    return None


def _shuffle(game: Opening | BetweenDeals | Dealing, entry: entries.Shuffle, number: int) -> Decision:
    if entry.pack == "still" and game.base.rules.packs == 1:
        return _no_still_pack(game.base)
    found: list[AnyEvent] = []
    if game.base.rules.shuffle == "once" and game.base.rows:
        text = "the packs were shuffled again; after the start of the session they are only cut"
        found.append(events.FindingMade(kind="shuffled_again", entries=(number,), rule=4, text=text))
    return (events.PacksShuffled(pack=entry.pack), *stake_due(game), *found)


def _no_still_pack(base: Base) -> Refusal:
    return refuse("no_still_pack", 2, f"{base.rules.id} is played with one pack; there is no still pack")


def stake_due(game: Opening | BetweenDeals | Dealing | Auction) -> tuple[events.ContributionMade, ...]:
    """The stake before every deal, with the first entry of its dealing, unless it was paid for a deal now void."""
    base = game.base
    if isinstance(game, BetweenDeals) and base.rules.contribution == "every_deal" and not base.staked:
        return (contribute(base.balances, base.pool, base.rules, "deal"),) if base.rules.stake else ()
    return ()


def _first_dealer(entry: entries.FirstDealer) -> Decision:
    if entry.cards is not None:
        # Ace is low here: the rank that is highest in play comes before the two.
        low = {seat: (RANK[card] + 1) % HAND for seat, card in entry.cards.items()}
        if len({card for _, card in entry.cards.items()}) < len(low):
            return refuse("card_twice", 2, "the same card was cut by two seats")
        lowest = [seat for seat, value in low.items() if value == min(low.values())]
        if len(lowest) > 1:
            tied = " and ".join(lowest)
            return refuse("cut_tied", 5, f"{tied} cut equal lowest cards and cut again; enter the last cut")
        if lowest != [entry.seat]:
            cut = lowest[0] if lowest else "nobody"
            return refuse("cut_disagrees", 5, f"{cut} cut the lowest card and deals, not {entry.seat}", seat=entry.seat)
    return (events.FirstDealerDrawn(seat=entry.seat, cards=entry.cards),)


def _has_calls(game: BetweenDeals | Dealing | Auction) -> Refusal | None:
    if isinstance(game, Auction) and game.deal.calls:
        return refuse("auction_begun", 17, "a call has been made; take the calls back first")
    return None


def _cut(game: BetweenDeals | Dealing | Auction, entry: entries.Cut, number: int) -> Decision:
    if refused := _has_calls(game):
        return refused
    if entry.pack == "still" and game.base.rules.packs == 1:
        return _no_still_pack(game.base)
    found = cut_finding(game.base, number, entry.by, entry.pack or "dealt")
    cut = events.PackCut(by=entry.by, pack=entry.pack, at=entry.at)
    return (cut, *stake_due(game), *((found,) if found else ()))


def _preference(game: BetweenDeals | Dealing | Auction, entry: entries.PreferenceCard) -> Decision:
    if refused := _has_calls(game):
        return refused
    base = game.base
    if base.rules.preferences == "session":
        if base.senior and base.junior:
            return refuse(
                "preferences_known",
                8,
                f"both preference suits are known: {SUIT_NAMES[base.senior]} and {SUIT_NAMES[base.junior]}",
            )
        if not isinstance(game, BetweenDeals) and game.deal.preference:
            return refuse("preference_opened", 8, "one preference card is opened at each dealing, and this one has its")
    return (events.PreferenceExposed(card=entry.card), *stake_due(game))


def _deal(game: BetweenDeals | Dealing, entry: entries.Deal) -> Decision:
    if entry.hands is not None:
        sizes: dict[Seat, int] = dict.fromkeys(SEATS, HAND)
        if refused := check_hands(entry.hands, "was dealt", sizes):
            return refused
    return (events.CardsDealt(hands=entry.hands), *stake_due(game))


def _misdeal(game: UnderWay, entry: entries.Misdeal) -> Decision:
    if isinstance(game, Playing) and (game.done or game.trick):
        return refuse("card_played", 33, "a card has been played; a misdeal is called before the first card")
    base = game.base
    again = base.dealer if base.rules.misdeal_dealer == "same" else LEFT[base.dealer]
    misdealt = events.DealMisdealt(reason=entry.reason, next_dealer=again)
    if not base.rules.misdeal_fine:
        return (misdealt,)
    return (misdealt, fine(base.balances, base.pool, base, base.dealer, base.rules.misdeal_fine, "misdeal"))


def _call(game: Auction, entry: entries.Call, number: int) -> Decision:
    bid = parse_call(entry.call)
    if refused := auction.check_call(game, entry.seat, bid):
        return refused
    made = events.CallMade(seat=entry.seat, call=entry.call)
    calls = (*game.deal.calls, CallAt(number, entry.seat, bid))
    after = Auction(game.base, Deal(game.deal.first_entry, calls=calls))
    if auction.all_passed(after):
        return (made, _all_passed(game.base, game.base.balances, game.base.pool))
    won = auction.auction_won(after)
    return (made, won) if won else (made,)


def _all_passed(base: Base, balances: Four[int], pool: Pool) -> AnyEvent:
    if base.rules.all_pass == "misere_partout":
        return events.PartoutBegun()
    amount = base.rules.thrown_in_fine
    return events.DealThrownIn(
        fine=amount,
        next_dealer=LEFT[base.dealer],
        balances=add(balances, each(-amount)),
        pool=put_in(pool, 4 * amount, base.rules.cap),
    )


def _contract(game: BetweenDeals | Dealing | Auction, entry: entries.ContractEntry) -> Decision:
    if refused := _has_calls(game):
        return refused
    reported = events.ContractReported(
        contract=entry.contract, caller=entry.caller, preference=entry.preference, trumps=entry.trumps
    )
    stake = stake_due(game)
    if entry.contract == "partout" or entry.caller is None:
        # The stake of a thrown-in deal is in the pool before its fine is.
        money = stake[0] if stake else game.base
        return (reported, *stake, _all_passed(game.base, money.balances, money.pool))
    deal = None if isinstance(game, BetweenDeals) else game.deal
    suits = preferences(game.base, deal)
    if entry.preference and suits[_PLACE[entry.preference]] is None:
        return refuse(
            "preference_unknown", 8, f"the {entry.preference} preference is claimed, and that suit is not known yet"
        )
    if entry.trumps and (refused := _check_trumps(suits, entry.preference, entry.trumps)):
        return refused
    won = events.AuctionWon(
        caller=entry.caller, contract=entry.contract, preference=entry.preference, trumps=entry.trumps
    )
    return (reported, *stake, won)


_PLACE: dict[Preference, int] = {"first": 0, "second": 1}


def _check_trumps(suits: tuple[str | None, str | None], preference: Preference | None, suit: str) -> Refusal | None:
    if preference is None:
        return None
    bound = suits[_PLACE[preference]]
    if bound is None or suit == bound:
        return None
    return refuse(
        "trumps_bound",
        24,
        f"the call claimed the {preference} preference, so trumps are {SUIT_NAMES[bound]}, not {SUIT_NAMES[suit]}",
        suit=suit,
        bound=bound,
    )


def _trumps(game: Naming, entry: entries.Trumps) -> Decision:
    suits = preferences(game.base, game.deal)
    return _check_trumps(suits, game.contract.preference, entry.suit) or (events.TrumpsNamed(suit=entry.suit),)


def _discard(game: Discarding, entry: entries.Discard) -> Decision:
    seat, card = entry.seat, entry.card
    if any(discard.seat == seat for discard in game.discards):
        return refuse("discarded_already", 28, f"{seat} has discarded already; it is irrevocable", seat=seat)
    if card is not None:
        if any(discard.card == card for discard in game.discards):
            return refuse("card_twice", 2, f"{card} lies aside already", card=card, seat=seat)
        if refused := _check_held(game.deal, seat, card, 28):
            return refused
    return (events.CardDiscarded(seat=seat, card=card),)


def _check_held(deal: Deal, seat: Seat, card: str, rule: int) -> Refusal | None:
    held = deal.hands[seat]
    if held is not None:
        if held & BIT[card]:
            return None
        return refuse("not_held", rule, f"{seat} does not hold the {card}", seat=seat, card=card)
    if owner := holder_of(deal, card, seat):
        return refuse("not_held", rule, f"the {card} is in {owner}'s hand, not in {seat}'s", seat=seat, card=card)
    return None


def _expose(game: Exposing, entry: entries.Expose, number: int) -> Decision:
    caller = game.contract.caller
    if entry.seat != caller:
        return refuse("not_the_caller", 16, f"{caller} is the caller and lays down the hand, not {entry.seat}")
    held = HAND - (1 if discards(game.contract.contract) else 0)
    if refused := check_hands(Some(**{caller: entry.cards}), "lays down", dict.fromkeys(SEATS, held)):
        return refused
    found = expose_findings(game, number, entry.cards)
    return (events.HandExposed(seat=entry.seat, cards=entry.cards), *found)


def _concede(game: Contracting, entry: entries.Concede) -> Decision:
    if refused := check_concession(game, entry.seat):
        return refused
    made = events.ConcessionMade(seat=entry.seat)
    if len(game.conceded) < 2 or game.contract is None:
        return (made,)
    return (made, *with_contribution(game.base, settle(game.base, game.contract, Result(made=True, conceded=True))))


def with_contribution(base: Base, settlement: events.DealSettled) -> tuple[AnyEvent, ...]:
    """A settlement, and the contribution where it emptied the pools and a deal follows (rule 43)."""
    return (settlement, *contribution_due(base.rules, base.counted + 1, settlement))


def contribution_due(
    rules: RuleSet, counted: int, paid: events.DealSettled | events.FinePaid
) -> tuple[events.ContributionMade, ...]:
    """The contribution after the last payment of the deal that is counted as number `counted` (rule 43)."""
    if rules.contribution == "when_empty" and rules.stake and counted < rules.deals and not total(paid.pool, rules.cap):
        return (contribute(paid.balances, paid.pool, rules, "pool_empty"),)
    return ()


def _play(game: Playing, entry: entries.Play, number: int) -> Decision:
    seat, card = entry.seat, entry.card
    trick = game.trick
    if seat in [play.seat for play in trick]:
        return refuse("played_already", 26, f"{seat} has played to this trick already", seat=seat, card=card)
    broken = _broken(game, seat, card)
    if broken and not entry.irregular:
        return broken[0]
    led = trick[0].card[1] if trick else card[1]
    found: list[AnyEvent] = [
        events.FindingMade(
            kind=breach.code, entries=_proof(game, card, number), rule=breach.rule, seat=seat, cards=(card,),
            text=breach.message,
        )
        for breach in broken
    ]  # fmt: skip
    if game.voids and (revoke := revoke_finding(game, number, seat, card)):
        found.append(revoke)
    shows_void = card[1] != led and not game.voids & void_bit(seat, led)
    if shows_void and (nowhere := nowhere_finding(game, number, seat, led)):
        found.append(nowhere)
    plays = (*trick, PlayAt(number, seat, card))
    winner = trick_winner(plays, trumps_of(game)) if len(plays) == 4 else None
    played = events.CardPlayed(
        seat=seat,
        card=card,
        irregular=entry.irregular,
        evidence=entry.evidence,
        breaks=tuple(breach.code for breach in broken),  # type: ignore[misc]
        winner=winner,
        kills_concession=len(game.done) == 1 and kills_concession(game, seat),
    )
    if winner is None:
        return (played, *found)
    return (played, *found, *_after_trick(game, put(game.tricks, winner, game.tricks[winner] + 1), winner))


def _broken(game: Playing, seat: Seat, card: str) -> list[Refusal]:
    """The rules that a card breaks, as far as is known when it is played; the first is the reason to refuse it."""
    broken: list[Refusal] = []
    if seat != game.turn:
        if game.trick:
            rule, doing = 26, "play"
        else:
            rule, doing = (27, "lead") if game.done else (25, "lead")
        text = f"it is {game.turn}'s turn to {doing}, not {seat}'s"
        broken.append(refuse("out_of_turn", rule, text, seat=seat, turn=game.turn, card=card))
    if game.played & BIT[card]:
        broken.append(refuse("already_played", 26, f"the {card} has been played already", seat=seat, card=card))
    elif card in [discard.card for discard in game.discards]:
        broken.append(refuse("not_held", 28, f"the {card} lies aside", seat=seat, card=card))
    elif missing := _check_held(game.deal, seat, card, 26):
        broken.append(missing)
    if follow := must_follow(game, seat):
        suit = game.trick[0].card[1]
        if card[1] != suit:
            held = tuple(rank + suit for rank in "AKQJT98765432" if follow & BIT[rank + suit])
            text = f"{seat} must follow {SUIT_NAMES[suit]}: holds {', '.join(held)}"
            broken.append(refuse("revoke", 26, text, seat=seat, card=card, holds=held))
    return broken


def _proof(game: Playing, card: str, number: int) -> tuple[int, ...]:
    earlier = tuple(play.number for trick in game.done for play in trick.plays if play.card == card)
    return (*earlier, *(play.number for play in game.trick if play.card == card), number)


def _after_trick(game: Playing, tricks: Four[int], winner: Seat) -> tuple[AnyEvent, ...]:
    """The settlement, if the trick just won ends the deal (rules 14, 15, 29, 30, 31 and 44)."""
    base, contract = game.base, game.contract
    played = len(game.done) + 1
    if contract is None:
        return with_contribution(base, settle_partout(base, tricks)) if played == HAND else ()
    name, caller = contract.contract, contract.caller
    if not numeric(name):
        over = winner == caller or played == tricks_in(name)
        return with_contribution(base, settle(base, contract, result_of(contract, tricks))) if over else ()
    if name == "13" and winner != caller and base.rules.slam_after_failure == "stop":
        return with_contribution(base, settle(base, contract, slam_result(tricks)))
    if tricks[caller] == wanted(name) or played == HAND:
        return with_contribution(base, settle(base, contract, result_of(contract, tricks)))
    return ()


def _tricks(game: Contracting, entry: entries.Tricks) -> Decision:
    base, contract, tricks = game.base, game.contract, entry.tricks
    if isinstance(game, Naming) and not game.contract.reported:
        return refuse("trumps_not_named", 24, f"{game.contract.caller} has to name trumps first")
    if isinstance(game, Playing):
        for seat, won in game.tricks.items():
            if tricks[seat] < won:
                text = f"{seat} has won {won} already by the cards recorded, so the total cannot be {tricks[seat]}"
                return refuse("tricks_below_won", 29, text, seat=seat, won=won, given=tricks[seat])
    if why := check_totals(base, contract, tricks):
        return refuse("tricks_cannot_be", 29 if contract else 44, why, sum=sum(tricks))
    reported = events.TricksReported(tricks=tricks)
    if contract is None:
        return (reported, *with_contribution(base, settle_partout(base, tricks)))
    stopped = contract.contract == "13" and base.rules.slam_after_failure == "stop"
    failed = stopped and tricks[contract.caller] < HAND
    result = slam_result(tricks) if failed else result_of(contract, tricks)
    return (reported, *with_contribution(base, settle(base, contract, result)))


def _show(game: Resting, entry: entries.Show, number: int) -> Decision:
    ended = game.last
    if ended is None or not isinstance(ended.deal, Contracting) or ended.outcome not in ("made", "failed"):
        return refuse("nothing_to_show", 32, "no deal has just ended with cards in hand")
    deal = ended.deal
    laid_aside = {discard.seat for discard in deal.discards} if not isinstance(deal, Naming) else set()
    dealt: dict[Seat, int] = {seat: HAND - (seat in laid_aside) for seat in SEATS}
    left = dealt
    if isinstance(deal, Playing):
        if deal.reported and deal.contract is not None and discards(deal.contract.contract):
            dealt = dict.fromkeys(SEATS, HAND - 1)
        left = {seat: cards_left(deal, seat, dealt[seat]) for seat in SEATS}
    if not any(left.values()):
        return refuse("nothing_to_show", 32, "the deal was played to its last card")
    for seat, _ in entry.hands.items():
        if ended.shown[seat] is not None:
            return refuse("shown_already", 32, f"{seat} has shown already", seat=seat)
    if refused := check_hands(entry.hands, "has left", left):
        return refused
    return (events.HandsShown(hands=entry.hands), *show_findings(ended, number, entry.hands))


def _revoke(game: Playing | Resting, entry: entries.Revoke) -> Decision:
    base = game.base
    penalty = base.rules.revoke_fine
    if penalty is None:
        return refuse("no_revoke_ruling", None, f"{base.rules.id} has no ruling for a revoke; cancel by agreement")
    if isinstance(game, Playing):
        deal = game
        taken_back: tuple[AnyEvent, ...] = ()
    else:
        ended = game.last
        if ended is None or not isinstance(ended.deal, Playing) or ended.outcome not in ("made", "failed"):
            return refuse("nothing_to_rule", None, "no deal has just been settled in which a revoke could be ruled")
        if ended.ruled:
            return refuse("ruled_already", None, "a revoke has been ruled in this deal already")
        deal = ended.deal
        taken_back = (reversal(base, deal.base),)
    if deal.contract is None:
        return refuse("nothing_to_rule", None, "there is no contract that a revoke could decide")
    if not deal.reported and entry.trick == len(deal.done) + 1:
        reached = any(play.seat == entry.seat for play in deal.trick)
    else:
        reached = entry.trick <= (sum(deal.tricks) if deal.reported else len(deal.done))
    if not reached:
        text = f"{entry.seat} has not played to trick {entry.trick}"
        return refuse("trick_not_played", 26, text, seat=entry.seat, trick=entry.trick)
    ruled = events.RevokeRuled(seat=entry.seat, trick=entry.trick)
    contract, won = deal.contract, deal.tricks[deal.contract.caller]
    if entry.seat != contract.caller:
        result = Result(made=True, tricks=deal.tricks)
    elif numeric(contract.contract):
        result = Result(False, max(1, wanted(contract.contract) - won), deal.tricks)
    else:
        result = Result(False, 0, deal.tricks)
    settlement = settle(deal.base, contract, result)
    paid = fine(settlement.balances, settlement.pool, base, entry.seat, penalty, "revoke")
    return (ruled, *taken_back, settlement, paid, *contribution_due(base.rules, deal.base.counted + 1, paid))


def reversal(now: Base, before: Base) -> events.SettlementReversed:
    """Takes back what has been paid since a deal stood before its settlement."""
    return events.SettlementReversed(
        deltas=four(lambda seat: before.balances[seat] - now.balances[seat]),
        balances=before.balances,
        pool=before.pool,
    )


def _agreed(entry: entries.Cancel) -> Refusal | None:
    missing = tuple(seat for seat in SEATS if seat not in entry.agreed)
    if missing:
        text = f"all four have to agree that the deal is void; {', '.join(missing)} did not"
        return refuse("not_all_agreed", 34, text, missing=missing)
    return None


def _cancel(game: UnderWay, entry: entries.Cancel) -> Decision:
    return _agreed(entry) or (events.DealCancelled(agreed=entry.agreed, reason=entry.reason),)


def _cancel_settled(game: Resting, entry: entries.Cancel) -> Decision:
    if refused := _agreed(entry):
        return refused
    ended = game.last
    if ended is None or ended.outcome in ("misdeal", "cancelled"):
        return refuse("nothing_to_cancel", 34, "there is no deal that could be cancelled")
    cancelled = events.DealCancelled(agreed=entry.agreed, reason=entry.reason)
    return (cancelled, reversal(game.base, ended.deal.base))


def _end(game: BetweenDeals | Dealing | Auction, entry: entries.End) -> Decision:
    if isinstance(game, Auction) and game.deal.calls:
        return refuse("deal_under_way", 46, "a deal is being bid; the session ends between deals")
    if not game.base.counted:
        return refuse("no_deal_counted", 46, "no deal has been settled; abandon the session instead")
    return (events.SessionEnded(reason=entry.reason), division(game.base, early=True))


def division(base: Base, early: bool) -> events.PoolsDivided:
    """The division of all pools, and who shares the first place (rule 46)."""
    share, final, winners = divide(base)
    return events.PoolsDivided(early=early, share=share, final=final, winners=winners)


def _transfer(base: Base, entry: entries.Transfer) -> Decision:
    if summed := sum(entry.deltas):
        return refuse("does_not_balance", None, f"a transfer sums to zero, not to {summed}", sum=summed)
    ruled = events.TransferRuled(
        deltas=entry.deltas,
        law=entry.law,
        reason=entry.reason,
        dispute=entry.dispute,
        balances=add(base.balances, entry.deltas),
    )
    return (ruled,)


def _reseat(base: Base, entry: entries.Reseat) -> Decision:
    if twice := _seated_twice(entry.seats):
        return twice
    if entry.from_deal > base.counted + 1:
        text = f"deal {entry.from_deal} has not been reached; the next is deal {base.counted + 1}"
        return refuse("deal_not_reached", None, text, from_deal=entry.from_deal)
    return (events.SeatsCorrected(seats=entry.seats, from_deal=entry.from_deal, reason=entry.reason),)
