"""Statistics over HTTP: the same numbers as JSON, as CSV and by a fold of the exported records that knows no SQL."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import Any

import pyarrow.parquet as pq  # type: ignore[import-untyped]
import pytest

from domain.game import seats_at
from domain.record import replay
from projections.figures import mean, rate
from tests.api.house import GOLDEN, House, Key, evening
from tests.api.results import settings

pytestmark = pytest.mark.api
EVENINGS = sorted(path.stem for path in (GOLDEN / "sessions").glob("*.jsonl"))


def record(key: Key, entries: list[dict[str, Any]]) -> str:
    """Records a whole evening; its session's id."""
    session = key.open(entries)
    for start in range(1, len(entries), 400):
        key.take(session, entries[start : start + 400])
    return session


@pytest.fixture
def club(house: House) -> House:
    """A club with all golden evenings on various days."""
    for at, name in enumerate(EVENINGS):
        first, *rest = evening(name)
        first |= {"date": f"2026-{1 + at % 12:02}-1{at % 10}", "table": "window" if at % 3 else "door"}
        record(house.club["recorder"], [first, *rest])
    return house


@dataclass(frozen=True)
class Part:
    """A player's part in a deal, by the domain's own fold of a record."""

    player: str
    date: str
    ruleset: str
    table: str
    seat: str
    role: str
    contract: str | None
    outcome: str
    money: int
    opponents: tuple[str, ...]


def folded(house: House) -> list[Part]:
    """The parts of all counted deals, from the exported records alone."""
    answer = house.club["admin"].get("/api/exports/records")
    archive = zipfile.ZipFile(io.BytesIO(answer.content))
    parts = []
    for name in archive.namelist():
        told = replay(archive.read(name).splitlines())
        assert not told.refused
        base = told.session.game.base  # type: ignore[union-attr]
        counted = 0
        for row in base.rows:
            if not row.counts:
                continue
            counted += 1
            seats = seats_at(base, counted)
            for seat, player in seats.items():
                role = "partout" if row.caller is None else "caller" if row.caller == seat else "defender"
                others = tuple(other for chair, other in seats.items() if chair != seat)
                parts.append(
                    Part(player, base.opened.date, base.opened.ruleset, base.opened.table or "", seat, role,
                         row.contract, row.outcome, row.deltas[seat], others)
                )  # fmt: skip
    return parts


def ids(house: House) -> dict[str, str]:
    players = house.club["viewer"].get("/api/players?limit=500").json()["players"]
    return {player["name"]: player["player_id"] for player in players}


def rows(answer: Any) -> list[dict[str, str]]:
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("text/csv")
    return list(csv.DictReader(io.StringIO(answer.text)))


FILTERS: list[tuple[str, Any]] = [
    ("", lambda p, who: True),
    ("ruleset=russian", lambda p, who: p.ruleset == "russian"),
    ("from=2026-03-01&to=2026-06-30", lambda p, who: "2026-03-01" <= p.date <= "2026-06-30"),
    ("season=2026", lambda p, who: True),
    ("season=2025", lambda p, who: False),
    ("seat=W", lambda p, who: p.seat == "W"),
    ("role=defender", lambda p, who: p.role == "defender"),
    ("role=caller&contract=7", lambda p, who: p.role == "caller" and p.contract == "7"),
    ("table=door", lambda p, who: p.table == "door"),
    ("player={Ann}", lambda p, who: p.player == "Ann"),
    ("player={Ann}&opponent={Eve}", lambda p, who: p.player == "Ann" and "Eve" in p.opponents),
    ("opponent={Cal}", lambda p, who: "Cal" in p.opponents),
]


def test_every_filter_gives_the_same_count_and_money_in_json_csv_and_an_independent_fold(club: House) -> None:
    viewer, parts, known = club.club["viewer"], folded(club), defaultdict(lambda: club.club.player_id, ids(club))
    for text, passes in FILTERS:
        asked = text.format_map(known)
        mine = [part for part in parts if passes(part, known)]
        page = viewer.get(f"/api/statistics/deals?{asked}&limit=500").json()
        assert page["n"] == len(mine), text
        gathered, following = page["rows"], page["next"]
        while following:
            more = viewer.get(f"/api/statistics/deals?{asked}&limit=500&cursor={following}").json()
            gathered += more["rows"]
            following = more["next"]
        table = rows(viewer.get(f"/api/statistics/deals/csv?{asked}"))
        assert len(gathered) == len(table) == len(mine), text
        assert [int(row["money"]) for row in table] == [row["money"] for row in gathered]
        assert sum(row["money"] for row in gathered) == sum(part.money for part in mine)
        assert len({(row["session_id"], row["place"], row["seat"]) for row in gathered}) == len(mine)


def test_players_figures_are_those_of_an_independent_fold(club: House) -> None:
    viewer, parts, known = club.club["viewer"], folded(club), ids(club)
    for name, player_id in known.items():
        mine = [part for part in parts if part.player == name]
        told = viewer.get(f"/api/statistics/players/{player_id}").json()
        if not mine:
            assert told["total"]["deals"] == 0
            continue
        assert told["player"] == {"player_id": player_id, "name": name, "ids": [player_id]}
        expected = mean(len(mine), sum(p.money for p in mine), sum(p.money**2 for p in mine))
        assert told["total"]["money"] == pytest.approx(
            {"n": expected.n, "total": expected.total, "mean": expected.mean, "sd": expected.sd}
        )
        assert {line["role"]: line["deals"] for line in told["by_role"]} == Counter(p.role for p in mine)
        calls = [p for p in mine if p.role == "caller"]
        made = sum(p.outcome == "made" for p in calls)
        (caller,) = [line for line in told["by_role"] if line["role"] == "caller"] or [None]
        if caller is not None:
            wanted = rate(made, len(calls))
            assert caller["made"] == pytest.approx(
                {"k": made, "n": len(calls), "rate": wanted.rate, "low": wanted.low, "high": wanted.high}
            )
        assert {(line["contract"], line["deals"]) for line in told["by_contract"] if line["role"] == "caller"} == set(
            Counter(p.contract for p in calls).items()
        )
        assert told["best_deal"]["money"] == max(p.money for p in mine)
        assert told["worst_deal"]["money"] == min(p.money for p in mine)
        flat = {row["figure"]: row["value"] for row in rows(viewer.get(f"/api/statistics/players/{player_id}/csv"))}
        assert flat["total_money_total"] == str(told["total"]["money"]["total"])
        assert float(flat["total_money_mean"]) == told["total"]["money"]["mean"]
        curve = viewer.get(f"/api/statistics/players/{player_id}/curve").json()["rows"]
        assert curve[-1]["total"] == sum(row["money"] for row in curve) == told["evenings"]["money"]["total"]
        assert len(curve) == told["evenings"]["sessions"] == told["as_of"]["sessions"]


def test_contracts_pairs_and_leaders_agree_with_the_fold(club: House) -> None:
    viewer, parts, known = club.club["viewer"], folded(club), ids(club)
    calls = [part for part in parts if part.role == "caller"]
    page = viewer.get("/api/statistics/contracts").json()
    whole = {row["contract"]: row for row in page["rows"] if row["trump_class"] == "all"}
    assert {contract: row["played"]["k"] for contract, row in whole.items()} == Counter(p.contract for p in calls)
    for contract, row in whole.items():
        mine = [part for part in calls if part.contract == contract]
        assert row["made"]["k"] == sum(part.outcome == "made" for part in mine)
        assert row["money"]["total"] == sum(part.money for part in mine)
        classes = [r for r in page["rows"] if r["contract"] == contract and r["trump_class"] != "all"]
        assert not classes or sum(r["played"]["k"] for r in classes) == row["played"]["k"]
    table = rows(viewer.get("/api/statistics/contracts/csv"))
    assert [int(row["played_k"]) for row in table] == [row["played"]["k"] for row in page["rows"]]

    pairs = viewer.get("/api/statistics/head-to-head").json()["rows"]
    net = {(row["player_id"], row["opponent_id"]): row["net"]["total"] for row in pairs}
    assert all(net[one, other] == -net[other, one] for one, other in net)
    pool = Counter[str]()
    for part in viewer.get("/api/statistics/deals?limit=500").json()["rows"]:
        pool[part["player_id"]] += 0
    assert rows(viewer.get("/api/statistics/head-to-head/csv"))[0]["player_id"] == pairs[0]["player_id"]

    leaders = viewer.get("/api/statistics/leaderboard").json()["rows"]
    sums = Counter[str]()
    for part in parts:
        sums[known[part.player]] += part.money
    assert {row["player_id"]: row["money"]["total"] for row in leaders} == dict(sums)
    assert [row["rank"] for row in leaders] == sorted(row["rank"] for row in leaders)
    assert leaders[0]["money"]["total"] == max(sums.values())
    assert viewer.get("/api/statistics/leaderboard?least_deals=1000").json()["rows"] == []
    paged, cursor = [], ""
    while cursor is not None:
        page = viewer.get(f"/api/statistics/leaderboard?limit=2&cursor={cursor}").json()
        paged += page["rows"]
        cursor = page["next"]
    assert paged == leaders
    for by in ("per_deal", "made", "evenings", "won"):
        assert len(rows(viewer.get(f"/api/statistics/leaderboard/csv?by={by}"))) == len(leaders)


def test_records_and_pools(club: House) -> None:
    viewer, parts = club.club["viewer"], folded(club)
    records = viewer.get("/api/statistics/records").json()["rows"]
    largest = [row for row in records if row["record"] == "largest_settlement"]
    assert {row["amount"] for row in largest} == {max(abs(part.money) for part in parts)}
    assert {row["record"] for row in records} >= {"longest_auction", "largest_pool"}
    assert len(rows(viewer.get("/api/statistics/records/csv?top=3"))) > len(records)
    told = viewer.get("/api/statistics/pools").json()
    moves = viewer.get("/api/statistics/pools/moves?limit=500").json()["rows"]
    assert told["taken"]["n"] == sum(row["reason"] == "taken" for row in moves)
    assert told["doubled"]["total"] == sum(row["amount"] for row in moves if row["reason"] == "doubled")
    assert told["life"]["total"] == sum(row["life"] for row in moves if row["life"] is not None)
    assert len(rows(viewer.get("/api/statistics/pools/moves/csv"))) == len(moves)


def test_a_voided_session_counts_nowhere_and_stays_in_the_log(club: House) -> None:
    viewer = club.club["viewer"]
    before = viewer.get("/api/statistics/deals").json()["n"]
    session = viewer.get("/api/statistics/deals").json()["rows"][0]["session_id"]
    gone = sum(row["session_id"] == session for row in rows(viewer.get("/api/statistics/deals/csv")))
    answer = club.club["director"].ask("POST", f"/api/sessions/{session}/void", {"reason": "a test evening"})
    assert answer.status_code == 200
    after = viewer.get("/api/statistics/deals").json()
    assert after["n"] == before - gone
    assert session not in {row["session_id"] for row in rows(viewer.get("/api/statistics/deals/csv"))}
    assert viewer.get(f"/api/sessions/{session}/ledger").json()["rows"]


def test_an_amount_is_explained_down_to_its_postings(house: House) -> None:
    session = record(house.club["recorder"], evening("american-1"))
    viewer = house.club["viewer"]
    told = viewer.get(f"/api/sessions/{session}/explain?place=3&seat=S").json()
    assert told["amount"] == -110
    assert told["tariff"] == {"table": "misere", "contract": "LM", "shortfall": 0, "amount": 20, "rule": 37}
    assert told["sentence"] == (
        "Cal lost 110 in deal 2: Cal called little misère and was failed: 20 to each opponent (rule 37);"
        " Cal doubles the pool and pays 50 into it (rule 39)."
    )
    for move in told["movements"]:
        assert sum(posting["amount"] for posting in move["postings"]) == 0
    opening = viewer.get(f"/api/sessions/{session}/explain?place=0").json()
    assert [move["kind"] for move in opening["movements"]] == ["start", "contribution"]
    assert viewer.get(f"/api/sessions/{session}/explain?place=99").status_code == 404


def test_a_corrected_amount_is_explained_by_what_was_paid_and_what_a_correction_put_right(house: House) -> None:
    settings(house, correction_window=10)
    director = house.club["director"]
    players = {"N": "Ann", "E": "Bea", "S": "Cal", "W": "Dan"}
    session = director.open([{"entry": "open", "ruleset": "boston-whist", "date": "2026-11-30", "seats": players}])
    lines: list[dict[str, Any]] = [
        {"entry": "first_dealer", "seat": "W"},
        {"entry": "contract", "caller": "N", "contract": "8", "trumps": "S"},
        {"entry": "tricks", "tricks": {"N": 6, "E": 4, "S": 2, "W": 1}},
        {"entry": "contract", "caller": "E", "contract": "LM"},
        {"entry": "tricks", "tricks": {"N": 4, "E": 0, "S": 4, "W": 4}},
    ]
    director.take(session, lines)
    put = [{"entry": "tricks", "tricks": {"N": 8, "E": 3, "S": 1, "W": 1}}]
    director.take(session, [{"entry": "correct", "changes": [{"at": 4, "put": put}], "reason": "miscounted"}])
    first = director.get(f"/api/sessions/{session}/explain?place=1&seat=N").json()
    assert first["amount"] == sum((-10, 75, 40))
    assert [(move["kind"], move["sentence"]) for move in first["movements"] if move["kind"] != "contribution"][-1] == (
        "correction", "a correction puts right what had been paid: Ann +260, Bea -60, Cal -60, Dan -60")  # fmt: skip
    second = director.get(f"/api/sessions/{session}/explain?place=2").json()
    kinds = [move["kind"] for move in second["movements"]]
    assert kinds == ["contribution", "settlement", "pool_win", "correction"]
    assert second["movements"][1]["sentence"].startswith("Bea called little misère and made it")
    assert second["deal"]["corrected"]


def test_a_sessions_ledger_pools_and_balances_come_in_pages(house: House) -> None:
    session = record(house.club["recorder"], evening("american-1"))
    viewer = house.club["viewer"]
    for name in ("ledger", "pools", "balances"):
        whole = viewer.get(f"/api/sessions/{session}/{name}?limit=500").json()["rows"]
        paged, cursor = [], ""
        while cursor is not None:
            page = viewer.get(f"/api/sessions/{session}/{name}?limit=5&cursor={cursor}").json()
            paged += page["rows"]
            cursor = page["next"]
        assert paged == whole
        assert len(whole) > 10
    assert viewer.get("/api/sessions/00000000-0000-0000-0000-000000000000/ledger").status_code == 404


def test_tables_are_exported_as_csv_and_parquet_with_the_same_rows(club: House) -> None:
    auditor = club.club["auditor"]
    for name in ("sessions", "session_players", "deals", "deal_players", "balances", "ledger", "pools"):
        table = rows(auditor.get(f"/api/exports/{name}"))
        answer = auditor.get(f"/api/exports/{name}?format=parquet")
        parquet = pq.read_table(io.BytesIO(answer.content)).to_pylist()
        assert len(table) == len(parquet) > 10
        assert [row["session_id"] for row in table] == [row["session_id"] for row in parquet]
    assert len(rows(auditor.get("/api/exports/sessions?ruleset=russian"))) < len(
        rows(auditor.get("/api/exports/sessions"))
    )
    ledger = pq.read_table(io.BytesIO(auditor.get("/api/exports/ledger?format=parquet").content)).to_pylist()
    assert all(row["n"] + row["e"] + row["s"] + row["w"] + row["pool"] + row["issued"] == 0 for row in ledger)
    assert club.club["viewer"].get("/api/exports/deals").status_code == 403


def test_two_ids_of_one_person_are_merged_reversibly(club: House) -> None:
    viewer, director = club.club["viewer"], club.club["director"]
    first, *rest = evening("american-2")
    names = list(first["seats"].values())
    first["seats"] = dict(zip("NESW", ["Anne", *names[1:]], strict=True))
    record(club.club["recorder"], [first, *rest])
    known = ids(club)
    path = "/api/statistics/players/"
    one, other = (viewer.get(f"{path}{known[name]}").json() for name in (names[0], "Anne"))
    sums = {row["player_id"]: row for row in viewer.get("/api/statistics/leaderboard").json()["rows"]}
    merged = director.ask("POST", f"/api/players/{known['Anne']}/merge", {"into": known[names[0]]})
    assert merged.status_code == 200, merged.text
    both = viewer.get(f"{path}{known['Anne']}").json()
    assert both["player"]["ids"] == [known[names[0]], known["Anne"]]
    assert both["total"]["deals"] == one["total"]["deals"] + other["total"]["deals"]
    assert both["total"]["money"]["total"] == one["total"]["money"]["total"] + other["total"]["money"]["total"]
    leaders = {row["player_id"]: row for row in viewer.get("/api/statistics/leaderboard").json()["rows"]}
    assert known["Anne"] not in leaders
    others = set(sums) - {known["Anne"], known[names[0]]}
    assert all(leaders[i]["money"] == sums[i]["money"] for i in others)
    again = director.ask("POST", f"/api/players/{known['Anne']}/merge", {"into": known[names[1]]})
    assert again.status_code == 409
    assert again.json()["code"] == "tied_already"
    parted = director.ask("DELETE", f"/api/players/{known['Anne']}/merge")
    assert parted.status_code == 200, parted.text
    assert viewer.get(f"{path}{known['Anne']}").json() | {"as_of": None} == other | {"as_of": None}
    together = director.ask("POST", f"/api/players/{known['Anne']}/merge", {"into": known[names[1]]})
    assert together.status_code == 409
    assert together.json()["code"] == "sat_together"
    assert director.ask("DELETE", f"/api/players/{known['Anne']}/merge").status_code == 404


def test_a_person_who_leaves_takes_the_name_and_no_sum(club: House) -> None:
    viewer, admin, known = club.club["viewer"], club.club["admin"], ids(club)
    path = f"/api/statistics/players/{known['Ann']}"
    before = viewer.get(path).json()
    leaders = viewer.get("/api/statistics/leaderboard").json()["rows"]
    pairs = viewer.get("/api/statistics/head-to-head").json()["rows"]
    exported = admin.get(f"/api/players/{known['Ann']}/export").json()
    assert exported["person"]["name"] == "Ann"
    assert sum(row["deals"] for row in exported["sessions"] if not row["void"]) == before["total"]["deals"]
    assert exported["postings"]
    assert all(deal["seat"] in "NESW" for deal in exported["deals"])
    erased = admin.ask("POST", f"/api/players/{known['Ann']}/erase")
    assert erased.status_code == 200, erased.text
    after = viewer.get(path).json()
    assert after["player"]["name"] is None
    assert {k: v for k, v in after.items() if k not in ("player", "as_of")} == {
        k: v for k, v in before.items() if k not in ("player", "as_of")
    }
    assert viewer.get("/api/statistics/leaderboard").json()["rows"] == leaders
    assert viewer.get("/api/statistics/head-to-head").json()["rows"] == pairs
    assert "Ann" not in ids(club)
    session = viewer.get("/api/statistics/deals").json()["rows"][0]["session_id"]
    assert '"Ann"' not in admin.get(f"/api/sessions/{session}/record").text
    assert club.club["player"].get(f"/api/players/{known['Bea']}/export").status_code == 403
    assert club.club["player"].get(f"/api/players/{club.club.player_id}/export").status_code == 200


def test_bad_filters_say_what_is_wrong(house: House) -> None:
    viewer = house.club["viewer"]
    for asked in ("season=2026&from=2026-01-01", "from=2026-02-01&to=2026-01-01", "seat=X", "from=yesterday"):
        answer = viewer.get(f"/api/statistics/deals?{asked}")
        assert answer.status_code == 400, asked
        assert answer.json()["detail"]
    assert viewer.get("/api/statistics/deals?player=00000000-0000-0000-0000-000000000000").status_code == 404
    assert viewer.get("/api/statistics/deals?cursor=nonsense").status_code == 400


def test_csv_quotes_what_a_spreadsheet_would_run(house: House) -> None:
    first, *rest = evening("scripted-results")
    record(house.club["recorder"], [first | {"table": "=cmd()"}, *rest])
    table = rows(house.club["viewer"].get("/api/statistics/deals/csv"))
    assert {row["table"] for row in table} == {"'=cmd()"}
    assert json.loads(house.club["viewer"].get("/api/statistics/deals").text)["rows"][0]["table"] == "=cmd()"
