"""The evening that the walk tells is the one that the domain folds: deals, money, seats; in any record."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import event, given
from msgspec.structs import replace

from domain.entries import Acknowledge, Cut, FirstDealer
from domain.events import ASIDES, AnyEvent
from domain.game import Closed, Unopened, phase
from domain.mainline import main_line
from domain.seats import OPPOSITE
from domain.session import Session
from projections import ALL, BY_NAME, Evening, Walk, alters, changes, evening, rows
from projections.walk import ARMS, LASTING, SILENT, TAKEN_BACK
from service.envelope import Envelope
from tests import evenings
from tests.domain.folding import straight
from tests.projections.logs import AT, META, SESSION, read, steps, written

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


@given(evenings.evenings(most_deals=5))
def test_a_walk_that_goes_on_tells_what_one_over_the_whole_log_tells(told: evenings.Evening) -> None:
    walk: Walk | None = None
    log, kept = [], None
    for _, added in steps(told.entries()):
        log += added
        if walk is not None and walk.leads_to(added):
            walk.goes_on(added)
        else:
            walk = Walk(META, log)
        if alters(envelope.data for envelope in added):
            now = walk.evening()
            kept = now, rows(now, kept)
            assert kept[1] == rows(evening(META, log))
    assert kept is not None
    assert kept[1] == rows(evening(META, log))


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_of_an_evening_that_goes_on_only_its_last_two_deals_are_told_again(path: Path) -> None:
    (_, opening), *entries = steps(read(path.read_bytes()))
    walk = Walk(META, opening)
    before, known = walk.evening(), rows(walk.evening())
    for _, added in entries:
        if not walk.leads_to(added):
            return
        walk.goes_on(added)
        if alters(envelope.data for envelope in added):
            now = walk.evening()
            if now.seatings == before.seatings and not now.void:
                settled = {deal.place for deal in now.deals[:-2] if not deal.findings}
                assert now.unaltered(before) >= settled
            assert rows(before) == known
            before, known = now, rows(now, (before, known))
    assert known == rows(walk.evening())


@given(evenings.evenings(most_deals=2))
def test_what_was_taken_back_or_corrected_leaves_the_rows_as_if_recorded_right(told: evenings.Evening) -> None:
    """What stands in the end, recorded anew without slips and corrections, gives the same rows.

    They differ in versions and entries, and in what says that a correction was made: its mark on a deal, and the
    postings by which the ledger came to the same amounts.
    """
    timed = [replace(entry, time=f"2026-11-30T{20 + at // 3600:02}:{at // 60 % 60:02}:{at % 60:02}Z")
             for at, entry in enumerate(told.entries())]  # fmt: skip
    session, log = written(timed)
    made = straight(session)
    event("refused anew or dealt by another" if made.refused or not made.dealt_as_told else "the same")
    if made.refused or not made.dealt_as_told:
        return
    line = main_line((envelope.entry, envelope.data, envelope) for envelope in log)
    again = [
        Envelope(session=SESSION, version=0, entry=number, at=AT, tablet=entry.recorded.tablet, data=one)
        for entry, (number, events) in zip(line, made.told, strict=True)
        for one in events
    ]
    one, other = evening(META, log), evening(META, again)
    assert without_places(rows(one)) == without_places(rows(other))
    assert posted(one) == posted(other)


def posted(told: Evening) -> list[int | float]:
    """What each chair and the pool got in all by the postings, each of which sums to zero."""
    for move in told.postings:
        assert sum(move.amounts) + move.pool + move.issued == 0
    postings = ((*move.amounts, move.pool) for move in told.postings)
    return [sum(amounts) for amounts in zip(*postings, strict=True)]


def test_a_correction_is_posted_beside_what_was_paid_and_keeps_the_time_of_the_deal() -> None:
    """The deal's row says that it was corrected, until the correction is undone; the ledger keeps every posting."""
    record = (
        '{"entry": "open", "ruleset": "american-decimal", "seats": {"N": "Ann", "E": "Bea", "S": "Cal", "W": "Dan"}, '
        '"date": "2026-11-30", "time": "2026-11-30T20:00:00Z"}',
        '{"entry": "first_dealer", "seat": "W", "time": "2026-11-30T20:01:00Z"}',
        '{"entry": "contract", "caller": "N", "contract": "8", "trumps": "S", "time": "2026-11-30T20:02:00Z"}',
        '{"entry": "tricks", "tricks": {"N": 6, "E": 7, "S": 0, "W": 0}, "time": "2026-11-30T20:09:00Z"}',
        '{"entry": "correct", "changes": [{"at": 4, "put": [{"entry": "tricks", "tricks": '
        '{"N": 8, "E": 5, "S": 0, "W": 0}}]}], "reason": "miscounted", "time": "2026-11-30T23:00:00Z"}',
        '{"entry": "correct", "undoes": 5, "reason": "it was right", "time": "2026-11-30T23:05:00Z"}',
    )
    entries = read("\n".join(record).encode())
    first, then, back = (evening(META, written(entries[:count])[1]) for count in (4, 5, 6))
    assert column("deals", first, "corrected") == [False]
    assert column("deals", then, "corrected") == [True]
    assert column("deals", first, "seconds") == column("deals", then, "seconds") == [420]
    assert column("deals", then, "last_entry") == [5]
    assert column("deals", then, "outcome") == ["made"]
    kinds = column("ledger", then, "kind")
    assert kinds == [*column("ledger", first, "kind"), "correction", "correction"]
    assert list(zip(*(column("ledger", then, chair)[-2:] for chair in ("n", "e", "s", "w", "pool")), strict=True)) == [
        (260, -60, -60, -60, -80), (-10, -10, -10, -10, 40)]  # fmt: skip
    assert rows(back)["deals"] == rows(first)["deals"]
    assert posted(back) == posted(first)
    assert column("ledger", back, "kind") == [*kinds, "correction", "correction"]


def test_a_finding_that_was_acknowledged_says_so_and_is_published_by_a_ruling() -> None:
    record = read(GOLDEN[0].read_bytes())[:2]
    session, _ = written([*record, Cut(by=OPPOSITE[_dealer(record)])])
    found = session.game.base.findings[0]  # type: ignore[union-attr]
    seen = Acknowledge(kind=found.kind, entries=found.entries, reason="no matter")
    steps_of = [*record, Cut(by=OPPOSITE[_dealer(record)]), seen]
    told = evening(META, written(steps_of)[1])
    assert (column("findings", told, "acknowledged"), column("findings", told, "published")) == ([4], [False])
    told = evening(META, written([*steps_of, replace(seen, publish=True)])[1])
    assert (column("findings", told, "acknowledged"), column("findings", told, "published")) == ([4], [True])


def _dealer(record: list[Any]) -> Any:
    dealer = record[1]
    assert isinstance(dealer, FirstDealer)
    return dealer.seat


def without_places(told: dict[str, Any]) -> dict[str, Any]:
    """Rows without the versions and entries that an undo moves on; findings also name entries in their texts.

    The ledger keeps what was paid, and disputes stand beside the game.
    """
    moved = {
        "version",
        "entry",
        "entries",
        "first_entry",
        "last_entry",
        "text",
        "corrected",
        "acknowledged",
        "published",
    }
    return {
        name: [
            tuple(v for v, column in zip(row, BY_NAME[name].columns, strict=True) if column not in moved)
            for row in table.values()
        ]
        for name, table in told.items()
        if name not in ("ledger", "disputes")
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
