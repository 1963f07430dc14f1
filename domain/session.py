"""A session: the game as it stands, and the trail by which entries can be taken back.

`decide` turns an entry into events or refuses it, `evolve` applies one event, and a replay is a fold
of `evolve`. Undo, redo and withdraw name their target and erase nothing: what is folded here is the
pair of the game and its trail, and laws about taking back compare the game.
"""

from collections.abc import Iterable

from msgspec.structs import replace

from domain import entries, events
from domain.corrections import after, correct, corrected, is_marker
from domain.decide import Decision, decide_game
from domain.docket import Docket, check_dispute, decide_docket, evolve_docket
from domain.events import ASIDES, ENTRY_EVENTS, AnyEvent
from domain.evolve import Impossible, evolve_game
from domain.game import Game, Over, Step, Steps, Unopened, deal_place
from domain.refusal import Refusal
from domain.trail import Trail
from domain.value import Value

_OWN_EVENTS = frozenset(ENTRY_EVENTS.values())
_NO_STEP = ASIDES | {events.EntryUndone, events.EntryRedone, events.EntriesWithdrawn, events.CorrectionMade}
"""The own events that put no step of their own kind on the trail."""


class Undone(Value, frozen=True):
    """An undone entry that can still be restored: the steps that went, the undone one last, and the game after it."""

    steps: Steps
    after: Game


class Session(Value, frozen=True):
    """The folded value. `number` is that of the last entry recorded, undos included; it is never used again."""

    game: Game = Unopened()
    trail: Trail = Trail()
    undone: tuple[Undone, ...] = ()
    number: int = 0
    docket: Docket = Docket()


def initial() -> Session:
    """The session before its first entry."""
    return Session()


def decide(session: Session, entry: entries.Entry) -> Decision:
    """The events that follow from an entry, its own first, or the refusal that leaves everything as it was."""
    match entry:
        case entries.Play() | entries.Call():
            return decide_game(session.game, entry, session.number + 1)
        case entries.Undo():
            return _undo(session, entry)
        case entries.Redo():
            return _redo(session, entry)
        case entries.Withdraw():
            return _withdraw(session, entry)
        case entries.Correct():
            if len(session.trail) < 2:
                return decide_game(session.game, entry, session.number + 1)
            unknown = check_dispute(session.docket, entry.dispute)
            return unknown or correct(session.trail, session.game, entry, session.number + 1)
        case entries.Transfer():
            unknown = check_dispute(session.docket, entry.dispute)
            return unknown or decide_game(session.game, entry, session.number + 1)
        case _:
            beside = decide_docket(session.docket, session.game, entry, session.trail)
            return beside if beside is not None else decide_game(session.game, entry, session.number + 1)


def evolve(session: Session, event: AnyEvent) -> Session:
    """The session after one event; raises `Impossible` where the event cannot have followed."""
    kind = type(event)
    game, trail, undone, number, docket = session.game, session.trail, session.undone, session.number, session.docket
    if kind is events.DealCorrected:
        # The corrected line has been folded with the correction; this only says what it changed.
        return session
    if kind not in _OWN_EVENTS:
        if not trail:
            raise Impossible("an event that follows from an entry needs its entry")
        step = replace(trail[-1], events=(*trail[-1].events, event))
        return Session(evolve_game(game, event, number), trail.ending(step), undone, number, docket)
    number += 1
    if kind not in _NO_STEP:
        step = Step(number, game, (event,))
        return Session(evolve_game(game, event, number), trail.grown(step), (), number, docket)
    if kind in ASIDES:
        return Session(game, trail, undone, number, evolve_docket(docket, event, number, trail, game))
    match event:
        case events.EntryUndone():
            return _undone(session, number)
        case events.EntryRedone():
            return _redone(session, number)
        case events.EntriesWithdrawn():
            return _withdrawn(session, event, number)
        case events.CorrectionMade():
            steps, game = corrected(trail, game, event, number)
            return Session(game, Trail(steps), (), number, docket)
        case _:
            raise AssertionError(f"nothing says how {kind.__name__} alters the trail")


def fold(session: Session, told: Iterable[AnyEvent]) -> Session:
    """The session after some events, as `evolve` gives it one by one; the trail is put together once, not per event."""
    game, trail, number = session.game, list(session.trail), session.number
    before = game
    own: list[AnyEvent] = []
    undone, docket = session.undone, session.docket
    told = iter(told)
    for event in told:
        kind = type(event)
        if kind in _OWN_EVENTS:
            if own:
                trail.append(Step(number, before, tuple(own)))
                own = []
            if kind in _NO_STEP:
                after_it = evolve(Session(game, Trail(trail), undone, number, docket), event)
                game, trail, number = after_it.game, list(after_it.trail), after_it.number
                undone, docket = after_it.undone, after_it.docket
                continue
            before, undone = game, ()
            number += 1
            own = [event]
        elif own:
            own.append(event)
        else:
            return _folded_on(Session(game, Trail(trail), undone, number, docket), event, told)
        game = evolve_game(game, event, number)
    if own:
        trail.append(Step(number, before, tuple(own)))
    return Session(game, Trail(trail), undone, number, docket)


def _folded_on(session: Session, event: AnyEvent, rest: Iterable[AnyEvent]) -> Session:
    """Goes on one by one: the event follows from an entry that was folded before, or from one without a step."""
    session = evolve(session, event)
    for following in rest:
        session = evolve(session, following)
    return session


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
    return replace(session, number=session.number + 1)


def last_effective(session: Session) -> int | None:
    """The number of the entry that an undo may name now; none before the session is open or with only `open` left."""
    return session.trail[-1].number if len(session.trail) > 1 else None


def last_undone(session: Session) -> int | None:
    """The number of the entry that a redo may name now."""
    return session.undone[-1].steps[-1].number if session.undone else None


def _first_at(session: Session, place: int) -> int | None:
    """Where in the trail the deal at a place begins, `open` left out."""
    for at, step in enumerate(session.trail[1:], start=1):
        if not is_marker(step) and deal_place(after(session.trail, session.game, at)) >= place:
            return at
    return None


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
    begin = _first_at(session, deal_place(session.game))
    first = session.trail[begin].number if begin is not None else None
    if begin is None or first is None or entry.start < first:
        text = f"entry {entry.start} is not part of the current deal"
        if first is not None:
            text += f", which begins with entry {first}"
        return _conflict("not_in_this_deal", text, start=entry.start, first=first)
    # Only there: what a correction put into an earlier deal has a later number.
    deal = enumerate(session.trail[begin:], start=begin)
    at = next((i for i, step in deal if step.number >= entry.start and not is_marker(step)), None)
    if at is None:
        return _conflict("nothing_to_withdraw", f"no effective entry from {entry.start} on", start=entry.start)
    taken = session.trail[at:]
    if fixed := next((step for step in taken if isinstance(step.events[0], events.CorrectionMade)), None):
        text = f"the correction of entry {fixed.number} stands after entry {entry.start}; it has to be undone first"
        return _conflict("correction_stands", text, start=entry.start, correction=fixed.number)
    return (events.EntriesWithdrawn(start=entry.start, taken=tuple(step.number for step in taken)),)


def _undone(session: Session, number: int) -> Session:
    if not session.trail:
        raise Impossible("nothing is left to undo")
    step = session.trail[-1]
    keep = len(session.trail) - 1 - step.stands_for
    gone = Undone(session.trail[keep:], session.game)
    trail = Trail((*session.trail[:keep], *step.taken))
    return Session(step.before, trail, (*session.undone, gone), number, session.docket)


def _redone(session: Session, number: int) -> Session:
    if not session.undone:
        raise Impossible("nothing was undone")
    back = session.undone[-1]
    trail = session.trail[: len(session.trail) - len(back.steps[-1].taken)]
    return Session(back.after, Trail((*trail, *back.steps)), session.undone[:-1], number, session.docket)


def _withdrawn(session: Session, event: events.EntriesWithdrawn, number: int) -> Session:
    at = len(session.trail) - len(event.taken)
    taken = session.trail[at:]
    if at < 1 or not taken:
        raise Impossible("a withdrawal takes entries back, and never open")
    step = Step(number, session.game, (event,), taken=taken)
    return Session(taken[0].before, Trail((*session.trail[:at], step)), (), number, session.docket)
