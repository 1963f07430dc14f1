"""A session: the game as it stands, and the trail by which entries can be taken back.

`decide` turns an entry into events or refuses it, `evolve` applies one event, and a replay is a fold
of `evolve`. Undo, redo and withdraw name their target and erase nothing: what is folded here is the
pair of the game and its trail, and laws about taking back compare the game.
"""

import msgspec

from domain import entries, events
from domain.decide import Decision, decide_game
from domain.events import ENTRY_EVENTS, AnyEvent
from domain.evolve import Impossible, evolve_game
from domain.game import Game, Over, Unopened, deal_place
from domain.refusal import Refusal

_OWN_EVENTS = frozenset(ENTRY_EVENTS.values())


class Step(msgspec.Struct, frozen=True):
    """An effective entry: its number, and the game right before it. A withdrawal also keeps the steps it took."""

    number: int
    before: Game
    taken: "tuple[Step, ...]" = ()


class Undone(msgspec.Struct, frozen=True):
    """An undone entry that can still be restored, with the game right after it."""

    step: Step
    after: Game


class Session(msgspec.Struct, frozen=True):
    """The folded value. `number` is that of the last entry recorded, undos included; it is never used again."""

    game: Game = Unopened()
    trail: tuple[Step, ...] = ()
    undone: tuple[Undone, ...] = ()
    number: int = 0


def initial() -> Session:
    """The session before its first entry."""
    return Session()


def decide(session: Session, entry: entries.Entry) -> Decision:
    """The events that follow from an entry, its own first, or the refusal that leaves everything as it was."""
    match entry:
        case entries.Undo():
            return _undo(session, entry)
        case entries.Redo():
            return _redo(session, entry)
        case entries.Withdraw():
            return _withdraw(session, entry)
        case _:
            return decide_game(session.game, entry, session.number + 1)


def evolve(session: Session, event: AnyEvent) -> Session:
    """The session after one event; raises `Impossible` where the event cannot have followed."""
    kind = type(event)
    if kind not in _OWN_EVENTS:
        game = evolve_game(session.game, event, session.number)
        return Session(game, session.trail, session.undone, session.number)
    number = session.number + 1
    match event:
        case events.EntryUndone():
            return _undone(session, number)
        case events.EntryRedone():
            return _redone(session, number)
        case events.EntriesWithdrawn():
            return _withdrawn(session, event, number)
        case _:
            game = evolve_game(session.game, event, number)
            return Session(game, (*session.trail, Step(number, session.game)), (), number)


def record(session: Session, entry: entries.Entry) -> tuple[Session, tuple[AnyEvent, ...]] | Refusal:
    """Decides and applies an entry: the session after it with its events, or the refusal."""
    decided = decide(session, entry)
    if isinstance(decided, Refusal):
        return decided
    for event in decided:
        session = evolve(session, event)
    return session, decided


def skipped(session: Session) -> Session:
    """The same session where a line of a record was not taken: its number is used up."""
    return msgspec.structs.replace(session, number=session.number + 1)


def last_effective(session: Session) -> int | None:
    """The number of the entry that an undo may name now; none before the session is open or with only `open` left."""
    return session.trail[-1].number if len(session.trail) > 1 else None


def last_undone(session: Session) -> int | None:
    """The number of the entry that a redo may name now."""
    return session.undone[-1].step.number if session.undone else None


def effective_from(session: Session, place: int) -> int | None:
    """The number of the first effective entry of the deal at a place (see `deal_place`), `open` left out."""
    for at, step in enumerate(session.trail[1:], start=1):
        if deal_place(_after(session, at)) >= place:
            return step.number
    return None


def _after(session: Session, at: int) -> Game:
    return session.trail[at + 1].before if at + 1 < len(session.trail) else session.game


def _conflict(code: str, message: str, **facts: int | None) -> Refusal:
    return Refusal(code, message, None, "conflict", dict(facts))


def _undo(session: Session, entry: entries.Undo) -> Decision:
    last = last_effective(session)
    if last is None:
        return _conflict("nothing_to_undo", "there is nothing that could be undone; open itself stays")
    if entry.target != last:
        text = f"only the last effective entry can be undone: that is {last}, not {entry.target}"
        return _conflict("undo_not_last", text, target=entry.target, last=last)
    return (events.EntryUndone(target=entry.target),)


def _redo(session: Session, entry: entries.Redo) -> Decision:
    last = last_undone(session)
    if last is None:
        return _conflict("nothing_to_redo", "nothing was undone since the last entry was recorded")
    if entry.target != last:
        text = f"only the entry undone last can be restored: that is {last}, not {entry.target}"
        return _conflict("redo_not_last", text, target=entry.target, last=last)
    return (events.EntryRedone(target=entry.target),)


def _withdraw(session: Session, entry: entries.Withdraw) -> Decision:
    if isinstance(session.game, Over):
        return _conflict("nothing_to_withdraw", "the session is over; undo its end first")
    first = effective_from(session, deal_place(session.game))
    if first is None or entry.start < first:
        text = f"entry {entry.start} is not part of the current deal"
        if first is not None:
            text += f", which begins with entry {first}"
        return _conflict("not_in_this_deal", text, start=entry.start, first=first)
    at = _place_of(session, entry.start)
    if at is None:
        return _conflict("nothing_to_withdraw", f"no effective entry from {entry.start} on", start=entry.start)
    taken = tuple(step.number for step in session.trail[at:])
    return (events.EntriesWithdrawn(start=entry.start, taken=taken),)


def _place_of(session: Session, start: int) -> int | None:
    """Where in the trail a withdrawal from a number begins: an earlier withdrawal itself is never taken back by one."""
    return next((at for at, step in enumerate(session.trail) if step.number >= start and not step.taken), None)


def _undone(session: Session, number: int) -> Session:
    if not session.trail:
        raise Impossible("nothing is left to undo")
    step = session.trail[-1]
    trail = session.trail[:-1] + step.taken
    return Session(step.before, trail, (*session.undone, Undone(step, session.game)), number)


def _redone(session: Session, number: int) -> Session:
    if not session.undone:
        raise Impossible("nothing was undone")
    step, game = session.undone[-1].step, session.undone[-1].after
    trail = session.trail[: len(session.trail) - len(step.taken)]
    return Session(game, (*trail, step), session.undone[:-1], number)


def _withdrawn(session: Session, event: events.EntriesWithdrawn, number: int) -> Session:
    at = len(session.trail) - len(event.taken)
    taken = session.trail[at:]
    if at < 1 or not taken:
        raise Impossible("a withdrawal takes entries back, and never open")
    return Session(taken[0].before, (*session.trail[:at], Step(number, session.game, taken)), (), number)
