"""Those who only look: the live board follows by itself, shows no card of an open deal, and the sheet fits one page."""

from __future__ import annotations

import re
from uuid import uuid4

import pytest

from tests.browser.conftest import SHOTS, NewPage, record_of
from tests.browser.running import Service

pytestmark = pytest.mark.browser


def record(service: Service, name: str, count: int | None = None) -> str:
    """An evening as it comes over the API, without its last entries where a count is given."""
    session = str(uuid4())
    entries = record_of(name)[:count]
    service.ask("POST", "/api/sessions", {"session_id": session, "entries": entries[:1]})
    for start in range(1, len(entries), 400):
        service.ask("POST", f"/api/sessions/{session}/entries", {"entries": entries[start : start + 400]})
    return session


def test_live_board_follows_and_survives_a_restart(new_page: NewPage, service: Service) -> None:
    entries = record_of("scripted-results")
    session = record(service, "scripted-results", 5)
    page = new_page(service.link("viewer"))
    page.wait_for_selector("h1")
    page.evaluate("(path) => (location.hash = path)", f"#/live/{session}")
    page.wait_for_selector(".board")
    assert page.locator(".card").count() == 0
    service.ask("POST", f"/api/sessions/{session}/entries", {"entries": entries[5:6]})
    page.wait_for_selector('.tile:has-text("845")')
    service.stop()
    service.start()
    service.ask("POST", f"/api/sessions/{session}/entries", {"entries": entries[6:12]})
    page.wait_for_selector('.tile:has-text("835")')


def test_an_open_deal_is_not_shown_to_a_viewer(new_page: NewPage, service: Service) -> None:
    session = record(service, "american-1", 14)
    page = new_page(service.link("viewer"))
    page.wait_for_selector("h1")
    for name in ("live", "replay", "sheet"):
        page.evaluate("(path) => (location.hash = path)", f"#/{name}/{session}")
        page.wait_for_selector("main:not([aria-busy])")
        page.wait_for_timeout(300)
        assert page.locator(".card").count() == 0, name
        assert "spades" not in page.content(), name


def test_the_score_sheet_prints_on_one_page(new_page: NewPage, service: Service) -> None:
    session = record(service, "whist-22")
    page = new_page(service.link("viewer"))
    page.wait_for_selector("h1")
    page.evaluate("(path) => (location.hash = path)", f"#/sheet/{session}")
    page.wait_for_selector(".u-wrap")
    SHOTS.mkdir(parents=True, exist_ok=True)
    printed = page.pdf(prefer_css_page_size=True, path=SHOTS / "sheet.pdf")
    assert len(re.findall(rb"/Type\s*/Page[^s]", printed)) == 1


def test_a_replay_has_a_link_to_every_step(new_page: NewPage, service: Service) -> None:
    session = record(service, "mixed-american-5")
    page = new_page(service.link("director"))
    page.wait_for_selector("h1")
    page.evaluate("(path) => (location.hash = path)", f"#/replay/{session}?deal=2&step=20")
    page.wait_for_selector(".entryline.picked")
    step = page.locator(".entryline.picked").inner_text()
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**step=21")
    page.keyboard.press("ArrowLeft")
    page.wait_for_url("**step=20")
    page.reload()
    page.wait_for_selector(".entryline.picked")
    assert page.locator(".entryline.picked").inner_text() == step
    assert page.locator(".entryline .struck").count() > 0
    assert page.locator(".hand .card").count() > 0
