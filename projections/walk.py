"""The one walk over a session's log, from its events to its evening: one arm for each event that tells something.

Undone and withdrawn entries are left out and corrected ones stand in their place (`domain.mainline`).
What happened at the table and was taken back there, a cancelled or ruled settlement, stays as a movement of
money and its reversal (rule 34).

`Evening.moves` is what moved as the evening is corrected now. `Evening.postings` is how it got there: each movement
as it was paid, and what a correction put right as a movement of its own. The two sum to the same balances.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec

from domain import events
from domain.cards import SAME_COLOUR
from domain.checks import SettlementChecks
from domain.events import AnyEvent, FindingMade, SessionOpened
from domain.game import Outcome, Seating
from domain.mainline import Recorded as InForce
from domain.mainline import main_line
from domain.pace import Pace, Timed
from domain.pool import Pool
from domain.seats import SEATS, Four, Seat, each
from projections.evening import Deal, Dispute, Evening, Found, Kind, Meta, Move, Recorded, clock

Amounts = tuple[int | float, int | float, int | float, int | float]
Line = list[InForce[Recorded]]


def evening(meta: Meta, log: Iterable[Recorded]) -> Evening:
    """Folds a session's whole log, in order, to its evening; raises `ValueError` where its opening is missing."""
    return Walk(meta, log).evening()


class Walk:
    """The walk over the log of one session, which goes on from where it stands as long as nothing is taken back."""

    def __init__(self, meta: Meta, log: Iterable[Recorded]) -> None:
        log = list(log)
        if not log:
            raise ValueError(f"the log of session {meta.session_id} is empty")
        self._meta = meta
        self._told: Evening | None = None
        self._checks = SettlementChecks()
        self._checked: list[FindingMade] = []
        self._pace = Pace()
        self._where: dict[int, tuple[int, int]] = {}
        self._beside: list[Recorded] = []
        self._upto = 0
        corrected = any(type(recorded.data) is events.CorrectionMade for recorded in log)
        self._postings: list[Move] | None = _postings(meta, log) if corrected else None
        self.goes_on(log)

    def leads_to(self, log: Iterable[Recorded]) -> bool:
        """Can the walk go on to these events? Not where they take back what it passed, and not behind a correction."""
        return self._postings is None and not any(self._takes_back(recorded.data) for recorded in log)

    def alters(self, log: Iterable[Recorded]) -> bool:
        """Can any of these events alter what the walk has told? Taking back what came later cannot."""
        for recorded in log:
            kind = type(recorded.data)
            if kind in LASTING and (kind not in TAKEN_BACK or self._takes_back(recorded.data)):
                return True
        return False

    def _takes_back(self, event: AnyEvent) -> bool:
        """Does the event take back, or restore, anything up to the entry that was passed last?"""
        match event:
            case events.EntryUndone() | events.EntryRedone():
                return event.target <= self._upto
            case events.EntriesWithdrawn():
                return event.start <= self._upto
            case _:
                return type(event) in TAKEN_BACK

    def goes_on(self, log: Sequence[Recorded]) -> None:
        """Passes the next entries of the log, whole ones, to which it leads."""
        for entry in _line(log):
            told, number = self._told, entry.number
            # What comes before the first deal is its opening; what comes behind a deal's end is no part of its play.
            played = told is not None and (told.at_table is not None or not told.deals)
            self._told = told = _tell(self._meta, told, entry)
            deal = _of(told)
            place = deal.place if deal else int(played)
            self._where[number] = entry.events[0][1].version, place
            self._checked += self._checks.of(number, [event for event, _ in entry.events])
            # What a correction put in, or came without the tablet's time, has no pace.
            recorded = entry.recorded
            if recorded.tablet is not None and not entry.part and (played or told.at_table is not None):
                self._pace.passes(Timed(number, place, clock(recorded).timestamp()))
        self._upto = log[-1].entry if log else self._upto
        self._beside += [recorded for recorded in log if type(recorded.data) in BESIDE]

    def evening(self) -> Evening:
        """The evening as far as the walk has come; it stays so when the walk goes on."""
        assert self._told is not None, "an empty log has no walk"
        told = msgspec.structs.replace(
            self._told,
            seatings=list(self._told.seatings),
            deals=[*self._told.deals[:-1], *map(_as_it_stands, self._told.deals[-1:])],
            moves=list(self._told.moves),
            findings=[msgspec.structs.replace(found) for found in self._told.findings],
            disputes=[],
        )
        ended = len(told.deals)
        paced = self._pace.findings(None if told.at_table is None else ended)
        for finding in (*self._checked, *paced):
            version, place = self._where[max(finding.entries)]
            if place <= ended:
                told.findings.append(Found(version, max(finding.entries), place, finding))
                if place:
                    deal = told.deals[place - 1]
                    told.deals[place - 1] = msgspec.structs.replace(deal, findings=deal.findings + 1)
        for recorded in self._beside:
            BESIDE[type(recorded.data)](told, recorded, recorded.data)
        told.postings = told.moves if self._postings is None else self._postings
        return told


def _as_it_stands(deal: Deal) -> Deal:
    """A deal for good. Only the one that ended last may still lie on the table again, or be paid for otherwise."""
    return msgspec.structs.replace(
        deal,
        calls=list(deal.calls),
        plays=list(deal.plays),
        irregular=list(deal.irregular),
        conceders=list(deal.conceders),
    )


def _line(log: Iterable[Recorded], corrected: bool = True) -> Line:
    return main_line(((recorded.entry, recorded.data, recorded) for recorded in log), corrected)


def _tell(meta: Meta, told: Evening | None, entry: InForce[Recorded]) -> Evening:
    """The evening with one more entry; `told` is filled in."""
    if told is not None and told.at_table is None and entry.dealer is not None:
        told.dealer = entry.dealer
    for event, recorded in entry.events:
        if told is None:
            told = _open(meta, event, recorded)
        elif arm := ARMS.get(type(event)):
            told.own, told.number = entry.recorded, entry.number
            arm(told, recorded, event)
            if type(recorded.data) is events.CorrectionMade and (deal := _of(told)):
                deal.corrected = True
    assert told is not None, "an entry in force has its own event"
    return told


def _postings(meta: Meta, log: list[Recorded]) -> list[Move]:
    """The movements as they were paid, with what corrections put right where they stand in the log."""
    told: Evening | None = None
    for entry in _line(log, corrected=False):
        made, recorded = entry.events[0]
        if isinstance(made, events.CorrectionMade):
            before = _line(past for past in log if past.entry <= recorded.entry)
            now: Evening | None = None
            for in_force in before[: len(before) - made.above]:
                now = _tell(meta, now, in_force)
            assert told is not None, "a correction comes after the opening"
            assert now is not None
            now.moves = told.moves
            for event, _ in entry.events[1:]:
                if isinstance(event, events.DealCorrected):
                    now.moves.append(_correction(now, recorded, event))
            told = now
        else:
            told = _tell(meta, told, entry)
    return told.moves if told is not None else []


def _correction(told: Evening, recorded: Recorded, event: events.DealCorrected) -> Move:
    """What a correction put right on one line of the score sheet; behind the last line it belongs to the last deal."""
    place = min(event.line, len(told.deals))
    number = told.deals[place - 1].number if place else 1
    amounts: Amounts = tuple(event.deltas)  # type: ignore[assignment]
    return Move(
        "correction", "correction", recorded.version, recorded.entry, place, number, amounts, pool=event.pool_paid
    )


def _open(meta: Meta, event: AnyEvent, recorded: Recorded) -> Evening:
    if not isinstance(event, SessionOpened):
        raise ValueError(f"the log of session {meta.session_id} does not begin with its opening")
    start = event.rule_set.start
    told = Evening(meta, event, recorded, [Seating(1, event.seats)], balances=each(start))
    _post(told, recorded, "start", "opening", (start,) * 4, issued=-4 * start)
    return told


def _post(told: Evening, recorded: Recorded, kind: Kind, reason: str, amounts: Amounts, **more: Any) -> None:
    deal = told.at_table or (told.deals[-1] if told.deals else None)
    place, number = (deal.place, deal.number) if deal else (0, 1)
    told.moves.append(Move(kind, reason, recorded.version, recorded.entry, place, number, amounts, **more))


def _at(told: Evening, recorded: Recorded) -> Deal:
    """The deal at the table, begun by this event if there was none."""
    deal = told.at_table
    if deal is None:
        dealer: Seat = told.dealer or "N"
        deal = told.at_table = Deal(len(told.deals) + 1, told.counted + 1, dealer, told.standing, told.own, told.number)
    return deal


def _of(told: Evening) -> Deal | None:
    """The deal that an event speaks of: the one at the table, else the one that ended last."""
    return told.at_table or (told.deals[-1] if told.deals else None)


def _begins(told: Evening, recorded: Recorded, event: AnyEvent) -> None:
    # Before the first dealer is known, a shuffle or a cut is part of the opening.
    if told.dealer is not None:
        _at(told, recorded)


def _first_dealer(told: Evening, recorded: Recorded, event: events.FirstDealerDrawn) -> None:
    told.dealer = event.seat


def _preference(told: Evening, recorded: Recorded, event: events.PreferenceExposed) -> None:
    deal, suit = _at(told, recorded), event.card[1]
    if told.opened.rule_set.preferences == "each_deal":
        deal.first = suit
    elif told.senior is None:
        told.senior = suit
    elif told.junior is None and suit != told.senior:
        told.junior = suit


def _call(told: Evening, recorded: Recorded, event: events.CallMade) -> None:
    _at(told, recorded).calls.append((event.seat, event.call))


def _concession(told: Evening, recorded: Recorded, event: events.ConcessionMade) -> None:
    _at(told, recorded).conceders.append(event.seat)


def _play(told: Evening, recorded: Recorded, event: events.CardPlayed) -> None:
    deal = told.at_table or _at(told, recorded)
    deal.plays.append((event.seat, event.card))
    if event.irregular:
        deal.irregular.append(event.seat)
    if event.evidence != "seen":
        deal.doubted = True


def _tricks(told: Evening, recorded: Recorded, event: events.TricksReported) -> None:
    _at(told, recorded).reported = True


def _end(told: Evening, recorded: Recorded, outcome: Outcome, counts: bool) -> Deal:
    """The deal at the table has come to its end."""
    deal = _at(told, recorded)
    deal.ended, deal.last_entry, deal.version = told.own, told.number, recorded.version
    deal.outcome, deal.counts = outcome, counts
    told.standing = deal.first if outcome in ("misdeal", "cancelled") else None
    if told.opened.rule_set.preferences == "session":
        deal.first, deal.second, told.standing = told.senior, told.junior, None
    elif deal.first is not None:
        deal.second = SAME_COLOUR[deal.first]
    told.counted += counts
    told.deals.append(deal)
    told.at_table = None
    return deal


def _reopen(told: Evening) -> None:
    """The deal that ended last lies on the table again, as it stood before its end."""
    deal = told.deals.pop()
    told.counted -= deal.counts
    told.dealer = deal.dealer
    told.at_table = deal


def _stands(told: Evening, balances: Four[int], pool: Pool) -> None:
    """What the score sheet says right after the deal that ended last."""
    deal = told.deals[-1]
    deal.balances, deal.pool, deal.moves = balances, pool, len(told.moves)


def _settled(told: Evening, recorded: Recorded, event: events.DealSettled) -> None:
    deal = _end(told, recorded, event.outcome, counts=True)
    deal.contract, deal.caller, deal.preference, deal.trumps = (
        event.contract,
        event.caller,
        event.preference,
        event.trumps,
    )
    deal.tricks, deal.shortfall, deal.conceded = event.tricks, event.shortfall, event.conceded
    deal.price, deal.pool_paid, deal.rule, deal.deltas = event.price, event.pool_paid, event.rule, event.deltas
    told.dealer, told.balances, told.pool = event.next_dealer, event.balances, event.pool
    paid = tuple(delta + (event.pool_paid if seat == event.caller else 0) for seat, delta in event.deltas.items())
    _post(told, recorded, "settlement", event.outcome, paid, seat=event.caller)  # type: ignore[arg-type]
    if event.pool_paid and event.caller is not None:
        kind: Kind = "pool_doubling" if event.pool_paid > 0 else "pool_win"
        amounts = _only(event.caller, -event.pool_paid)
        _post(
            told, recorded, kind, event.outcome, amounts, pool=event.pool_paid, seat=event.caller, pool_after=event.pool
        )
    _stands(told, event.balances, event.pool)


def _misdealt(told: Evening, recorded: Recorded, event: events.DealMisdealt) -> None:
    _end(told, recorded, "misdeal", counts=False)
    told.dealer = event.next_dealer
    _stands(told, told.balances, told.pool)


def _thrown_in(told: Evening, recorded: Recorded, event: events.DealThrownIn) -> None:
    _end(told, recorded, "thrown_in", counts=False)
    told.dealer = event.next_dealer
    told.balances, told.pool = event.balances, event.pool
    if event.fine:
        amounts = (-event.fine,) * 4
        _post(told, recorded, "fine", "thrown_in", amounts, pool=4 * event.fine, pool_after=event.pool)
    _stands(told, event.balances, event.pool)


def _cancelled(told: Evening, recorded: Recorded, event: events.DealCancelled) -> None:
    if told.at_table is None:
        _reopen(told)
    deal = _end(told, recorded, "cancelled", counts=False)
    told.dealer = deal.dealer
    deal.contract = deal.caller = deal.preference = deal.trumps = deal.tricks = deal.deltas = deal.rule = None
    deal.shortfall = deal.price = deal.pool_paid = 0
    deal.conceded = False
    _stands(told, told.balances, told.pool)


def _ruled(told: Evening, recorded: Recorded, event: events.RevokeRuled) -> None:
    if told.at_table is None:
        _reopen(told)
    _at(told, recorded).revoker = event.seat


def _reversed(told: Evening, recorded: Recorded, event: events.SettlementReversed) -> None:
    back: Amounts = tuple(event.deltas)  # type: ignore[assignment]
    _post(told, recorded, "reversal", "cancelled", back, pool=-sum(back), pool_after=event.pool)
    told.balances, told.pool = event.balances, event.pool
    # A cancelled deal has ended before its settlement is taken back; a ruled one is settled again.
    if told.at_table is None:
        _stands(told, event.balances, event.pool)


def _contribution(told: Evening, recorded: Recorded, event: events.ContributionMade) -> None:
    told.balances, told.pool = event.balances, event.pool
    amounts = (-event.each,) * 4
    _post(told, recorded, "contribution", event.why, amounts, pool=4 * event.each, pool_after=event.pool)


def _fine(told: Evening, recorded: Recorded, event: events.FinePaid) -> None:
    told.balances, told.pool = event.balances, event.pool
    amounts = _only(event.seat, -event.amount)
    _post(told, recorded, "fine", event.why, amounts, pool=event.amount, seat=event.seat, pool_after=event.pool)
    if told.at_table is None:
        _stands(told, event.balances, event.pool)


def _transfer(told: Evening, recorded: Recorded, event: events.TransferRuled) -> None:
    told.balances = event.balances
    _post(told, recorded, "ruling", "transfer", tuple(event.deltas))  # type: ignore[arg-type]


def _found(told: Evening, recorded: Recorded, event: events.FindingMade) -> None:
    deal = _of(told)
    if deal is not None:
        deal.findings += 1
    told.findings.append(Found(recorded.version, recorded.entry, deal.place if deal else 0, event))


def _acknowledged(told: Evening, recorded: Recorded, event: events.FindingAcknowledged) -> None:
    for found in told.findings:
        if (found.finding.kind, found.finding.entries) == (event.kind, event.entries):
            found.acknowledged = found.acknowledged or recorded.entry
            found.published = found.published or event.publish


def _disputed(told: Evening, recorded: Recorded, event: events.DisputeRaised) -> None:
    told.disputes.append(Dispute(recorded, event))


def _resolved(told: Evening, recorded: Recorded, event: events.DisputeResolved) -> None:
    for dispute in told.disputes:
        if dispute.raised.entry == event.dispute:
            dispute.state, dispute.resolved = event.outcome, recorded


def _reseated(told: Evening, recorded: Recorded, event: events.SeatsCorrected) -> None:
    told.seatings.append(Seating(event.from_deal, event.seats))


def _over(told: Evening, recorded: Recorded, event: AnyEvent) -> None:
    # A deal whose cards were not yet bid is dropped by an early end.
    told.at_table = None
    told.status = STATUS[type(event)]


def _divided(told: Evening, recorded: Recorded, event: events.PoolsDivided) -> None:
    told.final, told.winners = event.final, event.winners
    share, whole = event.share, 4 * event.share
    _post(told, recorded, "division", told.status, (share,) * 4, pool=-whole, pool_after=Pool())


def _only(seat: Seat, amount: int) -> Amounts:
    return tuple(amount if chair == seat else 0 for chair in SEATS)  # type: ignore[return-value]


STATUS: dict[type[Any], Any] = {
    events.SessionClosed: "closed",
    events.SessionEnded: "ended",
    events.SessionAbandoned: "abandoned",
}
ARMS: dict[type[Any], Callable[[Evening, Recorded, Any], None]] = {
    events.PacksShuffled: _begins,
    events.FirstDealerDrawn: _first_dealer,
    events.PackCut: _begins,
    events.PreferenceExposed: _preference,
    events.CardsDealt: _begins,
    events.DealMisdealt: _misdealt,
    events.CallMade: _call,
    events.ContractReported: _begins,
    events.DealThrownIn: _thrown_in,
    events.ConcessionMade: _concession,
    events.CardPlayed: _play,
    events.TricksReported: _tricks,
    events.DealSettled: _settled,
    events.SettlementReversed: _reversed,
    events.RevokeRuled: _ruled,
    events.DealCancelled: _cancelled,
    events.ContributionMade: _contribution,
    events.FinePaid: _fine,
    events.TransferRuled: _transfer,
    events.FindingMade: _found,
    events.SeatsCorrected: _reseated,
    events.SessionEnded: _over,
    events.SessionClosed: _over,
    events.PoolsDivided: _divided,
    events.SessionAbandoned: _over,
}
"""What each event tells."""

BESIDE: dict[type[Any], Callable[[Evening, Recorded, Any], None]] = {
    events.FindingAcknowledged: _acknowledged,
    events.DisputeRaised: _disputed,
    events.DisputeResolved: _resolved,
}
"""What acts beside the game tell, once the game is told."""

SILENT: frozenset[type[Any]] = frozenset(
    {
        events.AuctionWon,
        events.PartoutBegun,
        events.TrumpsNamed,
        events.CardDiscarded,
        events.HandExposed,
        events.HandsShown,
        events.DealCorrected,
    }
)
"""Events that tell nothing beyond what a later event tells; taking back is read by the main line."""

TAKEN_BACK: frozenset[type[Any]] = frozenset(
    {events.EntryUndone, events.EntryRedone, events.EntriesWithdrawn, events.CorrectionMade}
)
MONEY: frozenset[type[Any]] = TAKEN_BACK | {
    events.SessionOpened,
    events.DealThrownIn,
    events.DealSettled,
    events.SettlementReversed,
    events.ContributionMade,
    events.FinePaid,
    events.TransferRuled,
    events.SeatsCorrected,
    events.PoolsDivided,
    events.SessionAbandoned,
}
DEALING: frozenset[type[Any]] = frozenset(
    {events.DealMisdealt, events.DealCancelled, events.RevokeRuled, events.FindingMade}
)
LASTING: frozenset[type[Any]] = MONEY | DEALING | BESIDE.keys() | {events.SessionEnded, events.SessionClosed}
"""The events that can alter rows; the others only go into the row of a deal that has yet to end."""
