"""The club's page: what a club decides for itself is set there by its admin, and seen by everybody else."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage
from tests.browser.running import Service
from tests.browser.test_director import REVOKE, record

pytestmark = pytest.mark.browser


def open_club(page: Page) -> None:
    page.wait_for_selector("h1")
    page.evaluate("() => (location.hash = '#/club')")
    page.wait_for_selector("select[name=ruleset]")


def saved(service: Service, name: str, wanted: Any) -> None:
    """Looks at the club as the service has it; the page's own request was answered before."""
    club = service.ask("GET", "/api/club")
    assert club.get(name, club["settings"].get(name)) == wanted


def choose(page: Page, name: str, value: str) -> None:
    with page.expect_response("**/api/club"):
        page.select_option(f"select[name={name}]", value)


def write(page: Page, name: str, value: str) -> None:
    with page.expect_response("**/api/club"):
        page.fill(f"input[name={name}]", value)
        page.locator(f"input[name={name}]").blur()


def test_an_admin_decides_everything_that_a_club_decides(new_page: NewPage, service: Service) -> None:
    page = new_page(service.link("admin"))
    open_club(page)
    write(page, "name", "Клуб «Бостон»")
    saved(service, "name", "Клуб «Бостон»")
    expect(page.locator("h1")).to_have_text("Клуб «Бостон»")
    for name, value, wanted in [
        ("ruleset", "russian", "russian"),
        ("time_zone", "Europe/Moscow", "Europe/Moscow"),
        ("recorder_undo", "session", "session"),
        ("live_view", "current_trick", "current_trick"),
        ("findings_for_recorder", "true", True),
        ("correction_window", "minutes", 15),
    ]:
        choose(page, name, value)
        saved(service, name, wanted)
    write(page, "window_minutes", "90")
    saved(service, "correction_window", 90)
    choose(page, "season_month", "9")
    choose(page, "season_day", "30")
    choose(page, "season_month", "2")
    saved(service, "season_start", "02-28")
    page.reload()
    page.wait_for_selector("input[name=window_minutes]")
    assert page.input_value("input[name=window_minutes]") == "90"
    assert page.input_value("select[name=findings_for_recorder]") == "true"
    choose(page, "correction_window", "until_next_deal")
    saved(service, "correction_window", "until_next_deal")
    assert page.locator("input[name=window_minutes]").count() == 0


def test_every_setting_of_a_club_has_a_field(new_page: NewPage, service: Service) -> None:
    page = new_page(service.link("recorder"))
    open_club(page)
    club = service.ask("GET", "/api/club")
    fields = {"season_start": "season_month"}
    for name in ["name", "ruleset", "time_zone", *club["settings"]]:
        field = page.locator(f"section fieldset [name={fields.get(name, name)}]")
        expect(field).to_be_visible()
        expect(field).to_be_disabled()


def test_a_club_may_let_its_recorder_see_what_the_record_proves(new_page: NewPage, service: Service) -> None:
    session = record(service, REVOKE)
    page = new_page(service.link("recorder"))
    page.wait_for_selector('[data-key="new-evening"]')
    page.evaluate("(id) => (location.hash = `#/replay/${id}?deal=1&step=0`)", session)
    page.wait_for_selector(".entryline")
    page.wait_for_timeout(500)
    assert page.locator(".entryline .mark").count() == 0
    admin = new_page(service.link("admin"))
    open_club(admin)
    choose(admin, "findings_for_recorder", "true")
    page.reload()
    page.wait_for_selector(".entryline .mark")


def test_what_the_service_refuses_is_told_and_taken_back(new_page: NewPage, service: Service) -> None:
    page = new_page(service.link("admin"))
    open_club(page)
    choose(page, "correction_window", "minutes")
    page.fill("input[name=window_minutes]", "0")
    page.locator("input[name=window_minutes]").blur()
    page.wait_for_timeout(300)
    saved(service, "correction_window", 15)
    page.route("**/api/club", lambda route: route.abort() if route.request.method == "PATCH" else route.continue_())
    page.select_option("select[name=recorder_undo]", "deal")
    expect(page.locator(".refusal")).to_contain_text("no network")
    assert page.input_value("select[name=recorder_undo]") == "previous_deal"
