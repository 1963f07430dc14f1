"""Tablets that lose the network, their service, or their battery; and two of them at one table."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page

from tests.browser.conftest import NewPage, kept_here, record_of
from tests.browser.driver import Driver
from tests.browser.running import Service

pytestmark = pytest.mark.browser

DEAL = record_of("american-1")


def recorded(page: Page, number: int) -> None:
    page.wait_for_selector(f'.banner:has-text("{number} recorded, {number} on server")')


def begin(page: Page, count: int) -> Driver:
    """Records the first entries of an evening."""
    driver = Driver(page)
    for place in driver.play(DEAL[:count]):
        assert place <= count
    return driver


def lines(service: Service, session_id: str) -> list[dict[str, Any]]:
    headers = {"authorization": f"Bearer {service.director}"}
    text = httpx.get(f"{service.url}/api/sessions/{session_id}/record", headers=headers).text
    return [json.loads(line) for line in text.splitlines() if line]


def test_service_restarted_in_mid_deal(new_page: NewPage, service: Service) -> None:
    page = new_page(service.link())
    driver = begin(page, 12)
    recorded(page, 12)
    service.stop()
    for _ in driver.play(DEAL[:18], 12):
        pass
    page.wait_for_selector('.banner.offline:has-text("18 recorded")')
    service.start()
    page.evaluate("dispatchEvent(new Event('online'))")
    recorded(page, 18)
    assert service.state()["entries"] == 18


def test_an_evening_is_opened_and_the_app_started_without_a_network(new_page: NewPage, service: Service) -> None:
    page = new_page(service.link())
    page.wait_for_selector('[data-key="new-evening"]')
    kept_here(page)
    page.context.set_offline(True)
    page.reload()
    driver = begin(page, 10)
    page.wait_for_selector('.banner.offline:has-text("10 recorded, 0 on server")')
    page.reload()
    page.wait_for_selector('.banner:has-text("10 recorded, 0 on server")')
    for _ in driver.play(DEAL[:14], 10):
        pass
    page.context.set_offline(False)
    recorded(page, 14)
    found = lines(service, service.only_session())
    assert [entry["entry"] for entry in found] == [entry["entry"] for entry in DEAL[:14]]


def test_another_tablet_watches_takes_over_and_the_late_queue_is_taken(new_page: NewPage, service: Service) -> None:
    """The first tablet's battery dies with cards unsent; the second goes on; the first comes back and is mended."""
    first = new_page(service.link())
    one = begin(first, 12)
    recorded(first, 12)
    session = service.only_session()
    first.context.set_offline(True)
    for _ in one.play(DEAL[:14], 12):
        pass
    first.wait_for_selector('.banner:has-text("14 recorded, 12 on server")')

    second = new_page(service.link())
    second.wait_for_selector('[data-key="new-evening"]')
    second.evaluate("(path) => (location.hash = path)", f"#/record/{session}")
    two = Driver(second)
    two.number, two.numbers = 12, dict(one.numbers)
    two.key("take-over")
    assert "sure" not in second.locator('[data-key="take-over"]').inner_text().lower()
    two.key("take-over")
    second.wait_for_selector('[data-phase="play"]:has-text("12 recorded")')
    assert two.made == 2
    for _ in two.play(DEAL[:13], 12):
        pass
    recorded(second, 13)

    first.context.set_offline(False)
    first.evaluate("dispatchEvent(new Event('online'))")
    first.wait_for_selector(".banner.trouble")
    first.tap('[data-key="mend"]')
    first.wait_for_selector(".sides")
    assert first.locator(".sides section").nth(0).locator("li").count() == 1
    assert first.locator(".sides section").nth(1).locator("li").count() == 2
    # The first card stands already; the second one follows it.
    first.locator(".sides section").nth(1).locator("li button").nth(0).tap()
    first.tap('[data-key="trouble-send"]')
    recorded(first, 14)
    assert [entry.get("card") for entry in lines(service, session)[12:]] == [entry["card"] for entry in DEAL[12:14]]


def test_a_late_queue_on_the_head_is_simply_taken(new_page: NewPage, service: Service) -> None:
    first = new_page(service.link())
    one = begin(first, 12)
    recorded(first, 12)
    first.context.set_offline(True)
    for _ in one.play(DEAL[:16], 12):
        pass
    first.wait_for_selector('.banner:has-text("16 recorded")')
    session = service.only_session()
    second = new_page(service.link())
    second.wait_for_selector('[data-key="new-evening"]')
    second.evaluate("(path) => (location.hash = path)", f"#/record/{session}")
    two = Driver(second)
    two.key("take-over")
    two.key("take-over")
    second.wait_for_selector('[data-phase="play"]:has-text("12 recorded")')
    first.context.set_offline(False)
    first.evaluate("dispatchEvent(new Event('online'))")
    recorded(first, 16)
    recorded(second, 16)


def test_mending_an_earlier_trick_and_a_missed_pass(new_page: NewPage, service: Service) -> None:
    page = new_page(service.link())
    driver = begin(page, 4)
    for call in ("5", "6"):
        driver.tap(f'[data-call="{call}"]')
    driver.key("more")
    driver.key("more-entries")
    taps = driver.made
    driver.tap('[data-entry="5"]')
    driver.key("mend-insert")
    driver.key("pass")
    assert driver.made - taps <= 3
    page.wait_for_selector('[data-seat="W"]:has-text("Boston")')
    page.wait_for_selector('[data-seat="N"]:has-text("6")')
    driver.key("pass-all")
    driver.tap('[data-trumps="H"]')
    for card in ("2S", "3S", "4S", "5S"):
        driver.tap(f'[data-card="{card}"]')
    page.wait_for_selector('h2:has-text("lead")')
    leads = page.locator(".panel h2").inner_text()
    driver.key("more")
    driver.key("more-entries")
    number = page.locator(".entryline", has_text="3 of spades").get_attribute("data-entry")
    taps = driver.made
    driver.tap(f'[data-entry="{number}"]')
    driver.key("mend-change")
    driver.tap('[data-card="AS"]')
    assert driver.made - taps <= 3
    page.wait_for_selector(".banner.online")
    page.wait_for_selector('.lasttrick:has-text("A")')
    assert page.locator(".panel h2").inner_text() != leads


def test_an_irregular_card_is_asked_about_once_and_recorded(new_page: NewPage, service: Service) -> None:
    page = new_page(service.link())
    driver = begin(page, 9)
    driver.tap('[data-card="2S"]')
    driver.key("really-no")
    driver.tap('[data-card="2S"]')
    driver.key("really-yes")
    recorded(page, 10)
    last = lines(service, service.only_session())[-1]
    assert (last["card"], last["irregular"]) == ("2S", True)


def test_a_result_alone_takes_twelve_taps_and_the_same_four_sit_down_by_one(
    new_page: NewPage, service: Service
) -> None:
    page = new_page(service.link())
    driver = begin(page, 2)
    taps = driver.made
    for key in ("more", "more-result", "caller-E"):
        driver.key(key)
    driver.tap('[data-rung="8"]')
    driver.tap('[data-result-trumps="S"]')
    driver.key("result-tricks")
    for count in ("N2", "E6", "S3"):
        driver.tap(f'[data-count="{count}"]')
    driver.key("tricks-done")
    assert driver.made - taps <= 12
    page.wait_for_selector('.settlement:has-text("short by 2")')
    recorded(page, 4)
    row = service.state()["rows"][0]["row"]
    assert (row["contract"], row["trumps"], row["shortfall"]) == ("8", "S", 2)
    driver.key("home")
    driver.key("new-evening")
    driver.key("recent")
    driver.key("begin")
    page.wait_for_selector('[data-phase="opening"]')


def test_a_card_out_of_turn_is_recorded_for_the_seat_that_played_it(new_page: NewPage, service: Service) -> None:
    page = new_page(service.link())
    driver = begin(page, 9)
    driver.tap('[data-seat="E"]')
    driver.tap('[data-card="KD"]')
    driver.key("really-yes")
    recorded(page, 10)
    last = lines(service, service.only_session())[-1]
    assert (last["seat"], last["card"], last["irregular"]) == ("E", "KD", True)


def test_misdeal_cancel_and_wrong_seats(new_page: NewPage, service: Service) -> None:
    page = new_page(service.link())
    driver = begin(page, 4)
    driver.act("misdeal")
    driver.key("dealt")
    driver.act("cancel")
    driver.key("more")
    driver.key("more-reseat")
    driver.key("sit-N")
    driver.key("sit-E")
    driver.key("do-reseat")
    page.wait_for_selector('[data-seat="N"]:has-text("Bea")')
    recorded(page, 8)
    state = service.state()
    assert state["seats"]["N"]["name"] == "Bea"
    assert [row["row"]["outcome"] for row in state["rows"]] == ["misdeal", "cancelled"]
