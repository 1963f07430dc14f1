"""The three rule sets as data, and house rules as one of them with named fields changed.

A rule set is frozen into the session that opens under it, with its digest, so that a later change
of a table never changes an old evening. The tables can be held against the printed rules line by
line: rules 35 to 37 for `american-decimal`, and the table of differences for the other two.
"""

import hashlib
from typing import Annotated, Any, Literal

import msgspec

from domain.ladder import HAND, LADDER, Contract, numeric, wanted
from domain.text import Malformed
from domain.value import Value

Amount = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]
Tens = Annotated[int, msgspec.Meta(ge=0, le=100_000, multiple_of=10)]

SUCCESS = {"5": 10, "6": 15, "7": 20, "8": 25, "9": 35, "10": 45, "11": 65, "12": 105, "13": 170}
FAILURE: dict[str, tuple[int, ...]] = {
    "5": (10, 20, 30, 40, 50),
    "6": (15, 25, 35, 45, 55, 65),
    "7": (20, 30, 40, 50, 60, 70, 80),
    "8": (25, 35, 45, 55, 70, 85, 100, 115),
    "9": (35, 45, 55, 65, 80, 95, 110, 125, 140),
    "10": (45, 55, 70, 80, 95, 110, 125, 140, 155, 170),
    "11": (70, 80, 95, 110, 125, 140, 155, 170, 185, 200, 220),
    "12": (120, 130, 145, 160, 180, 200, 220, 240, 260, 280, 300, 320),
    "13": (180, 200, 220, 240, 260, 280, 300, 320, 340, 360, 390, 420, 450),
}
MISERE = {"LM": 20, "GM": 40, "LS": 80, "GS": 160}


class RuleSet(Value, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything about a game that differs between rule sets; the defaults are `american-decimal`."""

    id: Annotated[str, msgspec.Meta(pattern="^[a-z0-9][a-z0-9-]{0,63}$")]
    version: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)] = 1

    packs: Literal[1, 2] = 2
    batches: tuple[Annotated[int, msgspec.Meta(ge=1, le=13)], ...] = (4, 4, 5)
    shuffle: Literal["once", "each_deal"] = "once"
    first_dealer: Literal["lot", "cut"] = "lot"

    preferences: Literal["each_deal", "session"] = "each_deal"
    """Are the preference suits new with every deal (rule 8), or fixed for the session at the first two?"""
    naming: Literal["with_call", "keeps_only"] = "with_call"
    """May a call name a preference from the start (rule 18), or only to keep a number already bid?"""
    all_pass: Literal["misere_partout", "thrown_in"] = "misere_partout"
    thrown_in_fine: Tens = 0
    misdeal_fine: Tens = 10
    misdeal_dealer: Literal["same", "left"] = "same"
    revoke_fine: Tens | None = None
    """What a revoker pays into the bank besides losing the deal; nothing means that there is no such ruling."""
    concessions: bool = True

    success: dict[str, Amount] = msgspec.field(default_factory=SUCCESS.copy)
    failure: dict[str, tuple[Amount, ...]] = msgspec.field(default_factory=FAILURE.copy)
    misere: dict[str, Amount] = msgspec.field(default_factory=MISERE.copy)
    partout: Tens = 10
    """What each trick under the highest number is worth in a misère partout (rule 45)."""

    contribution: Literal["when_empty", "every_deal"] = "when_empty"
    stake: Tens = 10
    cap: Annotated[int, msgspec.Meta(ge=10, le=1_000_000, multiple_of=10)] | None = 250
    low_contracts: tuple[Contract, ...] = ("5", "6")
    low_contract_pool: bool = True
    """Does a success at a low contract win a pool too, unless all three conceded in time (rule 38)?"""

    start: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)] = 1000
    deals: Annotated[int, msgspec.Meta(ge=1, le=999)] = 12
    slam_after_failure: Literal["stop", "play_out"] = "stop"

    def __post_init__(self) -> None:
        for contract in LADDER:
            if not numeric(contract):
                if contract not in self.misere:
                    raise Malformed(f"the misère table has no amount for {contract}")
            elif contract not in self.success:
                raise Malformed(f"the success table has no amount for {contract}")
            elif len(self.failure.get(contract, ())) != wanted(contract):
                raise Malformed(f"the failure table needs {contract} amounts for {contract}, short by 1 to {contract}")
        for name, table in (("success", self.success), ("failure", self.failure), ("misère", self.misere)):
            if unknown := sorted(set(table) - set(LADDER)):
                raise Malformed(f"the {name} table names {unknown[0]}, which is no contract")
        if sum(self.batches) != HAND:
            raise Malformed(f"the batches of a deal add up to {sum(self.batches)}; a hand has {HAND} cards")


AMERICAN_DECIMAL = RuleSet(id="american-decimal")

BOSTON_WHIST = RuleSet(
    id="boston-whist",
    naming="keeps_only",
    all_pass="thrown_in",
    misdeal_fine=0,
    misere=MISERE | {"GS": 100},
    contribution="every_deal",
    cap=None,
    low_contract_pool=False,
    concessions=False,
)

RUSSIAN = RuleSet(
    id="russian",
    packs=1,
    batches=(3, 3, 3, 3, 1),
    shuffle="each_deal",
    first_dealer="cut",
    preferences="session",
    all_pass="thrown_in",
    thrown_in_fine=10,
    misdeal_dealer="left",
    revoke_fine=40,
    contribution="every_deal",
    low_contract_pool=False,
    concessions=False,
    start=120,
)

RULESETS: dict[str, RuleSet] = {rules.id: rules for rules in (AMERICAN_DECIMAL, BOSTON_WHIST, RUSSIAN)}


class Options(Value, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The four things that a table most often agrees on otherwise, chosen when the session opens."""

    slam_after_failure: Literal["stop", "play_out"] | None = None
    stake: Tens | None = None
    deals: Annotated[int, msgspec.Meta(ge=1, le=999)] | None = None
    start: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)] | None = None


def house(base: RuleSet, changed: dict[str, Any]) -> RuleSet:
    """A rule set with named fields changed; raises `Malformed` for an unknown field or an impossible value."""
    try:
        return msgspec.convert(msgspec.to_builtins(base) | changed, RuleSet)
    except msgspec.ValidationError as error:
        raise Malformed(f"house rules: {error}") from error


def chosen(ruleset: str, options: Options | None, rules: dict[str, Any] | None) -> RuleSet:
    """The rule set that an `open` entry chooses; raises `Malformed` where it names none."""
    if ruleset not in RULESETS:
        raise Malformed(f"{ruleset!r} is not a rule set; there are {', '.join(RULESETS)}")
    changed = dict(rules or {})
    claimed = changed.get("id")
    if claimed in RULESETS and claimed != ruleset:
        raise Malformed(
            f"house rules of {ruleset} cannot be called {claimed}, which is another rule set; name them anew"
        )
    if options is not None:
        changed |= {name: value for name, value in msgspec.to_builtins(options).items() if value is not None}
    return house(RULESETS[ruleset], changed) if changed else RULESETS[ruleset]


def digest(rules: RuleSet) -> str:
    """The SHA-256 of a rule set's JSON, as hex: the same fields give the same digest."""
    return hashlib.sha256(msgspec.json.encode(rules, order="sorted")).hexdigest()
