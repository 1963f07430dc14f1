"""Each rule broken by hand: a change of the code after which the rule's own tests have to fail.

`python -m tests.domain.broken` runs the tests of rules against domains in folders, as it is told line by line: each in
a fork of a process that has everything imported but a domain.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from typing import NamedTuple

import msgspec  # noqa: F401
import pytest


class Broken(NamedTuple):
    """A rule (or a row of the differences), and the text of a module that breaks it when it is replaced."""

    rule: int | str
    module: str
    right: str
    wrong: str


BROKEN: tuple[Broken, ...] = (
    Broken(1, "decide", "if player in sits:", "if False:"),
    Broken(1, "settlement", "else -sign * amount)", "else -sign * amount * (seat != others_first(caller)))"),
    Broken(2, "findings", "if card in seen:", "if False:"),
    Broken(
        2,
        "decide",
        'any(discard.card == card for discard in game.discards):\n            return refuse("card_twice"',
        'False:\n            return refuse("card_twice"',
    ),
    Broken(3, "cards", 'RANKS = "23456789TJQKA"', 'RANKS = "A23456789TJQK"'),
    Broken(3, "cards", 'RANKS = "23456789TJQKA"', 'RANKS = "2345678T9JQKA"'),
    Broken(4, "rulesets", '= "once"\n', '= "each_deal"\n'),
    Broken(4, "decide", 'base.rules.shuffle == "once" and game.base.rows', 'base.rules.shuffle == "once"'),
    Broken(
        5,
        "settlement",
        'outcome="misere_partout",\n        tricks=tricks,\n        rule=45,\n        deltas=deltas,\n'
        "        next_dealer=LEFT[base.dealer]",
        'outcome="misere_partout",\n        tricks=tricks,\n        rule=45,\n'
        "        deltas=deltas,\n        next_dealer=base.dealer",
    ),
    Broken(6, "findings", "if len(cards) != sizes[seat]:", "if False:"),
    Broken(6, "rulesets", "= (4, 4, 5)", "= (5, 4, 4)"),
    Broken(7, "findings", "(OPPOSITE[base.dealer], 7)", "(RIGHT[base.dealer], 7)"),
    Broken(8, "cards", '"S": "C", "C": "S", "H": "D", "D": "H"', '"S": "H", "H": "S", "C": "D", "D": "C"'),
    Broken("preferences", "auction", "[0 if bid.preference", "[1 if bid.preference"),
    Broken(
        8,
        "evolve",
        "deal=replace(game.deal, preference=suit)",
        "deal=replace(game.deal, preference=game.deal.preference or suit)",
    ),
    Broken(9, "findings", "(RIGHT[base.dealer], 9)", "(OPPOSITE[base.dealer], 9)"),
    Broken(9, "entries", "msgspec.Meta(ge=4, le=48)", "msgspec.Meta(ge=3, le=48)"),
    Broken(9, "entries", "msgspec.Meta(ge=4, le=48)", "msgspec.Meta(ge=4, le=49)"),
    Broken(10, "rulesets", "] = 1000\n", "] = 999\n"),
    Broken(10, "rulesets", "stake: Tens = 10", "stake: Tens = 20"),
    Broken(11, "settlement", "sign * 3 * amount - paid", "sign * 3 * amount"),
    Broken(11, "pool", "pool.full + 1, pool.open) if", "pool.full + 2, pool.open) if"),
    Broken(
        12,
        "ladder",
        'LADDER: tuple[Contract, ...] = ("5", "6", "7", "LM", "8"',
        'LADDER: tuple[Contract, ...] = ("5", "6", "7", "8", "LM"',
    ),
    Broken(
        12, "auction", "if stands is not None and rank(bid)", "if stands is not None and bid.preference and rank(bid)"
    ),
    Broken(13, "settlement", "wanted(contract.contract) - won)", "wanted(contract.contract) - 1 - won)"),
    Broken(14, "ladder", 'return contract in ("LM", "LS")', 'return contract == "LS"'),
    Broken(14, "ladder", "return HAND - 1 if contract is not None and discards(contract) else HAND", "return HAND"),
    Broken(15, "ladder", 'return contract in ("LM", "LS")', 'return contract in ("LM", "LS", "GM")'),
    Broken(15, "ladder", "and discards(contract) else HAND", "and not numeric(contract) else HAND"),
    Broken(16, "ladder", 'return contract in ("LS", "GS")', 'return contract == "LS"'),
    Broken(16, "decide", "if entry.seat != caller:", "if False:"),
    Broken(17, "game", "return clockwise(eldest(base))[len", "return clockwise(base.dealer)[len"),
    Broken(17, "auction", "if seat != turn:", "if False:"),
    Broken(18, "rulesets", '= "with_call"', '= "keeps_only"'),
    Broken(19, "ladder", '"second": 1, "first": 2', '"second": 2, "first": 1'),
    Broken(19, "ladder", '"second": 1, "first": 2', '"second": 0, "first": 2'),
    Broken(
        20,
        "auction",
        "if stands is not None and rank(bid) <= rank(stands[1]):",
        'if stands is not None and (rank(bid) <= rank(stands[1]) or (bid.preference == "first" '
        "and stands[1].preference is None)):",
    ),
    Broken(
        20,
        "auction",
        "if stands is not None and rank(bid) <= rank(stands[1]):",
        "if stands is not None and (rank(bid) <= rank(stands[1]) or (bid.preference "
        "and any(call.seat == seat for call in game.deal.calls))):",
    ),
    Broken(
        21,
        "auction",
        'if not numeric(bid.contract):\n            return refuse("misere',
        'if False:\n            return refuse("misere',
    ),
    Broken(22, "auction", "any(call.seat == seat and call.bid is None for call in game.deal.calls)", "False"),
    Broken(22, "auction", "if numeric(bid.contract) and _has_passed(", "if _has_passed("),
    Broken(23, "auction", "for call in game.deal.calls[-3:]", "for call in game.deal.calls[-2:]"),
    Broken(23, "auction", "if bid != HIGHEST and", "if"),
    Broken(23, "auction", "len(game.deal.calls) == 4 and", "len(game.deal.calls) == 3 and"),
    Broken(24, "decide", "if bound is None or suit == bound:", "if True:"),
    Broken(24, "decide", "if preference is None:\n        return None\n    bound", "bound"),
    Broken(25, "evolve", "Playing(base, deal, contract, eldest(base)", "Playing(base, deal, contract, contract.caller"),
    Broken(25, "decide", "if seat != game.turn:", "if False:"),
    Broken(26, "tricks", "return following if following.bit_count() > hidden_discard(game, seat) else 0", "return 0"),
    Broken(26, "decide", "if game.played & BIT[card]:", "if False:"),
    Broken(26, "decide", "elif missing := _check_held(game.deal, seat, card, 26):", "elif missing := None:"),
    Broken(27, "tricks", "RANK[play.card] + 20 if suit == trumps", "RANK[play.card] if suit == trumps"),
    Broken(27, "tricks", "if suit == led else -1", "if suit else -1"),
    Broken(27, "evolve", "            winner,\n        )", "            eldest(game.base),\n        )"),
    Broken(28, "evolve", "if len(aside) < 4:", "if len(aside) < 3:"),
    Broken(28, "decide", "if any(discard.seat == seat for discard in game.discards):", "if False:"),
    Broken(29, "decide", "if tricks[caller] == wanted(name) or played == HAND:", "if played == HAND:"),
    Broken(
        29,
        "decide",
        "if tricks[caller] == wanted(name) or played == HAND:",
        "if tricks[caller] == wanted(name) or played - tricks[caller] > HAND - wanted(name):",
    ),
    Broken(29, "settlement", "return None if summed == most else", "return None if True else"),
    Broken(30, "decide", "over = winner == caller or played == tricks_in(name)", "over = played == tricks_in(name)"),
    Broken(
        31, "decide", 'if name == "13" and winner != caller and base.rules.slam_after_failure == "stop":', "if False:"
    ),
    Broken(
        31,
        "decide",
        'if name == "13" and winner != caller and base.rules.slam_after_failure == "stop":',
        'if name == "13" and winner != caller:',
    ),
    Broken(31, "decide", "result = slam_result(tricks) if failed", "result = result_of(contract, tricks) if failed"),
    Broken(32, "findings", "elif found := revoke_finding(game, number, seat, card):", "elif found := None:"),
    Broken(32, "decide", 'if refused := check_hands(entry.hands, "has left", left):', "if refused := None:"),
    Broken(33, "rulesets", "misdeal_fine: Tens = 10", "misdeal_fine: Tens = 0"),
    Broken(
        33,
        "rulesets",
        'misdeal_dealer: Literal["same", "left"] = "same"',
        'misdeal_dealer: Literal["same", "left"] = "left"',
    ),
    Broken(
        33,
        "decide",
        'if isinstance(game, Playing) and (game.done or game.trick):\n        return refuse("card_played"',
        'if False:\n        return refuse("card_played"',
    ),
    Broken(34, "decide", "    if missing:\n", "    if False:\n"),
    Broken(34, "decide", 'ended.outcome in ("misdeal", "cancelled")', "False"),
    Broken(34, "decide", "return (cancelled, reversal(game.base, ended.deal.base))", "return (cancelled,)"),
    Broken(35, "rulesets", '"7": 20, "8": 25, "9": 35', '"7": 20, "8": 30, "9": 35'),
    Broken(36, "rulesets", '"10": (45, 55, 70, 80,', '"10": (45, 55, 65, 80,'),
    Broken(36, "settlement", "[result.shortfall - 1]", "[result.shortfall - 2]"),
    Broken(37, "rulesets", '"GM": 40', '"GM": 50'),
    Broken(
        37,
        "settlement",
        "return rules.misere[contract.contract], 37",
        "return rules.misere[contract.contract] * (1 + (not result.made)), 37",
    ),
    Broken(38, "settlement", "base.rules.low_contract_pool and not result.conceded", "base.rules.low_contract_pool"),
    Broken(38, "settlement", "base.rules.low_contract_pool and not result.conceded", "False"),
    Broken(39, "settlement", "paid, pool = double(pool, base.rules.cap)", "pass"),
    Broken(
        39,
        "settlement",
        "if not result.made:\n        paid",
        "if not result.made and contract.contract not in base.rules.low_contracts:\n        paid",
    ),
    Broken(40, "concession", "if game.concession_dead:", "if False:"),
    Broken(40, "concession", "and seat not in game.conceded\n", ""),
    Broken(40, "concession", "and seat != contract.caller\n", ""),
    Broken(40, "concession", "elif isinstance(game, Naming) and not contract.reported:", "elif False:"),
    Broken(40, "decide", "if len(game.conceded) < 2 or", "if len(game.conceded) < 3 or"),
    Broken(41, "concession", "and contract.contract in game.base.rules.low_contracts\n", ""),
    Broken(41, "decide", "if len(game.conceded) < 2 or", "if len(game.conceded) < 1 or"),
    Broken(41, "concession", "if game.contract is None:\n        return refuse", "if False:\n        return refuse"),
    Broken(42, "pool", "return cap if cap is not None and pool.full else pool.open", "return pool.open"),
    Broken(42, "pool", "more, rest = divmod(pool.open + amount, cap)", "more, rest = 0, pool.open + amount"),
    Broken(
        42,
        "pool",
        "return taken, Pool(pool.full - 1, pool.open) if pool.full else",
        "return taken, Pool(0, 0) if pool.full else",
    ),
    Broken(43, "decide", 'if rules.contribution == "when_empty" and', "if False and"),
    Broken(43, "decide", "and counted < rules.deals and", "and"),
    Broken(43, "decide", "and not total(paid.pool, rules.cap):", "and not paid.pool.open:"),
    Broken(44, "decide", "if played == HAND else ()\n    name", "if played == HAND - 1 else ()\n    name"),
    Broken(44, "rulesets", '= "misere_partout"\n    thrown', '= "thrown_in"\n    thrown'),
    Broken(44, "settlement", "return None if summed == 13 else", "return None if True else"),
    Broken(45, "settlement", "-owed // leaders if tricks", "-owed if tricks"),
    Broken(45, "rulesets", "partout: Tens = 10", "partout: Tens = 20"),
    Broken(46, "rulesets", "] = 12\n", "] = 11\n"),
    Broken(46, "settlement", "money // 4 if money % 4 == 0 else money / 4", "money // 4"),
    Broken(
        46,
        "settlement",
        "tuple(seat for seat in SEATS if final[seat] == best)",
        "tuple(seat for seat in SEATS if final[seat] == best)[:1]",
    ),
    Broken(46, "decide", "if not game.base.counted:", "if False:"),
    Broken("packs", "rulesets", "    packs=1,\n", ""),
    Broken("deal", "rulesets", "    batches=(3, 3, 3, 3, 1),\n", ""),
    Broken("shuffle, cut", "rulesets", '    shuffle="each_deal",\n', ""),
    Broken("first dealer", "rulesets", '    first_dealer="cut",\n', ""),
    Broken("first dealer", "decide", "(RANK[card] + 1) % HAND", "RANK[card]"),
    Broken("preferences", "rulesets", '    preferences="session",\n', ""),
    Broken("preferences", "evolve", "elif base.junior is None and suit != base.senior:", "elif base.junior is None:"),
    Broken("within a number", "ladder", '"second": 1, "first": 2', '"second": 2, "first": 1'),
    Broken("suit with the call", "rulesets", '    naming="keeps_only",\n', ""),
    Broken("suit with the call", "auction", "(stands is None or stands[1].contract != bid.contract)", "stands is None"),
    Broken("re-entry", "auction", "any(call.seat == seat and call.bid is None for call in game.deal.calls)", "False"),
    Broken("all pass", "rulesets", '    all_pass="thrown_in",\n    misdeal_fine', "    misdeal_fine"),
    Broken("all pass", "rulesets", "    thrown_in_fine=10,\n", ""),
    Broken("misdeal", "rulesets", "    misdeal_fine=0,\n", ""),
    Broken("misdeal", "rulesets", '    misdeal_dealer="left",\n', ""),
    Broken("revoke", "rulesets", "    revoke_fine=40,\n", ""),
    Broken("revoke", "decide", "max(1, wanted(contract.contract) - won)", "wanted(contract.contract) - won"),
    Broken(
        "revoke",
        "decide",
        "if entry.seat != contract.caller:\n        result",
        "if entry.seat == contract.caller:\n        result",
    ),
    Broken("discard in LM / LS", "evolve", "if len(aside) < 4:", "if len(aside) < 3:"),
    Broken("LM, GM, LS", "rulesets", '"LS": 80', '"LS": 90'),
    Broken("GS", "rulesets", '    misere=MISERE | {"GS": 100},\n', ""),
    Broken("success table", "rulesets", '"12": 105', '"12": 100'),
    Broken("failure table", "rulesets", "(180, 200, 220,", "(180, 200, 210,"),
    Broken(
        "contribution",
        "rulesets",
        '    misdeal_dealer="left",\n    revoke_fine=40,\n    contribution="every_deal",\n',
        '    misdeal_dealer="left",\n    revoke_fine=40,\n',
    ),
    Broken("contribution", "decide", "and not base.staked:", ":"),
    Broken("cap", "rulesets", "    cap=None,\n", ""),
    Broken("pool at 5 and 6", "rulesets", "    low_contract_pool=False,\n", ""),
    Broken("concessions", "rulesets", "    concessions=False,\n", ""),
    Broken("start balance", "rulesets", "    start=120,\n", ""),
    Broken("deals", "rulesets", "] = 12\n", "] = 13\n"),
    Broken(
        "a thrown-in deal counts",
        "evolve",
        'row = DealRow(dealer=base.dealer, counts=False, outcome="thrown_in"',
        'row = DealRow(dealer=base.dealer, counts=True, outcome="thrown_in"',
    ),
    Broken(
        "end",
        "settlement",
        "tuple(seat for seat in SEATS if final[seat] == best)",
        "tuple(seat for seat in SEATS if final[seat] == best)[:1]",
    ),
)

HELD, BROKE, UNREADABLE = 0, 1, 3
# A rule may be broken so that a test never ends, which is no proof that the test finds it.
BOUND_SECONDS = 120


def main(folder: str, rule: str) -> int:
    """Runs the tests of a rule with the domain that lies in `folder`; says whether one of them fails."""
    sys.path.insert(0, folder)
    try:
        from tests.domain import test_differences, test_rules  # noqa: F401
        from tests.domain.rulebook import PROOFS
    except Exception as error:
        print(f"the broken domain cannot be imported: {error}")
        return UNREADABLE
    for proof in PROOFS[int(rule) if rule.isdigit() else rule]:
        try:
            proof()
        except (Exception, pytest.fail.Exception) as error:
            print(f"{proof.__name__}: {type(error).__name__}: {error}")
            return BROKE
    return HELD


def apart(folder: str, rule: str) -> tuple[int, str]:
    """`main` in a process of its own, which begins as this one is; its answer, and what it printed."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.dup2(writing, sys.stdout.fileno())
        os.dup2(writing, sys.stderr.fileno())
        os.close(reading)
        signal.alarm(BOUND_SECONDS)
        answer = main(folder, rule)
        sys.stdout.flush()
        os._exit(answer)
    os.close(writing)
    with open(reading, encoding="utf-8") as said:
        text = said.read()
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), text


def serve() -> None:
    """Answers each line `[folder, rule]` with a line `[answer, text]`, until there is no more."""
    for line in sys.stdin:
        print(json.dumps(apart(*json.loads(line))), flush=True)


if __name__ == "__main__":
    serve()
