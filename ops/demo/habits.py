"""How often what happens: at a table of ordinary players, and under the pen of an ordinary recorder."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Habits:
    """How a table behaves and how its recorder writes; chances a deal, unless something else is said."""

    misdeal: float = 0.012
    cancel: float = 0.004
    result_only: float = 0.03
    lost_track: float = 0.02
    dispute: float = 0.008
    settled: float = 0.75
    """A dispute: does the director decide it the same evening?"""
    revoke: float = 0.00025
    """A card, where the player could have followed."""
    wrong_lead: float = 0.0006
    """A trick."""
    ends_early: float = 0.006
    abandoned: float = 0.0004
    substitute: float = 0.002
    wrong_seats: float = 0.01
    """An evening: were two players entered on each other's chairs?"""
    cuts: float = 0.15
    """An evening: are the cuts written down?"""
    shows: float = 0.8
    """An evening: are the cards shown after an early ending written down?"""
    hands: float = 0.03
    """An evening: are the hands known from the start, as in a lesson?"""


@dataclass(frozen=True, slots=True)
class Slips:
    """How often a recorder errs, and whether it was seen at once: chances a card or a call."""

    wrong_card: float = 0.004
    undone_for_nothing: float = 0.001
    swapped: float = 0.0015
    wrong_call: float = 0.003
    missed_pass: float = 0.02
    """An auction."""
