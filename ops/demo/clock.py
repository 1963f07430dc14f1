"""The tablet's clock: how long everything takes at a table of ordinary players, 7 minutes a deal."""

import datetime
from collections.abc import Iterable, Iterator
from random import Random

from msgspec.structs import replace

from domain import entries
from domain.entries import AnyEntry

CARD = 4.6
"""Seconds from card to card, on average."""
_PACE: dict[type[AnyEntry], float] = {
    entries.Play: CARD,
    entries.Call: 8.0,
    entries.Trumps: 6.0,
    entries.Discard: 6.0,
    entries.Concede: 3.0,
    entries.Deal: 115.0,
    entries.PreferenceCard: 45.0,
    entries.Cut: 8.0,
    entries.Shuffle: 40.0,
    entries.Show: 30.0,
    entries.Tricks: 200.0,
    entries.Undo: 2.5,
    entries.Redo: 2.0,
    entries.Withdraw: 9.0,
}
"""Seconds that pass before an entry of a kind: paying up, gathering and dealing are in those of the next deal."""
_OTHERWISE = 30.0


def stamped(written: Iterable[AnyEntry], start: datetime.datetime, rng: Random) -> Iterator[AnyEntry]:
    """The same entries with their times; `start` is the moment the session opens, with its club's time zone."""
    zone = start.tzinfo
    # Counted in UTC, so that the night in which the clocks change is no longer or shorter than others.
    now = start.astimezone(datetime.UTC)
    for place, entry in enumerate(written):
        if place:
            # Most things come a little faster than the average, a few take their time.
            now += datetime.timedelta(seconds=_PACE.get(type(entry), _OTHERWISE) * (0.35 + 1.625 * rng.random() ** 1.5))
        yield replace(entry, time=now.astimezone(zone).isoformat(timespec="milliseconds"))
