"""Refusals: why an entry was not taken, as data.

`code` is stable, `rule` is the number of the rule that decides (nothing where it is not a matter
of the game), `message` says it in a sentence with the facts in it, and `facts` holds them apart.
"""

from typing import Literal

import msgspec

from domain.value import Value

Family = Literal["malformed", "refused", "conflict", "not_found", "not_allowed"]
Fact = str | int | bool | tuple[str | int, ...] | None


class Refusal(Value, frozen=True):
    """An entry that is not taken; the state stays as it was."""

    code: str
    message: str
    rule: int | None = None
    family: Family = "refused"
    facts: dict[str, Fact] = msgspec.field(default_factory=dict)


def refuse(code: str, rule: int | None, message: str, **facts: Fact) -> Refusal:
    """A refusal by a rule of the game."""
    return Refusal(code, message, rule, "refused", facts)
