"""Why somebody won or lost what he did: from an amount down to its postings, the deal, the tariff's row and the rule.

Nothing is computed anew: the postings stand in the ledger, the price and its rule in the settlement, and
the tariff in the rule set that the session was opened under.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from psycopg.rows import dict_row

from domain.cards import SUIT_NAMES
from domain.ladder import NAMES
from domain.seats import SEATS, Seat
from projections.figures import whole
from service.database import Connection
from service.problems import not_found
from service.queries import query


class Posting(msgspec.Struct, frozen=True):
    """One account's side of a movement: a chair with its player, `pool`, or `issued`."""

    account: str
    player_id: str | None
    amount: int | float


class Tariff(msgspec.Struct, frozen=True):
    """The row of the tariff that set the price: its table, contract, how many short, and the amount to or from each."""

    table: str
    contract: str
    shortfall: int
    amount: int
    rule: int


class Movement(msgspec.Struct, frozen=True):
    """A movement of money with all its postings, which sum to zero, the rule that makes it, and a sentence."""

    number: int
    version: int
    entry: int
    kind: str
    reason: str
    rule: int | None
    postings: list[Posting]
    sentence: str


class Explained(msgspec.Struct, frozen=True):
    """The deal behind the movements."""

    place: int
    deal: int
    date: str
    ruleset: str
    dealer: Seat
    outcome: str
    counts: bool
    contract: str | None
    preference: str | None
    caller: Seat | None
    trumps: str | None
    tricks: list[int] | None
    shortfall: int
    conceded: bool
    price: int
    pool_paid: int
    rule: int | None
    deltas: list[int] | None
    balances: list[int]
    pool: list[int]
    evidence: str
    version: int
    corrected: bool = False


class Explanation(msgspec.Struct, frozen=True):
    """Why a deal moved the money that it moved. With a seat, `amount` is what it came to for that chair."""

    session_id: str
    place: int
    seat: Seat | None
    amount: int | float | None
    deal: Explained | None
    tariff: Tariff | None
    movements: list[Movement]
    sentence: str


RULES = {"contribution": 43, "pool_win": 38, "pool_doubling": 39, "reversal": 34, "division": 46, "start": 10}
"""The rule behind each kind of movement, where it is one and the same; a settlement names its own."""


async def explain(lent: Connection, club_id: str, session_id: str, place: int, seat: Seat | None) -> Explanation:
    """Explains a deal's money; raises a problem where the club has no such session or deal."""
    given = {"club": club_id, "session": session_id, "place": place}
    opening = await _rows(lent, "explain_rules", given)
    moves = await _rows(lent, "explain_moves", given)
    deals = await _rows(lent, "explain_deal", given)
    if not opening or not (moves or deals):
        raise not_found("deal")
    rules, names = opening[0]["rules"], opening[0]["names"]
    deal = Explained(**deals[0]) if deals else None
    told = [_movement(move, deal, names) for move in moves]
    if seat is not None:
        told = [move for move in told if any(p.account == seat for p in move.postings)]
    amount = None if seat is None else whole(sum(p.amount for m in told for p in m.postings if p.account == seat))
    tariff = _tariff(deal, rules)
    sentence = _sentence(deal, place, moves, names, seat, amount)
    return Explanation(session_id, place, seat, amount, deal, tariff, told, sentence)


async def _rows(lent: Connection, name: str, given: dict[str, Any]) -> list[dict[str, Any]]:
    cursor = lent.cursor(row_factory=dict_row)
    await cursor.execute(query(name, "projections"), given, prepare=False)
    found: list[dict[str, Any]] = await cursor.fetchall()
    return found


def _tariff(deal: Explained | None, rules: dict[str, Any]) -> Tariff | None:
    if deal is None or deal.contract is None or deal.rule is None:
        return None
    table = {35: "success", 36: "failure", 37: "misere"}[deal.rule]
    amount = rules[table][deal.contract]
    if table == "failure":
        amount = amount[deal.shortfall - 1]
    return Tariff(table, deal.contract, deal.shortfall, amount, deal.rule)


def _movement(move: dict[str, Any], deal: Explained | None, names: dict[str, str]) -> Movement:
    postings = [
        Posting(chair, player, whole(amount))
        for chair, player, amount in zip(SEATS, move["players"], move["amounts"], strict=True)
        if amount
    ]
    postings += [Posting(account, None, whole(move[account])) for account in ("pool", "issued") if move[account]]
    kind, reason = move["kind"], move["reason"]
    rule = RULES.get(kind)
    if kind == "contribution" and reason == "opening":
        rule = 10
    if kind == "fine":
        rule = 33 if reason == "misdeal" else None
    if kind == "settlement" and deal is not None:
        rule = deal.rule
    sentence = _told(move, deal, names)
    return Movement(move["number"], move["version"], move["entry"], kind, reason, rule, postings, sentence)


def _told(move: dict[str, Any], deal: Explained | None, names: dict[str, str]) -> str:
    """One movement in a sentence."""
    who = _name(move["seat"], move["players"], names) if move["seat"] else "everyone"
    pool, each = abs(whole(move["pool"])), abs(whole(move["amounts"][0]))
    match move["kind"], move["reason"]:
        case "start", _:
            return f"everyone starts with {each} (rule 10)"
        case "contribution", "opening":
            return f"everyone puts {each} into the pool at the start (rule 10)"
        case "contribution", "pool_empty":
            return f"no pool was left, so everyone puts {each} into a new one (rule 43)"
        case "contribution", _:
            return f"everyone puts the stake of {each} into the pool for this deal"
        case "fine", "misdeal":
            return f"{who} dealt wrongly and pays {pool} into the pool (rule 33)"
        case "fine", "revoke":
            return f"{who} revoked and pays {pool} into the pool"
        case "fine", _:
            return f"all passed: the deal is thrown in and everyone puts {each} into the pool"
        case "pool_win", _:
            return f"{who} takes a pool of {pool} (rule 38)"
        case "pool_doubling", _:
            return f"{who} doubles the pool and pays {pool} into it (rule 39)"
        case "reversal", _:
            return "the settlement is taken back (rule 34)"
        case "division", _:
            return f"the pools are divided: everyone gets {each} (rule 46)"
        case "correction", _:
            return "a correction puts right what had been paid: " + _list(move, names)
        case "ruling", _:
            return "the director's ruling moves " + _list(move, names)
        case _:
            return _settled(move, deal, names)


def _stands(move: dict[str, Any], deal: Explained) -> bool:
    """Is it the settlement of the deal as it is now? What a correction left as it was paid is not posted again."""
    if move["version"] == deal.version:
        return True
    into = {deal.caller: deal.pool_paid}
    paid = [delta + into.get(seat, 0) for seat, delta in zip(SEATS, deal.deltas or (), strict=False)]
    return deal.corrected and [whole(amount) for amount in move["amounts"]] == paid


def _settled(move: dict[str, Any], deal: Explained | None, names: dict[str, str]) -> str:
    if move["reason"] == "misere_partout":
        return f"in the misère partout those with most tricks pay the others: {_list(move, names)} (rule 45)"
    if deal is None or deal.caller is None or deal.contract is None or not _stands(move, deal):
        return f"it is settled, which does not stand: {_list(move, names)}"
    who, contract = _name(deal.caller, move["players"], names), _contract(deal)
    if deal.outcome == "made":
        how = "the others conceded" if deal.conceded else "made it"
        return f"{who} called {contract} and {how}: {deal.price} from each opponent (rule {deal.rule})"
    short = f"{deal.shortfall} short" if deal.shortfall else "failed"
    return f"{who} called {contract} and was {short}: {deal.price} to each opponent (rule {deal.rule})"


def _sentence(
    deal: Explained | None, place: int, moves: Sequence[dict[str, Any]], names: dict[str, str], seat: Seat | None,
    amount: int | float | None,
) -> str:  # fmt: skip
    """The whole answer in a sentence."""
    if seat is None or amount is None:
        shown = list(moves)
        head = f"Deal {deal.deal}" if deal is not None and deal.counts else f"Place {place}"
    else:
        shown = [move for move in moves if move["amounts"][SEATS.index(seat)]]
        player = _name(seat, moves[0]["players"], names) if moves else seat
        what = "neither won nor lost anything" if not amount else f"{'won' if amount > 0 else 'lost'} {abs(amount)}"
        where = f"in deal {deal.deal}" if deal is not None and deal.counts else f"at place {place}"
        head = f"{player} {what} {where}"
    told = "; ".join(_told(move, deal, names) for move in shown)
    return f"{head}: {told}." if told else f"{head}."


def _contract(deal: Explained) -> str:
    name = NAMES.get(deal.contract or "", deal.contract or "")
    return f"{name} in {SUIT_NAMES[deal.trumps]}" if deal.trumps else name


def _name(seat: str, players: Sequence[str], names: dict[str, str]) -> str:
    """The player's name, or the chair of one whose name was erased."""
    return names.get(players[SEATS.index(seat)], seat)


def _list(move: dict[str, Any], names: dict[str, str]) -> str:
    return ", ".join(
        f"{_name(seat, move['players'], names)} {whole(amount):+}"
        for seat, amount in zip(SEATS, move["amounts"], strict=True)
        if amount
    )
