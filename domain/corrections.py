"""Corrections: entries of finished deals are changed, and all later money is computed again.

The deals that a correction touches are judged anew, entry by entry, from the game as it stood before
them. Later deals are not: they keep their cards, their dealer and whether they count, and only what they
paid follows the corrected balances and pool. The result is a line of entries with their events; folding
it (`domain.evolve`) gives the game as if the evening had been recorded so from the start.
"""

from collections.abc import Iterator
from itertools import pairwise

import msgspec
from msgspec.structs import replace

from domain import entries, events
from domain.decide import contribution_due, decide_game, division, reversal, stake_due, with_contribution
from domain.entry_events import entry_of
from domain.events import AnyEvent, DealCorrected, Dropped, Kept, Stands
from domain.evolve import Impossible, evolve_game
from domain.game import (
    BetweenDeals,
    Closed,
    Contracted,
    Contracting,
    Finished,
    Game,
    Resting,
    Step,
    Trail,
    UnderWay,
    Unopened,
    deal_place,
)
from domain.pool import put_in
from domain.refusal import Refusal, refuse
from domain.seats import Four, Seat, add, each
from domain.settlement import Result, fine, settle, settle_partout

_DEALING = (
    events.PacksShuffled,
    events.PackCut,
    events.PreferenceExposed,
    events.CardsDealt,
    events.ContractReported,
)
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

Events = tuple[AnyEvent, ...]


class _Item(msgspec.Struct, frozen=True):
    """An entry of the line to come: from a step that was recorded, or `put` in by this correction.

    `step` is the recorded one, or the one that it is put at. `old` is its place among the steps that the correction
    goes over, if it is one of them; `judged` says that its deal is touched.
    """

    number: int
    part: int
    step: Step
    put: entries.Entry | None = None
    old: int | None = None
    judged: bool = False


class _Target(msgspec.Struct, frozen=True):
    """The line to come: behind the first `first` steps of the trail, after which the game was `before`, in place of
    the steps `old`.
    """

    first: int
    before: Game
    old: Trail
    line: tuple[_Item, ...]


def is_marker(step: Step) -> bool:
    """Does the step stand in the trail for what it took out, and not for something that happened at the table?"""
    return isinstance(step.events[0], events.EntriesWithdrawn | events.CorrectionMade)


def after(trail: Trail, game: Game, at: int) -> Game:
    """The game right after a step of the trail; `game` is the one after the last."""
    # A marker changes nothing itself: the game behind it is the one behind the step below it.
    at += 1
    while at < len(trail) and is_marker(trail[at]):
        at += 1
    return trail[at].before if at < len(trail) else game


def correct(trail: Trail, game: Game, entry: entries.Correct, number: int) -> Events | Refusal:
    """The correction with what it changes line by line, or why it is refused; `number` is the correction's own."""
    undoes = entry.undoes
    target = _undone(trail, game, undoes) if undoes is not None else _changed(trail, game, entry, number)
    if isinstance(target, Refusal):
        return target
    told = _told(target, judging=undoes is None)
    if isinstance(told, Refusal):
        return told
    now, stands = told
    line = tuple(_written(target, stands))
    if all(isinstance(part, Kept) for part in line):
        return refuse("nothing_changed", None, "the correction changes nothing")
    open_from = len(trail)
    if isinstance(game, UnderWay):
        place = deal_place(game)
        open_from = next(at for at in range(len(trail)) if deal_place(after(trail, game, at)) == place)
    made = events.CorrectionMade(
        changes=entry.changes,
        undoes=entry.undoes,
        reason=entry.reason,
        law=entry.law,
        dispute=entry.dispute,
        first=target.first,
        line=line,
        above=sum(1 for step in trail[open_from:] if not is_marker(step)),
    )
    return (made, *_differences(game, now))


def corrected(trail: Trail, game: Game, event: events.CorrectionMade, number: int) -> tuple[Trail, Game]:
    """The trail and the game after a correction, by folding its line; the deal in progress stays above it."""
    old = tuple(step for step in trail[event.first :] if not is_marker(step))
    place = 0
    line: list[Step] = []
    now = after(trail, game, event.first - 1)

    def tell(number: int, part: int, told: Events) -> None:
        nonlocal now
        line.append(Step(number, now, told, part))
        for one in told:
            now = _as_told(now, one, number)

    for piece in event.line:
        match piece:
            case Kept():
                for step in old[place : place + piece.count]:
                    now = _at_rest(now, step)
                    tell(step.number, step.part, step.events)
                place += piece.count
            case Dropped():
                place += piece.count
            case Stands():
                if piece.dealer is not None and isinstance(now, Resting):
                    now = _dealt_by(now, piece.dealer)
                tell(piece.number, piece.part, piece.events)
    steps = tuple(line)
    done = len(steps) - event.above
    taken = trail[event.first : _open_from(trail, event.above)]
    before = trail[event.first + len(taken)].before if event.first + len(taken) < len(trail) else game
    marker = Step(number, before, (event,), taken=taken, stands_for=done)
    return (*trail[: event.first], *steps[:done], marker, *steps[done:]), now


def _open_from(trail: Trail, above: int) -> int:
    """Where the last `above` entries that are no markers begin."""
    at = len(trail)
    while above:
        at -= 1
        above -= not is_marker(trail[at])
    return at


def _as_told(game: Game, event: AnyEvent, number: int) -> Game:
    if isinstance(event, _DEALING) and isinstance(game, Finished):
        # A deal now counts that did not when the next one was dealt.
        game = BetweenDeals(game.base, game.last)
    return evolve_game(game, event, number)


def _at_rest(game: Game, recorded: Step) -> Game:
    """Between deals, the next dealer is the one who really dealt."""
    if isinstance(game, Resting) and isinstance(recorded.before, Resting):
        return _dealt_by(game, recorded.before.base.dealer)
    return game


def _dealt_by(game: Resting, dealer: Seat) -> Resting:
    return game if game.base.dealer == dealer else replace(game, base=replace(game.base, dealer=dealer))


def _undone(trail: Trail, game: Game, undoes: int) -> _Target | Refusal:
    """The line as it was before an earlier correction, with what has been recorded since behind it."""
    at = next((i for i, step in enumerate(trail) if isinstance(step.events[0], events.CorrectionMade)
               and step.number == undoes), None)  # fmt: skip
    if at is None:
        return Refusal("no_such_correction", f"entry {undoes} is no correction in force", family="not_found")
    first = at - trail[at].stands_for
    old = tuple(step for step in trail[first:] if not is_marker(step))
    places = {(step.number, step.part): place for place, step in enumerate(old)}
    since = trail[at + 1 :]
    line = [step for step in (*trail[at].taken, *since) if not is_marker(step)]
    items = tuple(_Item(s.number, s.part, s, None, places.get((s.number, s.part))) for s in line)
    return _Target(first, after(trail, game, first - 1), old, items)


def _changed(trail: Trail, game: Game, entry: entries.Correct, number: int) -> _Target | Refusal:
    force = [at for at, step in enumerate(trail) if not is_marker(step)]
    refs = {(trail[at].number, trail[at].part): at for at in force}
    open_place = deal_place(game) if isinstance(game, UnderWay) else None
    changes: dict[int, entries.Change] = {}
    touched: set[int] = set()
    for change in entry.changes:
        at = refs.get((change.at, change.part))
        if at is None:
            ref = f"{change.at}.{change.part}" if change.part else str(change.at)
            return Refusal("not_in_force", f"entry {ref} is not in force", family="not_found")
        if at == 0:
            return refuse("opening_stays", None, "the opening itself is not corrected; seats are, by reseat")
        if at in changes:
            return refuse("changed_twice", None, f"entry {change.at} is changed twice in one correction")
        place = deal_place(after(trail, game, at))
        if place == open_place:
            return refuse("deal_under_way", None, f"entry {change.at} is of the deal in progress: undo or withdraw it")
        if unfit := next((put for put in change.put if isinstance(put, _NEVER_PUT)), None):
            kind = str(unfit.__struct_config__.tag)
            return refuse("cannot_be_put", None, f"{kind} cannot be put in by a correction", entry=kind)
        changes[at] = change
        touched.add(place)
    first = min(changes)
    line: list[_Item] = []
    old: list[Step] = []
    part = 0
    for at in force:
        if at < first:
            continue
        step, here = trail[at], changes.get(at)
        judged = deal_place(after(trail, game, at)) in touched
        if here is None or here.after:
            line.append(_Item(step.number, step.part, step, None, len(old), judged))
        old.append(step)
        for put in here.put if here is not None else ():
            part += 1
            line.append(_Item(number, part, step, put, None, True))
    return _Target(first, after(trail, game, first - 1), tuple(old), tuple(line))


def _told(target: _Target, judging: bool) -> tuple[Game, list[Stands]] | Refusal:
    """Folds the line to come: touched deals are judged, the others keep what happened and pay what is due now.

    `judging` says that the line begins inside a touched deal, of which nothing may be left to judge.
    """
    game = target.before
    stands: list[Stands] = []
    for item in target.line:
        if judging and not item.judged and not isinstance(game, Resting | Closed):
            return refuse("deal_left_open", None, "the corrected deal would not come to its end")
        judging = item.judged
        rested = _at_rest(game, item.step)
        dealer = rested.base.dealer if rested is not game and isinstance(rested, Resting) else None
        try:
            if judging:
                told = decide_game(rested, _entry(item), item.number)
            else:
                told = _paid_anew(rested, item.step, item.number)
            if isinstance(told, Refusal):
                return _would_be_refused(item, told)
            game = rested
            for event in told:
                game = _as_told(game, event, item.number)
        except Impossible as error:
            return refuse("does_not_follow", None, f"entry {item.number} would not follow any more: {error}")
        stands.append(Stands(item.number, told, item.part, dealer))
    if judging and not isinstance(game, Resting | Closed):
        return refuse("deal_left_open", None, "the corrected deal would not come to its end")
    return game, stands


def _entry(item: _Item) -> entries.Entry:
    if item.put is not None:
        return item.put
    entry = entry_of(item.step.events[0])
    if entry is None:
        raise Impossible("a step begins with an entry's own event")
    return entry


def _would_be_refused(item: _Item, why: Refusal) -> Refusal:
    kind = _entry(item).__struct_config__.tag
    named = f"the {kind} put in" if item.put is not None else f"entry {item.number}, a {kind},"
    return Refusal(why.code, f"{named} would be refused: {why.message}", why.rule, why.family, why.facts)


def _paid_anew(game: Game, step: Step, number: int) -> Events:
    """The events of a recorded entry with what is paid now; contributions come and go with the pool."""
    start = game
    ruled = isinstance(step.events[0], events.RevokeRuled)
    told: list[AnyEvent] = []
    for recorded in step.events:
        if isinstance(recorded, events.ContributionMade):
            continue
        paid = _money(start, game, recorded)
        due: Events = (paid,)
        if isinstance(paid, events.DealSettled) and not ruled and not isinstance(game, Unopened):
            due = with_contribution(game.base, paid)
        if isinstance(paid, events.FinePaid) and ruled and not isinstance(game, Unopened):
            # A ruling's fine is paid last, when its deal has been counted.
            due = (paid, *contribution_due(game.base.rules, game.base.counted, paid))
        if isinstance(recorded, _DEALING) and isinstance(start, BetweenDeals | Finished):
            due = (*due, *stake_due(BetweenDeals(start.base, start.last)))
        for event in due:
            told.append(event)
            game = _as_told(game, event, number)
    return tuple(told)


def _money(start: Game, game: Game, event: AnyEvent) -> AnyEvent:
    """An event as it is paid now; `start` is the game before its entry, `game` the one right before the event."""
    if isinstance(start, Unopened) or isinstance(game, Unopened):
        return event
    base = game.base
    match event:
        case events.DealSettled() if isinstance(game, Contracting):
            if event.outcome == "misere_partout" and event.tricks is not None:
                return replace(settle_partout(base, event.tricks), next_dealer=event.next_dealer)
            contract = _contract(event, game)
            result = Result(event.outcome == "made", event.shortfall, event.tricks, event.conceded)
            return replace(settle(base, contract, result), next_dealer=event.next_dealer)
        case events.FinePaid():
            return fine(base.balances, base.pool, base, event.seat, event.amount, event.why)
        case events.DealThrownIn():
            pool = put_in(base.pool, 4 * event.fine, base.rules.cap)
            return replace(event, balances=add(base.balances, each(-event.fine)), pool=pool)
        case events.SettlementReversed() if isinstance(start, Resting) and start.last is not None:
            return reversal(start.base, start.last.deal.base)
        case events.TransferRuled():
            return replace(event, balances=add(base.balances, event.deltas))
        case events.PoolsDivided():
            return division(base, event.early)
        case _:
            return event


def _contract(event: events.DealSettled, game: Contracting) -> Contracted:
    if game.contract is None or event.contract is None or event.caller is None:
        raise Impossible("a settlement of a contract names it")
    return game.contract


def _written(target: _Target, stands: list[Stands]) -> Iterator[Kept | Dropped | Stands]:
    """The line to come as pieces: runs that stay, runs that go, and what stands anew."""
    place, kept = 0, 0
    for item, stand in zip(target.line, stands, strict=True):
        if item.old is not None and item.old == place and target.old[place].events == stand.events:
            kept += 1
            place += 1
            continue
        if kept:
            yield Kept(kept)
            kept = 0
        if item.old is not None:
            yield Dropped(item.old + 1 - place)
            place = item.old + 1
        yield stand
    if kept:
        yield Kept(kept)
    if place < len(target.old):
        yield Dropped(len(target.old) - place)


def _differences(was: Game, now: Game) -> Iterator[DealCorrected]:
    """What the correction changed, line by line of the score sheet; the line behind the last is what came after it."""
    before, behind = _movements(was), _movements(now)
    differ = next((at for at, (old, new) in enumerate(zip(before, behind, strict=False)) if old != new), 0)
    # A line that only one of them has stands against nothing, so that the lines behind it are compared with their own.
    before[differ:differ] = [each(0)] * (len(behind) - len(before))
    behind[differ:differ] = [each(0)] * (len(before) - len(behind))
    for line, (old, new) in enumerate(zip(before, behind, strict=True), start=1):
        deltas = Four(*(after - then for after, then in zip(new, old, strict=True)))
        if any(deltas):
            yield DealCorrected(line=line, deltas=deltas, pool_paid=-sum(deltas))


def _movements(game: Game) -> list[Four[int | float]]:
    """What moved on each line of the score sheet, and after the last."""
    if isinstance(game, Unopened):
        return []
    told: list[Four[int | float]] = [each(game.base.rules.start), *(row.balances for row in game.base.rows)]
    told.append(game.final if isinstance(game, Closed) else game.base.balances)
    return [Four(*(after - then for after, then in zip(new, old, strict=True))) for old, new in pairwise(told)]
