"""Checks: a settled record held against its own rule set once more, by another way than it was made.

The amounts are looked up in the printed tables of the session's rule set, and payments are counted out pool by pool
and seat by seat, without the functions that settled the deal; so a fault of those, of an old engine or of a log that
was changed by hand is found. Each payment is held against what lay on the table right before it as recorded, so that
one fault is told once.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import msgspec

from domain import events
from domain.cards import RANK
from domain.corrections import in_force
from domain.events import FindingMade
from domain.game import Steps
from domain.pool import Pool
from domain.rulesets import RuleSet
from domain.seats import SEATS, Four, Seat
from domain.settlement import ENGINE

KINDS = frozenset({"settlement_differs", "other_engine", "tricks_differ"})
"""What these checks find."""

Amounts = dict[Seat, int]


class _Table(msgspec.Struct):
    """What lies on the table as recorded, and what is known of the deal, while the entries pass."""

    rules: RuleSet
    engine: int
    balances: Four[int]
    pool: Pool = Pool()
    counted: int = 0
    under_way: bool = False
    last_counts: bool = False
    before: tuple[Four[int], Pool] | None = None
    """Balances and pool before what the last deal paid: what taking it back leads to."""
    contract_by: int = 0
    trumps: str | None = None
    fallen: list[tuple[int, events.CardPlayed]] = []
    won: Amounts = {}
    reported: Four[int] | None = None
    revoker: Seat | None = None

    def all_pools(self) -> int:
        return self.pool.full * (self.rules.cap or 0) + self.pool.open

    def filled(self, amount: int) -> Pool:
        """The pools after an amount came in: the open one is filled up to the cap, and the rest begins another."""
        full, lies, cap = self.pool.full, self.pool.open + amount, self.rules.cap
        while cap is not None and lies >= cap:
            full, lies = full + 1, lies - cap
        return Pool(full, lies)

    def pays(self, due: Amounts, pool: Pool, balances: Four[int], lies: Pool) -> list[str]:
        """What differs from what is due after a payment; what was recorded lies on the table from now on."""
        told = [
            f"{seat} has {balances[seat]} and would have {self.balances[seat] + due[seat]}"
            for seat in SEATS
            if balances[seat] != self.balances[seat] + due[seat]
        ]
        if lies != pool:
            told.append(f"the pool is ({lies.full},{lies.open}) and would be ({pool.full},{pool.open})")
        self.balances, self.pool = balances, lies
        return told

    def begins(self) -> None:
        """A deal is dealt, and nothing of the last one can be taken back."""
        self.under_way, self.before = True, None

    def ends(self, counts: bool) -> None:
        """The deal is over: nothing of it is known of the next."""
        self.counted += counts
        self.under_way, self.last_counts = False, counts
        self.contract_by, self.trumps, self.reported, self.revoker = 0, None, None, None
        self.fallen, self.won = [], {}

    def reopens(self) -> None:
        """A deal that has ended is ruled on or cancelled: what it counted for is taken back."""
        if not self.under_way:
            self.counted -= self.last_counts
            self.last_counts = False


def settlement_findings(trail: Steps, engine: int = ENGINE) -> list[FindingMade]:
    """Every payment and every count of tricks, of the entries in force, that the session's rules do not give.

    `engine` is the version of today's settlement; what another one settled otherwise is told apart.
    """
    checks = SettlementChecks(engine)
    return [finding for step in in_force(trail) for finding in checks.of(step.number, step.events)]


class SettlementChecks:
    """The same checks while a record passes, entry in force by entry in force; see `settlement_findings`."""

    def __init__(self, engine: int = ENGINE) -> None:
        self._engine = engine
        self._table: _Table | None = None

    def of(self, number: int, told: Iterable[events.AnyEvent]) -> list[FindingMade]:
        """What is found in the next entry, known by its number."""
        found: list[FindingMade] = []
        settled = False
        for event in told:
            kind, table = type(event), self._table
            if table is None:
                if isinstance(event, events.SessionOpened):
                    self._table = _Table(event.rule_set, self._engine, _each(event.rule_set.start))
            elif note := _NOTES.get(kind):
                note(table, event, number)
            elif check := _CHECKS.get(kind):
                found += check(table, event, number)
                settled = settled or kind is events.DealSettled
        if settled and self._table is not None and _contribution_missing(self._table):
            found.append(_differs(number, "no pool remains, and nobody contributed for the next deal", 43))
        return found


def _each(amount: int) -> Four[int]:
    return Four(amount, amount, amount, amount)


def _differs(number: int, text: str, rule: int | None, seat: Seat | None = None, by: int = 0) -> FindingMade:
    entries = (by, number) if by and by != number else (number,)
    return FindingMade(kind="settlement_differs", entries=entries, rule=rule, seat=seat, text=text)


def _contribution_missing(table: _Table) -> bool:
    """Do all contribute again for the deal that follows (rule 43), and did nobody?"""
    rules = table.rules
    due = rules.contribution == "when_empty" and rules.stake and table.counted < rules.deals
    return bool(due and not table.all_pools())


def _contribution(table: _Table, event: events.ContributionMade, number: int) -> Iterator[FindingMade]:
    stake = table.rules.stake
    told = [f"each paid {event.each}, where the stake is {stake}"] if event.each != stake else []
    if event.why != "deal" and table.all_pools():
        told.append(f"there was {table.all_pools()} in the pools, so nothing was due")
    told += table.pays(dict.fromkeys(SEATS, -stake), table.filled(4 * stake), event.balances, event.pool)
    if told:
        yield _differs(number, "; ".join(told), 10 if event.why == "opening" else 43)


def _fine(table: _Table, event: events.FinePaid, number: int) -> Iterator[FindingMade]:
    cost = (table.rules.misdeal_fine if event.why == "misdeal" else table.rules.revoke_fine) or 0
    told = [f"{event.seat} paid {event.amount}, where a {event.why} costs {cost}"] if event.amount != cost else []
    due: Amounts = {seat: -cost if seat == event.seat else 0 for seat in SEATS}
    told += table.pays(due, table.filled(cost), event.balances, event.pool)
    if told:
        yield _differs(number, "; ".join(told), 33 if event.why == "misdeal" else None, event.seat)


def _thrown_in(table: _Table, event: events.DealThrownIn, number: int) -> Iterator[FindingMade]:
    cost = table.rules.thrown_in_fine
    table.before = table.balances, table.pool
    told = [f"each paid {event.fine}, where a thrown-in deal costs {cost}"] if event.fine != cost else []
    told += table.pays(dict.fromkeys(SEATS, -cost), table.filled(4 * cost), event.balances, event.pool)
    table.ends(counts=False)
    if told:
        yield _differs(number, "; ".join(told), 44)


def _taken_back(table: _Table, event: events.SettlementReversed, number: int) -> Iterator[FindingMade]:
    balances, pool = table.before or (table.balances, table.pool)
    back: Amounts = {seat: balances[seat] - table.balances[seat] for seat in SEATS}
    if told := table.pays(back, pool, event.balances, event.pool):
        yield _differs(number, "; ".join(told), 34)


def _transfer(table: _Table, event: events.TransferRuled, number: int) -> Iterator[FindingMade]:
    moved: Amounts = dict(event.deltas.items())
    if table.before is not None:
        # A ruling stands also where the deal's own payments are taken back afterwards.
        balances, pool = table.before
        table.before = Four(*(balances[seat] + moved[seat] for seat in SEATS)), pool
    told = [f"the transfer sums to {sum(event.deltas)}, not to zero"] if sum(event.deltas) else []
    told += table.pays(moved, table.pool, event.balances, table.pool)
    if told:
        yield _differs(number, "; ".join(told), None)


def _divided(table: _Table, event: events.PoolsDivided, number: int) -> Iterator[FindingMade]:
    quarter = table.all_pools() / 4
    final = {seat: table.balances[seat] + quarter for seat in SEATS}
    first = tuple(seat for seat in SEATS if final[seat] == max(final.values()))
    if event.share != quarter or dict(event.final.items()) != final or event.winners != first:
        amounts = ", ".join(f"{seat} {amount:g}" for seat, amount in final.items())
        yield _differs(number, f"each would get {quarter:g}, {', '.join(first)} would win: {amounts}", 46)


def _settled(table: _Table, event: events.DealSettled, number: int) -> Iterator[FindingMade]:
    yield from _counted_tricks(table, event, number)
    rule, due, into, told = _partout(table, event) if event.outcome == "misere_partout" else _contract(table, event)
    told += [
        f"{seat} is paid {event.deltas[seat]} and would be paid {due[seat]}"
        for seat in SEATS
        if event.deltas[seat] != due[seat]
    ]
    if event.pool_paid != into:
        told.append(f"{event.pool_paid} went into the pool, and {into} would have")
    table.before = table.balances, table.pool
    told += table.pays(due, _pool_after(table, into), event.balances, event.pool)
    if told and event.engine != table.engine:
        text = f"engine {event.engine} settled it, engine {table.engine} would otherwise: {'; '.join(told)}"
        yield FindingMade(kind="other_engine", entries=(number,), rule=rule, seat=event.caller, text=text)
    elif told:
        yield _differs(number, "; ".join(told), rule, event.caller, table.contract_by)
    table.ends(counts=True)


def _contract(table: _Table, event: events.DealSettled) -> tuple[int, Amounts, int, list[str]]:
    """The rule, what each seat is due, what the caller pays into the pool, and how the result itself differs."""
    rules, caller, name = table.rules, event.caller, event.contract
    if caller is None or name is None:
        return 35, dict.fromkeys(SEATS, 0), 0, ["the settlement names no contract"]
    won = event.tricks[caller] if event.tricks is not None else 0
    short = int(name) - won if name.isdigit() else 0
    made = short <= 0 if name.isdigit() else won == 0
    if table.revoker is not None:
        made, short = table.revoker != caller, max(1, short)
    elif event.conceded:
        made = True
    elif name == "13" and rules.slam_after_failure == "stop":
        short = 1
    short = short if name.isdigit() and not made else 0
    told = [] if (event.outcome == "made") == made else [f"{caller} {'made' if made else 'failed'} a {name}"]
    if event.shortfall != short:
        told.append(f"{caller} is short by {short}, not by {event.shortfall}")
    if not name.isdigit():
        rule, price = 37, rules.misere[name]
    else:
        rule, price = (35, rules.success[name]) if made else (36, rules.failure[name][short - 1])
    if event.price != price:
        told.append(f"the price is {price}, not {event.price}")
    at_stake = (rules.cap or 0) if table.pool.full else table.pool.open
    spared = name in rules.low_contracts and (event.conceded or not rules.low_contract_pool)
    into = at_stake if not made else 0 if spared else -at_stake
    from_each = price if made else -price
    due: Amounts = {seat: 3 * from_each - into if seat == caller else -from_each for seat in SEATS}
    return rule, due, into, told


def _pool_after(table: _Table, into: int) -> Pool:
    """A full pool that is won goes, and one that is lost brings another; without any the open one goes or grows."""
    if into == 0:
        return table.pool
    if table.pool.full:
        return Pool(table.pool.full + (1 if into > 0 else -1), table.pool.open)
    return table.filled(into) if into > 0 else Pool()


def _partout(table: _Table, event: events.DealSettled) -> tuple[int, Amounts, int, list[str]]:
    """Each of those with most tricks pays each other seat its share of what that one has less (rule 45)."""
    due: Amounts = dict.fromkeys(SEATS, 0)
    if event.tricks is None:
        return 45, due, 0, ["a misère partout has its tricks"]
    most = max(event.tricks)
    leaders = [seat for seat in SEATS if event.tricks[seat] == most]
    for seat in SEATS:
        for leader in leaders:
            share, rest = divmod(table.rules.partout * (most - event.tricks[seat]), len(leaders))
            if rest:
                return 45, due, 0, [f"{len(leaders)} seats cannot share what {seat} is paid"]
            due[seat] += share
            due[leader] -= share
    return 45, due, 0, []


def _counted_tricks(table: _Table, event: events.DealSettled, number: int) -> Iterator[FindingMade]:
    """Totals as the winners of the tricks or the totals entered give them (rules 14, 27, 29 and 44)."""
    if event.tricks is None:
        return
    told = dict(event.tricks.items())
    by_cards = {seat: table.won.get(seat, 0) for seat in SEATS}
    shown = ", ".join(f"{seat} {tricks}" for seat, tricks in told.items())
    if table.reported is not None:
        if told != dict(table.reported.items()) or any(by_cards[seat] > told[seat] for seat in SEATS):
            yield _tricks_differ((number,), f"settled by {shown}, which is not what was entered or played", 29)
    elif table.fallen and told != by_cards:
        cards = ", ".join(f"{seat} {tricks}" for seat, tricks in by_cards.items())
        yield _tricks_differ((number,), f"settled by {shown}, where the cards give {cards}", 29)
    most, summed = 12 if event.contract in ("LM", "LS") else 13, sum(event.tricks)
    if summed > most or (event.outcome == "misere_partout" and summed != most):
        yield _tricks_differ((number,), f"the tricks add up to {summed}, where a deal has {most}", 29)


def _played(table: _Table, event: events.CardPlayed, number: int) -> Iterator[FindingMade]:
    table.fallen.append((number, event))
    if event.winner is None:
        return
    trick = table.fallen[-4:]
    table.won[event.winner] = table.won.get(event.winner, 0) + 1
    led = trick[0][1].card[1]
    trumped = [play for _, play in trick if play.card[1] == table.trumps]
    # `max` keeps the earlier of two equal cards, which only an irregular play can bring.
    best = max(trumped or [play for _, play in trick if play.card[1] == led], key=lambda play: RANK[play.card])
    if best.seat != event.winner:
        text = f"{event.winner} is given a trick that {best.seat} has won with the {best.card}"
        yield _tricks_differ(tuple(at for at, _ in trick), text, 27, event.winner)


def _tricks_differ(entries: tuple[int, ...], text: str, rule: int, seat: Seat | None = None) -> FindingMade:
    return FindingMade(kind="tricks_differ", entries=entries, rule=rule, seat=seat, text=text)


def _won(table: _Table, event: events.AuctionWon, number: int) -> None:
    table.contract_by, table.trumps = number, event.trumps


def _named(table: _Table, event: events.TrumpsNamed, number: int) -> None:
    table.trumps = event.suit


def _reported(table: _Table, event: events.TricksReported, number: int) -> None:
    table.reported = event.tricks


def _revoked(table: _Table, event: events.RevokeRuled, number: int) -> None:
    table.reopens()
    table.revoker = event.seat


def _void(table: _Table, event: events.DealCancelled | events.DealMisdealt, number: int) -> None:
    if isinstance(event, events.DealCancelled):
        table.reopens()
    table.ends(counts=False)


def _dealt(table: _Table, event: Any, number: int) -> None:
    table.begins()


_NOTES: dict[type[Any], Callable[[_Table, Any, int], None]] = {
    events.PacksShuffled: _dealt,
    events.PackCut: _dealt,
    events.PreferenceExposed: _dealt,
    events.CardsDealt: _dealt,
    events.ContractReported: _dealt,
    events.AuctionWon: _won,
    events.TrumpsNamed: _named,
    events.TricksReported: _reported,
    events.RevokeRuled: _revoked,
    events.DealMisdealt: _void,
    events.DealCancelled: _void,
}
"""What is kept in mind of an event."""

_CHECKS: dict[type[Any], Callable[[_Table, Any, int], Iterator[FindingMade]]] = {
    events.ContributionMade: _contribution,
    events.FinePaid: _fine,
    events.DealThrownIn: _thrown_in,
    events.DealSettled: _settled,
    events.SettlementReversed: _taken_back,
    events.TransferRuled: _transfer,
    events.PoolsDivided: _divided,
    events.CardPlayed: _played,
}
"""What is held against the rules."""
