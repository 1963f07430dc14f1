"""A hand that is quicker than the screen: what it does twice in a moment counts twice, or once where once is meant."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import NewPage, record_of
from tests.browser.driver import Driver
from tests.browser.running import Service
from tests.browser.test_watching import record

pytestmark = pytest.mark.browser

# Events sent within one task come before anything is drawn anew, however fast the machine is.
PRESS = """(keys) => {
  for (const key of keys) document.body.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
}"""
CLICK = "(element) => { element.click(); element.click(); }"
CHOOSE = """(choices) => {
  for (const [selector, value] of choices) {
    const field = document.querySelector(selector);
    field.value = value;
    field.dispatchEvent(new Event('change', {bubbles: true}));
  }
}"""


def show(page: Page, address: str) -> None:
    page.wait_for_selector("h1")
    page.evaluate("(path) => (location.hash = path)", address)


def test_two_keys_are_two_steps_of_a_replay(new_page: NewPage, service: Service) -> None:
    session = record(service, "mixed-american-5")
    page = new_page(service.link("director"))
    show(page, f"#/replay/{session}?deal=2&step=20")
    page.wait_for_selector(".entryline.picked")
    page.evaluate(PRESS, ["ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft"])
    page.wait_for_url("**deal=2&step=22")
    page.evaluate(PRESS, ["End", "ArrowRight", "Home", "ArrowRight", "ArrowRight"])
    page.wait_for_url("**deal=2&step=2")
    page.locator(".stepper button").nth(2).evaluate(CLICK)
    page.wait_for_url("**deal=2&step=4")
    page.locator(".besides button").nth(1).evaluate(CLICK)
    page.wait_for_url("**deal=4&step=0")


def test_two_filters_of_the_statistics_are_both_in_force(new_page: NewPage, service: Service) -> None:
    page = new_page(service.link("director"))
    show(page, "#/statistics?view=contracts&from=2026-01-01")
    page.wait_for_selector("details.filters[open] select")
    names = page.locator("details.filters .field span").all_inner_texts()
    ruleset, contract = (
        next(n for n, name in enumerate(names) if wanted in name.lower()) + 1 for wanted in ("rule", "contract")
    )
    fields = [
        (f"details.filters .field:nth-of-type({ruleset}) select", "american-decimal"),
        (f"details.filters .field:nth-of-type({contract}) select", "7"),
    ]
    page.evaluate(CHOOSE, fields)
    page.wait_for_url("**ruleset=american-decimal&contract=7")


def test_two_settings_of_the_club_are_both_kept(new_page: NewPage, service: Service) -> None:
    page = new_page(service.link("admin"))
    show(page, "#/club")
    page.wait_for_selector("select[name=live_view]:enabled")
    with page.expect_response(lambda answer: "current_trick" in (answer.request.post_data or "")):
        page.evaluate(CHOOSE, [("select[name=recorder_undo]", "deal"), ("select[name=live_view]", "current_trick")])
    settings = service.ask("GET", "/api/club")["settings"]
    assert (settings["recorder_undo"], settings["live_view"]) == ("deal", "current_trick")


def test_a_trembling_tap_does_not_take_a_table_over(new_page: NewPage, service: Service) -> None:
    first = new_page(service.link())
    for _ in Driver(first).play(record_of("american-1")[:4]):
        pass
    first.wait_for_selector('.banner:has-text("4 recorded, 4 on server")')
    second = new_page(service.link())
    second.wait_for_selector('[data-key="new-evening"]')
    show(second, f"#/record/{service.only_session()}")
    second.locator('[data-key="take-over"]').evaluate(CLICK)
    second.wait_for_selector('[data-key="take-over"].danger')
    second.wait_for_timeout(400)
    second.tap('[data-key="take-over"]')
    second.wait_for_selector('[data-phase="auction"] [data-key="pass"]')


def test_the_next_deal_s_card_may_follow_the_last_trick_at_once(new_page: NewPage, service: Service) -> None:
    entries = record_of("american-1")
    kinds = [entry["entry"] for entry in entries]
    turned = kinds.index("preference", kinds.index("play"))
    page = new_page(service.link())
    driver = Driver(page)
    for _ in driver.play(entries[: turned - 1]):
        pass
    last, first = (f'[data-card="{entry["card"]}"]' for entry in entries[turned - 1 : turned + 1])
    page.wait_for_selector(f'.banner:has-text("{driver.number} recorded")')
    page.evaluate("(keys) => keys.forEach((key) => document.querySelector(key).click())", [last, first])
    page.wait_for_selector(f'[data-phase="auction"] .banner.online:has-text("{driver.number + 3} on server")')
    assert service.state()["deal"] == 2
