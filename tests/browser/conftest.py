"""A tablet for the browser tests: the system's Chromium with touch, and the service it talks to."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, sync_playwright

from tests.browser.running import Service

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
# Without motion a tap is drawn once and not six times, and no picture is taken of a colour on its way to another.
TOUCHED: dict[str, Any] = {"has_touch": True, "reduced_motion": "reduce"}
SHOTS = Path(__file__).parents[2] / "build" / "screens"
GOLDEN = Path(__file__).parents[1] / "golden" / "sessions"

EXPECTED = ("Failed to load resource: net::", "status of 409", "status of 429", "status of 502", "status of 503")

# How long a page is waited for, in milliseconds: what only a failure reaches, also where the machine has much to do.
PATIENCE = 180_000

NewPage = Callable[..., Page]
FAILED = pytest.StashKey[bool]()


def record_of(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (GOLDEN / f"{name}.jsonl").read_text().splitlines() if line.strip()]


def expected_of(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((GOLDEN / f"{name}.expected.json").read_text())
    return found


def picture(page: Page, path: Path, *, whole: bool = False) -> None:
    """Keeps a picture of what the page shows, or of the whole page: for looking at, so it may be large."""
    devtools = page.context.new_cdp_session(page)
    asked: dict[str, Any] = {"format": "png", "optimizeForSpeed": True}
    if whole:
        size = devtools.send("Page.getLayoutMetrics")["cssContentSize"]
        asked |= {"captureBeyondViewport": True, "clip": size | {"scale": 1}}
    taken = devtools.send("Page.captureScreenshot", asked)["data"]
    devtools.detach()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b64decode(taken))


def kept_here(page: Page) -> None:
    """Waits until the app is kept on the tablet whole, so that it starts again without a network."""
    page.evaluate(
        """async () => {
          const {serviceWorker} = navigator;
          await serviceWorker.ready;
          if (!serviceWorker.controller) await new Promise((done) => (serviceWorker.oncontrollerchange = done));
        }"""
    )


@pytest.fixture(scope="package")
def browser(chromium: str) -> Iterator[Browser]:
    # Playwright keeps an event loop running in this thread; other tests, which start their own, come after it ended.
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield launched
        launched.close()


@pytest.fixture
def service(database: str) -> Iterator[Service]:
    running = Service(database)
    yield running
    running.stop()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    item.stash[FAILED] = item.stash.get(FAILED, False) or report.failed
    return report


@pytest.fixture
def new_page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[NewPage]:
    """`new_page(link, size, **options)`: a tablet of its own, signed in by a link.

    An error in its console fails the test; how each tablet looked when a test failed is kept as a picture.
    """
    contexts: list[BrowserContext] = []
    errors: list[str] = []

    def listen(message: ConsoleMessage) -> None:
        # A browser reports every failed request by itself. That the network or the service is away, that another
        # tablet was first, or that it has to wait, is what tests are about; any other answer that failed is an error.
        if message.type == "error" and not any(expected in message.text for expected in EXPECTED):
            errors.append(f"{message.text} {message.location.get('url', '')}")

    def make(url: str, size: tuple[int, int] = (1280, 800), **options: Any) -> Page:
        context = browser.new_context(viewport={"width": size[0], "height": size[1]}, **TOUCHED, **options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("console", listen)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(url)
        return page

    yield make
    failed = request.node.stash[FAILED] or errors
    for number, context in enumerate(contexts, start=1):
        for page in context.pages if failed else []:
            page.screenshot(path=SHOTS / "failed" / f"{request.node.name.replace('/', ' ')} {number}.png")
        context.close()
    assert not errors, errors
