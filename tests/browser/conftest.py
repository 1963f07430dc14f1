"""A tablet for the browser tests: the system's Chromium with touch, and the service it talks to."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, sync_playwright

from tests.browser.stand_in import Club, StandIn

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
SIZES = {"1280x800": (1280, 800), "1024x768": (1024, 768), "800x1280": (800, 1280)}
SHOTS = Path(__file__).parents[2] / "build" / "screens"
GOLDEN = Path(__file__).parents[1] / "golden" / "sessions"
PLAYERS = ("Ann", "Bea", "Cal", "Dan", "Élodie", "Фёдор Иванов")

NewPage = Callable[..., Page]


def record_of(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (GOLDEN / f"{name}.jsonl").read_text().splitlines() if line.strip()]


def expected_of(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((GOLDEN / f"{name}.expected.json").read_text())
    return found


def new_club() -> Club:
    return Club(players={f"0190000{n}-0000-7000-8000-000000000000": name for n, name in enumerate(PLAYERS)})


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield launched
        launched.close()


@pytest.fixture
def service() -> Iterator[StandIn]:
    with StandIn(new_club()) as running:
        yield running


@pytest.fixture
def new_page(browser: Browser) -> Iterator[NewPage]:
    """`new_page(url, size, **options)`: a tablet of its own; the test fails on any error in its console."""
    contexts: list[BrowserContext] = []
    errors: list[str] = []

    def listen(message: ConsoleMessage) -> None:
        # A browser reports every failed request by itself; whether the network is there is the test's business.
        if message.type == "error" and "Failed to load resource" not in message.text:
            errors.append(message.text)

    def make(url: str, size: tuple[int, int] = (1280, 800), **options: Any) -> Page:
        context = browser.new_context(viewport={"width": size[0], "height": size[1]}, has_touch=True, **options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(10_000)
        page.on("console", listen)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(url)
        return page

    yield make
    for context in contexts:
        context.close()
    assert not errors, errors
