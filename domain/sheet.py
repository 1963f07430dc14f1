"""A line of the score sheet with all that stands in it: its row, who sat there, its entries in force.

It is what a correction starts from, what a sign-off covers, and what a ruling is put behind.
"""

from typing import Literal

from domain import entries, events
from domain.cards import SUIT_NAMES
from domain.corrections import after, is_marker
from domain.entry_events import entry_of
from domain.game import DealRow, Game, Steps, Unopened, deal_place, seats_at
from domain.seats import Four
from domain.value import Value

Part = Literal["opening", "dealing", "auction", "play", "result", "after", "ruling", "end"]
"""What an entry is of: `result` is a deal or an auction entered by its outcome, `after` what followed the deal."""


class LineEntry(Value, frozen=True):
    """An entry in force: its number, the part of a correction's that it is, if one put it in, and what it says."""

    number: int
    part: int
    of: Part
    entry: entries.AnyEntry
    text: str


class Line(Value, frozen=True):
    """A line of the score sheet, from 1; `row` is missing while its deal is in progress. `deal` is the number of the
    deal that it counts as, or that it was dealt for.
    """

    line: int
    deal: int
    row: DealRow | None
    seats: Four[str]
    entries: tuple[LineEntry, ...]


def line_of(trail: Steps, game: Game, line: int) -> Line | None:
    """A line of the score sheet, or the one that the deal in progress will be; nothing where there is neither."""
    steps = steps_of_line(trail, game, line)
    if isinstance(game, Unopened) or not (steps or 1 <= line <= len(game.base.rows)):
        return None
    base = game.base
    row = base.rows[line - 1] if line <= len(base.rows) else None
    deal = 1 + sum(earlier.counts for earlier in base.rows[: line - 1])
    told = tuple(LineEntry(step.number, step.part, _part(entry), entry, text_of(entry)) for step in steps
                 if (entry := entry_of(step.events[0])) is not None)  # fmt: skip
    return Line(line, deal, row, seats_at(base, deal), told)


def steps_of_line(trail: Steps, game: Game, line: int) -> Steps:
    """The steps of a line's entries in force, in order; `open` left out."""
    return tuple(
        step
        for at, step in enumerate(trail)
        if at and not is_marker(step) and deal_place(after(trail, game, at)) == line - 1
    )


def refs_of_settlement(steps: Steps) -> tuple[tuple[int, int], ...]:
    """The number and part of each entry that a settlement rests on; what was laid open or ruled later is none."""
    return tuple((step.number, step.part) for step in steps if not isinstance(step.events[0], _LATER))


_LATER = (
    events.HandsShown,
    events.TransferRuled,
    events.SeatsCorrected,
    events.SessionClosed,
    events.SessionEnded,
    events.SessionAbandoned,
)

_PARTS: dict[type[entries.Entry], Part] = {
    entries.Open: "opening",
    entries.FirstDealer: "opening",
    entries.Reseat: "opening",
    entries.Shuffle: "dealing",
    entries.Cut: "dealing",
    entries.PreferenceCard: "dealing",
    entries.Deal: "dealing",
    entries.Misdeal: "dealing",
    entries.Call: "auction",
    entries.Trumps: "auction",
    entries.ContractEntry: "result",
    entries.Tricks: "result",
    entries.Discard: "play",
    entries.Expose: "play",
    entries.Concede: "play",
    entries.Play: "play",
    entries.Show: "after",
    entries.Cancel: "after",
    entries.Revoke: "ruling",
    entries.Transfer: "ruling",
    entries.End: "end",
    entries.Close: "end",
    entries.Abandon: "end",
}


def _part(entry: entries.AnyEntry) -> Part:
    return _PARTS.get(type(entry), "after")


def text_of(entry: entries.AnyEntry) -> str:
    """What an entry of the game says, in a few words, as a timeline or a form shows it."""
    match entry:
        case entries.FirstDealer():
            return f"{entry.seat} deals first"
        case entries.Shuffle():
            return "the packs are shuffled" if entry.pack is None else f"the {entry.pack} pack is shuffled"
        case entries.Cut():
            return f"{entry.by} cuts the {entry.pack or 'dealt'} pack"
        case entries.PreferenceCard():
            return f"the preference card is the {entry.card}"
        case entries.Deal():
            return "the cards are dealt"
        case entries.Misdeal() | entries.End() | entries.Abandon():
            return f"{entry.__struct_config__.tag}: {entry.reason}"
        case entries.Call():
            return f"{entry.seat} passes" if entry.call == "pass" else f"{entry.seat} calls {entry.call}"
        case entries.ContractEntry(caller=None):
            return "all four pass"
        case entries.ContractEntry():
            suit = f" with {SUIT_NAMES[entry.trumps]} trumps" if entry.trumps else ""
            kept = f" in {entry.preference} preference" if entry.preference else ""
            return f"{entry.caller} plays {entry.contract}{kept}{suit}"
        case entries.Trumps():
            return f"trumps are {SUIT_NAMES[entry.suit]}"
        case entries.Discard():
            return f"{entry.seat} lays aside {'a card' if entry.card is None else f'the {entry.card}'}"
        case entries.Expose():
            return f"{entry.seat} lays down {', '.join(entry.cards)}"
        case entries.Concede():
            return f"{entry.seat} says “I pay”"
        case entries.Play():
            return f"{entry.seat} plays the {entry.card}{', irregularly' if entry.irregular else ''}"
        case entries.Tricks():
            return "tricks: " + ", ".join(f"{seat} {won}" for seat, won in entry.tricks.items())
        case entries.Show():
            return "; ".join(f"{seat} shows {', '.join(cards)}" for seat, cards in entry.hands.items())
        case entries.Revoke():
            return f"a revoke by {entry.seat} in trick {entry.trick} is ruled"
        case entries.Cancel():
            return f"the deal is void: {entry.reason}"
        case entries.Reseat():
            return f"from deal {entry.from_deal} on the seats are others: {entry.reason}"
        case entries.Transfer():
            return "transferred: " + ", ".join(f"{seat} {amount:+}" for seat, amount in entry.deltas.items())
        case entries.Close():
            return "the session is closed"
        case _:
            return str(entry.__struct_config__.tag)
