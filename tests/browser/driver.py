"""A hand at the tablet: reads a record and taps it, as a recorder would who saw no hands and no shows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from playwright.sync_api import Page

Entry = dict[str, Any]
LEFT_OUT = ("show",)

# The middle of a key of the grid that a finger could press at this moment, or null.
MIDDLE = """(selector) => {
  const key = document.querySelector(`.grid ${selector}:enabled`);
  if (!key) return null;
  const box = key.getBoundingClientRect();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  return key.contains(document.elementFromPoint(x, y)) ? [x, y] : null;
}"""


class Driver:
    """Taps entries one after another; counts the taps of each deal."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.number = 0
        self.numbers: dict[int, int] = {}
        self.taps: list[int] = []
        self.made = 0
        self.last = ""

    def tap(self, selector: str) -> None:
        # Identical taps within 350 ms count once, so a hand that means two takes its time.
        if selector == self.last:
            self.page.wait_for_timeout(360)
        self.last = selector
        # The grid never moves, so nobody has to look twice whether a card's key stands still.
        card = selector.startswith("[data-card=")
        if card and (middle := self.page.evaluate(MIDDLE, selector)):
            self.page.touchscreen.tap(*middle)
        else:
            self.page.tap(selector)
        self.made += 1

    def key(self, name: str) -> None:
        self.tap(f'[data-key="{name}"]')

    def seat(self, names: dict[str, str]) -> None:
        """Seats four players that the club knows and begins; the evening is the American decimal one."""
        self.key("new-evening")
        for seat in "NESW":
            self.tap(f'[data-player="{names[seat]}"]')

    def play(self, entries: list[Entry], start: int = 0) -> Iterator[int]:
        """Taps the entries from `start` on; yields the place of each that is recorded, so that a test can step in."""
        place = start
        while place < len(entries):
            taken = self.step(entries, place)
            for offset in range(taken):
                self.numbers[place + offset + 1] = self.number + offset + 1
            self.number += taken
            place += max(taken, 1)
            yield place

    def step(self, entries: list[Entry], place: int) -> int:
        """Taps the entry at a place, or several that one tap enters; gives how many entries it recorded."""
        entry = entries[place]
        kind = entry["entry"]
        if kind in LEFT_OUT or (kind in ("undo", "redo") and self.left_out(entries, entry["target"])):
            return 0
        before = entries[place - 1]["entry"] if place else None
        if kind == "preference" or (kind == "deal" and before not in ("preference", "undo", "redo")):
            self.taps.append(self.made)
        if kind == "preference":
            self.tap(f'[data-card="{entry["card"]}"]')
            return 2 if entries[place + 1]["entry"] == "deal" else 1
        hand = self.card if kind == "play" else getattr(self, kind)
        return int(hand(entries, place, entry) or 1)

    @staticmethod
    def left_out(entries: list[Entry], number: int) -> bool:
        return entries[number - 1]["entry"] in LEFT_OUT

    def per_deal(self) -> list[int]:
        """Taps from one dealing to the next."""
        ends = [*self.taps[1:], self.made]
        return [end - begin for begin, end in zip(self.taps, ends, strict=True)]

    def open(self, entries: list[Entry], place: int, entry: Entry) -> None:
        self.seat(entry["seats"])
        self.page.select_option("select[name=ruleset]", entry["ruleset"])
        self.key("begin")

    def first_dealer(self, entries: list[Entry], place: int, entry: Entry) -> None:
        self.key(f"dealer-{entry['seat']}")

    def deal(self, entries: list[Entry], place: int, entry: Entry) -> None:
        self.key("dealt")

    def call(self, entries: list[Entry], place: int, entry: Entry) -> int:
        if entry["call"] != "pass":
            self.tap(f'[data-call="{entry["call"]}"]')
            return 1
        following = self.passes(entries, place)
        wanted = 4 if entries[place - 1]["entry"] != "call" else 3
        if following == wanted and (wanted == 4 or entries[place - 1].get("call") != "pass"):
            self.key("pass-all")
            return following
        self.key("pass")
        return 1

    @staticmethod
    def passes(entries: list[Entry], place: int) -> int:
        count = 0
        while place + count < len(entries) and entries[place + count].get("call") == "pass":
            count += 1
        return count

    def trumps(self, entries: list[Entry], place: int, entry: Entry) -> None:
        self.tap(f'[data-trumps="{entry["suit"]}"]')

    def discard(self, entries: list[Entry], place: int, entry: Entry) -> int:
        if [other["entry"] for other in entries[place : place + 4]] == ["discard"] * 4:
            self.key("discard-all")
            return 4
        self.key(f"discard-{entry['seat']}")
        return 1

    def expose(self, entries: list[Entry], place: int, entry: Entry) -> None:
        for card in entry["cards"]:
            self.tap(f'[data-card="{card}"]')
        self.key("spread")

    def concede(self, entries: list[Entry], place: int, entry: Entry) -> None:
        self.key(f"concede-{entry['seat']}")

    def card(self, entries: list[Entry], place: int, entry: Entry) -> None:
        self.tap(f'[data-card="{entry["card"]}"]')

    def tricks(self, entries: list[Entry], place: int, entry: Entry) -> None:
        self.key("more")
        self.key("more-tricks")
        for seat in "NES":
            self.tap(f'[data-count="{seat}{entry["tricks"][seat]}"]')
        self.key("tricks-done")

    def act(self, name: str) -> None:
        self.key("more")
        self.key(f"more-{name}")
        self.tap("[data-reason]")
        self.key(f"do-{name}")

    def misdeal(self, entries: list[Entry], place: int, entry: Entry) -> None:
        self.act("misdeal")

    def cancel(self, entries: list[Entry], place: int, entry: Entry) -> None:
        self.act("cancel")

    def end(self, entries: list[Entry], place: int, entry: Entry) -> None:
        self.act("end")

    def undo(self, entries: list[Entry], place: int, entry: Entry) -> None:
        self.key("undo")

    def redo(self, entries: list[Entry], place: int, entry: Entry) -> None:
        self.key("redo")

    def withdraw(self, entries: list[Entry], place: int, entry: Entry) -> None:
        number = next(self.numbers[n] for n in range(entry["from"], place + 1) if n in self.numbers)
        self.key("more")
        self.key("more-entries")
        self.tap(f'[data-entry="{number}"]')
        self.key("mend-back")

    def close(self, entries: list[Entry], place: int, entry: Entry) -> None:
        self.key("close-session")
