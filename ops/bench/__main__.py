"""`ops/bench/run`: every line of the table, Boston and its reference in interleaved pairs, medians and ranges.

Uses the server of DATABASE_URL (an owner who may create databases), else an embedded one in a temporary folder; its
durability settings are printed and must be on. Exit 1 where a limit is missed.
"""

from __future__ import annotations

import os
import platform
import secrets
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import click
import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo
from rich.console import Console
from rich.table import Table

from ops.bench import lines
from ops.bench.pairs import Line
from ops.embedded import EmbeddedPostgres, temporary_folder
from ops.migrate import migrate
from service.queries import query

NAMES = ("http", "import", "fold", "long")


@click.command()
@click.option("--pairs", default=9, show_default=True, type=click.IntRange(1), help="Pairs of measurements a line.")
@click.option(
    "--events",
    default=5_000_000,
    show_default=True,
    type=click.IntRange(1),
    help="Size of the long log, which COPY fills.",
)
@click.option("--only", multiple=True, type=click.Choice(NAMES), help="Only these lines.")
def main(pairs: int, events: int, only: tuple[str, ...]) -> None:
    """Measure Boston against bare references."""
    wanted = only or NAMES
    told, console = Console(width=150), Console(stderr=True)
    table = Table("", "Boston", "reference", "ratio", "range of ratios", "limit", "", title="Boston's benchmark")
    measured: list[Line] = []
    with ExitStack() as stack:
        server = stack.enter_context(_server())
        told.print(_machine(server))

        def database() -> str:
            return stack.enter_context(_database(server))

        if "http" in wanted:
            measured += lines.http(database(), pairs, console)
        if "import" in wanted:
            measured += lines.importing(database(), pairs, console)
        if "fold" in wanted:
            measured += lines.folding(pairs, console)
        if "long" in wanted:
            measured += lines.long_log(database(), database(), pairs, events, console)
    for each in measured:
        table.add_row(*_row(each))
    told.print(table)
    sys.exit(0 if all(each.holds for each in measured) else 1)


@contextmanager
def _server() -> Iterator[str]:
    given = os.environ.get("DATABASE_URL")
    if given:
        yield given
        return
    with temporary_folder() as folder, EmbeddedPostgres(folder) as server:
        yield server.owner_url


@contextmanager
def _database(server: str, like: str | None = None) -> Iterator[str]:
    """A migrated database with the reference's table beside the log, new or a copy of another; dropped at the end."""
    name = sql.Identifier(made := f"boston_bench_{secrets.token_hex(4)}")
    with psycopg.connect(server, autocommit=True) as connection:
        copied = sql.Identifier(like or "template1")
        connection.execute(sql.SQL("CREATE DATABASE {} TEMPLATE {} STRATEGY file_copy").format(name, copied))
    try:
        url = make_conninfo(server, dbname=made)
        migrate(url)
        with psycopg.connect(url) as connection:
            connection.execute(query("reference_table", "ops.bench"))
        yield url
    finally:
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(name))


def _machine(server: str) -> str:
    """What the numbers were taken on; refuses to measure where commits are not durable."""
    with psycopg.connect(server) as connection:
        shown = {
            name: str((connection.execute(sql.SQL("SHOW {}").format(sql.Identifier(name))).fetchone() or ("?",))[0])
            for name in ("server_version", "fsync", "synchronous_commit", "full_page_writes", "shared_buffers")
        }
    if (shown["fsync"], shown["synchronous_commit"]) != ("on", "on"):
        raise click.ClickException("fsync and synchronous_commit must be on")
    settings = ", ".join(f"{name} {value}" for name, value in shown.items())
    return f"Python {platform.python_version()}, {os.cpu_count()} cores; PostgreSQL {settings}"


def _row(line: Line) -> tuple[str, ...]:
    def amount(values: list[float]) -> str:
        return f"{sorted(values)[len(values) // 2]:,.0f} {line.unit}"

    bound = f"{'at most' if line.at_most else 'at least'} {line.limit:g}"
    spread = f"{min(line.ratios):.2f} to {max(line.ratios):.2f}"
    verdict = "holds" if line.holds else "MISSED"
    return line.name, amount(line.ours), amount(line.theirs), f"{line.ratio:.2f}", spread, bound, verdict


if __name__ == "__main__":
    main()
