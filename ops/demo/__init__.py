"""A demo club: bots that bid and play by simple sense, and a recorder who errs and mends like a human one."""

from ops.demo.evenings import MIXED, Plan, evenings

__all__ = ["MIXED", "Plan", "evenings"]
