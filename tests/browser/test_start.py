"""Starting on a network that loses things: a page never stays empty or bare, and says when it has asked nobody."""

from __future__ import annotations

from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest
from playwright.sync_api import Route, expect

from tests.browser.conftest import NewPage, kept_here
from tests.browser.running import Service

pytestmark = pytest.mark.browser

FILES = ["**/static/router.js", "**/static/app.js", "**/static/css/base.css"]


@pytest.mark.parametrize("file", FILES)
def test_a_page_whose_file_was_lost_begins_anew(new_page: NewPage, service: Service, file: str) -> None:
    """As a browser does with whatever is under way when a device goes over to another network."""
    page = new_page(service.link(), service_workers="block")
    page.wait_for_selector('[data-key="new-evening"]')
    lost: list[str] = []

    def lose_twice(route: Route) -> None:
        if len(lost) == 2:
            route.continue_()
        else:
            lost.append(route.request.url)
            route.abort("internetdisconnected")

    page.route(file, lose_twice)
    with page.expect_event("requestfinished", lambda request: request.url in lost):
        page.reload()
    page.wait_for_selector('[data-key="new-evening"]')
    assert len(lost) == 2
    assert page.evaluate("getComputedStyle(document.querySelector('.button')).textDecorationLine") == "none"


def test_a_page_that_never_comes_whole_says_so(new_page: NewPage, service: Service) -> None:
    page = new_page(service.link(), service_workers="block")
    page.wait_for_selector('[data-key="new-evening"]')
    page.route("**/static/router.js", lambda route: route.abort("internetdisconnected"))
    # The last of its tries, so that the longer pauses need not be waited for.
    page.evaluate("() => sessionStorage.setItem('boston.starts', '5')")
    page.reload()
    page.wait_for_selector('#lost:has-text("What was recorded here is kept")')
    page.unroute("**/static/router.js")
    page.tap("#lost a")
    page.wait_for_selector('[data-key="new-evening"]')
    assert page.locator("#lost").is_hidden()


@pytest.mark.parametrize(("workers", "told"), [("allow", "is kept here"), ("block", "not kept here yet")])
def test_a_device_is_told_whether_it_would_start_without_a_network(
    new_page: NewPage, service: Service, workers: str, told: str
) -> None:
    page = new_page(service.link(), service_workers=workers)
    page.wait_for_selector('[data-key="new-evening"]')
    page.tap('[data-key="settings"]')
    expect(page.locator(".settings")).to_contain_text(told, timeout=60_000)


class Gateway(BaseHTTPRequestHandler):
    """What stands before a service, and goes on answering when that is down."""

    def do_GET(self) -> None:
        self.send_response(502)
        self.send_header("content-type", "text/html")
        self.end_headers()
        self.wfile.write(b"<h1>Bad gateway</h1>")

    def log_message(self, *said: object) -> None:
        """Says nothing."""


def test_a_gateway_s_word_for_a_service_that_is_down_is_no_file_of_the_app(new_page: NewPage, service: Service) -> None:
    page = new_page(service.link())
    page.wait_for_selector('[data-key="new-evening"]')
    kept_here(page)
    service.stop()
    gateway = HTTPServer(("127.0.0.1", service.port), Gateway)
    Thread(target=gateway.serve_forever, daemon=True).start()
    try:
        page.reload()
        page.wait_for_selector('[data-key="new-evening"]')
        expect(page.locator("main")).to_contain_text("The service cannot be reached")
        assert "No evening has been recorded" not in page.inner_text("main")
    finally:
        gateway.shutdown()
        gateway.server_close()
    service.start()
    expect(page.locator("main")).to_contain_text("No evening has been recorded yet", timeout=60_000)
