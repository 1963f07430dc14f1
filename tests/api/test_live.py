"""The live stream, and who records a table."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from litestar.testing import TestClient

from service.app import create_app
from service.settings import Settings
from tests.api.house import House, Key, evening
from tests.api.listening import Listener

pytestmark = pytest.mark.api


def bearer(key: Key) -> dict[str, str]:
    return {"authorization": f"Bearer {key.key}"}


def open_with(house: House, entries: int) -> tuple[str, list[dict[str, Any]]]:
    record = evening("scripted-results")
    session = house.club["recorder"].open(record)
    if entries > 1:
        house.club["recorder"].take(session, record[1:entries])
    return session, record


def version_of(house: House, session: str) -> int:
    version: int = house.club["director"].get(f"/api/sessions/{session}").json()["version"]
    return version


async def _listeners_gone(house: House) -> bool:
    for _ in range(400):
        if house.app.state.watch.listeners == 0:
            return True
        await asyncio.sleep(0.05)
    return False


def test_a_listener_hears_of_every_move_and_the_house_stays_awake(house: House) -> None:
    session, record = open_with(house, 1)
    path = f"/api/sessions/{session}/stream"

    async def story() -> str:
        async with Listener(house.app, path, bearer(house.club["viewer"])) as listener:
            first = version_of_head(await house.app.state.recorder.log.head(session))
            await listener.until(f"id: {first}")
            await asyncio.to_thread(house.club["recorder"].take, session, record[1:4])
            now = version_of_head(await house.app.state.recorder.log.head(session))
            await listener.until(f"id: {now}")
            await listener.until(": still here")
            assert house.app.state.watch.listeners == 1
        assert await _listeners_gone(house), "a listener who has left is still looked after"
        return listener.text

    told = house.call(story)
    assert "event: state" in told
    assert f'data: {{"version":{version_of(house, session)}}}' in told


def version_of_head(head: Any) -> int:
    version: int = head.version
    return version


def test_who_comes_back_hears_nothing_twice(house: House) -> None:
    session, _ = open_with(house, 3)
    now = version_of(house, session)

    async def story(last: int) -> str:
        headers = bearer(house.club["viewer"]) | {"last-event-id": str(last)}
        async with Listener(house.app, f"/api/sessions/{session}/stream", headers) as listener:
            await listener.until(": still here")
        return listener.text

    assert "event:" not in house.call(story, now)
    assert f"id: {now}" in house.call(story, now - 1)
    assert f"id: {now}" in house.call(story, 0)


def test_a_listener_of_another_worker_hears_too(house: House, database: str) -> None:
    session, record = open_with(house, 1)
    other = create_app(Settings(database_url=database, watch_every=0.1, heartbeat=0.4))

    async def story() -> None:
        async with Listener(other, f"/api/sessions/{session}/stream", bearer(house.club["viewer"])) as listener:
            await listener.until("event: state")
            await asyncio.to_thread(house.club["recorder"].take, session, record[1:4])
            head = await other.state.recorder.log.head(session)
            await listener.until(f"id: {head.version}")

    with TestClient(other) as client, client.portal() as portal:
        portal.call(story)


def test_a_revoked_key_stops_listening(house: House) -> None:
    session, _ = open_with(house, 1)
    admin = house.club["admin"]
    made = admin.ask("POST", "/api/keys", {"name": "short", "role": "viewer"}).json()

    async def story() -> None:
        headers = {"authorization": f"Bearer {made['key']}"}
        async with Listener(house.app, f"/api/sessions/{session}/stream", headers) as listener:
            await listener.until("event: state")
            await asyncio.to_thread(admin.ask, "DELETE", f"/api/keys/{made['key_id']}")
            assert await _listeners_gone(house)

    house.call(story)


def another_recorder(house: House) -> Key:
    made = house.call(house.app.state.safe.make_key, house.club.club_id, "another tablet", "recorder", None)
    return Key(house.client, made.key, made.key_id)


def test_one_tablet_records_a_table_and_another_takes_over_in_plain_sight(house: House) -> None:
    session, record = open_with(house, 3)
    lease = f"/api/sessions/{session}/lease"
    first, second = house.club["recorder"], another_recorder(house)
    told = first.ask("PUT", lease, {"device": "Tablet 1"}).json()
    assert told["mine"] is True
    assert told["holder"]["device"] == "Tablet 1"
    told = second.ask("PUT", lease, {"device": "Tablet 2"}).json()
    assert told["mine"] is False
    assert told["holder"]["key_id"] == first.key_id
    assert second.record(session, record[3:4]).json()["code"] == "table_taken"
    told = second.ask("PUT", lease, {"device": "Tablet 2", "take": True}).json()
    assert told["mine"] is True
    assert first.ask("PUT", lease, {"device": "Tablet 1"}).json()["mine"] is False, "a heartbeat takes nothing back"
    seen = house.club["viewer"].get(lease).json()
    assert [taking["key_id"] for taking in seen["takings"]] == [first.key_id, second.key_id]
    second.take(session, record[3:4])
    first.take(session, record[4:5])
    assert second.get(f"/api/sessions/{session}").json()["entries"] == 5, "what waited on the old tablet is taken"


def test_a_takeover_makes_no_late_queue_a_conflict(house: House) -> None:
    session, record = open_with(house, 3)
    first, second = house.club["recorder"], another_recorder(house)
    base = version_of(house, session)
    second.ask("PUT", f"/api/sessions/{session}/lease", {"device": "Tablet 2", "take": True})
    first.take(session, record[3:5], expected_version=base)


def test_who_is_silent_for_long_holds_nothing(database: str) -> None:
    with House(Settings(database_url=database, lease_stale=0.0)) as house:
        session, record = open_with(house, 2)
        second = another_recorder(house)
        assert second.ask("PUT", f"/api/sessions/{session}/lease", {"device": "Tablet 2"}).json()["mine"] is True
        second.take(session, record[2:3])


def test_a_table_given_back_is_free(house: House) -> None:
    session, _ = open_with(house, 1)
    lease = f"/api/sessions/{session}/lease"
    second = another_recorder(house)
    assert second.ask("DELETE", lease).status_code == 204, "giving back what one does not hold changes nothing"
    assert second.ask("PUT", lease, {"device": "Tablet 2"}).json()["mine"] is False
    assert house.club["recorder"].ask("DELETE", lease).status_code == 204
    assert house.club["viewer"].get(lease).json()["holder"] is None
    assert second.ask("PUT", lease, {"device": "Tablet 2"}).json()["mine"] is True


def test_a_dry_run_takes_no_table(house: House) -> None:
    record = evening("scripted-results")
    session = house.club["director"].open(record)
    dry = house.club["recorder"].take(session, record[1:2], dry_run=True)
    assert dry["dry_run"] is True
    assert house.club["viewer"].get(f"/api/sessions/{session}/lease").json()["holder"] is None
    house.club["recorder"].take(session, record[1:2])
    holder = house.club["viewer"].get(f"/api/sessions/{session}/lease").json()["holder"]
    assert holder["key_id"] == house.club["recorder"].key_id
