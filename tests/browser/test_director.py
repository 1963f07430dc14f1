"""The director's screens: a disputed deal is looked at, compared, corrected, undone and proved, by taps alone."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl
from uuid import uuid4

import msgspec
import pytest
import zxingcpp
from playwright.sync_api import Page, expect

from domain.game import Unopened
from domain.record import parse_line
from domain.refusal import Refusal
from domain.session import initial
from domain.session import record as record_entry
from tests.browser.conftest import SHOTS, SIZES, NewPage, picture, record_of
from tests.browser.running import Service
from tests.browser.test_screens import overflowing, pictures, too_small, violations

pytestmark = pytest.mark.browser

Entry = dict[str, Any]


def deal(caller: str, contract: str, tricks: dict[str, int], trumps: str | None = None) -> list[Entry]:
    """A deal that was recorded by its result."""
    played: Entry = {"entry": "contract", "caller": caller, "contract": contract}
    if trumps:
        played["trumps"] = trumps
    return [{"entry": "deal"}, played, {"entry": "tricks", "tricks": tricks}]


# Eight bid and six taken: 35 to each of the others and 40 into the pool, so the caller is 145 down and the pool 80.
EIGHT: list[Entry] = [
    {"entry": "open", "ruleset": "american-decimal", "date": "2026-11-30", "table": "1",
     "seats": {"N": "Ann", "E": "Bea", "S": "Cal", "W": "Dan"}},
    {"entry": "first_dealer", "seat": "W"},
    {"entry": "preference", "card": "7C"},
    *deal("E", "8", {"N": 3, "E": 6, "S": 2, "W": 2}, "S"),
    *deal("N", "7", {"N": 7, "E": 2, "S": 2, "W": 2}, "H"),
    *deal("S", "LM", {"N": 5, "E": 4, "S": 1, "W": 2}),
    *deal("W", "9", {"N": 2, "E": 2, "S": 2, "W": 7}, "C"),
    {"entry": "end", "reason": "the room closes"},
]  # fmt: skip
BID_LINE = 1


def record(service: Service, entries: list[Entry]) -> str:
    """An evening as it comes over the API."""
    session = str(uuid4())
    service.ask("POST", "/api/sessions", {"session_id": session, "entries": entries[:1]})
    for start in range(1, len(entries), 400):
        service.ask("POST", f"/api/sessions/{session}/entries", {"entries": entries[start : start + 400]})
    return session


def player_link(service: Service, name: str) -> str:
    """Signs a player's own device in."""
    [player] = [one for one in service.ask("GET", "/api/players")["players"] if one["name"] == name]
    paired = service.call(service.app.state.safe.pair(service.club_id, name, "player", player["player_id"]))
    return f"{service.url}/#pair={paired.code}"


def go(page: Page, path: str) -> None:
    page.evaluate("(path) => (location.hash = path)", f"#/{path}")
    page.wait_for_selector("main:not([aria-busy])")


def key(page: Page, name: str) -> None:
    page.tap(f'[data-key="{name}"]')


def sign_in(new_page: NewPage, link: str, *size: Any, **options: Any) -> Page:
    # Nothing here is looked at without a network, so no browser need keep the app.
    page = new_page(link, *size, service_workers="block", **options)
    page.wait_for_selector("h1")
    page.wait_for_selector(".cards, .page")
    return page


def reason(page: Page, text: str) -> None:
    page.fill('input[name="reason"]', text)


def rows_of(service: Service, session: str) -> list[Entry]:
    return [one["row"] for one in service.state(session)["rows"]]


Shot = Callable[[str], None]


def look(page: Page, service: Service, session: str, shot: Shot) -> None:
    """Goes once through every screen of the director; `shot` is called at each."""
    go(page, "director")
    page.wait_for_selector(".evening")
    shot("director")
    for tab in ("sheet", "timeline", "disputes", "findings", "changes", "time", "proof"):
        go(page, f"director/{session}?tab={tab}")
        page.wait_for_selector(f'[data-tab="{tab}"][aria-current]')
        page.wait_for_timeout(500)
        shot(f"director-{tab}")
    for do in ("look", "rulings", "correct", "transfer", "timeline", "receipt"):
        go(page, f"director/{session}/line/{BID_LINE}?do={do}")
        page.wait_for_selector(f'[data-do="{do}"][aria-current]')
        page.wait_for_timeout(500)
        shot(f"deal-{do}")


@pytest.mark.slow
@pytest.mark.parametrize("size", list(SIZES))
def test_every_screen_of_the_director(new_page: NewPage, service: Service, size: str) -> None:
    session = record(service, EIGHT)
    service.ask("POST", f"/api/sessions/{session}/entries", {"entries": [
        {"entry": "dispute", "line": 1, "by": "E", "about": "trick", "target": 9, "reason": "The ace took it"},
        {"entry": "dispute", "line": 4, "by": "W", "about": "settlement", "reason": "Too much was paid"},
    ]})  # fmt: skip
    second = service.call(service.app.state.safe.make_key(service.club_id, "Second", "director", None)).key
    change = {"at": 9, "put": [{"entry": "tricks", "tricks": {"N": 6, "E": 3, "S": 2, "W": 2}}]}
    corrected = {"entry": "correct", "changes": [change], "reason": "A trick lay under Ann's", "law": "Rule 29"}
    service.ask("POST", f"/api/sessions/{session}/entries", {"entries": [corrected], "second_key": second})
    page = sign_in(new_page, service.link("director"), SIZES[size])
    wrong: list[str] = []

    def shot(name: str) -> None:
        wrong.extend(pictures(page, size, name, whole=True))

    look(page, service, session, shot)
    open_deal(page, session, 4, "look")
    key(page, "dispute")
    shot("deal-dispute")
    key(page, "dialog-close")
    go(page, f"director/{session}/line/5")
    page.wait_for_selector("h1")
    assert not wrong, "\n".join(wrong)


@pytest.mark.slow
def test_the_director_in_russian(new_page: NewPage, service: Service) -> None:
    session = record(service, [
        *EIGHT, {"entry": "dispute", "line": 1, "by": "E", "about": "call", "reason": "Заявка была другой"}
    ])  # fmt: skip
    page = sign_in(new_page, service.link("director"), (1024, 768), locale="ru-RU")
    folder = SHOTS / "1024x768-ru"
    wrong: list[str] = []

    def shot(name: str) -> None:
        picture(page, folder / f"{name}.png", whole=True)
        wrong.extend(f"{name}: {line}" for line in (*violations(page), *too_small(page), *overflowing(page)))

    look(page, service, session, shot)
    assert not wrong, "\n".join(wrong)


def straight(entries: list[Entry]) -> list[Entry]:
    """The score sheet of an evening that was recorded so from the start."""
    session = initial()
    for entry in entries:
        taken = record_entry(session, parse_line(json.dumps(entry).encode()))
        assert not isinstance(taken, Refusal), taken
        session = taken[0]
    assert not isinstance(session.game, Unopened)
    rows: list[Entry] = msgspec.to_builtins(session.game.base.rows)
    return rows


def plain(rows: list[Entry]) -> list[Entry]:
    """Rows without what is left out where it has its ordinary value."""
    return [{name: value for name, value in row.items() if value not in (None, False, 0, [])} for row in rows]


def made() -> list[Entry]:
    """The same evening with eight taken by the one who bid eight."""
    tricks = {"entry": "tricks", "tricks": {"N": 2, "E": 8, "S": 1, "W": 2}}
    return [*EIGHT[:5], tricks, *EIGHT[6:]]


def agree(page: Page, service: Service, act: str) -> None:
    """The window of one key is over: a second director lends his."""
    page.wait_for_selector('input[name="second_key"]')
    second = service.call(service.app.state.safe.make_key(service.club_id, "Second", "director", None)).key
    page.fill('input[name="second_key"]', second)
    key(page, act)


def test_eight_bid_six_taken_disputed_corrected_and_back(new_page: NewPage, service: Service) -> None:
    session = record(service, EIGHT)
    before = rows_of(service, session)
    assert before[0]["deltas"]["E"] == -145
    assert before[0]["pool"] == [0, 80]

    own = sign_in(new_page, player_link(service, "Bea"), (800, 1280))
    go(own, f"sheet/{session}")
    own.tap('[data-dispute="1"]')
    key(own, "about-trick")
    own.tap('[data-target="9"]')
    reason(own, "The ace of spades took trick nine")
    key(own, "do-dispute")
    own.wait_for_selector("dialog", state="detached")
    own.wait_for_selector(".mark.open")
    [dispute] = service.state(session)["docket"]["disputes"]
    assert (dispute["raised"]["by"], dispute["raised"]["target"], dispute["state"]) == ("E", 9, "open")

    page = sign_in(new_page, service.link("director"))
    go(page, "director")
    key(page, "open-0")
    page.wait_for_selector('.notice:has-text("The ace of spades took trick nine")')

    # Compared, a drafted correction beside the others, and nothing recorded by it.
    page.tap('[data-do="correct"]')
    for count in ("E8", "N2", "S1"):
        page.tap(f'[data-tricks="{count}"]')
    key(page, "compare")
    page.wait_for_selector('.rulings tr:has-text("Corrected"):has-text("1,170")')
    page.tap('[data-do="rulings"]')
    page.wait_for_selector('.rulings tr:has-text("The deal is void")')
    key(page, "ruling-cancelled")
    page.wait_for_selector(".chosenruling")
    key(page, "simulator-back")
    assert rows_of(service, session) == before

    # Corrected by the form, where the draft still stands; cancelling it changes nothing.
    page.tap('[data-do="correct"]')
    page.wait_for_selector(".effect")
    key(page, "act-cancel")
    page.wait_for_selector('[data-do="look"][aria-current]')
    assert rows_of(service, session) == before
    page.tap('[data-do="correct"]')
    for count in ("E8", "N2", "S1"):
        page.wait_for_timeout(50)
        page.tap(f'[data-tricks="{count}"]')
    page.wait_for_selector('.effect ins:has-text("Bea made 8")')
    picture(page, SHOTS / "director-correction.png", whole=True)
    assert page.locator(".effect tbody tr").count() == 4
    assert page.locator(".effect tbody tr").first.inner_text().count("145") == 1
    reason(page, "The ace of spades took trick nine")
    agree(page, service, "do-correct")
    page.wait_for_selector('tr.uncounted:has-text("As the table recorded it")')
    assert plain(rows_of(service, session)) == plain(straight(made()))
    assert [one["state"] for one in service.state(session)["docket"]["disputes"]] == ["corrected"]
    own.wait_for_selector('tr.was:has-text("Bea failed 8")')

    # And back, from the list of what was changed.
    go(page, f"director/{session}?tab=changes")
    page.wait_for_selector(".change .effect")
    assert "The ace of spades took trick nine" in page.locator(".change").inner_text()
    page.tap('[data-key^="undo-"]')
    reason(page, "It was trick ten after all")
    agree(page, service, "do-undo")
    page.wait_for_selector('.change:has-text("undone")')
    picture(page, SHOTS / "director-changes.png", whole=True)
    assert rows_of(service, session) == before

    # Everything of it stands in the timeline, with who did it, and in the time machine.
    go(page, f"director/{session}?tab=timeline")
    page.wait_for_selector('.item.correct:has-text("It was trick ten after all")')
    assert "with the key of Second" in page.locator(".item.correct").first.inner_text()
    page.select_option('select[name="kind"]', "dispute")
    page.wait_for_selector(".item.dispute")
    expect(page.locator(".timeline .item")).to_have_count(1)
    assert "Bea" in page.locator(".item.dispute").inner_text()


def open_deal(page: Page, session: str, line: int, do: str) -> None:
    go(page, f"director/{session}/line/{line}?do={do}")
    page.wait_for_selector(f'[data-do="{do}"][aria-current]')


def test_a_missed_pass_is_put_in_and_the_later_calls_change_seats(new_page: NewPage, service: Service) -> None:
    """Bea's pass was not entered, so that Cal's seven, and the tricks, stood under her name."""
    calls = [("N", "pass"), ("E", "7"), ("S", "pass"), ("W", "pass"), ("N", "pass")]
    right = [("N", "pass"), ("E", "pass"), ("S", "7"), ("W", "pass"), ("N", "pass"), ("E", "pass")]

    def evening(said: list[tuple[str, str]], tricks: dict[str, int]) -> list[Entry]:
        return [
            *EIGHT[:4],
            *({"entry": "call", "seat": seat, "call": call} for seat, call in said),
            {"entry": "trumps", "suit": "H"},
            {"entry": "tricks", "tricks": tricks},
            *EIGHT[6:],
        ]

    session = record(service, evening(calls, {"N": 2, "E": 7, "S": 2, "W": 2}))
    page = sign_in(new_page, service.link("director"))
    open_deal(page, session, 1, "correct")
    key(page, "way-entries")
    page.tap('[data-entry="3"]')
    key(page, "entry-after-call")
    key(page, "pass")
    page.wait_for_selector('.entryline:has-text("Cal: 7")')
    expect(page.locator(".entryline.altered")).to_have_count(5)
    tricks = page.locator(".entryline", has_text="Tricks:")
    tricks.tap()
    key(page, "entry-change")
    page.tap('[data-tricks="E2"]')
    page.tap('[data-tricks="S7"]')
    picture(page, SHOTS / "director-editor.png", whole=True)
    key(page, "editor-done")
    page.wait_for_selector('.effect ins:has-text("Cal made 7")')
    page.tap('[data-reason="A call was missed"]')
    agree(page, service, "do-correct")
    page.wait_for_selector('h1:has-text("Cal made 7")')
    assert plain(rows_of(service, session)) == plain(straight(evening(right, {"N": 2, "E": 2, "S": 7, "W": 2})))


def test_recorded_hands_are_changed_card_by_card(new_page: NewPage, service: Service) -> None:
    """Two hands were entered with one card exchanged; the deal was recorded by its result, so no money moves."""
    hands = {seat: [rank + suit for rank in "AKQJT98765432"] for seat, suit in zip("NESW", "SHDC", strict=True)}
    session = record(service, [*EIGHT[:3], {"entry": "deal", "hands": hands}, *EIGHT[4:]])
    page = sign_in(new_page, service.link("director"), (1024, 768))
    open_deal(page, session, 1, "correct")
    key(page, "way-entries")
    page.locator(".entryline", has_text="The cards are dealt").tap()
    key(page, "entry-change")
    key(page, "editor-seat-E")
    assert page.locator(".editor .key.picked").count() == 13
    assert page.locator('.editor [data-card="AS"]').get_attribute("aria-label") == "A♠ ace of spades, in another hand"
    page.tap('.editor [data-card="AS"]')
    assert page.locator('[data-key="editor-done"]').is_disabled()
    picture(page, SHOTS / "director-hands.png", whole=True)
    assert not violations(page)
    assert not too_small(page)
    key(page, "editor-seat-N")
    page.tap('.editor [data-card="AH"]')
    key(page, "editor-done")
    page.wait_for_selector('.correction [role="status"]:has-text("No amount changes")')
    reason(page, "Two cards were exchanged")
    agree(page, service, "do-correct")
    page.wait_for_selector('[data-do="look"][aria-current]')
    told = service.ask("GET", f"/api/sessions/{session}/lines/1")["entries"]
    [dealt] = [one["entry"]["hands"] for one in told if one["entry"]["entry"] == "deal"]
    assert {seat: sorted(cards) for seat, cards in dealt.items()} == {
        "N": sorted([*hands["N"][1:], "AH"]),
        "E": sorted([*hands["E"][1:], "AS"]),
        "S": sorted(hands["S"]),
        "W": sorted(hands["W"]),
    }


def test_what_the_rules_refuse_is_told_and_cannot_be_recorded(new_page: NewPage, service: Service) -> None:
    entries = record_of("american-1")
    session = record(service, entries)
    before = service.state(session)
    page = sign_in(new_page, service.link("director"), (1024, 768))
    open_deal(page, session, 1, "correct")
    page.tap('[data-tricks="N13"]')
    page.wait_for_selector(".correction .refusal")
    reason(page, "A try")
    assert page.locator('[data-key="do-correct"]').is_disabled()
    key(page, "start-anew")
    page.wait_for_selector('.correction [role="status"]:has-text("Nothing is changed so far")')
    assert page.locator('[data-tricks="N13"].picked').count() == 0
    # A card that was played twice: the key stays live, and it is asked whether it really was.
    key(page, "way-entries")
    plays = page.locator(".entryline", has_text=" of ")
    plays.nth(5).tap()
    key(page, "entry-change")
    page.wait_for_selector(".editor .grid")
    picture(page, SHOTS / "director-card.png", whole=True)
    assert not violations(page)
    assert not too_small(page)
    page.tap(".editor .key.odd, .editor .key.used")
    page.wait_for_selector(".editor .notice")
    key(page, "editor-cancel")
    assert service.state(session) == before


def test_seats_are_corrected_by_two_taps(new_page: NewPage, service: Service) -> None:
    session = record(service, EIGHT)
    page = sign_in(new_page, service.link("director"))
    open_deal(page, session, 4, "correct")
    key(page, "way-seats")
    key(page, "chair-E")
    key(page, "chair-W")
    key(page, "reseat-1")
    page.tap('[data-reason="The wrong seat was entered"]')
    agree(page, service, "do-correct")
    page.wait_for_selector('[data-do="look"][aria-current]')
    page.wait_for_selector('h1:has-text("Bea failed 9")')
    state = service.state(session)
    assert [state["seats"][seat]["name"] for seat in "NESW"] == ["Ann", "Dan", "Cal", "Bea"]
    assert [row["balances"] for row in rows_of(service, session)] == [row["balances"] for row in straight(EIGHT)]


@pytest.mark.parametrize("going_on", [True, False])
def test_money_is_moved_by_a_ruling(new_page: NewPage, service: Service, going_on: bool) -> None:
    session = record(service, EIGHT[:-1] if going_on else EIGHT)
    before = service.state(session)["balances"]
    page = sign_in(new_page, service.link("director"))
    open_deal(page, session, 2, "transfer")
    key(page, "from-N")
    key(page, "to-E")
    key(page, "to-S")
    key(page, "sum-40")
    page.wait_for_selector('li:has-text("Ann pays 80")')
    page.tap('[data-reason="Penalty"]')
    page.fill('input[name="law"]', "House rule 4")
    agree(page, service, "do-transfer")
    page.wait_for_selector('[data-do="look"][aria-current]')
    after = service.state(session)["balances"]
    assert {seat: after[seat] - before[seat] for seat in "NESW"} == {"N": -80, "E": 40, "S": 40, "W": 0}
    go(page, f"director/{session}?tab=changes")
    page.wait_for_selector('.change:has-text("House rule 4")')


def test_disputes_are_compared_together_and_one_ruling_is_recorded(new_page: NewPage, service: Service) -> None:
    """Exactly what was compared is what is recorded: a revoke in one deal, and another deal that stands."""
    session = record(service, [
        EIGHT[0] | {"ruleset": "russian"}, *EIGHT[1:6], {"entry": "preference", "card": "3H"}, *EIGHT[6:9],
        {"entry": "dispute", "line": 1, "by": "N", "about": "trick", "target": 3, "reason": "Dan did not follow"},
        {"entry": "dispute", "line": 2, "by": "W", "about": "deal", "reason": "Nobody counted"},
    ])  # fmt: skip
    page = sign_in(new_page, service.link("director"), (800, 1280))
    open_deal(page, session, 1, "rulings")
    key(page, "also-2")
    page.wait_for_selector(".rulings tbody tr:nth-child(36)")
    page.tap('[data-key="ruling-revoke-by-W-+-stands"]')
    page.wait_for_selector(".chosenruling .effect")
    assert not violations(page)
    picture(page, SHOTS / "director-rulings.png", whole=True)
    promised = page.locator(".rulings tr.chosen td").all_inner_texts()
    page.tap('[data-reason="The cards prove it"]')
    agree(page, service, "do-ruling")
    page.wait_for_selector('[data-do="look"][aria-current]')
    page.wait_for_selector('[data-dispute-state="adjusted"]')
    state = service.state(session)
    assert [one["state"] for one in state["docket"]["disputes"]] == ["adjusted", "stands"]
    assert state["rows"][0]["row"]["outcome"] == "made"
    # The evening is not over, so what was promised is what it would be if it were divided now.
    share = (state["pool"][0] * 250 + state["pool"][1]) / 4
    final = [state["balances"][seat] + share for seat in "NESW"]
    assert [float(text.split("\n")[0].replace(",", "").replace("−", "-")) for text in promised[1:5]] == final


REVOKE: list[Entry] = [
    *EIGHT[:5],
    *({"entry": "play", "seat": seat, "card": card} for seat, card in zip(
        "NESWNESW", ("AH", "2H", "3H", "5C", "KH", "4H", "6H", "7H"), strict=True)),
    *EIGHT[5:],
]  # fmt: skip


def test_a_replay_tells_the_director_of_a_finding_at_its_entries(new_page: NewPage, service: Service) -> None:
    session = record(service, REVOKE)
    page = sign_in(new_page, service.link("director"))
    go(page, f"replay/{session}?deal=1&step=0")
    page.wait_for_selector(".entryline .mark")
    assert page.locator(".finding").count() == 0
    page.locator(".entryline:has(.mark)").last.tap()
    page.wait_for_selector('.finding:has-text("Dan did not follow suit and held 7♥")')
    assert not violations(page)
    picture(page, SHOTS / "replay-finding.png")
    other = sign_in(new_page, service.link("viewer"))
    go(other, f"replay/{session}?deal=1&step=0")
    other.wait_for_selector(".entryline")
    other.wait_for_timeout(500)
    assert other.locator(".entryline .mark").count() == 0


def test_a_finding_is_acknowledged_and_does_not_come_back(new_page: NewPage, service: Service) -> None:
    session = record(service, REVOKE)
    page = sign_in(new_page, service.link("director"))
    go(page, f"director/{session}?tab=findings")
    page.wait_for_selector('.finding:has-text("Dan did not follow suit and held 7♥")')
    key(page, "acknowledge-0")
    page.tap('[data-reason="Settled at the table"]')
    assert not violations(page)
    key(page, "do-acknowledge")
    page.wait_for_selector('.finding.done:has-text("Acknowledged")')
    assert len(service.state(session)["docket"]["acknowledged"]) == 1
    go(page, "director")
    page.wait_for_selector("text=The record proves nothing against itself.")


def test_the_table_as_it_was_beside_the_evening_as_it_is(new_page: NewPage, service: Service) -> None:
    session = record(service, EIGHT)
    then = service.state(session)["version"]
    change = {"at": 6, "put": [{"entry": "tricks", "tricks": {"N": 2, "E": 8, "S": 1, "W": 2}}]}
    second = service.call(service.app.state.safe.make_key(service.club_id, "Second", "director", None)).key
    correct = {"entry": "correct", "changes": [change], "reason": "The ace took it"}
    service.ask("POST", f"/api/sessions/{session}/entries", {"entries": [correct], "second_key": second})
    page = sign_in(new_page, service.link("director"))
    go(page, f"director/{session}?tab=time")
    slider = page.locator('input[name="at"]')
    slider.wait_for()
    slider.fill(str(then))
    page.wait_for_selector('[data-side="then"] tr.altered:has-text("Bea failed 8")')
    page.wait_for_selector('[data-side="now"] tr.altered:has-text("Bea made 8")')
    page.wait_for_selector('.standing:has-text("Ended early: the room closes")')
    picture(page, SHOTS / "director-time.png", whole=True)
    assert not violations(page)
    slider.fill("10")
    page.wait_for_selector('[data-side="then"]:not(:has-text("Deal 2"))')
    # By the clock: before the evening there was nothing, and now there is what there is.
    page.evaluate("""() => {
      const field = document.querySelector('input[name="at_time"]');
      field.value = new Date(Date.now() + 86400000).toISOString().slice(0, 19);
      field.dispatchEvent(new Event("change", { bubbles: true }));
    }""")
    page.wait_for_selector('[data-side="then"]:has-text("Bea made 8")')


def codes(page: Page) -> list[str]:
    """What a camera would read off the page's QR code."""
    pixels = page.evaluate(
        """async () => {
          const image = document.querySelector(".receipt .qr");
          await image.decode();
          const canvas = new OffscreenCanvas(800, 800);
          const context = canvas.getContext("2d");
          context.fillStyle = "#fff";
          context.fillRect(0, 0, 800, 800);
          context.drawImage(image, 0, 0, 800, 800);
          return [...context.getImageData(0, 0, 800, 800).data].filter((_, at) => at % 4 === 0);
        }"""
    )
    return [found.text for found in zxingcpp.read_barcodes(memoryview(bytes(pixels)).cast("B", shape=(800, 800)))]


def test_a_player_takes_a_receipt_along(new_page: NewPage, service: Service) -> None:
    session = record(service, EIGHT)
    service.ask("POST", "/api/checkpoints")
    own = sign_in(new_page, player_link(service, "Bea"), (800, 1280))
    go(own, f"sheet/{session}")
    own.wait_for_selector(".asof code")
    key(own, "behind")
    own.tap('[data-line="1"]')
    own.tap('[data-do="receipt"]')
    own.wait_for_selector(".receipt .qr")
    own.wait_for_selector(".checkpoint")
    assert not violations(own)
    [text] = codes(own)
    address, _, statement = text.partition("#")
    assert address == f"{service.url}/verify.html"
    with own.expect_download() as saved:
        key(own, "receipt-save")
    receipt = json.loads(Path(saved.value.path()).read_text(encoding="utf-8"))
    assert receipt["type"] == "receipt"
    # Each is signed when it is asked for, so the two differ by their times; what they prove does not.
    assert proved(statement) == proved(receipt["statement"])
    assert proved(statement)["balances"] == "1025,845,1025,1025"


def proved(statement: str) -> dict[str, str]:
    """The fields of a signed line but its time, its signature, and the key that a code carries along."""
    return {name: value for name, value in parse_qsl(statement) if name not in ("at", "signature", "public")}


def test_a_timeline_is_narrowed_by_the_clock(new_page: NewPage, service: Service) -> None:
    session = record(service, EIGHT)
    page = sign_in(new_page, service.link("director"), timezone_id="Asia/Kolkata")
    items = service.ask("GET", f"/api/sessions/{session}/timeline")["items"]
    began, ended = (datetime.fromisoformat(items[at]["at"]) for at in (0, -1))
    here = timezone(timedelta(hours=5, minutes=30))

    def wall(time: datetime) -> str:
        return time.astimezone(here).strftime("%Y-%m-%dT%H:%M")

    go(page, f"director/{session}?tab=timeline")
    lines = page.locator(".timeline .item")
    expect(lines).to_have_count(len(items))
    # The minute that is named is meant whole, at both ends.
    page.fill("input[name=from]", wall(began))
    page.fill("input[name=to]", wall(ended))
    expect(lines).to_have_count(len(items))
    page.fill("input[name=from]", wall(ended + timedelta(minutes=1)))
    expect(lines).to_have_count(0)
    expect(page.locator("main")).to_contain_text("Nothing")
    page.fill("input[name=from]", "")
    page.fill("input[name=to]", wall(began - timedelta(minutes=1)))
    expect(page.locator("a[download]")).to_have_attribute("href", re.compile(r"to=.*%3A59\.999Z"))
    expect(lines).to_have_count(0)
    page.fill("input[name=to]", "")
    expect(lines).to_have_count(len(items))
