"""When a demo club meets: club evenings on fixed weekdays, several tables at a time, spread over its years."""

import datetime
import math
from collections.abc import Iterator
from dataclasses import dataclass

_WEEKDAYS = (1, 4, 3, 0, 2, 6, 5)
"""Tuesday first, then Friday and so on: the more a club plays, the more days it meets on."""
_STARTS = (datetime.time(19, 30), datetime.time(15, 0), datetime.time(10, 0))
_ATTENDANCE = 0.75
"""How much of what would fit is played on an ordinary evening, where the club need not fill every table."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """The tables that sit down together; `first` is the number of its first evening, from 0."""

    date: datetime.date
    start: datetime.time
    tables: int
    first: int


def meetings(sessions: int, first: datetime.date, last: datetime.date, tables: int) -> Iterator[Meeting]:
    """Meetings in order, at most `tables` at once, for so many sessions; raises `ValueError` where they do not fit."""
    if sessions < 1:
        raise ValueError("a demo needs at least one evening")
    if last < first:
        raise ValueError(f"the first day, {first}, comes after the last, {last}")
    slots = _slots(sessions, first, last, tables)
    wanted = min(len(slots), max(1, math.ceil(sessions / (tables * _ATTENDANCE))))
    # The last ones count backwards from the last day, so that a demo always has something recent.
    chosen = [slots[len(slots) - 1 - place * len(slots) // wanted] for place in reversed(range(wanted))]
    for place, (date, start) in enumerate(chosen):
        begin, end = sessions * place // wanted, sessions * (place + 1) // wanted
        if end > begin:
            yield Meeting(date, start, end - begin, begin)


def _slots(
    sessions: int, first: datetime.date, last: datetime.date, tables: int
) -> list[tuple[datetime.date, datetime.time]]:
    """The evenings of as few weekdays as hold the sessions; where all seven do not, afternoons and mornings too."""
    days = [first + datetime.timedelta(day) for day in range((last - first).days + 1)]
    for starts in range(1, len(_STARTS) + 1):
        for weekdays in range(1, 8):
            open_days = [day for day in days if day.weekday() in _WEEKDAYS[:weekdays]]
            if len(open_days) * tables * starts >= sessions:
                return [(day, start) for day in open_days for start in reversed(_STARTS[:starts])]
    most = len(days) * tables * len(_STARTS)
    raise ValueError(
        f"{sessions} evenings do not fit between {first} and {last}: there is room for {most}, {tables} at a time; "
        "take a longer time or more players"
    )
