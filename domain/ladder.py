"""Contracts, calls and which call outranks which (rules 12 to 23).

A call is written `pass`, a contract (`7`, `LM`), or a number with a preference: `7/2` for second
preference ("I keep"), `7/1` for first ("I keep over").
"""

from typing import Literal

from domain.text import Malformed
from domain.value import Value

Contract = Literal["5", "6", "7", "LM", "8", "9", "GM", "10", "11", "LS", "12", "GS", "13"]
Preference = Literal["second", "first"]

LADDER: tuple[Contract, ...] = ("5", "6", "7", "LM", "8", "9", "GM", "10", "11", "LS", "12", "GS", "13")
NAMES: dict[str, str] = {
    "5": "Boston",
    "LM": "little misère",
    "GM": "grand misère",
    "LS": "little spread",
    "GS": "grand spread",
    "13": "grand slam",
}
HAND = 13

_RANK: dict[str, int] = {contract: place for place, contract in enumerate(LADDER)}
_LEVEL: dict[Preference | None, int] = {None: 0, "second": 1, "first": 2}
_SUFFIX: dict[str, Preference] = {"2": "second", "1": "first"}


class Bid(Value, frozen=True):
    """A call that is not a pass: the contract and, for a number, the preference claimed with it."""

    contract: Contract
    preference: Preference | None = None


def numeric(contract: Contract) -> bool:
    """Is it a number of tricks under trumps, and not a misère or a spread (rules 13 to 16)?"""
    return contract[0].isdigit()


def wanted(contract: Contract) -> int:
    """The tricks that a numeric contract undertakes (rule 13); a misère or spread undertakes none."""
    return int(contract) if numeric(contract) else 0


def discards(contract: Contract) -> bool:
    """Do all four lay a card aside first (rules 14 and 16)?"""
    return contract in ("LM", "LS")


def exposes(contract: Contract) -> bool:
    """Does the caller lay his hand open before the opening lead (rule 16)?"""
    return contract in ("LS", "GS")


def tricks_in(contract: Contract | None) -> int:
    """How many tricks a deal played to its end has: 12 after a discard, else 13 (rules 14, 15 and 44)."""
    return HAND - 1 if contract is not None and discards(contract) else HAND


def rank(bid: Bid) -> tuple[int, int]:
    """The place of a bid on the ladder; the greater outranks the lesser (rules 12 and 19)."""
    return _RANK[bid.contract], _LEVEL[bid.preference]


def parse_call(text: str) -> Bid | None:
    """The bid that a call's text names, `None` for a pass; raises `Malformed` for anything else."""
    if text == "pass":
        return None
    name, slash, suffix = text.partition("/")
    if name not in _RANK or (slash and suffix not in _SUFFIX):
        raise Malformed(f"{text!r} is not a call; a call is pass, 5 to 13, LM, GM, LS, GS, or a number with /2 or /1")
    return Bid(name, _SUFFIX[suffix] if slash else None)  # type: ignore[arg-type]


def format_bid(bid: Bid) -> str:
    """A bid as it is written in a record: `7`, `7/2`, `LM`."""
    if bid.preference is None:
        return bid.contract
    return f"{bid.contract}/{'2' if bid.preference == 'second' else '1'}"


BIDS: tuple[Bid, ...] = tuple(
    bid
    for contract in LADDER
    for bid in (
        (Bid(contract), Bid(contract, "second"), Bid(contract, "first")) if numeric(contract) else (Bid(contract),)
    )
)
"""Every bid there is, in ascending order."""
