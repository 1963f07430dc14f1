"""What players and the director do beside a table that is being recorded: signatures, disputes, corrections."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Dialog, Page

from tests.browser.conftest import SHOTS, NewPage, picture, record_of
from tests.browser.driver import Driver
from tests.browser.running import Service
from tests.browser.test_devices import lines, recorded
from tests.browser.test_screens import look, overflowing, too_small, violations

pytestmark = pytest.mark.browser

# A deal of eight bid and six taken, as a result alone.
DEAL = record_of("scripted-results")[:6]
TRICKS = 6


def begin(new_page: NewPage, service: Service) -> tuple[Page, Driver, str]:
    """A recorder's tablet at a table whose first deal has been settled."""
    session = "01900000-0000-7000-8000-000000000001"
    service.ask("POST", "/api/sessions", {"session_id": session, "entries": DEAL[:1]})
    service.ask("POST", f"/api/sessions/{session}/entries", {"entries": DEAL[1:]})
    page = new_page(service.link())
    page.wait_for_selector('[data-key="new-evening"]')
    look(page, f"#/record/{session}", "record", lambda _: None)
    recorded(page, len(DEAL))
    driver = Driver(page)
    driver.number = len(DEAL)
    return page, driver, session


def own_link(service: Service, name: str) -> str:
    """Signs a player's own device in."""
    [player] = [one for one in service.ask("GET", "/api/players")["players"] if one["name"] == name]
    paired = service.call(service.app.state.safe.pair(service.club_id, name, "player", player["player_id"]))
    return f"{service.url}/#pair={paired.code}"


def rule(service: Service, session: str, *entries: dict[str, Any]) -> None:
    """The director's acts, with the second key that they need once the next deal is open."""
    second = service.call(service.app.state.safe.make_key(service.club_id, "Second", "director", None)).key
    service.ask("POST", f"/api/sessions/{session}/entries", {"entries": list(entries), "second_key": second})


def test_seats_sign_on_the_recorders_device_and_on_their_own(new_page: NewPage, service: Service) -> None:
    page, driver, session = begin(new_page, service)
    driver.key("show-round")
    turned = {"N": "top", "E": "right", "S": "bottom", "W": "left"}
    for seat in ("N", "E"):
        driver.key(f"turn-{seat}")
        assert page.locator(".facing").get_attribute("data-turn") == turned[seat]
        driver.key(f"agree-{seat}")
        page.wait_for_selector(f'[data-key="turn-{seat}"]:has-text("✓")')
    driver.key("back-to-table")
    page.wait_for_selector('[data-phase="between_deals"]')

    own = new_page(own_link(service, "Cal"))
    own.wait_for_selector(".evening")
    look(own, f"#/live/{session}", "live", lambda _: None)
    own.tap('[data-key="confirm"]')
    own.wait_for_selector('[data-key="agree-S"]')
    look(own, f"#/sheet/{session}", "sheet", lambda _: None)
    assert own.locator(".marks").first.inner_text().split() == ["✓N", "✓E"]
    own.tap('.acts a:has-text("Agree")')
    assert own.locator(".turnkeys").count() == 0
    own.tap('[data-key="agree-S"]')
    own.wait_for_selector('.signed:has-text("Cal agreed")')
    [row] = service.state()["rows"]
    assert {seat: (one["device"], one["covers"]) for seat, one in row["signed"].items() if one} == {
        "N": ("recorder", True),
        "E": ("recorder", True),
        "S": ("own", True),
    }


def test_a_signature_waits_for_the_network_and_never_holds_the_queue_up(new_page: NewPage, service: Service) -> None:
    """The recorder is cut off and goes on, an undo included; meanwhile a player signs: both are taken, nobody mends."""
    page, driver, session = begin(new_page, service)
    page.context.set_offline(True)
    driver.tap('[data-card="QD"]')
    driver.tap('[data-call="5"]')
    driver.tap('[data-call="6"]')
    driver.key("undo")
    driver.tap('[data-call="7"]')
    page.wait_for_selector(f'.banner:has-text("{len(DEAL) + 6} recorded, {len(DEAL)} on server")')
    look(page, f"#/settle/{session}", "settle", lambda _: None)
    page.wait_for_selector('.signing:has-text("waits for the network")')
    assert page.locator('[data-key^="agree"]').count() == 0

    own = new_page(own_link(service, "Bea"))
    own.wait_for_selector(".evening")
    look(own, f"#/settle/{session}?line=1", "settle", lambda _: None)
    own.tap('[data-key="agree-E"]')
    own.wait_for_selector('.signed:has-text("Bea")')

    look(page, f"#/record/{session}", "record", lambda _: None)
    page.context.set_offline(False)
    page.evaluate("dispatchEvent(new Event('online'))")
    recorded(page, len(DEAL) + 7)
    assert page.locator(".banner.trouble").count() == 0
    kinds = [entry["entry"] for entry in lines(service, session)[len(DEAL) :]]
    assert kinds == ["sign", "preference", "deal", "call", "call", "undo", "call"]
    assert [call["call"] for call in service.state()["auction"]["calls"]] == ["5", "7"]
    # A signature that arrives while cards are entered leaves the table as it is.
    driver.key("undo")
    recorded(page, len(DEAL) + 8)


def test_a_corrected_evening_is_recorded_on_undone_so_far_and_shown_old_beside_new(
    new_page: NewPage, service: Service
) -> None:
    page, driver, session = begin(new_page, service)
    driver.key("show-round")
    driver.key("agree-N")
    page.wait_for_selector(".signed")
    driver.key("back-to-table")
    driver.tap('[data-card="QD"]')
    driver.tap('[data-call="5"]')
    recorded(page, len(DEAL) + 4)
    made = {"entry": "tricks", "tricks": {"N": 8, "E": 2, "S": 2, "W": 1}}
    rule(
        service,
        session,
        {"entry": "dispute", "line": 1, "by": "E", "about": "trick", "reason": "two tricks of North were not counted"},
        {"entry": "correct", "changes": [{"at": TRICKS, "put": [made]}], "reason": "two tricks were miscounted"},
    )
    recorded(page, len(DEAL) + 6)
    # The balances follow; the deal in progress goes on, and its entries can be undone, but nothing from before.
    page.wait_for_selector('[data-seat="S"]:has-text("5 (Boston)")')
    driver.tap('[data-call="6"]')
    recorded(page, len(DEAL) + 7)
    for _ in range(4):
        driver.key("undo")
    recorded(page, len(DEAL) + 11)
    page.wait_for_selector('[data-phase="between_deals"]')
    driver.key("undo")
    page.wait_for_selector('.lastentry .refusal:has-text("corrected this evening")')
    page.reload()
    page.wait_for_selector(f'.banner:has-text("{len(DEAL) + 11} recorded")')
    driver.last = ""
    driver.tap('[data-card="9C"]')
    driver.tap('[data-call="6"]')
    recorded(page, len(DEAL) + 14)

    wrong: list[str] = []
    folder = SHOTS / "1280x800-light"

    def shot(name: str) -> None:
        picture(page, folder / f"{name}.png")
        wrong.extend(f"{name}: {line}" for line in (*violations(page), *too_small(page), *overflowing(page)))

    look(page, f"#/sheet/{session}", "sheet-corrected", shot)
    assert "short by 2" in page.locator(".was").inner_text()
    assert page.locator('.account tr:has-text("Ann made 8")').count() == 1
    assert page.locator(".mark.open").inner_text() == "⚑ 1 dispute"
    assert page.locator(".marks .struck").inner_text() == "✓N"
    page.tap("[data-dispute]")
    page.tap('[data-key="by-W"]')
    page.tap('[data-key="about-settlement"]')
    page.tap("[data-reason]")
    page.tap('[data-key="do-dispute"]')
    page.wait_for_selector('.mark.open:has-text("2 disputes")')
    look(page, f"#/replay/{session}?deal=1&step=9", "replay-corrected", shot)
    page.wait_for_selector('.prompt:has-text("Ann made 8")')
    page.tap('[data-key="as-recorded"]')
    look(page, f"#/replay/{session}?deal=1&step=99&as=recorded", "replay-recorded", shot)
    page.wait_for_selector('.prompt:has-text("short by 2")')
    assert not wrong, "\n".join(wrong)


def test_the_question_about_a_card_goes_with_an_undo(new_page: NewPage, service: Service) -> None:
    page, driver, _ = begin(new_page, service)
    driver.tap('[data-card="QD"]')
    driver.tap('[data-call="5"]')
    driver.key("pass-all")
    driver.tap('[data-trumps="S"]')
    driver.tap('[data-card="AS"]')
    driver.tap('[data-card="AS"]')
    page.wait_for_selector(".question")
    driver.key("undo")
    page.wait_for_selector(".question", state="detached")
    assert page.locator(".grid.live").count() == 1


def test_leaving_and_signing_out_warn_of_what_is_not_sent(new_page: NewPage, service: Service) -> None:
    page, driver, session = begin(new_page, service)
    page.context.set_offline(True)
    driver.tap('[data-card="QD"]')
    page.wait_for_selector('.banner.offline:has-text("8 recorded, 6 on server")')
    look(page, "#/settings", "settings", lambda _: None)
    driver.key("sign-out")
    page.wait_for_selector('.refusal:has-text("2 entries recorded here are not on the server yet")')
    driver.key("sign-out-not")
    asked: list[str] = []

    def stay(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.dismiss()

    page.on("dialog", stay)
    page.close(run_before_unload=True)
    page.wait_for_timeout(1_000)
    assert asked == ["beforeunload"]
    page.context.set_offline(False)
    look(page, f"#/record/{session}", "record", lambda _: None)
    recorded(page, len(DEAL) + 2)


def test_players_are_seated_by_dragging(new_page: NewPage, service: Service) -> None:
    page = new_page(service.link())
    Driver(page).key("new-evening")
    page.wait_for_selector('[data-player="Bea"]')

    def drag(source: str, target: str) -> None:
        start, end = page.locator(source).bounding_box(), page.locator(target).bounding_box()
        assert start
        assert end
        page.mouse.move(start["x"] + 30, start["y"] + 20)
        page.mouse.down()
        page.mouse.move(end["x"] + 40, end["y"] + 30, steps=6)
        assert page.locator(".dragged").count() == 1
        page.mouse.up()

    drag('[data-player="Bea"]', '[data-chair="W"]')
    page.wait_for_selector('[data-chair="W"]:has-text("Bea")')
    drag('[data-chair="W"]', '[data-chair="E"]')
    page.wait_for_selector('[data-chair="E"]:has-text("Bea")')
    assert "free" in page.locator('[data-chair="W"]').inner_text()


def test_evenings_and_players_beyond_the_first_page(new_page: NewPage, service: Service) -> None:
    for number in range(25):
        service.ask("POST", "/api/players", {"name": f"Member {number:02}"})
    for number in range(21):
        session = f"01900000-0000-7000-8000-0000000001{number:02}"
        opening = {**DEAL[0], "date": f"2026-10-{number + 1:02}"}
        service.ask("POST", "/api/sessions", {"session_id": session, "entries": [opening]})
    page = new_page(service.link())
    page.wait_for_selector(".evening")
    assert page.locator(".evening").count() == 20
    assert "Ann, Bea, Cal, Dan" in page.locator(".evening").first.inner_text()
    page.tap('[data-key="more-evenings"]')
    page.wait_for_selector('.evening:has-text("October 1, 2026")')
    assert page.locator('[data-key="more-evenings"]').count() == 0
    Driver(page).key("new-evening")
    page.tap('[data-key="more-players"]')
    page.wait_for_selector('[data-player="Фёдор Иванов"]')
