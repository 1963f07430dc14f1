"""The evening that the walk tells is the one that the domain folds: deals, money, seats; in any record."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given

from domain.entry_events import entry_of
from domain.events import ASIDES, AnyEvent
from domain.game import Closed, Unopened, phase
from domain.mainline import main_line
from domain.session import Session
from projections import ALL, BY_NAME, Evening, alters, changes, evening, rows
from projections.walk import ARMS, LASTING, SILENT, TAKEN_BACK
from tests import evenings
from tests.projections.logs import META, read, steps, written

GOLDEN = sorted((Path(__file__).parents[1] / "golden" / "sessions").glob("*.jsonl"))


def column(name: str, told: Evening, column: str) -> list[Any]:
    """One column of a projection's rows, in order."""
    at = BY_NAME[name].columns.index(column)
    return [row[at] for row in BY_NAME[name].rows(told)]


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_golden_evening_has_the_balances_and_pools_of_the_expected_file(path: Path) -> None:
    _, log = written(read(path.read_bytes()))
    told = evening(META, log)
    expected = json.loads(path.with_suffix("").with_suffix(".expected.json").read_text())
    deals = expected["deals"]
    sums = column("balances", told, "balance")
    assert len(deals) == len(told.deals)
    for at, deal in enumerate(deals):
        row = dict(zip(BY_NAME["deals"].columns, list(BY_NAME["deals"].rows(told))[at], strict=True))
        for key in ("outcome", "pool", "contract", "caller", "trumps", "dealer"):
            assert row[key] == deal.get(key, row[key] if key in ("pool", "dealer") else None)
        if "balances" in deal:
            assert row["balances"] == sums[4 * at : 4 * at + 4] == [deal["balances"][seat] for seat in "NESW"]
        if "deltas" in deal:
            assert row["deltas"] == [deal["deltas"][seat] for seat in "NESW"]
    if "final" in expected:
        assert column("sessions", told, "final") == [list(expected["final"].values())]
        assert column("sessions", told, "winners") == [expected["winners"]]


def agrees(session: Session, told: Evening) -> None:
    """Holds an evening to the domain's own fold of the same log."""
    game = session.game
    assert not isinstance(game, Unopened)
    facts = [
        {"dealer": d.dealer, "counts": d.counts, "outcome": d.outcome, "contract": d.contract, "caller": d.caller,
         "preference": d.preference, "trumps": d.trumps, "tricks": d.tricks, "shortfall": d.shortfall,
         "conceded": d.conceded, "deltas": d.deltas, "balances": d.balances, "pool": d.pool}
        for d in told.deals
    ]  # fmt: skip
    assert facts == [msgspec.structs.asdict(row) for row in game.base.rows]
    chairs = [sum(move.amounts[at] for move in told.moves) for at in range(4)]
    now = game.final if isinstance(game, Closed) else game.base.balances
    assert chairs == list(now)
    for move in told.moves:
        assert sum(move.amounts) + move.pool + move.issued == 0
    assert told.status == {"closed": "closed", "ended": "ended", "abandoned": "abandoned"}.get(phase(game), "open")


@given(evenings.evenings())
def test_a_random_evening_is_told_as_the_domain_folds_it(told: evenings.Evening) -> None:
    session, log = written(told.entries())
    agrees(session, evening(META, log))
    assert sum(column("session_players", evening(META, log), "money")) + (
        sum(move.pool for move in evening(META, log).moves)
    ) == 0  # fmt: skip


@given(evenings.evenings(most_deals=2))
def test_rows_written_step_by_step_are_those_of_the_whole_log(told: evenings.Evening) -> None:
    log, kept = [], {}
    for _, added in steps(told.entries()):
        log += added
        if alters(envelope.data for envelope in added):
            kept = rows(evening(META, log))
    assert kept == rows(evening(META, log))


@given(evenings.evenings(most_deals=2))
def test_an_entry_undone_and_made_again_leaves_the_rows_as_if_recorded_right(told: evenings.Evening) -> None:
    """The record's main line, recorded anew without its slips, gives the same rows but for versions and entries."""
    _, log = written(told.entries())
    if any(type(envelope.data).__name__ == "CorrectionMade" for envelope in log):
        return
    line = main_line((e.entry, e.data, e) for e in log)
    again = [entry_of(step.events[0][0], time=step.events[0][1].tablet) for step in line]
    _, straight = written([entry for entry in again if entry is not None])
    assert without_places(rows(evening(META, log))) == without_places(rows(evening(META, straight)))


def without_places(told: dict[str, Any]) -> dict[str, Any]:
    """Rows without the versions and entries that an undo moves on; findings also name entries in their texts."""
    moved = {"version", "entry", "entries", "first_entry", "last_entry", "text"}
    return {
        name: [
            tuple(v for v, column in zip(row, BY_NAME[name].columns, strict=True) if column not in moved)
            for row in table.values()
        ]
        for name, table in told.items()
    }


def test_every_event_is_told_or_named_as_silent() -> None:
    every = set(get_args(AnyEvent))
    opening = {kind for kind in every if kind.__name__ == "SessionOpened"}
    assert set(ARMS) | SILENT | TAKEN_BACK | ASIDES | opening == every
    assert frozenset().union(*(projection.handles for projection in ALL)) == LASTING


def test_every_row_has_the_columns_of_its_table_and_a_key_of_its_own() -> None:
    _, log = written(read(GOLDEN[0].read_bytes()))
    told = evening(META, log)
    for projection in ALL:
        made = list(projection.rows(told))
        assert all(len(row) == len(projection.columns) for row in made)
        assert len({row[: projection.key] for row in made}) == len(made)
        assert projection.columns[0] == "session_id"


def test_changes_name_what_is_gone_and_what_is_new() -> None:
    _, log = written(read(GOLDEN[0].read_bytes()))
    whole = rows(evening(META, log))
    assert changes(whole, whole) is None
    half = rows(evening(META, log[: len(log) // 2]))
    document = msgspec.json.decode(changes(half, whole) or b"")
    assert {row["place"] for row in document["deals"]["rows"]} == {row[1] for row in whole["deals"]} - {
        row[1] for row in half["deals"]
    }
    back = msgspec.json.decode(changes(whole, half) or b"")
    assert {key["place"] for key in back["deals"]["gone"]} == {row["place"] for row in document["deals"]["rows"]}
