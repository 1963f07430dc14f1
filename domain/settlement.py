"""What a deal costs: the tables, the pool and the balances after it (rules 35 to 45).

Every amount of the tables is to or from each of the three opponents.
"""

from domain.events import ContributionMade, DealSettled, FinePaid
from domain.game import Base, Contracted
from domain.ladder import numeric, tricks_in, wanted
from domain.pool import Pool, double, put_in, total, win
from domain.rulesets import RuleSet
from domain.seats import LEFT, SEATS, Four, Seat, add, each, four
from domain.value import Value

ENGINE = 1
"""The version of this computation; a settlement carries the one it was made by."""


class Result(Value, frozen=True):
    """How a contract came out, before money."""

    made: bool
    shortfall: int = 0
    tricks: Four[int] | None = None
    conceded: bool = False


def result_of(contract: Contracted, tricks: Four[int]) -> Result:
    """The result that trick totals give; a slam stopped at its first lost trick is short by 1 (rules 29 to 31)."""
    won = tricks[contract.caller]
    if not numeric(contract.contract):
        return Result(won == 0, 0, tricks)
    short = max(0, wanted(contract.contract) - won)
    return Result(short == 0, short, tricks)


def slam_result(tricks: Four[int]) -> Result:
    """A grand slam that ended at its first lost trick: short by 1, unplayed tricks never count (rule 31)."""
    return Result(False, 1, tricks)


def price(base: Base, contract: Contracted, result: Result) -> tuple[int, int]:
    """The amount to or from each opponent, and the number of the rule that gives it (rules 35, 36 and 37)."""
    rules = base.rules
    if not numeric(contract.contract):
        return rules.misere[contract.contract], 37
    if result.made:
        return rules.success[contract.contract], 35
    return rules.failure[contract.contract][result.shortfall - 1], 36


def wins_pool(base: Base, contract: Contracted, result: Result) -> bool:
    """Does a success take a pool (rules 38, 40 and 41)?"""
    if contract.contract not in base.rules.low_contracts:
        return True
    return base.rules.low_contract_pool and not result.conceded


def settle(base: Base, contract: Contracted, result: Result) -> DealSettled:
    """The settlement of a contract: payments, pool, balances and the next dealer."""
    amount, rule = price(base, contract, result)
    pool, paid = base.pool, 0
    if not result.made:
        paid, pool = double(pool, base.rules.cap)
    elif wins_pool(base, contract, result):
        taken, pool = win(pool, base.rules.cap)
        paid = -taken
    sign = 1 if result.made else -1
    caller = contract.caller
    deltas = four(lambda seat: sign * 3 * amount - paid if seat == caller else -sign * amount)
    return DealSettled(
        outcome="made" if result.made else "failed",
        contract=contract.contract,
        caller=caller,
        preference=contract.preference,
        trumps=contract.trumps,
        tricks=result.tricks,
        shortfall=result.shortfall,
        conceded=result.conceded,
        price=amount,
        pool_paid=paid,
        rule=rule,
        deltas=deltas,
        next_dealer=LEFT[base.dealer],
        balances=add(base.balances, deltas),
        pool=pool,
        engine=ENGINE,
    )


def partout_deltas(tricks: Four[int], unit: int) -> Four[int]:
    """Who pays whom after a misère partout; whole for every split of 13 tricks (rule 45)."""
    most = max(tricks)
    leaders = sum(1 for won in tricks if won == most)
    owed = sum(unit * (most - won) for won in tricks)
    return four(lambda seat: -owed // leaders if tricks[seat] == most else unit * (most - tricks[seat]))


def settle_partout(base: Base, tricks: Four[int]) -> DealSettled:
    """The settlement of a misère partout; the pool is untouched (rule 44)."""
    deltas = partout_deltas(tricks, base.rules.partout)
    return DealSettled(
        outcome="misere_partout",
        tricks=tricks,
        rule=45,
        deltas=deltas,
        next_dealer=LEFT[base.dealer],
        balances=add(base.balances, deltas),
        pool=base.pool,
        engine=ENGINE,
    )


def contribute(balances: Four[int], pool: Pool, rules: RuleSet, why: str) -> ContributionMade:
    """Everyone pays the stake into the pool (rules 10 and 43)."""
    stake = rules.stake
    return ContributionMade(
        each=stake,
        why=why,  # type: ignore[arg-type]
        balances=add(balances, each(-stake)),
        pool=put_in(pool, 4 * stake, rules.cap),
    )


def fine(balances: Four[int], pool: Pool, base: Base, seat: Seat, amount: int, why: str) -> FinePaid:
    """A seat pays a fine into the pool (rule 33, and the revoke of `russian`)."""
    return FinePaid(
        seat=seat,
        amount=amount,
        why=why,  # type: ignore[arg-type]
        balances=add(balances, four(lambda chair: -amount if chair == seat else 0)),
        pool=put_in(pool, amount, base.rules.cap),
    )


def divide(base: Base) -> tuple[int | float, Four[int | float], tuple[Seat, ...]]:
    """Each seat's exact quarter of all pools, the final balances, and who shares the first place (rule 46)."""
    money = total(base.pool, base.rules.cap)
    share: int | float = money // 4 if money % 4 == 0 else money / 4
    final: Four[int | float] = four(lambda seat: base.balances[seat] + share)
    best = max(final)
    return share, final, tuple(seat for seat in SEATS if final[seat] == best)


def check_totals(base: Base, contract: Contracted | None, tricks: Four[int]) -> str | None:
    """Why trick totals cannot be the end of a deal; nothing where they can (rules 14, 15, 29, 30, 31 and 44)."""
    summed = sum(tricks)
    if contract is None:
        return None if summed == 13 else f"a misère partout has 13 tricks; these add up to {summed}"
    name, won, most = contract.contract, tricks[contract.caller], tricks_in(contract.contract)
    if summed > most:
        return f"a deal of {name} has {most} tricks; these add up to {summed}"
    if not numeric(name):
        if won == 0 and summed != most:
            return f"a {name} is made only when all {most} tricks are played; these add up to {summed}"
        return None
    need = wanted(name)
    if won >= need:
        return None
    if name == "13" and base.rules.slam_after_failure == "stop":
        return None if summed > won else "a failed 13 has at least one trick that the caller lost"
    return None if summed == most else f"a failed {name} is played out: {most} tricks; these add up to {summed}"
