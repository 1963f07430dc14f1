"""Checkpoints and receipts over HTTP: what is signed, when, for whom, and that it can be computed again."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from hashlib import sha256
from typing import Any
from urllib.parse import parse_qs

import psycopg
import pytest

from ops.proof.check import check
from ops.proof.compare import compare
from ops.removal import remove_club
from service.envelope import link
from service.principal import Role
from service.proof import tree
from service.proof.checkpoints import Head
from service.proof.page import page, policy
from service.proof.statement import Checkpoint, KeyMade, Receipt, decoded, fingerprint, split
from service.settings import Settings
from tests.api.house import House, Key, evening
from tests.api.results import recorded, results

pytestmark = pytest.mark.api


@pytest.fixture
def quick(database: str) -> Iterator[House]:
    """A service that looks for sessions that are over many times a second."""
    with House(Settings(database_url=database, checkpoint_every=0.05)) as house:
        yield house


def whole(director: Key, name: str = "scripted-results") -> str:
    """A whole evening; its session."""
    record = evening(name)
    session = director.open(record)
    for start in range(1, len(record), 400):
        director.take(session, record[start : start + 400])
    return session


def told(answer: dict[str, Any]) -> Any:
    """The statement that an answer carries."""
    return split(answer["statement"]).statement


def test_a_checkpoint_covers_every_head_and_is_made_once(house: House) -> None:
    director = house.club["director"]
    assert director.get("/api/checkpoints/latest").status_code == 404
    session = whole(director)
    first = director.ask("POST", "/api/checkpoints").json()
    assert house.club["auditor"].ask("POST", "/api/checkpoints").json() == first
    file = house.club["viewer"].get("/api/checkpoints/1").json()
    signed, key = split(file["statement"]), split(file["keys"][0])
    assert isinstance(key.statement, KeyMade)
    assert signed.by(key.statement.public)
    assert key.by(key.statement.public)
    state = director.get(f"/api/sessions/{session}").json()
    (head,) = file["heads"]
    assert (head["session"], head["version"]) == (session, state["version"])
    leaf = Head(head["session"], head["version"], bytes.fromhex(head["hash"]), bytes.fromhex(head["events"])).leaf
    checkpoint = signed.statement
    assert isinstance(checkpoint, Checkpoint)
    assert (checkpoint.root, checkpoint.sessions, checkpoint.previous) == (tree.root([leaf]), 1, bytes(32))
    whole(director, "american-1")
    second = director.ask("POST", "/api/checkpoints").json()
    assert told(second).previous == signed.hash
    listed = director.get("/api/checkpoints").json()["checkpoints"]
    assert [one["number"] for one in listed] == [2, 1]
    assert director.get("/api/checkpoints?limit=1").json()["next"]
    latest = house.club["player"].get("/api/checkpoints/latest").json()
    assert latest == second
    assert latest["key"] == fingerprint(checkpoint.key)


def test_the_end_of_a_session_makes_a_checkpoint_by_itself(quick: House) -> None:
    director = quick.club["director"]
    session = whole(director, "american-1")
    version = director.get(f"/api/sessions/{session}").json()["version"]
    until = time.monotonic() + 30
    while time.monotonic() < until:
        latest = director.get("/api/checkpoints/latest")
        if latest.status_code == 200:
            heads = director.get(f"/api/checkpoints/{latest.json()['number']}").json()["heads"]
            if [head["version"] for head in heads if head["session"] == session] == [version]:
                return
        time.sleep(0.05)
    pytest.fail("no checkpoint was made")


def test_a_day_without_a_checkpoint_makes_one(database: str) -> None:
    with House(Settings(database_url=database)) as house:
        house.club["director"].open()
    with House(Settings(database_url=database, checkpoint_every=0.05)) as later:
        until = time.monotonic() + 30
        while time.monotonic() < until:
            if (last := later.call(later.app.state.checkpoints.last, house.club.club_id)) is not None:
                assert last.statement.sessions == 1
                return
            time.sleep(0.05)
    pytest.fail("no checkpoint was made")


def test_two_workers_make_one_checkpoint_of_a_day(database: str) -> None:
    with House(Settings(database_url=database)) as one:
        whole(one.club["director"])
        with House(Settings(database_url=database)) as two, two.client.portal() as portal:
            club = one.club.club_id
            futures = [portal.start_task_soon(two.app.state.checkpoints.make, club) for _ in range(4)]
            with one.client.portal() as other:
                futures += [other.start_task_soon(one.app.state.checkpoints.make, club) for _ in range(4)]
                made = {future.result().line for future in futures}
        assert len(made) == 1
        with psycopg.connect(database) as connection:
            assert connection.execute("SELECT count(*) FROM boston.checkpoints").fetchone() == (1,)
            assert connection.execute("SELECT count(*) FROM boston.signing_keys").fetchone() == (1,)
        assert one.call(one.app.state.checkpoints.due, "2000-01-01T00:00:00Z") == []
        assert one.call(one.app.state.checkpoints.due, "2999-01-01T00:00:00Z") == [club]


@pytest.mark.parametrize("covered", [False, True], ids=["to the head", "to a checkpoint"])
def test_a_receipt_leads_from_the_line_to_what_vouches_for_it(house: House, covered: bool) -> None:
    director = house.club["director"]
    session = whole(director, "american-1")
    if covered:
        director.ask("POST", "/api/checkpoints")
    state = director.get(f"/api/sessions/{session}").json()
    for number, row in enumerate(state["rows"], start=1):
        file = director.get(f"/api/sessions/{session}/lines/{number}/receipt").json()
        signed = split(file["statement"])
        receipt = signed.statement
        assert isinstance(receipt, Receipt)
        assert signed.by(split(file["keys"][0]).statement.public)
        assert receipt.hash.hex() == row["hash"]
        assert (receipt.line, receipt.deal, receipt.outcome) == (number, row["number"], row["row"]["outcome"])
        assert list(receipt.balances) == [row["row"]["balances"][seat] for seat in "NESW"]
        assert list(receipt.seats) == [state["seats"][seat]["player_id"] for seat in "NESW"]
        hash_ = bytes.fromhex(file["events"]["before"])
        for body in file["events"]["bodies"]:
            hash_ = link(hash_, body.encode())
        assert hash_ == receipt.hash
        assert file["events"]["first"] + len(file["events"]["bodies"]) - 1 == receipt.version
        if covered:
            way, head = file["link"], file["link"]["checkpoint"]["head"]
            path = [bytes.fromhex(one) for one in way["path"]]
            events = tree.led(receipt.hash, receipt.version - 1, head["version"], path)
            assert events is not None
            assert events.hex() == head["events"]
        else:
            for body in file["after"]:
                hash_ = link(hash_, body.encode())
            assert (hash_, receipt.head) == (receipt.head_hash, state["version"])


def test_the_code_holds_the_signed_line(house: House) -> None:
    director = house.club["director"]
    session = whole(director)
    picture = director.get(f"/api/sessions/{session}/lines/1/receipt?format=svg")
    assert picture.headers["content-type"].startswith("image/svg+xml")
    assert picture.text.startswith("<svg")
    line = director.get(f"/api/sessions/{session}/lines/1/receipt").json()["statement"]
    fields = parse_qs(line, strict_parsing=True)
    assert len(decoded(fields["signature"][0])) == 64


def test_a_receipt_is_for_those_who_sat_there(house: House) -> None:
    director, club = house.club["director"], house.club
    session = whole(director)
    path = f"/api/sessions/{session}/lines/1/receipt"
    assert club["player"].get(path).status_code == 403
    seated = director.get(f"/api/sessions/{session}").json()["seats"]["N"]["player_id"]
    made = house.call(house.app.state.safe.make_key, club.club_id, "of N", "player", seated)
    assert Key(house.client, made.key, made.key_id).get(path).status_code == 200
    merged = director.ask("POST", f"/api/players/{seated}/merge", {"into": club.player_id})
    assert merged.status_code == 200
    for proof in (path, f"/api/sessions/{session}/bundle"):
        assert club["player"].get(proof).status_code == 200, "two ids of one person are one player"
    assert director.get(f"/api/sessions/{session}/lines/99/receipt").status_code == 404
    assert director.get(f"/api/sessions/{session}/lines/0/receipt").status_code == 404


TRICKS = {"entry": "tricks", "tricks": {"N": 8, "E": 5, "S": 0, "W": 0}}
CLUBS = [f"{rank}C" for rank in "23456789TJQKA"]
CHANGES = {
    "the settlement": ({"at": 4, "put": [TRICKS]},),
    "and then who dealt": ({"at": 4, "put": [TRICKS]}, {"at": 2, "put": [{"entry": "first_dealer", "seat": "N"}]}),
    "a cut": ({"at": 2, "after": True, "put": [{"entry": "cut", "by": "S"}]},),
    "who dealt": ({"at": 2, "put": [{"entry": "first_dealer", "seat": "N"}]},),
    "a hand": ({"at": 2, "after": True, "put": [{"entry": "deal", "hands": {"W": CLUBS}}]},),
}


@pytest.mark.parametrize("changes", CHANGES.values(), ids=CHANGES)
def test_a_receipt_of_a_corrected_line_shows_its_settlement(house: House, changes: tuple[Any, ...]) -> None:
    """Also where the correction that the line is bound to left the settlement as it was."""
    director = house.club["director"]
    session = recorded(director, results(deals=3))
    for change in changes:
        entry = {"entry": "correct", "changes": [change], "reason": "misheard"}
        director.take(session, [entry], second_key=house.club["admin"].key)
    for line in (1, 2, 3):
        found = check("receipt", director.get(f"/api/sessions/{session}/lines/{line}/receipt").content)
        assert found.sound, (line, found.findings)


@pytest.mark.parametrize("role", ["auditor", "director", "recorder"])
def test_a_receipt_tells_nothing_of_an_open_deal(house: House, role: Role) -> None:
    """Nor one that the director or the recorder takes, for it is handed to a player."""
    record = evening("american-1")
    director, taker, auditor = house.club["director"], house.club[role], house.club["auditor"]
    session = director.open(record)
    third_play = [at for at, entry in enumerate(record) if entry["entry"] == "deal"][2]
    at = next(at for at in range(third_play, len(record)) if record[at]["entry"] == "play")
    state = director.take(session, record[1 : at + 1])["state"]
    card = state["played"][0]
    file = taker.get(f"/api/sessions/{session}/lines/2/receipt").json()
    assert file["after"] is not None
    assert not any(f'"{card}"' in body for body in file["after"])
    assert split(file["statement"]).statement.head < state["version"]
    director.ask("POST", "/api/checkpoints")
    answer = taker.get(f"/api/sessions/{session}/lines/2/receipt")
    assert check("receipt", answer.content).sound
    covered = answer.json()
    assert covered["after"] is None
    assert covered["link"]["checkpoint"]["head"]["version"] == state["version"]
    # Nor does a bundle, which is not taken for one that was cut.
    paths = (f"/api/sessions/{session}/bundle", "/api/checkpoints/1")
    files = [check(path, auditor.get(path).content) for path in paths]
    compare(files)
    assert all(file.sound for file in files), [file.findings for file in files]
    assert len(files[0].hashes) < state["version"]


def test_the_service_cannot_change_what_was_signed(house: House, database: str) -> None:
    whole(house.club["director"])
    house.club["director"].ask("POST", "/api/checkpoints")
    with psycopg.connect(database) as connection:
        connection.execute("SET ROLE boston_service")
        for table in ("checkpoints", "checkpoint_heads", "signing_keys"):
            for act in (f"UPDATE boston.{table} SET club_id = club_id", f"DELETE FROM boston.{table}"):
                with pytest.raises(psycopg.errors.InsufficientPrivilege), connection.transaction():
                    connection.execute(act)
        connection.execute("RESET ROLE")
        for table in ("checkpoints", "checkpoint_heads", "signing_keys"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege), connection.transaction():
                connection.execute(f"DELETE FROM boston.{table}")


def test_a_club_that_is_removed_takes_its_checkpoints_along(house: House, database: str) -> None:
    whole(house.club["director"])
    house.club["director"].ask("POST", "/api/checkpoints")
    assert remove_club(database, house.club.club_id) == 1
    with psycopg.connect(database) as connection:
        for table in ("checkpoints", "checkpoint_heads", "signing_keys", "signing_secrets", "events"):
            assert connection.execute(f"SELECT count(*) FROM boston.{table}").fetchone() == (0,)
        guards = connection.execute("SELECT count(*) FROM pg_trigger WHERE tgname = 'append_only' AND tgenabled = 'O'")
        assert guards.fetchone() == (4,)


def test_a_bundle_ends_with_the_seal_of_its_club(house: House) -> None:
    director = house.club["director"]
    session = whole(director, "american-1")
    director.ask("POST", "/api/checkpoints")
    answer = director.get(f"/api/sessions/{session}/bundle")
    *lines, last = answer.content.splitlines(keepends=True)
    parts = [json.loads(line) for line in lines]
    seal = split(json.loads(last)["statement"])
    public = split(parts[1]["statement"]).statement.public
    assert seal.by(public)
    assert (seal.statement.lines, seal.statement.digest) == (len(lines), sha256(b"".join(lines)).digest())
    kinds = [part["type"] for part in parts]
    assert list(dict.fromkeys(kinds)) == ["bundle", "key", "checkpoint", "event", "entry", "text", "player", "line"]
    state = director.get(f"/api/sessions/{session}").json()
    assert kinds.count("event") == state["version"]
    assert kinds.count("entry") == state["entries"]
    told = [part for part in parts if part["type"] == "line"]
    hashes = [part["hash"] for part in parts if part["type"] == "event"]
    assert [hashes[line["version"] - 1] for line in told] == [row["hash"] for row in state["rows"]]


def test_whoever_was_erased_is_in_no_bundle(house: House) -> None:
    director, admin = house.club["director"], house.club["admin"]
    session = whole(director)
    north = director.get(f"/api/sessions/{session}").json()["seats"]["N"]
    before = director.get(f"/api/sessions/{session}/bundle").text
    assert north["name"] in before
    assert admin.ask("POST", f"/api/players/{north['player_id']}/erase").status_code == 200
    after = director.get(f"/api/sessions/{session}/bundle").text
    assert north["name"] not in after
    assert f'{{"type":"player","player":"{north["player_id"]}","name":null}}' in after


def test_the_verifier_comes_with_a_policy_of_its_own(house: House) -> None:
    answer = house.client.get("/verify.html")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers.get_list("content-security-policy") == [policy()]
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.content == page()


def test_a_club_whose_secret_was_lost_signs_nothing_and_says_so(house: House, database: str) -> None:
    director = house.club["director"]
    session = whole(director)
    director.ask("POST", "/api/checkpoints")
    with psycopg.connect(database) as connection:
        connection.execute("DELETE FROM boston.signing_secrets")
    answer = director.get(f"/api/sessions/{session}/lines/1/receipt")
    assert (answer.status_code, answer.json()["code"]) == (500, "no_signing_key")
    assert director.get("/api/checkpoints/latest").status_code == 200


def test_a_finding_that_is_not_published_is_in_no_players_proof(house: House) -> None:
    director = house.club["director"]
    record = evening("scripted-results")
    deal = next(at for at, entry in enumerate(record) if entry["entry"] == "contract")
    dealer = next(entry["seat"] for entry in record if entry["entry"] == "first_dealer")
    session = director.open(record)
    # The dealer's own cut is one by a wrong player, in every rule set.
    director.take(session, [*record[1:deal], {"entry": "cut", "by": dealer}, *record[deal : deal + 2]])
    assert director.get(f"/api/sessions/{session}/findings").json()["findings"]
    seated = director.get(f"/api/sessions/{session}").json()["seats"]["N"]["player_id"]
    made = house.call(house.app.state.safe.make_key, house.club.club_id, "of N", "player", seated)
    player = Key(house.client, made.key, made.key_id)
    for path in ("bundle", "lines/1/receipt"):
        for key in (director, house.club["auditor"], player):
            # Whoever takes a receipt hands it to a player.
            told = path == "bundle" and key is not player
            answer = key.get(f"/api/sessions/{session}/{path}")
            assert answer.status_code == 200
            assert ("finding_made" in answer.text) is told
            found = check(path, answer.content)
            assert found.sound, found.findings
            assert any(finding.code == "withheld" for finding in found.findings) is not told
