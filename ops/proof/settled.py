"""A receipt's settlement against the events that it comes with, also those that a correction put in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from service.proof.statement import Receipt

ENDS = {"thrown_in": "deal_thrown_in", "misdeal": "deal_misdealt", "cancelled": "deal_cancelled"}
"""The event by which a deal ended that was not played out, by the outcome."""
TERMS = ("outcome", "contract", "caller", "preference", "trumps")
SEATS = ("N", "E", "S", "W")


def settled(receipt: Receipt, events: Iterable[dict[str, Any]]) -> bool:
    """Do the events settle the line as the receipt says? Money must be that of an event; a void deal may move none."""
    told = list(_flat(event.get("data", {}) for event in events))
    moved = [event for event in told if isinstance(event.get("balances"), dict) and isinstance(event.get("pool"), list)]
    money = any(
        (_four(event["balances"]), event["pool"]) == (list(receipt.balances), list(receipt.pool)) for event in moved
    )
    if receipt.outcome in ENDS:
        ended = any(event.get("type") == ENDS[receipt.outcome] for event in told)
        return ended and (money or receipt.outcome != "thrown_in")
    return money and any(_settles(event, receipt) for event in told)


def _settles(event: dict[str, Any], receipt: Receipt) -> bool:
    if event.get("type") != "deal_settled" or not isinstance(event.get("deltas"), dict):
        return False
    tricks = event.get("tricks")
    return (
        all(event.get(term) == getattr(receipt, term) for term in TERMS)
        and (None if tricks is None else _four(tricks)) == (None if receipt.tricks is None else list(receipt.tricks))
        and event.get("shortfall", 0) == receipt.shortfall
        and int(event.get("conceded", False)) == receipt.conceded
        and receipt.deltas is not None
        and _four(event["deltas"]) == list(receipt.deltas)
    )


def _flat(data: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The events, and those inside the line of a correction."""
    for event in data:
        yield event
        for piece in event.get("line") or () if isinstance(event.get("line"), list) else ():
            yield from piece.get("events") or () if isinstance(piece, dict) else ()


def _four(told: Any) -> list[Any]:
    return [told.get(seat) for seat in SEATS] if isinstance(told, dict) else []
