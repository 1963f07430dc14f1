"""Every screen at the three sizes, light and dark: big enough keys, readable, no shift, no error, and a picture."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route

from tests.browser.conftest import SHOTS, SIZES, NewPage, picture, record_of
from tests.browser.driver import Driver
from tests.browser.running import Service

pytestmark = pytest.mark.browser

AXE = (Path(__file__).parent / "vendor" / "axe.js").read_text()
KEYS = {"1280x800": (84, 72), "1024x768": (68, 64), "800x1280": (54, 72)}
SMALLEST = 44

Shot = Callable[[str], None]


RULES: dict[tuple[str, str], dict[str, Any]] = {
    ("1280x800", "light"): {},
    ("800x1280", "light"): {},
    ("1280x800", "dark"): {"runOnly": ["color-contrast"]},
}
"""What axe is asked at each size in each theme: a layout of its own has all rules, other colours those of colours."""


def violations(page: Page, size: str = "1280x800", theme: str = "light") -> list[str]:
    """What axe finds wrong on the page as it is, one line each."""
    rules = RULES.get((size, theme))
    if rules is None:
        return []
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    found = page.evaluate(
        "(only) => axe.run(document, {resultTypes: ['violations'], ...only}).then(({violations}) => violations.map("
        "({id, nodes}) => `${id}: ${nodes.slice(0, 4).map((n) => n.html.slice(0, 160) + ' ' + "
        "n.any.map((a) => a.message).join(';')).join(' | ')}`))",
        rules,
    )
    return [str(line) for line in found]


def too_small(page: Page) -> list[str]:
    """Targets of less than 44 px in either direction."""
    found = page.evaluate(
        """(least) => [...document.querySelectorAll('button, a[href], input, select')]
        .filter((e) => e.checkVisibility())
        .map((e) => [e.outerHTML.slice(0, 120), e.getBoundingClientRect()])
        .filter(([, box]) => box.width < least || box.height < least)
        .map(([html, box]) => `${Math.round(box.width)}x${Math.round(box.height)} ${html}`)""",
        SMALLEST,
    )
    return [str(line) for line in found]


def overflowing(page: Page) -> list[str]:
    """Keys and panels that reach out of the screen, or whose text reaches out of them."""
    found = page.evaluate(
        """() => [...document.querySelectorAll('button, a.button, .panel, .turning')]
        .filter((e) => e.checkVisibility() && getComputedStyle(e).textOverflow !== 'ellipsis').filter((e) => {
          const box = e.getBoundingClientRect();
          const out = box.right > innerWidth + 1 || box.left < -1;
          return out || e.scrollWidth > e.clientWidth + 2 || e.scrollHeight > e.clientHeight + 2;
        }).map((e) => e.outerHTML.slice(0, 140))"""
    )
    return [str(line) for line in found]


def grid_places(page: Page) -> Any:
    return page.evaluate(
        "[...document.querySelectorAll('.key')].map((e) => { const b = e.getBoundingClientRect();"
        "return [e.dataset.card, b.x, b.y, b.width, b.height] })"
    )


def look(page: Page, address: str, name: str, shot: Shot) -> None:
    """Goes to a screen by its address and waits until all of it is there."""
    page.evaluate("(path) => (location.hash = path)", address)
    page.wait_for_selector("body:not(:has([aria-busy])) main")
    page.wait_for_timeout(150)
    shot(name)


def wait_ten_minutes(route: Route) -> None:
    """What the service answers to one who guesses."""
    problem = {"code": "too_many_attempts", "status": 429, "title": "Too many requests", "detail": "wait 10 minutes"}
    route.fulfill(status=429, headers={"retry-after": "600"}, json=problem)


def visit(page: Page, shot: Shot) -> None:
    """Goes once through every screen and every phase of the table; `shot` is called at each."""
    driver = Driver(page)
    names = dict(zip("NESW", ("Ann", "Bea", "Cal", "Dan"), strict=True))
    page.wait_for_selector("body:not(:has([aria-busy])) main")
    shot("home")
    driver.key("settings")
    shot("settings")
    page.go_back()
    driver.seat(names)
    shot("open")
    driver.key("begin")
    page.wait_for_selector('[data-phase="opening"]')
    shot("record-opening")
    driver.key("dealer-W")
    shot("record-dealing")
    driver.tap('[data-card="7H"]')
    driver.tap('[data-call="5"]')
    driver.tap('[data-call="6/2"]')
    shot("record-auction")
    driver.key("more")
    shot("record-more")
    driver.key("more-entries")
    driver.tap("[data-entry='6']")
    shot("record-entries")
    driver.key("close")
    driver.key("more")
    driver.key("more-misdeal")
    shot("record-misdeal")
    driver.key("close")
    driver.key("pass-all")
    shot("record-trumps")
    driver.tap('[data-trumps="D"]')
    for card in ("AS", "2S", "3S", "4S", "KH"):
        driver.tap(f'[data-card="{card}"]')
    shot("record-play")
    driver.tap('[data-card="AS"]')
    shot("record-question")
    driver.key("really-no")
    driver.key("more")
    driver.key("more-tricks")
    for count in ("N5", "E5", "S2"):
        driver.tap(f'[data-count="{count}"]')
    shot("record-tricks")
    driver.key("tricks-done")
    shot("record-settled")
    driver.key("show-round")
    page.wait_for_selector('[data-key="agree-N"]')
    shot("settle")
    driver.key("agree-N")
    page.wait_for_selector(".signed")
    driver.key("turn-E")
    shot("settle-sideways")
    driver.key("back-to-table")
    for call in ("LM", "LS"):
        if call == "LM":
            driver.tap('[data-card="9C"]')
        driver.tap(f'[data-call="{call}"]')
    driver.key("pass-all")
    shot("record-discards")
    driver.key("discard-all")
    shot("record-exposing")
    identity = page.url.rsplit("/", 1)[1]
    look(page, "#/club", "club", shot)
    look(page, "#/", "home-in-play", shot)
    look(page, f"#/live/{identity}", "live-in-play", shot)
    look(page, f"#/record/{identity}", "record-again", shot)
    for rank in "AKQJT9876543":
        driver.tap(f'[data-card="{rank}C"]')
    driver.key("spread")
    shot("record-spread")
    driver.key("more")
    driver.key("more-tricks")
    for count in ("N4", "E4", "S4"):
        driver.tap(f'[data-count="{count}"]')
    driver.key("tricks-done")
    driver.key("more")
    driver.key("more-end")
    driver.tap("[data-reason]")
    driver.key("do-end")
    page.wait_for_selector('[data-phase="ended"]')
    shot("record-ended")
    page.wait_for_selector(".banner.online")
    for name in ("sheet", "live", "replay"):
        look(page, f"#/{name}/{identity}", name, shot)
    for view in ("leaderboard", "player", "contracts", "pools", "pairs", "records"):
        look(page, f"#/statistics?view={view}", f"statistics-{view}", shot)
    look(page, "#/statistics?view=leaderboard", "statistics", lambda _: None)
    page.locator("table.score a").first.tap()
    page.wait_for_selector("body:not(:has([aria-busy])) .board")
    shot("statistics-one-player")
    look(page, f"#/statistics?explain={identity}:1:E", "statistics-why", shot)
    look(page, "#/nowhere", "nowhere", shot)
    look(page, "#/settings", "settings", lambda _: None)
    driver.key("sign-out")
    page.wait_for_selector("input[name=code]")
    shot("sign-in")
    page.fill("input[name=code]", "ABCD-EFGH")
    page.route("**/api/sign-in", wait_ten_minutes)
    driver.key("sign-in")
    page.wait_for_selector(".refusal")
    shot("sign-in-refused")


def pictures(page: Page, size: str, name: str, *, whole: bool = False) -> list[str]:
    """Keeps a picture of the page in the dark and in the light, and gives what is wrong with it, one line each."""
    wrong: list[str] = []
    for theme in ("dark", "light"):
        page.emulate_media(color_scheme=theme)
        page.wait_for_selector(f"html[data-theme={theme}]")
        page.wait_for_timeout(60)
        folder = SHOTS / f"{size}-{theme}"
        picture(page, folder / f"{name}.png", whole=whole)
        wrong += [f"{name}: axe {line}" for line in violations(page, size, theme)]
    wrong += [f"{name}: small {line}" for line in too_small(page)]
    return wrong + [f"{name}: overflow {line}" for line in overflowing(page)]


@pytest.mark.slow
@pytest.mark.parametrize("size", list(SIZES))
def test_every_screen(new_page: NewPage, service: Service, size: str) -> None:
    page = new_page(service.link(), SIZES[size])
    wrong: list[str] = []
    grids: dict[str, Any] = {}

    def shot(name: str) -> None:
        wrong.extend(pictures(page, size, name))
        if name.startswith("record-"):
            grids[name] = grid_places(page)

    visit(page, shot)
    assert not wrong, "\n".join(wrong)
    first = grids["record-opening"]
    assert all(grid == first for grid in grids.values()), "the grid moved"
    width, height = KEYS[size]
    assert all(w >= width and h >= height for _, _, _, w, h in first), first[:2]


@pytest.mark.slow
@pytest.mark.parametrize("language", ["ru"])
def test_russian(new_page: NewPage, service: Service, language: str) -> None:
    page = new_page(service.link(), (1024, 768), locale="ru-RU")
    folder = SHOTS / f"1024x768-{language}"
    wrong: list[str] = []

    def shot(name: str) -> None:
        page.wait_for_timeout(60)
        picture(page, folder / f"{name}.png")
        wrong.extend(f"{name}: {line}" for line in (*violations(page), *too_small(page), *overflowing(page)))

    visit(page, shot)
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("size", list(SIZES))
def test_the_longest_names_and_settlement_fit(new_page: NewPage, service: Service, size: str) -> None:
    """A pool is taken by a long name and filled again: the fullest that the settled panel gets."""
    names = (
        "Wilhelmina von Hohenstaufen",
        "Константин Константинопольский",
        "Maria-Magdalena",
        "Chrysanthemum Featherstone",
    )
    session = "01900000-0000-7000-8000-000000000002"
    opening = {"entry": "open", "ruleset": "american-decimal", "date": "2026-11-30", "table": "The table by the window"}
    entries = [
        {**opening, "seats": dict(zip("NESW", names, strict=True))},
        {"entry": "first_dealer", "seat": "N"},
        {"entry": "deal"},
        {"entry": "contract", "caller": "E", "contract": "GS"},
        {"entry": "tricks", "tricks": {"N": 5, "E": 0, "S": 4, "W": 4}},
    ]
    service.ask("POST", "/api/sessions", {"session_id": session, "entries": entries[:1]})
    service.ask("POST", f"/api/sessions/{session}/entries", {"entries": entries[1:]})
    page = new_page(service.link(), SIZES[size])
    page.wait_for_selector(".evening")
    wrong: list[str] = []

    def shot(name: str) -> None:
        picture(page, SHOTS / f"{size}-light" / f"{name}.png")
        wrong.extend(f"{name}: {line}" for line in overflowing(page))

    look(page, "#/", "long-home", shot)
    look(page, f"#/record/{session}", "long-settled", shot)
    look(page, f"#/settle/{session}", "long-settle", shot)
    page.tap('[data-key="turn-E"]')
    look(page, f"#/settle/{session}", "long-settle-sideways", shot)
    look(page, f"#/sheet/{session}", "long-sheet", shot)
    look(page, f"#/live/{session}", "long-live", shot)
    assert not wrong, "\n".join(wrong)


def test_left_handed_and_own_seat(new_page: NewPage, service: Service) -> None:
    page = new_page(service.link())
    driver = Driver(page)
    driver.key("settings")
    driver.key("mirror-true")
    driver.key("bottom-E")
    page.go_back()
    driver.seat(dict(zip("NESW", ("Ann", "Bea", "Cal", "Dan"), strict=True)))
    driver.key("begin")
    page.wait_for_selector(".record")
    boxes = {seat: page.locator(f'[data-seat="{seat}"]').bounding_box() for seat in "NESW"}
    assert all(boxes.values())
    middle = {seat: (box["x"] + box["width"] / 2, box["y"]) for seat, box in boxes.items() if box}
    assert middle["E"][1] == max(y for _, y in middle.values())
    assert middle["S"][0] == min(x for x, _ in middle.values())
    undo, home = page.locator('[data-key="undo"]').bounding_box(), page.locator('[data-key="home"]').bounding_box()
    assert undo
    assert home
    assert undo["x"] < home["x"]


def test_two_tap_mode_and_double_taps(new_page: NewPage, service: Service) -> None:
    page = new_page(service.link())
    driver = Driver(page)
    entries = record_of("american-1")[:4]
    for _ in driver.play(entries):
        pass
    page.wait_for_selector('[data-key="pass"]')
    # A trembling finger: two taps on one key in a moment are one pass.
    page.evaluate("for (const _ of [1, 2]) document.querySelector('[data-key=pass]').click()")
    page.wait_for_timeout(100)
    assert page.locator(".lastentry").inner_text() == "Cal passes"
    page.evaluate("localStorage.setItem('boston.device', JSON.stringify({twoTap: true}))")
    page.reload()
    page.wait_for_selector('[data-phase="auction"]')
    driver.tap('[data-call="5"]')
    assert page.locator(".lastentry").inner_text() == "Cal passes"
    driver.tap('[data-call="5"]')
    page.wait_for_selector('.lastentry:has-text("Boston")')


def test_first_load_and_echo(new_page: NewPage, service: Service) -> None:
    """How much comes over the wire at the first visit, how soon it is of use, and how soon a tap is seen."""
    page = new_page("about:blank", service_workers="block")
    wire = page.context.new_cdp_session(page)
    wire.send("Network.enable")
    sizes: list[float] = []
    wire.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    began = time.perf_counter()
    page.goto(service.link())
    page.wait_for_selector('[data-key="new-evening"]')
    usable = time.perf_counter() - began
    page.wait_for_timeout(500)
    loaded = int(sum(sizes))
    driver = Driver(page)
    entries = record_of("american-1")[:8]
    for _ in driver.play(entries):
        pass
    page.context.set_offline(True)
    echo = page.evaluate(
        """async () => {
          const times = [];
          for (const card of ['2S', '6S', 'JS', 'AS']) {
            const before = document.querySelector('.lastentry').innerText;
            const began = performance.now();
            document.querySelector(`[data-card="${card}"]`).click();
            while (document.querySelector('.lastentry').innerText === before) await new Promise(requestAnimationFrame);
            times.push(Math.round(performance.now() - began));
          }
          return times;
        }"""
    )
    print(f"first load {loaded} bytes over the wire, usable after {usable:.2f} s, echo of taps {echo} ms")
    assert 0 < loaded < 200_000
