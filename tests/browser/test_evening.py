"""Whole evenings recorded by taps alone; what the service then holds equals the expected file."""

from __future__ import annotations

import random

import pytest

from tests.browser.conftest import NewPage, expected_of, record_of
from tests.browser.driver import Driver
from tests.browser.running import Service

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def shown(driver: Driver) -> None:
    """Waits until the last tap is seen, which is when its entry is kept."""
    driver.page.wait_for_selector(f'.banner:has-text("{driver.number} recorded")')


def sent(driver: Driver) -> None:
    """Waits until the banner says that everything is on the server."""
    words = f"{driver.number} recorded, {driver.number} on server"
    driver.page.wait_for_selector(f'.banner.online:has-text("{words}")', timeout=60_000)


def assert_equal(service: Service, name: str) -> None:
    state, expected = service.state(), expected_of(name)
    rows = [row["row"] for row in state["rows"]]
    assert len(rows) == len(expected["deals"])
    for row, wanted in zip(rows, expected["deals"], strict=True):
        assert {key: row.get(key) for key in wanted} == wanted
    assert (state["final"], state["winners"]) == (expected["final"], expected["winners"])


@pytest.mark.parametrize("name", ["american-1", "mixed-american-5", "russian-21", "whist-22"])
def test_whole_evening(new_page: NewPage, service: Service, name: str) -> None:
    page = new_page(service.link())
    driver = Driver(page)
    for _ in driver.play(record_of(name)):
        pass
    sent(driver)
    assert_equal(service, name)
    print(f"{name}: taps a deal {driver.per_deal()}")
    if not name.startswith("mixed"):
        assert max(driver.per_deal()) <= 70


def test_network_cut_and_browser_killed(new_page: NewPage, service: Service) -> None:
    """The network goes at random moments, and the page dies twice in the middle: nothing stuck, nothing twice."""
    name = "american-2"
    rng = random.Random(7)
    page = new_page(service.link())
    driver = Driver(page)
    entries = record_of(name)
    deaths = set(rng.sample(range(60, len(entries) - 60), 2))
    cut = False
    for place in driver.play(entries):
        if place > 4 and rng.random() < 0.04:
            cut = not cut
            page.context.set_offline(cut)
        if place in deaths:
            shown(driver)
            # Closed without a farewell, and opened again with or without a network: the app is kept on the tablet.
            context, address = page.context, page.url
            page.close(run_before_unload=False)
            page = context.new_page()
            page.set_default_timeout(10_000)
            page.goto(address)
            page.wait_for_selector(".record")
            driver.page = page
    page.context.set_offline(False)
    sent(driver)
    assert_equal(service, name)
