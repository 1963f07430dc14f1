"""Two clubs use one tablet, one after the other: neither sees or sends what is the other's, and nothing is lost."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage, kept_here, record_of
from tests.browser.driver import Driver
from tests.browser.running import Service

pytestmark = pytest.mark.browser

NAMES = dict(zip("NESW", ("Ann", "Bea", "Cal", "Dan"), strict=True))
OPENING = record_of("american-1")[:4]


class Other:
    """A second club of the same service."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self.club = service.call(service.app.state.clubs.make("Клуб Четверга", "Europe/Moscow", "russian"))
        safe = service.app.state.safe
        self.key = service.call(safe.make_key(self.club.club_id, "Director", "director", None)).key

    def link(self) -> str:
        paired = self.service.call(self.service.app.state.safe.pair(self.club.club_id, "Recorder", "recorder", None))
        return f"{self.service.url}/#pair={paired.code}"

    def sessions(self) -> list[Any]:
        headers = {"authorization": f"Bearer {self.key}"}
        found: list[Any] = httpx.get(f"{self.service.own_url}/api/sessions", headers=headers).json()["sessions"]
        return found


@pytest.fixture
def other(service: Service) -> Other:
    return Other(service)


def sign_in(page: Page, link: str, name: str) -> None:
    page.goto(link)
    page.wait_for_selector(f'h1:has-text("{name}")')


def sign_out(page: Page) -> None:
    page.evaluate("() => (location.hash = '#/settings')")
    page.tap('[data-key="sign-out"]')
    page.tap('[data-key="sign-out-sure"]')
    page.wait_for_selector("input[name=code]")


def test_an_evening_opened_offline_waits_for_its_own_club(new_page: NewPage, service: Service, other: Other) -> None:
    page = new_page(service.link())
    page.wait_for_selector('[data-key="new-evening"]')
    kept_here(page)
    page.reload()
    page.wait_for_selector('[data-key="new-evening"]')
    page.context.set_offline(True)
    driver = Driver(page)
    for _ in driver.play(OPENING):
        pass
    page.wait_for_selector('.banner.offline:has-text("4 recorded, 0 on server")')
    sign_out(page)
    page.context.set_offline(False)
    sign_in(page, other.link(), "Клуб Четверга")
    # The service is asked before the page tells what waits, so whatever would be sent has been by then.
    page.wait_for_selector('.banner:has-text("4 entries of another club wait here")')
    expect(page.locator(".evening")).to_have_count(0)
    assert (other.sessions(), service.ask("GET", "/api/sessions")["sessions"]) == ([], [])
    page.tap('[data-key="new-evening"]')
    page.wait_for_selector('[data-key="guest"]')
    assert page.locator("[data-player]").count() == 0
    sign_in(page, service.link(), "Cercle du Mardi")
    page.wait_for_selector(".evening")
    page.wait_for_selector('.banner:not(:has-text("another club"))')
    session = service.only_session()
    page.evaluate("(id) => (location.hash = `#/record/${id}`)", session)
    page.wait_for_selector('.banner.online:has-text("4 recorded, 4 on server")')
    assert other.sessions() == []


def test_another_window_goes_over_with_the_one_that_signs_in(
    new_page: NewPage, service: Service, other: Other
) -> None:  # fmt: skip
    page = new_page(service.link())
    for _ in Driver(page).play(OPENING):
        pass
    page.wait_for_selector('.banner.online:has-text("4 recorded, 4 on server")')
    second = page.context.new_page()
    sign_in(second, other.link(), "Клуб Четверга")
    page.wait_for_selector('h1:has-text("Клуб Четверга")')
    assert page.url.endswith("#/")
    expect(page.locator(".evening")).to_have_count(0)
    assert other.sessions() == []


def test_another_window_of_the_same_club_hinders_nothing(new_page: NewPage, service: Service) -> None:
    """It signs in anew, so that the first window's token no longer holds."""
    page = new_page(service.link())
    driver = Driver(page)
    for _ in driver.play(OPENING):
        pass
    page.wait_for_selector('.banner.online:has-text("4 recorded, 4 on server")')
    with page.expect_response(lambda answer: '"take":true' in (answer.request.post_data or "")):
        sign_in(page.context.new_page(), service.link(), "Cercle du Mardi")
    driver.key("pass")
    page.wait_for_selector('.banner.online:has-text("5 recorded, 5 on server")')


KEPT_BY_THE_FIRST_VERSION = """async ({club, entries}) => {
  const asked = indexedDB.open("boston", 1);
  const done = (request) => new Promise((yes, no) => { request.onsuccess = yes; request.onerror = no; });
  asked.onupgradeneeded = () => {
    asked.result.createObjectStore("evenings", {keyPath: "id"});
    asked.result.createObjectStore("entries", {keyPath: ["session", "number"]});
    asked.result.createObjectStore("players", {keyPath: "player_id"});
    asked.result.createObjectStore("kept", {keyPath: "name"});
  };
  await done(asked);
  const db = asked.result;
  const tx = db.transaction(["evenings", "entries", "kept"], "readwrite");
  const id = "01900000-0000-7000-8000-000000000009";
  tx.objectStore("evenings").put({id, version: 0, offset: 0, base: 0, numbers: [], sent: 0, trouble: null,
    date: entries[0].date, table: null, seats: entries[0].seats});
  entries.forEach((entry, place) => tx.objectStore("entries").put({session: id, number: place + 1, entry:
    {...entry, id: `01900000-0000-7000-8000-00000000010${place}`, time: "2026-11-30T18:00:00Z"}}));
  tx.objectStore("kept").put({name: "club", value: {club_id: club}});
  await new Promise((yes) => (tx.oncomplete = yes));
  db.close();
}"""


def test_what_was_kept_before_clubs_were_told_apart_is_sent_by_its_club(
    new_page: NewPage, service: Service, other: Other
) -> None:
    page = new_page(f"{service.url}/verify.html")
    entries = [{**OPENING[0], "seats": NAMES}, *OPENING[1:]]
    plain = [{name: value for name, value in entry.items() if name not in ("id", "time")} for entry in entries]
    page.evaluate(KEPT_BY_THE_FIRST_VERSION, {"club": service.club_id, "entries": plain})
    sign_in(page, other.link(), "Клуб Четверга")
    page.wait_for_selector('.banner:has-text("4 entries of another club wait here")')
    sign_in(page, service.link(), "Cercle du Mardi")
    page.wait_for_selector(".evening")
    page.evaluate("(id) => (location.hash = `#/record/${id}`)", "01900000-0000-7000-8000-000000000009")
    page.wait_for_selector('.banner.online:has-text("4 recorded, 4 on server"):not(:has-text("another club"))')
    assert service.state()["phase"] == "auction"
    assert other.sessions() == []
