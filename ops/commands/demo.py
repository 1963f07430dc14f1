"""`boston demo`: a club of bots with believable evenings, to try everything on; goes out again in one command."""

from __future__ import annotations

import datetime
import sys
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn, track
from rich.table import Table

from domain.ladder import LADDER
from domain.rulesets import RULESETS
from ops.demo import MIXED, NAME, Plan, RecordedByHand, Tally, evenings, load, remove, tally
from ops.demo.tally import LOW
from ops.memory import settle
from ops.where import database_options, opened, typed

DAY = click.DateTime(["%Y-%m-%d"])


@click.command(name="demo")
@click.option("--sessions", type=click.IntRange(1, 1_000_000), default=60, show_default=True, help="How many evenings.")
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed gives the same evenings.")
@click.option("--rules", type=click.Choice([MIXED, *RULESETS]), default=MIXED, show_default=True)
@click.option("--from", "first", type=DAY, help="The first day; a year before the last if not given.")
@click.option("--to", "last", type=DAY, help="The last day; today if not given.")
@click.option("--players", type=click.IntRange(4, 5000), help="Members of the club; by default by the evenings.")
@click.option("--time-zone", default="Europe/Berlin", show_default=True)
@click.option("--club", "name", help=f'The name of the demo club.  [default: "{NAME}"]')
@click.option("--dry-run", is_flag=True, help="Only make the evenings and show what is in them.")
@click.option("--remove", "removing", is_flag=True, help="Remove the demo club of that name, or all of them.")
@click.option("--with-recorded", is_flag=True, help="With --remove: also if evenings were recorded there by hand.")
@database_options
def command(
    sessions: int,
    seed: int,
    rules: str,
    first: datetime.datetime | None,
    last: datetime.datetime | None,
    players: int | None,
    time_zone: str,
    name: str | None,
    dry_run: bool,
    removing: bool,
    with_recorded: bool,
    data: Path,
    url: str | None,
) -> None:
    """Load a demo club: bots that bid and play by sense, slips and misdeals included.

    Loading the same again adds nothing. Nothing of other clubs is touched, also by --remove.
    """
    if removing:
        _remove(data, url, name, with_recorded)
        return
    until = last.date() if last else datetime.date.today()
    since = first.date() if first else until - datetime.timedelta(365)
    plan = Plan(seed, sessions, since, until, rules, players, time_zone)
    try:
        if dry_run:
            _show(plan)
        else:
            _load(plan, name or NAME, data, url)
    except ValueError as error:
        raise click.UsageError(str(error)) from error


def _show(plan: Plan) -> None:
    screen = Console(stderr=True)
    made = track(evenings(plan), "Playing", plan.sessions, console=screen, disable=not screen.is_terminal)
    for ruleset, counted in tally(made).items():
        click.echo(
            f"{ruleset}: {counted.sessions} evenings, {counted.deals} deals, {counted.entries.total()} entries; "
            f"{counted.failed(LOW):.0%} of {', '.join(LOW[:-1])} and {LOW[-1]} failed"
        )
        Console().print(table(counted))


def table(counted: Tally) -> Table:
    """How contracts and deals came out, for people to compare with their own club's."""
    shown = Table()
    for heading in ("", "deals", "share", "made"):
        shown.add_column(heading, justify="right" if heading else "left")
    for contract in LADDER:
        if played := counted.played[contract]:
            made = f"{counted.made[contract] / played:.0%}"
            shown.add_row(contract, str(played), f"{counted.share(contract):.1%}", made)
    shown.add_section()
    for what in ("misere_partout", "thrown_in", "misdeal", "cancelled"):
        if number := counted.outcomes[what]:
            shown.add_row(what.replace("_", " ").replace("misere", "misère"), str(number))
    if counted.conceded:
        shown.add_row("conceded", str(counted.conceded))
    shown.add_section()
    for what in ("undo", "redo", "withdraw", "reseat", "revoke", "show", "contract", "tricks"):
        if number := counted.entries[what]:
            shown.add_row(f"entries: {what}", str(number))
    for finding, number in sorted(counted.findings.items()):
        shown.add_row(f"findings: {finding.replace('_', ' ')}", str(number))
    return shown


def _load(plan: Plan, name: str, data: Path, url: str | None) -> None:
    settle()
    screen = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with opened(data, url) as owner, Progress(*columns, console=screen, disable=not screen.is_terminal) as progress:
        task = progress.add_task("Evenings", total=plan.sessions)
        loaded = load(owner, plan, name, lambda done: progress.update(task, completed=done))
    known = f", {loaded.known} were there already" if loaded.known else ""
    click.echo(f"{loaded.imported} evenings loaded into {loaded.club.name} ({loaded.club.club_id}){known}")


def _remove(data: Path, url: str | None, name: str | None, with_recorded: bool) -> None:
    with opened(data, url) as owner:
        try:
            removed = remove(owner, name, with_recorded)
        except RecordedByHand as found:
            keep = typed(f"export FOLDER --club {found.club.club_id}")
            text = (
                f"{found.club.name} holds evenings recorded by hand ({found.sessions}), and nothing was removed. "
                f"Keep them by: {keep}\nThen remove the club whole by --remove --with-recorded"
            )
            raise click.ClickException(text) from found
    for club, sessions in removed:
        click.echo(f"removed {club.name} ({club.club_id}) with {sessions} evenings")
    if not removed:
        click.echo("there is no demo club" if name is None else f"there is no demo club called {name}", err=True)
        sys.exit(1)
