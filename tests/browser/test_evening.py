"""Whole evenings recorded by taps alone; what the service then holds equals the expected file."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.browser.conftest import NewPage, expected_of, record_of
from tests.browser.driver import Driver
from tests.browser.stand_in import StandIn

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def shown(driver: Driver) -> None:
    """Waits until the last tap is seen, which is when its entry is kept."""
    driver.page.wait_for_selector(f'.banner:has-text("{driver.number} recorded")')


def sent(driver: Driver) -> None:
    """Waits until the banner says that everything is on the server."""
    words = f"{driver.number} recorded, {driver.number} on server"
    driver.page.wait_for_selector(f'.banner.online:has-text("{words}")', timeout=60_000)


def outcome(service: StandIn) -> dict[str, Any]:
    [key] = service.club.evenings
    return service.club.outcome(key)


def assert_equal(found: dict[str, Any], name: str) -> None:
    expected = expected_of(name)
    assert len(found["deals"]) == len(expected["deals"])
    for deal, wanted in zip(found["deals"], expected["deals"], strict=True):
        assert {key: deal.get(key) for key in wanted} == wanted
    assert (found["final"], list(found["winners"])) == (expected["final"], expected["winners"])


@pytest.mark.parametrize("name", ["american-1", "mixed-american-5", "russian-21", "whist-22"])
def test_whole_evening(new_page: NewPage, service: StandIn, name: str) -> None:
    page = new_page(service.url)
    driver = Driver(page)
    for _ in driver.play(record_of(name)):
        pass
    sent(driver)
    assert_equal(outcome(service), name)
    print(f"{name}: taps a deal {driver.per_deal()}")
    if not name.startswith("mixed"):
        assert max(driver.per_deal()) <= 70


def test_network_cut_and_browser_killed(new_page: NewPage, service: StandIn) -> None:
    """The network goes at random moments, and the page dies twice in the middle: nothing stuck, nothing twice."""
    name = "american-2"
    rng = random.Random(7)
    page = new_page(service.url)
    driver = Driver(page)
    entries = record_of(name)
    deaths = set(rng.sample(range(60, len(entries) - 60), 2))
    for place in driver.play(entries):
        if rng.random() < 0.03:
            service.club.deaf = not service.club.deaf
        if place in deaths:
            shown(driver)
            context, address = page.context, page.url
            # Closed without a farewell: no handler of the page runs.
            page.close(run_before_unload=False)
            page = context.new_page()
            page.set_default_timeout(10_000)
            page.goto(address)
            page.wait_for_selector(".record")
            driver.page = page
    service.club.deaf = False
    page.evaluate("dispatchEvent(new Event('online'))")
    sent(driver)
    assert_equal(outcome(service), name)
