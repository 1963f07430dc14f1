"""A demo club: bots that bid and play by simple sense, and a recorder who errs and mends like a human one.

- `evenings` makes the records of a `Plan`, a pure function of its seed; `tally` counts what is in them.
- `load` brings them into a club of its own, `remove` takes that club out again.
"""

from ops.demo.evenings import MIXED, Plan, evenings
from ops.demo.load import NAME, Loaded, RecordedByHand, first_plan, load, remove
from ops.demo.tally import Tally, tally

__all__ = [
    "MIXED",
    "NAME",
    "Loaded",
    "Plan",
    "RecordedByHand",
    "Tally",
    "evenings",
    "first_plan",
    "load",
    "remove",
    "tally",
]
