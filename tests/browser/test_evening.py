"""Whole evenings recorded by taps alone; what the service then holds equals the expected file."""

from __future__ import annotations

import os
import random
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from tests.browser.conftest import FLAGS, PATIENCE, TOUCHED, NewPage, expected_of, kept_here, record_of
from tests.browser.driver import Driver
from tests.browser.running import Service

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def shown(driver: Driver) -> None:
    """Waits until the last tap is seen, which is when its entry is kept."""
    driver.page.wait_for_selector(f'.banner:has-text("{driver.number} recorded")')


def sent(driver: Driver) -> None:
    """Waits until the banner says that everything is on the server."""
    words = f"{driver.number} recorded, {driver.number} on server"
    driver.page.wait_for_selector(f'.banner.online:has-text("{words}")')


def assert_rows(service: Service, name: str, deals: int | None = None) -> None:
    """The score sheet is that of the expected file, as far as so many deals."""
    rows = [row["row"] for row in service.state()["rows"]]
    expected = expected_of(name)["deals"][:deals]
    assert len(rows) == len(expected)
    for row, wanted in zip(rows, expected, strict=True):
        assert {key: row.get(key) for key in wanted} == wanted


def assert_equal(service: Service, name: str) -> None:
    assert_rows(service, name)
    state, expected = service.state(), expected_of(name)
    assert (state["final"], state["winners"]) == (expected["final"], expected["winners"])


@pytest.mark.parametrize("name", ["american-1", "mixed-american-5"])
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


@pytest.mark.parametrize("name", ["russian-21", "whist-22"])
def test_first_deals_of_an_evening_under_other_rules(new_page: NewPage, service: Service, name: str) -> None:
    """The tablet's own fold goes through whole evenings of every rule set elsewhere; here it is tapped."""
    deals, entries = 3, record_of(name)
    end = [place for place, entry in enumerate(entries) if entry["entry"] == "deal"][deals]
    end -= entries[end - 1]["entry"] == "preference"
    page = new_page(service.link())
    driver = Driver(page)
    for _ in driver.play(entries[:end]):
        pass
    sent(driver)
    assert_rows(service, name, deals)
    assert max(driver.per_deal()) <= 70


class Tablet:
    """A browser with a profile of its own on the disk, which is all that outlives its processes."""

    def __init__(self, browser: Browser, chromium: str, profile: Path) -> None:
        self.browser, self.chromium, self.profile = browser, chromium, profile
        self.context: BrowserContext | None = None
        self.errors: list[str] = []

    def start(self, address: str, offline: bool = False) -> Page:
        self.context = self.browser.browser_type.launch_persistent_context(
            self.profile,
            executable_path=self.chromium,
            args=FLAGS,
            viewport={"width": 1280, "height": 800},
            **TOUCHED,
        )
        self.context.set_offline(offline)
        page = self.context.pages[0]
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.goto(address)
        return page

    def stop(self) -> None:
        if self.context:
            self.context.close()
        self.context = None

    def kill(self) -> None:
        """Every process of the browser at once, as when the battery is empty."""
        own = f"--user-data-dir={self.profile}".encode()
        found = [entry for entry in Path("/proc").glob("[0-9]*") if own in commands(entry)]
        assert found
        for entry in found:
            os.kill(int(entry.name), signal.SIGKILL)
        assert self.context
        self.context.wait_for_event("close") if self.context.pages else None
        self.context = None


def commands(process: Path) -> list[bytes]:
    try:
        return (process / "cmdline").read_bytes().split(b"\0")
    except OSError:
        return []


@pytest.fixture
def tablet(browser: Browser, chromium: str, tmp_path: Path) -> Iterator[Tablet]:
    made = Tablet(browser, chromium, tmp_path / "profile")
    yield made
    made.stop()
    assert not made.errors


def test_network_cut_and_browser_killed(tablet: Tablet, service: Service) -> None:
    """The network goes at random moments, and the browser dies twice in the middle: nothing stuck, nothing twice."""
    name = "american-2"
    rng = random.Random(7)
    # A tablet is signed in long before: a browser writes a new cookie to the disk only after half a minute.
    tablet.start(service.link()).wait_for_selector('[data-key="new-evening"]')
    tablet.stop()
    page = tablet.start(service.url)
    kept_here(page)
    driver = Driver(page)
    entries = record_of(name)
    deaths = sorted(rng.sample(range(60, len(entries) - 60), 2))
    cut = False
    for place in driver.play(entries):
        if place > 4 and rng.random() < 0.04:
            cut = not cut
            page.context.set_offline(cut)
        if deaths and place >= deaths[0]:
            deaths.pop(0)
            shown(driver)
            address = page.url
            tablet.kill()
            # Opened again with or without a network: the app is kept on the tablet.
            page = driver.page = tablet.start(address, cut)
            shown(driver)
    assert not deaths
    page.context.set_offline(False)
    sent(driver)
    assert_equal(service, name)
