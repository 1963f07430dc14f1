"""Corrections: entries of finished deals are changed, and all later money is computed again.

The evening is a line of entries: those recorded, with the changes of all standing corrections put to them in
order. Undoing a correction is that line without its changes, and undoing the undoing the line with them again; a
correction whose entries a later one changed stands until that one is undone.

What was recorded as one deal and stands there again unchanged keeps what happened: its cards, its dealer and
whether it counts; only what it paid follows the corrected balances and pool. Everything else is judged anew, entry
by entry, from the game as it stood before. The result is a line of entries with their events; folding it
(`domain.evolve`) gives the game as if the evening had been recorded so from the start.
"""

from collections.abc import Iterable, Iterator, Sequence

from domain import entries, events
from domain.comparison import moved
from domain.decide import decide_game
from domain.entry_events import entry_of
from domain.events import DealCorrected, Dropped, Kept, Stands
from domain.evolve import Impossible
from domain.game import (
    Game,
    Opening,
    Over,
    Resting,
    Step,
    Steps,
    UnderWay,
    deal_place,
)
from domain.refusal import Refusal, refuse
from domain.retelling import Events, as_dealt, dealt_by, evolve_again, paid_again, to_be_judged
from domain.seats import Four
from domain.value import Value

_ENDS = (events.SessionEnded, events.SessionClosed, events.SessionAbandoned)
_NEVER_PUT = (
    entries.Open,
    entries.Undo,
    entries.Redo,
    entries.Withdraw,
    entries.Dispute,
    entries.Resolve,
    entries.Acknowledge,
    entries.Sign,
    entries.Correct,
)

Ref = tuple[int, int]
"""An entry's number, and its part if a correction put it in."""


class _Edit(Value, frozen=True):
    """The changes that a correction of some number puts to the line."""

    number: int
    changes: tuple[entries.Change, ...]


class _Line(Value, frozen=True):
    """A line to come: its entries by their refs, in order, and what is known of each.

    `steps` are recorded ones, the latest of each; an entry that this correction puts in has the step at which it is
    put, and stands in `puts`.
    """

    refs: tuple[Ref, ...]
    steps: dict[Ref, Step]
    puts: dict[Ref, entries.Entry]

    def entry(self, at: Ref) -> entries.Entry:
        put = self.puts.get(at) or entry_of(self.steps[at].events[0])
        if put is None:
            raise Impossible("a step begins with an entry's own event")
        return put


def ref(step: Step) -> Ref:
    """By what a correction names an entry in force."""
    return step.number, step.part


def is_marker(step: Step) -> bool:
    """Does the step stand in the trail for what it took out, and not for something that happened at the table?"""
    return isinstance(step.events[0], events.EntriesWithdrawn | events.CorrectionMade)


def after(trail: Steps, game: Game, at: int) -> Game:
    """The game right after a step of the trail; `game` is the one after the last."""
    # A marker changes nothing itself: the game behind it is the one behind the step below it.
    at += 1
    while at < len(trail) and is_marker(trail[at]):
        at += 1
    return trail[at].before if at < len(trail) else game


def in_force(trail: Steps) -> Steps:
    """The entries in force, without what stands in the trail for entries that it took out."""
    return tuple(step for step in trail if not is_marker(step))


def deals_of(trail: Steps, game: Game) -> list[Steps]:
    """The entries in force deal by deal, `open` left out; the end of the session stands behind them by itself."""
    told: list[list[Step]] = []
    place: int | None = None
    for at, step in enumerate(trail):
        if is_marker(step) or isinstance(step.events[0], events.SessionOpened):
            continue
        here = None if isinstance(step.events[0], _ENDS) else deal_place(after(trail, game, at))
        if not told or here is None or here != place:
            told.append([])
        told[-1].append(step)
        place = here
    return [tuple(deal) for deal in told]


def history(trail: Steps) -> list[Step]:
    """Every correction that the recorder has not taken back by `undo`, those undone by another one too, in order."""
    made: list[Step] = []
    look = list(trail)
    while look:
        step = look.pop()
        if isinstance(step.events[0], events.CorrectionMade):
            made.append(step)
            look += step.taken
    return sorted(made, key=lambda step: step.number)


def standing(trail: Steps) -> list[int]:
    """The numbers of the corrections that stand, in order; one that undoes another is one too."""
    return _standing([(step.number, _made(step).undoes) for step in history(trail)])


def _standing(made: Sequence[tuple[int, int | None]]) -> list[int]:
    """Which corrections stand, of all in order with what each of them undoes."""
    stands: list[int] = []
    undone: set[int | None] = set()
    for number, undoes in reversed(made):
        # Only a later one undoes a correction, so whether that one stands is known already.
        if number not in undone:
            stands.append(number)
            undone.add(undoes)
    return stands[::-1]


def _made(step: Step) -> events.CorrectionMade:
    made = step.events[0]
    if not isinstance(made, events.CorrectionMade):
        raise Impossible("a correction's step begins with its own event")
    return made


def correct(trail: Steps, game: Game, entry: entries.Correct, number: int) -> Events | Refusal:
    """The correction with what it changes line by line, or why it is refused; `number` is the correction's own."""
    if refused := _misplaced(trail, game, entry.changes):
        return refused
    past = history(trail)
    made = [(step.number, _made(step).undoes) for step in past]
    if entry.undoes is not None and entry.undoes not in _standing(made):
        told = "is undone already" if entry.undoes in dict(made) else "is no correction in force"
        return Refusal("no_such_correction", f"entry {entry.undoes} {told}", family="not_found")
    stands = _standing([*made, (number, entry.undoes)])
    edits = [_Edit(step.number, _made(step).changes) for step in past if step.number in stands]
    steps = {ref(step): step for before in past for step in in_force(before.taken)}
    steps |= {ref(step): step for step in in_force(trail)}
    recorded = sorted(at for at in steps if not at[1])
    line = _edited(recorded, edits)
    if isinstance(line, Refusal):
        return line
    puts: dict[Ref, entries.Entry] = {}
    places = {at: place for place, at in enumerate(line)}
    for change in sorted(entry.changes, key=lambda change: places[change.at, change.part]):
        for put in change.put:
            at = (number, len(puts) + 1)
            puts[at], steps[at] = put, steps[change.at, change.part]
    line = _edited(line, [_Edit(number, entry.changes)])
    assert not isinstance(line, Refusal), "the changes were found in force"
    return _corrects(trail, game, entry, _Line(tuple(line), steps, puts))


def _corrects(trail: Steps, game: Game, entry: entries.Correct, line: _Line) -> Events | Refusal:
    """The correction that turns the line in force into another."""
    was = [ref(step) for step in in_force(trail)]
    deals = deals_of(trail, game)
    first = _begin(was, line.refs, {ref(deal[0]) for deal in deals})
    start = next(at for at, step in enumerate(trail) if not is_marker(step) and ref(step) == was[first])
    above = len(deals[-1]) if isinstance(game, UnderWay) else 0
    known = {tuple(map(ref, deal)): deal for step in history(trail) for deal in deals_of(step.taken, step.before)}
    known |= {tuple(map(ref, deal)): deal for deal in deals}
    told = _told(line, first, after(trail, game, start - 1), known, above, {ref(deal[0]) for deal in deals})
    if isinstance(told, Refusal):
        return told
    now, stands = told
    old = [step for step in trail[start:] if not is_marker(step)]
    if [entry_of(one.events[0]) for one in stands] == [entry_of(step.events[0]) for step in old]:
        return refuse("nothing_changed", None, "the correction changes nothing: the same entries would stand")
    made = events.CorrectionMade(
        changes=entry.changes,
        undoes=entry.undoes,
        reason=entry.reason,
        law=entry.law,
        dispute=entry.dispute,
        first=start,
        line=tuple(_written(old, stands)),
        above=above,
    )
    return (made, *_differences(game, now))


def _begin(was: Sequence[Ref], now: Sequence[Ref], begins: set[Ref]) -> int:
    """Where the deal begins in which two lines first differ; an entry put right behind a deal belongs to it."""
    same = 0
    while same < min(len(was), len(now)) and was[same] == now[same]:
        same += 1
    return max((at for at in range(1, max(same, 2)) if was[at] in begins), default=1)


def corrected(trail: Steps, game: Game, event: events.CorrectionMade, number: int) -> tuple[Steps, Game]:
    """The trail and the game after a correction, by folding its line; the deal in progress stays above it."""
    old = tuple(step for step in trail[event.first :] if not is_marker(step))
    place = 0
    line: list[Step] = []
    now = after(trail, game, event.first - 1)

    def tell(number: int, part: int, told: Events) -> None:
        nonlocal now
        line.append(Step(number, now, told, part))
        for one in told:
            now = evolve_again(now, one, number)

    for piece in event.line:
        match piece:
            case Kept():
                for step in old[place : place + piece.count]:
                    now = as_dealt(now, step)
                    tell(step.number, step.part, step.events)
                place += piece.count
            case Dropped():
                place += piece.count
            case Stands():
                if piece.dealer is not None and isinstance(now, Resting):
                    now = dealt_by(now, piece.dealer)
                tell(piece.number, piece.part, piece.events)
    steps = tuple(line)
    done = len(steps) - event.above
    taken = tuple(trail[event.first : _open_from(trail, event.above)])
    before = trail[event.first + len(taken)].before if event.first + len(taken) < len(trail) else game
    marker = Step(number, before, (event,), taken=taken, stands_for=done)
    return (*trail[: event.first], *steps[:done], marker, *steps[done:]), now


def _open_from(trail: Steps, above: int) -> int:
    """Where the last `above` entries that are no markers begin."""
    at = len(trail)
    while above:
        at -= 1
        above -= not is_marker(trail[at])
    return at


def _misplaced(trail: Steps, game: Game, changes: tuple[entries.Change, ...]) -> Refusal | None:
    """Why changes cannot be put to the line in force, whatever they would lead to."""
    places = {ref(step): at for at, step in enumerate(trail) if not is_marker(step)}
    under_way = deal_place(game) if isinstance(game, UnderWay) else None
    changed: set[int] = set()
    for change in changes:
        at, named = places.get((change.at, change.part)), _named((change.at, change.part))
        if at is None:
            return Refusal("not_in_force", f"entry {named} is not in force", family="not_found")
        if at == 0:
            return refuse("opening_stays", None, "the opening itself is not corrected; seats are, by reseat")
        if at in changed:
            return refuse("changed_twice", None, f"entry {named} is changed twice in one correction")
        if deal_place(after(trail, game, at)) == under_way:
            return refuse("deal_under_way", None, f"entry {named} is of the deal in progress: undo or withdraw it")
        if unfit := next((put for put in change.put if isinstance(put, _NEVER_PUT)), None):
            kind = str(unfit.__struct_config__.tag)
            return refuse("cannot_be_put", None, f"{kind} cannot be put in by a correction", entry=kind)
        changed.add(at)
    return None


def _named(at: Ref) -> str:
    """An entry as a person names it: 12, or 12.1 for the first that correction 12 put in."""
    return f"{at[0]}.{at[1]}" if at[1] else str(at[0])


def _edited(recorded: Sequence[Ref], edits: Iterable[_Edit]) -> list[Ref] | Refusal:
    """The line that corrections make of the recorded entries, one after the other.

    What a correction took out keeps its place until the end, so that the line without that correction has it there.
    """
    line, gone = list(recorded), set[Ref]()
    for edit in edits:
        changes = {(change.at, change.part): change for change in edit.changes}
        if lost := next((at for at in changes if at in gone or at not in line), None):
            text = f"correction {edit.number} has changed entry {_named(lost)} since; that one has to be undone first"
            return Refusal("changed_since", text, family="conflict", facts={"correction": edit.number})
        edited: list[Ref] = []
        part = 0
        for at in line:
            edited.append(at)
            change = changes.get(at)
            if change is None:
                continue
            if not change.after:
                gone.add(at)
            for _ in change.put:
                part += 1
                edited.append((edit.number, part))
        line = edited
    return [at for at in line if at not in gone]


def _told(
    line: _Line, first: int, game: Game, known: dict[tuple[Ref, ...], Steps], above: int, begins: set[Ref]
) -> tuple[Game, list[Stands]] | Refusal:
    """Folds the line to come from one of its places on: the game after it, and its entries with their events.

    A deal that is known keeps what happened and pays what is due now; other entries are judged. `begins` are the
    entries by which the deals of the line in force begin; the last `above` entries are of the deal in progress.
    """
    sizes: dict[Ref, set[int]] = {}
    for deal_refs in known:
        sizes.setdefault(deal_refs[0], set()).add(len(deal_refs))
    refs, at = line.refs, first
    stands: list[Stands] = []
    while at < len(refs):
        longest_first = sorted(sizes.get(refs[at], ()), reverse=True)
        same = (known.get(refs[at : at + size]) for size in longest_first)
        deal = next((deal for deal in same if deal is not None and _follows(game, deal[0])), None)
        if deal is None and at >= len(refs) - above:
            return _left_open(f"before the deal in progress, which begins with entry {_named(refs[at])}")
        for step in deal or (line.steps[refs[at]],):
            number, part = refs[at]
            rested = as_dealt(game, step)
            dealer = rested.base.dealer if rested is not game and isinstance(rested, Resting) else None
            try:
                if deal is None:
                    told = decide_game(to_be_judged(rested, step), line.entry(refs[at]), number)
                else:
                    told = paid_again(rested, step, number)
                if isinstance(told, Refusal):
                    if refs[at] in begins and not isinstance(game, Resting):
                        return _left_open(f"before entry {_named(refs[at])}")
                    return _would_be_refused(line, refs[at], told)
                game = rested
                for event in told:
                    game = evolve_again(game, event, number)
            except Impossible as error:
                return refuse("does_not_follow", None, f"entry {_named(refs[at])} would not follow any more: {error}")
            stands.append(Stands(number, told, part, dealer))
            at += 1
    if not above and not isinstance(game, Resting | Over):
        return _left_open("before the end of the record")
    return game, stands


def _follows(game: Game, first: Step) -> bool:
    """Is the game where a deal of the record can begin, or its end stand, as it was told?"""
    if isinstance(game, Resting):
        return True
    begins = isinstance(first.before, Opening) or isinstance(first.events[0], _ENDS)
    return begins and type(game) is type(first.before)


def _left_open(where: str) -> Refusal:
    return refuse("deal_left_open", None, f"the corrected deal would not come to its end {where}")


def _would_be_refused(line: _Line, at: Ref, why: Refusal) -> Refusal:
    kind = str(line.entry(at).__struct_config__.tag)
    named = f"the {kind} put in" if at in line.puts else f"entry {_named(at)} ({kind})"
    return Refusal(why.code, f"{named} would be refused: {why.message}", why.rule, why.family, why.facts)


def _written(old: Sequence[Step], stands: list[Stands]) -> Iterator[Kept | Dropped | Stands]:
    """The line to come as pieces: runs that stay, runs that go, and what stands anew."""
    places = {ref(step): place for place, step in enumerate(old)}
    place, kept = 0, 0
    for stand in stands:
        was = places.get((stand.number, stand.part))
        if was is not None and was == place and old[was].events == stand.events:
            kept += 1
            place += 1
            continue
        if kept:
            yield Kept(kept)
            kept = 0
        if was is not None:
            yield Dropped(was + 1 - place)
            place = was + 1
        yield stand
    if kept:
        yield Kept(kept)
    if place < len(old):
        yield Dropped(len(old) - place)


def _differences(was: Game, now: Game) -> Iterator[DealCorrected]:
    """What the correction changed, line by line of the score sheet; the line behind the last is what came after it."""
    for line, (old, new) in enumerate(zip(*moved(was, now), strict=True), start=1):
        deltas = Four(*(after - then for after, then in zip(new, old, strict=True)))
        if any(deltas):
            yield DealCorrected(line=line, deltas=deltas, pool_paid=-sum(deltas))
