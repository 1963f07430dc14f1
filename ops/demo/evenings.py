"""The evenings of a demo club, each a whole record; the same seed gives the same evenings, entry by entry."""

import datetime
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from zoneinfo import ZoneInfo

from domain import entries
from domain.entries import AnyEntry
from domain.rulesets import RULESETS, Options
from domain.seats import SEATS, Four
from ops.demo import names
from ops.demo.bot import Bot
from ops.demo.calendar import Meeting, meetings
from ops.demo.clock import stamped
from ops.demo.habits import Habits, Slips
from ops.demo.scribe import Scribe
from ops.demo.table import Table

MIXED = "mixed"
_WEIGHTS = {"american-decimal": 70, "boston-whist": 15, "russian": 15}
_MOST_PLAYERS = 200
_FEWEST_PLAYERS = 12


@dataclass(frozen=True, slots=True)
class Plan:
    """What a demo consists of. `players` is chosen by the number of sessions where it is not given."""

    seed: int
    sessions: int
    first: datetime.date
    last: datetime.date
    rules: str = MIXED
    players: int | None = None
    time_zone: str = "Europe/Berlin"
    under_way: bool = False
    """Is the last table still playing?"""

    @property
    def members(self) -> int:
        """How many players the club has."""
        if self.players is not None:
            return self.players
        return min(_MOST_PLAYERS, _FEWEST_PLAYERS + int(1.6 * math.sqrt(self.sessions)))


@dataclass(frozen=True, slots=True)
class Member:
    """A player of the club: the bot, and how gladly it comes."""

    bot: Bot
    keen: float


def members(plan: Plan) -> list[Member]:
    """The club's players, good ones and poor ones."""
    rng = Random(f"{plan.seed} members")
    club = []
    for name in names.people(rng, plan.members):
        skill = rng.betavariate(2.5, 2)
        bot = Bot(
            name,
            boldness=rng.gauss(0.0, 0.06) + (0.5 - skill) * 0.08,
            misjudges=1.25 - skill,
            careless=0.08 * (1 - skill) + 0.004,
        )
        club.append(Member(bot, rng.uniform(0.2, 1.0)))
    return club


def evenings(plan: Plan) -> Iterator[list[AnyEntry]]:
    """The records of all evenings, oldest first. Raises `ValueError` where the plan cannot be carried out."""
    if plan.rules not in (MIXED, *RULESETS):
        raise ValueError(f"{plan.rules!r} is not a rule set; there are {', '.join(RULESETS)} and {MIXED}")
    if not 4 <= plan.members <= names.MOST:
        raise ValueError(f"a club has 4 to {names.MOST} players, not {plan.members}")
    club = members(plan)
    for meeting in meetings(plan.sessions, plan.first, plan.last, len(club) // 4):
        yield from _meeting(plan, club, meeting)


def _meeting(plan: Plan, club: Sequence[Member], meeting: Meeting) -> Iterator[list[AnyEntry]]:
    rng = Random(f"{plan.seed} meeting {meeting.first}")
    came = sorted(club, key=lambda member: rng.random() ** (1 / member.keen), reverse=True)
    seated = came[: 4 * meeting.tables]
    spare = [member.bot for member in came[4 * meeting.tables :][: meeting.tables]]
    rng.shuffle(seated)
    for table in range(meeting.tables):
        bots = [member.bot for member in seated[4 * table : 4 * table + 4]]
        substitute = spare[table] if table < len(spare) else None
        yield _evening(plan, meeting, table, bots, substitute)


def _evening(plan: Plan, meeting: Meeting, table: int, bots: list[Bot], substitute: Bot | None) -> list[AnyEntry]:
    number = meeting.first + table
    rng = Random(f"{plan.seed} evening {number}")
    (ruleset,) = rng.choices(tuple(_WEIGHTS), tuple(_WEIGHTS.values())) if plan.rules == MIXED else (plan.rules,)
    opening = entries.Open(
        ruleset=ruleset,
        seats=Four(*(bot.name for bot in bots)),
        date=meeting.date.isoformat(),
        table=f"Table {table + 1}",
        options=_agreed(rng),
        format=1,
    )
    scribe = Scribe(rng, Slips())
    playing = Table(opening, dict(zip(SEATS, bots, strict=True)), rng, Habits(), substitute)
    playing.play(scribe.write, under_way=plan.under_way and number == plan.sessions - 1)
    start = datetime.datetime.combine(meeting.date, meeting.start, ZoneInfo(plan.time_zone))
    late = datetime.timedelta(seconds=rng.randrange(-300, 900))
    return list(stamped(scribe.written, start + late, rng))


def _agreed(rng: Random) -> Options | None:
    """What a table agreed on otherwise than the club, on one evening in 25."""
    if rng.random() > 0.04:
        return None
    return rng.choice((Options(deals=8), Options(slam_after_failure="play_out"), Options(stake=20)))
