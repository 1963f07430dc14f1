"""Keys, codes, cookies: what lets somebody in, and what ends it. And how errors look to whoever stays outside."""

from __future__ import annotations

import time
from typing import Any

import httpx
import psycopg
import pytest
from litestar.testing import TestClient

from service.app import create_app
from service.settings import Settings
from tests.api.house import House, Key, evening

pytestmark = pytest.mark.api
REVOKED_WITHIN = 5.0


def browser(house: House) -> TestClient[Any]:
    """A browser of its own, with its own cookies, on the running service."""
    return TestClient(house.app, raise_server_exceptions=False)


def pairing(house: House, role: str = "recorder", **more: Any) -> dict[str, Any]:
    answer = house.club["admin"].ask("POST", "/api/pairings", {"name": "Table 1", "role": role} | more)
    assert answer.status_code == 201
    told: dict[str, Any] = answer.json()
    return told


def sign_in(house: House, code: str) -> httpx.Response:
    house.client.cookies.clear()
    return house.client.post("/api/sign-in", json={"code": code, "device": "Tablet 1"})


def test_a_code_signs_one_browser_in_once(house: House) -> None:
    paired = pairing(house)
    assert paired["link"].endswith(f"/#pair={paired['code']}")
    assert paired["qr_svg"].startswith("<svg")
    answer = sign_in(house, paired["code"].lower().replace("-", " "))
    assert answer.status_code == 200
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert answer.json()["me"]["role"] == "recorder"
    assert house.client.get("/api/me").json()["name"] == "Tablet 1"
    again = sign_in(house, paired["code"])
    assert (again.status_code, again.json()["code"]) == (401, "code_not_valid")


def test_after_too_many_wrong_codes_an_address_has_to_wait_in_every_worker(database: str) -> None:
    settings = Settings(database_url=database, sign_in_attempts=3, sign_in_window=60.0)
    with House(settings) as house, TestClient(create_app(settings)) as other:
        for _ in range(2):
            # A right code in between begins the count anew.
            assert [sign_in(house, f"WRONG{n}").status_code for n in range(2)] == [401, 401]
            assert sign_in(house, pairing(house)["code"]).status_code == 200
        wrong = [c.post("/api/sign-in", json={"code": "WRONG"}) for c in (house.client, other, house.client)]
        assert [answer.status_code for answer in wrong] == [401] * 3
        right = pairing(house)["code"]
        for client in (other, house.client):
            answer = client.post("/api/sign-in", json={"code": right})
            told = problem(answer, 429, "too_many_attempts")
            assert 1 <= int(answer.headers["retry-after"]) <= 60
            assert "1 minute" in told["detail"]
        assert house.call(house.app.state.attempts.count, "192.0.2.7") == 0, "nobody else has to wait"


def test_an_address_that_has_waited_may_try_again(database: str) -> None:
    with House(Settings(database_url=database, sign_in_attempts=1, sign_in_window=600.0)) as house:
        assert [sign_in(house, "WRONG").status_code for _ in range(2)] == [401, 429]
        with psycopg.connect(database) as connection:
            connection.execute("UPDATE boston.sign_in_attempts SET since = since - interval '601 seconds'")
        assert [sign_in(house, "WRONG").status_code for _ in range(2)] == [401, 429]


def test_a_code_that_is_too_old_signs_nobody_in(database: str) -> None:
    with House(Settings(database_url=database, pairing_lasts=-1.0)) as house:
        assert sign_in(house, pairing(house)["code"]).status_code == 401


def test_a_cookie_is_sent_over_https_alone_where_the_address_is(database: str) -> None:
    with House(Settings(database_url=database, secure_cookies=True)) as house:
        assert "secure" in sign_in(house, pairing(house)["code"]).headers["set-cookie"].lower()


def test_a_browser_writes_only_with_the_token_of_its_sign_in(house: House) -> None:
    csrf = sign_in(house, pairing(house)["code"]).json()["csrf"]
    assert house.client.get("/api/me").json()["csrf"] == csrf
    body = {"name": "Zoe"}
    for headers in ({}, {"x-csrf-token": "made-up"}, {"x-csrf-token": "é"}):
        answer = house.client.post("/api/players", json=body, headers={k: v.encode() for k, v in headers.items()})
        assert (answer.status_code, answer.json()["code"]) == (403, "csrf")
    assert house.client.post("/api/players", json=body, headers={"x-csrf-token": csrf}).status_code == 201
    cross = house.client.post("/api/sign-out", headers={})
    assert cross.status_code == 403
    assert house.client.post("/api/sign-out", headers={"x-csrf-token": csrf}).status_code == 204
    assert house.client.get("/api/me").status_code == 401


def test_a_signed_out_cookie_is_dead_even_where_it_was_kept(house: House) -> None:
    csrf = sign_in(house, pairing(house)["code"]).json()["csrf"]
    kept = house.client.cookies["boston_session"]
    house.client.post("/api/sign-out", headers={"x-csrf-token": csrf})
    house.client.cookies.clear()
    assert house.client.get("/api/me", headers={"cookie": f"boston_session={kept}"}).status_code == 401


def test_a_cookie_is_no_key_and_a_key_no_cookie(house: House) -> None:
    sign_in(house, pairing(house)["code"])
    kept = house.client.cookies["boston_session"]
    house.client.cookies.clear()
    assert house.client.get("/api/me", headers={"authorization": f"Bearer {kept}"}).status_code == 401
    key = house.club["admin"].key
    assert house.client.get("/api/me", headers={"cookie": f"boston_session={key}"}).status_code == 401


def test_no_key_is_taken_from_the_address(house: House) -> None:
    key = house.club["viewer"].key
    assert house.client.get(f"/api/me?key={key}&access_token={key}&authorization=Bearer%20{key}").status_code == 401


def test_no_secret_is_kept_and_none_is_shown_again(house: House, database: str) -> None:
    admin = house.club["admin"]
    made = admin.ask("POST", "/api/keys", {"name": "once", "role": "viewer"}).json()
    code = pairing(house)["code"]
    sign_in(house, pairing(house)["code"])
    secrets = [made["key"], code, code.replace("-", ""), house.client.cookies["boston_session"]]
    house.client.cookies.clear()
    listed = admin.get("/api/keys").text
    assert made["key_id"] in listed
    with psycopg.connect(database) as connection:
        tables = [str(row) for t in ("keys", "pairings", "browser_sessions")
                  for row in connection.execute(f"SELECT * FROM boston.{t}").fetchall()]  # fmt: skip
    for secret in secrets:
        assert secret not in listed
        assert all(secret not in row for row in tables)


def gone_within(ask: Any, seconds: float) -> bool:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if ask() == 401:
            return True
        time.sleep(0.05)
    return False


def test_a_revoked_key_is_dead_in_every_worker(database: str) -> None:
    """Two services on one database stand for two workers; both know the key well when it is revoked in one."""
    settings = Settings(database_url=database)
    assert settings.key_trust <= REVOKED_WITHIN - 1
    with House(settings) as house, TestClient(create_app(settings), raise_server_exceptions=False) as other:
        admin = house.club["admin"]
        made = admin.ask("POST", "/api/keys", {"name": "short", "role": "recorder"}).json()
        headers = {"authorization": f"Bearer {made['key']}"}
        asks = [lambda c=c: c.get("/api/me", headers=headers).status_code for c in (house.client, other)]
        assert [ask() for ask in asks] == [200, 200]
        sign_in(house, pairing(house)["code"])
        me = house.client.get("/api/me").json()
        cookie = {"cookie": f"boston_session={house.client.cookies['boston_session']}"}
        house.client.cookies.clear()
        asks += [lambda c=c: c.get("/api/me", headers=cookie).status_code for c in (house.client, other)]
        assert [ask() for ask in asks] == [200] * 4
        for key_id in (made["key_id"], me["key_id"]):
            assert admin.ask("DELETE", f"/api/keys/{key_id}").status_code == 204
        assert all(gone_within(ask, REVOKED_WITHIN) for ask in asks)


def test_players_keys_name_a_player_of_the_club(house: House) -> None:
    admin = house.club["admin"]
    body = {"name": "p", "role": "player"}
    assert admin.ask("POST", "/api/keys", body).status_code == 400
    assert (
        admin.ask("POST", "/api/keys", body | {"player_id": "00000000-0000-7000-8000-000000000000"}).status_code == 404
    )
    assert admin.ask("POST", "/api/keys", body | {"player_id": house.club.player_id}).status_code == 201
    assert (
        admin.ask("POST", "/api/keys", body | {"role": "viewer", "player_id": house.club.player_id}).status_code == 400
    )


def problem(answer: httpx.Response, status: int, code: str) -> dict[str, Any]:
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    told: dict[str, Any] = answer.json()
    assert (told["status"], told["code"]) == (status, code)
    assert told["title"]
    assert told["detail"]
    assert "Traceback" not in answer.text
    assert ".py" not in answer.text
    return told


def test_every_error_is_a_problem(house: House) -> None:
    recorder = house.club["recorder"]
    session = recorder.open()
    entries = f"/api/sessions/{session}/entries"
    ask = house.client.request
    signed = {"authorization": f"Bearer {recorder.key}"}
    problem(recorder.get("/api/nothing"), 404, "not_found")
    problem(recorder.get("/api/sessions/not-an-id"), 404, "not_found")
    problem(recorder.get("/static/nothing.js"), 404, "not_found")
    problem(ask("DELETE", "/api/club", headers=signed), 405, "no_such_method")
    problem(house.client.get("/api/me"), 401, "not_signed_in")
    problem(recorder.get("/api/keys"), 403, "not_allowed")
    problem(recorder.get("/api/players?limit=0"), 400, "malformed")
    problem(recorder.get("/api/players?limit=many"), 400, "malformed")
    problem(recorder.get("/api/players?cursor=made-up"), 400, "malformed")
    problem(ask("POST", entries, headers=signed, content=b"{"), 415, "unread_media_type")
    json = signed | {"content-type": "application/json"}
    for body in (
        b"",
        b"{",
        b"[]",
        b"null",
        b'{"entries":[]}',
        b'{"entries":[{"entry":"play"}]}',
        b"\xff\xfe",
        b"[" * 99999,
    ):
        problem(ask("POST", entries, headers=json, content=body), 400, "malformed")
    problem(ask("POST", "/api/players", headers=json, content=b"{"), 400, "malformed")
    problem(
        ask("POST", "/api/players", headers=signed | {"content-type": "text/plain"}, content=b"x"), 400, "malformed"
    )
    deep = b'{"a":' * 50000 + b"1" + b"}" * 50000
    for method, path in (("POST", "/api/players"), ("POST", "/api/sign-in"), ("PUT", f"/api/sessions/{session}/lease")):
        for body in (b"[" * 99999 + b"]" * 99999, deep):
            problem(ask(method, path, headers=json, content=body), 400, "malformed")
    huge = b'{"entries":[' + b" " * (house.app.state.settings.body_limit + 1) + b"]}"
    problem(ask("POST", entries, headers=json, content=huge), 413, "too_large")


def test_every_malformed_entry_of_a_batch_is_named(house: House) -> None:
    recorder = house.club["recorder"]
    session = recorder.open()
    batch = [{"entry": "shuffle"}, {"entry": "play"}, {"entry": "first_dealer", "seat": "N"}, {"entry": "dance"}]
    told = problem(recorder.record(session, batch), 400, "malformed")
    assert [one["index"] for one in told["problems"]] == [1, 3]
    assert "seat" in told["problems"][0]["message"]


def test_every_refused_entry_of_a_batch_is_named_with_its_rule(house: House) -> None:
    record = evening("american-1")
    recorder = house.club["recorder"]
    session = recorder.open(record)
    bad = [
        {"entry": "play", "seat": "N", "card": "2C"},
        record[1],
        {"entry": "tricks", "tricks": dict.fromkeys("NESW", 3)},
    ]
    told = problem(recorder.record(session, bad), 422, "not_now")
    assert [one["index"] for one in told["problems"]] == [0, 2]
    assert recorder.get(f"/api/sessions/{session}").json()["entries"] == 1


@pytest.mark.parametrize("number", [10**6 + 1, 10**30, -1, 0, 1.5, True, "1"])
def test_integers_beyond_measure_are_malformed(house: House, number: Any) -> None:
    recorder = house.club["recorder"]
    session = recorder.open()
    problem(recorder.record(session, [{"entry": "undo", "target": number}]), 400, "malformed")
    version = {"expected_version": number} if number != 0 else {"expected_version": -1}
    if number not in (10**6 + 1, True):
        problem(recorder.record(session, [{"entry": "shuffle"}], **version), 400, "malformed")


def test_an_unexpected_fault_tells_its_number_and_nothing_else(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(*_: Any) -> Any:
        raise RuntimeError("the password is swordfish")

    monkeypatch.setattr(house.app.state.clubs, "get", broken)
    answer = house.club["viewer"].get("/api/club")
    told = problem(answer, 500, "failed")
    assert told["incident"]
    assert "swordfish" not in answer.text


@pytest.mark.parametrize(
    "change",
    [
        pytest.param("body = set_byte(body, 0, 0)", id="does not read"),
        pytest.param("body = set_byte(body, 0, get_byte(body, 0)) || ' '::bytea", id="reads, and is another"),
        pytest.param(
            """body = convert_to(regexp_replace(convert_from(body, 'UTF8'), '"data":.*',
            '"data":{"type":"tricks_reported","tricks":{"N":13,"E":0,"S":0,"W":0}}}'), 'UTF8')""",
            id="cannot have followed",
        ),
    ],
)
def test_a_damaged_log_is_called_so_and_takes_nothing(house: House, database: str, change: str) -> None:
    recorder, record = house.club["recorder"], evening("scripted-results")
    session = recorder.open(record)
    recorder.take(session, record[1:4])
    with psycopg.connect(database) as connection:
        connection.execute("ALTER TABLE boston.events DISABLE TRIGGER append_only")
        assert connection.execute(f"UPDATE boston.events SET {change} WHERE version = 3").rowcount == 1
    with TestClient(create_app(house.app.state.settings), raise_server_exceptions=False) as client:
        key = Key(client, recorder.key, recorder.key_id)
        problem(key.get(f"/api/sessions/{session}"), 500, "log_damaged")
        problem(key.record(session, record[4:5]), 500, "log_damaged")


def test_what_the_database_forbids_to_tell_is_answered_by_503(database: str) -> None:
    """A service whose database is away says so, by its health too, and takes nothing."""
    settings = Settings(database_url="postgresql://nobody@127.0.0.1:1/nothing")
    with TestClient(create_app(settings), raise_server_exceptions=False) as client:
        ready = client.get("/health/ready")
        assert ready.status_code == 503
        assert "database" in ready.json()["cause"]
        assert client.get("/health/live").status_code == 200
        problem(client.get("/api/me", headers={"authorization": "Bearer bk_any"}), 503, "database_away")


def test_pages_are_strict_and_come_small(house: House) -> None:
    page = house.client.get("/")
    assert page.status_code == 200
    policy = page.headers["content-security-policy"]
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    assert "<script>" not in page.text
    assert page.headers["x-content-type-options"] == "nosniff"
    data = house.client.get("/api/me").headers
    assert data["x-content-type-options"] == "nosniff"
    again = house.client.get("/", headers={"if-none-match": page.headers["etag"]})
    assert again.status_code == 304
    assert house.client.get("/static/app.js").headers["content-encoding"] == "gzip"
    for path in ("/static/../app.py", "/static/%2e%2e/app.py", "/static/..%2fapp.py", "/static//etc/passwd",
                 "/static/README.md", "/static/%00.js", f"/static/{'a' * 300}.js"):  # fmt: skip
        assert house.client.get(path).status_code == 404


def test_health_and_metrics_name_nobody(house: House) -> None:
    recorder: Key = house.club["recorder"]
    session = recorder.open()
    assert house.client.get("/health").json()["ready"] is True
    told = house.client.get("/metrics").text
    assert "boston_requests_total" in told
    for word in (session, recorder.key, recorder.key_id, "Pavel", "Ann"):
        assert word not in told
