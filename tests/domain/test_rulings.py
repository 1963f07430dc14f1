"""Disputes, rulings side by side, and what a correction changes for whom: the sources' example from end to end."""

from __future__ import annotations

import msgspec
import pytest

from domain.comparison import compared
from domain.docket import still_covers
from domain.entries import AnyEntry, Cancel, Change, Correct, Dispute, Resolve, Sign, Transfer
from domain.game import Closed, Playing
from domain.pool import Pool
from domain.record import format_entry, parse_line
from domain.refusal import Refusal
from domain.rulings import (
    Effect,
    Ruling,
    admissible,
    combined,
    effect,
    line_entries,
    on_disputes,
)
from domain.seats import SEATS, Four
from domain.session import record
from tests.evenings import RULESETS
from tests.spoken import Table, say, seated

EIGHT_BID = "contract N 8 S; tricks 6 4 2 1"
LATER = "contract E 7 S; tricks 0 7 6 0; contract S 6 H; tricks 4 3 5 1; contract W LM; tricks 4 4 4 0; end"


def correction(at: int, *put: str, part: int = 0, dispute: int | None = None) -> Correct:
    """Spoken lines in place of an entry."""
    change = Change(at=at, part=part, put=tuple(map(say, put)))
    return Correct(changes=(change,), reason="eight were taken", law="rule 29", dispute=dispute)


def refused(table: Table, entry: AnyEntry) -> Refusal:
    answer = record(table.session, entry)
    assert isinstance(answer, Refusal), answer
    return answer


@pytest.mark.parametrize("ruleset", RULESETS)
def test_eight_bid_and_six_taken_is_disputed_corrected_to_eight_and_back(ruleset: str) -> None:
    """The sources' example: the caller pays 145 and the pool is 80; every later deal of the evening follows."""
    table = seated(ruleset).then(EIGHT_BID)
    (row,) = table.base.rows
    assert (row.deltas, row.pool) == (Four(-145, 35, 35, 35), Pool(0, 80))
    table.then(LATER)
    recorded = table.game
    assert isinstance(recorded, Closed)
    table.take(Dispute(line=1, by="N", about="settlement", reason="it was eight"))
    dispute = table.session.number
    assert table.game is recorded
    table.take(correction(4, "tricks 8 3 1 1", dispute=dispute))
    made = table.session.number
    table.take(Resolve(dispute=dispute, outcome="corrected", law="rule 29", reason="all four had counted eight"))
    (state,) = table.session.docket.disputes
    assert state.ruled
    assert state.outcome is not None
    assert (state.state, state.outcome.law, state.outcome.reason) == (
        "corrected", "rule 29", "all four had counted eight")  # fmt: skip
    straight = seated(ruleset).then(EIGHT_BID.replace("6 4 2 1", "8 3 1 1") + "; " + LATER)
    now = straight.game
    assert isinstance(now, Closed)
    assert isinstance(table.game, Closed)
    assert table.base.rows == straight.base.rows
    assert (table.game.final, table.game.winners) == (now.final, now.winners)
    told = compared(recorded, table.game)
    assert told is not None
    assert [line.line for line in told.lines] == [1, 2, 3, 4]
    first = told.lines[0]
    assert first.old is not None
    assert first.new is not None
    assert (first.old.outcome, first.new.outcome) == ("failed", "made")
    assert first.old.deltas == Four(-145, 35, 35, 35)
    assert first.new.deltas == Four(115, -25, -25, -25)
    assert first.moved == Four(260, -60, -60, -60)
    assert (told.old.final, told.old.winners) == (recorded.final, recorded.winners)
    assert (told.new.final, told.new.winners) == (now.final, now.winners)
    table.take(Correct(undoes=made, reason="six it was"))
    assert table.game == recorded


def test_every_ruling_for_a_dispute_stands_beside_the_others_and_records_nothing() -> None:
    """The effects are those that recording the ruling has, line by line."""
    table = seated("russian").then("contract N 8 S; play N AS; play E 2S; play S 3S; play W 4S; tricks 6 4 2 1")
    table.then("contract E 7 S; tricks 0 7 6 0")
    table.take(Dispute(line=1, by="E", about="card", target=5, reason="that was no spade"))
    before = table.session
    dispute = table.session.number
    proposal = correction(8, "tricks 8 3 1 1")
    choices = on_disputes(table.session, [dispute], {dispute: [proposal]})
    assert not isinstance(choices, Refusal)
    effects = combined(table.session, choices)
    assert [one.name for one in effects] == [
        "stands", "cancelled", "revoke by N", "revoke by E", "revoke by S", "revoke by W", "corrected"]  # fmt: skip
    assert table.session is before
    for one in effects:
        assert one.refused is None
        assert one.rows[0].outcome == {"stands": "failed", "cancelled": "cancelled", "revoke by N": "failed"}.get(
            one.name, "made"
        )
        again = Table()
        again.session = before
        for entry in one.entries:
            assert not isinstance(entry, Correct) or entry.dispute == dispute
            again.take(entry)
        assert (again.base.rows, again.base.balances, again.base.pool) == (one.rows, one.balances, one.pool)
        told = compared(before.game, again.game)
        assert told is not None
        assert one.changed == told.lines
        assert (one.final, one.winners) == (told.new.final, told.new.winners)
    assert effects[0].changed == ()
    assert [line.line for line in effects[1].changed] == [1, 2]


def test_open_disputes_of_two_deals_are_ruled_in_every_combination() -> None:
    table = seated().then(EIGHT_BID + "; contract E 7 S; tricks 0 7 6 0")
    for line in (1, 2, 2):
        table.take(Dispute(line=line, by="director", reason="heard at the bar"))
    choices = on_disputes(table.session, [7, 8, 9], {7: [correction(4, "tricks 8 3 1 1")]})
    assert not isinstance(choices, Refusal)
    assert [[ruling.name for ruling in rulings] for rulings in choices] == [
        ["stands", "cancelled", "corrected"], ["stands", "cancelled"]]  # fmt: skip
    effects = combined(table.session, choices)
    assert [one.name for one in effects] == [
        "stands + stands", "stands + cancelled", "cancelled + stands", "cancelled + cancelled",
        "corrected + stands", "corrected + cancelled"]  # fmt: skip
    assert all(one.refused is None for one in effects)
    assert [row.outcome for row in effects[3].rows] == ["cancelled", "cancelled"]
    # Each changed line is told once, whichever of the rulings changed it.
    assert [line.line for line in effects[5].changed] == [1, 2]
    unknown = on_disputes(table.session, [6])
    assert isinstance(unknown, Refusal)
    assert unknown.code == "no_such_dispute"
    with pytest.raises(ValueError, match="too many"):
        combined(table.session, [[Ruling("stands")] * 17, [Ruling("stands")] * 17])


def test_a_deal_in_progress_and_the_last_of_a_closed_evening_have_their_rulings() -> None:
    table = seated("russian").then("contract N 8 S; play N AS; play E 2S; play S 3S; play W 4S")
    names = [ruling.name for ruling in admissible(table.session, 1)]
    assert names == ["stands", "cancelled", "revoke by N", "revoke by E", "revoke by S", "revoke by W"]
    told = [effect(table.session, ruling) for ruling in admissible(table.session, 1)]
    assert [one.rows[0].outcome if one.rows else None for one in told] == [
        None, "cancelled", "failed", "made", "made", "made"]  # fmt: skip
    table = seated(open_with='options={"deals":1}').then(EIGHT_BID + "; close")
    void = effect(table.session, admissible(table.session, 1)[1])
    assert void.refused is None
    assert void.rows[0].outcome == "cancelled"
    assert void.final == Four(1000, 1000, 1000, 1000)
    assert void.winners == SEATS
    assert admissible(table.session, 2) == [Ruling("stands")]
    assert effect(Table().session, Ruling("stands")) == Effect("stands", ())


def test_a_line_tells_the_entries_that_a_correction_starts_from() -> None:
    table = seated().then(
        "preference 7C; deal; call N 8; call E pass; call S pass; call W pass; trumps S; tricks 8 5 0 0"
    )
    table.then("contract partout; tricks 4 4 4 1")
    table.take(correction(10, "tricks 9 4 0 0"))
    line = line_entries(table.session, 1)
    assert line is not None
    assert line.row == table.base.rows[0]
    assert (line.deal, line.seats.N) == (1, "Ann")
    assert [(one.number, one.part, one.of, one.text) for one in line.entries] == [
        (2, 0, "opening", "W deals first"),
        (3, 0, "dealing", "the preference card is the 7C"),
        (4, 0, "dealing", "the cards are dealt"),
        (5, 0, "auction", "N calls 8"),
        (6, 0, "auction", "E passes"),
        (7, 0, "auction", "S passes"),
        (8, 0, "auction", "W passes"),
        (9, 0, "auction", "trumps are spades"),
        (13, 1, "result", "tricks: N 9, E 4, S 0, W 0"),
    ]
    table.take(correction(13, "tricks 6 7 0 0", part=1))
    assert line_entries(table.session, 3) is None
    table.then("deal")
    under_way = line_entries(table.session, 3)
    assert under_way is not None
    assert under_way.row is None
    assert [one.text for one in under_way.entries] == ["the cards are dealt"]


def test_a_sign_off_covers_its_line_until_anything_of_it_changes() -> None:
    table = seated().then("contract N 7 S; play N AS; play E 2S; play S 3S; play W 4S; tricks 8 5 0 0")
    table.take(Sign(seat="E", line=1, hash="ab" * 32, device="own"))
    (signed,) = table.session.docket.signoffs

    def stands(at: Table) -> bool:
        return still_covers(signed, at.session.trail, at.game)

    assert stands(table)
    table.then("contract S 6 H; tricks 4 3 6 0")
    assert stands(table)
    # One more trick costs nobody anything, but it is not what was signed; and so with a card.
    for at, line in ((8, "tricks 9 4 0 0"), (6, "play S 5S")):
        table.take(correction(at, line))
        assert table.base.rows[0].deltas == signed.signed.deltas
        assert not stands(table)
        table.take(Correct(undoes=table.session.number, reason="as it was"))
        assert stands(table)
    table.then("reseat 2 Ann Bea Eva Dan")
    assert stands(table)
    table.then("reseat 1 Ann Bea Eva Dan")
    assert not stands(table)
    table.take(Sign(seat="N", line=2, hash="ab" * 32, device="own"))
    signed = table.session.docket.signoffs[-1]
    assert stands(table)
    table.then("reseat 2 Ann Bea Hugo Dan")
    assert not stands(table)
    table = seated().then(EIGHT_BID + "; contract E 7 S; tricks 0 7 6 0")
    table.take(Sign(seat="E", line=2, hash="ab" * 32, device="recorder"))
    (signed,) = table.session.docket.signoffs
    table.take(correction(4, "tricks 8 3 1 1"))
    assert not stands(table)


def test_cards_laid_open_after_a_signature_leave_it_standing() -> None:
    table = seated().then("contract N LM; discard N; discard E; discard S; discard W; play N 2S; play E 3S; play S 4S")
    table.then("play W 5S; play W 6S; play N AS; play E 7S; play S 8S")
    assert not isinstance(table.game, Playing)
    table.take(Sign(seat="N", line=1, hash="ab" * 32, device="own"))
    table.then("show N:2H,3H,4H,5H,6H,7H,8H,9H,TH,JH")
    (signed,) = table.session.docket.signoffs
    assert still_covers(signed, table.session.trail, table.game)


def test_disputes_are_raised_on_anything_of_a_deal_and_never_block_recording() -> None:
    table = seated().then("contract N 8 S; play N AS; play E 2S")
    raised = (
        Dispute(line=1, by="E", about="card", target=5, reason="it was the two of clubs"),
        Dispute(line=1, by="E", about="trick", target=1, reason="mine"),
        Dispute(line=1, by="director", about="deal", reason="heard at the bar"),
        Dispute(line=1, by="W", about="call", target=3, reason="he passed"),
    )
    for entry in raised:
        table.take(entry)
    assert [state.state for state in table.session.docket.disputes] == ["open"] * 4
    assert refused(table, Dispute(line=3, by="N", reason="x")).code == "no_such_line"
    assert refused(table, Dispute(line=1, by="N", about="card", target=99, reason="x")).code == "not_in_force"
    with pytest.raises(msgspec.ValidationError, match="13 tricks"):
        msgspec.convert(
            {"entry": "dispute", "line": 1, "by": "N", "about": "trick", "target": 14, "reason": "x"}, AnyEntry
        )
    table.then("play S 3S; play W 4S; tricks 8 5 0 0; contract E 7 S; tricks 0 7 6 0")
    table.take(Resolve(dispute=6, outcome="withdrawn", reason="he had it"))
    table.take(Resolve(dispute=7, outcome="stands", law="rule 27", reason="the ace took it"))
    assert [state.ruled for state in table.session.docket.disputes] == [False, True, False, False]
    assert refused(table, Resolve(dispute=7, outcome="stands", reason="again")).code == "dispute_ended"
    assert refused(table, Resolve(dispute=5, outcome="stands", reason="none")).code == "no_such_dispute"


def test_a_transfer_by_a_ruling_sums_to_zero_and_names_its_dispute() -> None:
    table = seated().then(EIGHT_BID)
    table.take(Dispute(line=1, by="E", reason="he saw my hand"))
    transfer = Transfer(deltas=Four(-20, 20, 0, 0), law="club law 3", reason="a card was shown", dispute=5)
    assert refused(table, msgspec.structs.replace(transfer, dispute=4)).code == "no_such_dispute"
    assert refused(table, msgspec.structs.replace(transfer, deltas=Four(-20, 10, 0, 0))).code == "does_not_balance"
    before = table.balances
    table.take(transfer)
    assert [now - then for now, then in zip(table.balances, before, strict=True)] == [-20, 20, 0, 0]
    table.then("end")
    # After the division it is put in before the end, by a correction.
    assert refused(table, transfer).code == "pools_divided"
    table.take(Correct(changes=(Change(at=4, put=(transfer,), after=True),), reason="ruled later", law="club law 3"))
    assert isinstance(table.game, Closed)
    assert table.game.final == Four(*(amount + 20 for amount in (845 - 40, 1025 + 40, 1025, 1025)))


def test_the_director_s_entries_go_through_a_record_unchanged() -> None:
    for entry in (
        correction(4, "tricks 8 3 1 1", "cancel", part=2, dispute=5),
        Correct(undoes=7, reason="six it was"),
        Dispute(line=1, by="director", about="card", target=5, reason="x"),
        Resolve(dispute=5, outcome="adjusted", law="rule 34", reason="x"),
        Sign(seat="N", line=1, hash="ab" * 32, device="own"),
        Cancel(agreed=SEATS, reason="x"),
    ):
        assert parse_line(format_entry(entry)) == entry


def test_a_deal_put_in_or_taken_out_stands_against_nothing_and_the_others_against_their_own() -> None:
    table = seated().then(
        "contract N 8 S; tricks 6 4 2 1; contract E 7 S; tricks 0 7 6 0; contract S 6 H; tricks 4 3 6 0"
    )
    before = table.game
    put = (say("contract W LM"), say("tricks 4 4 4 0"))
    table.take(Correct(changes=(Change(at=4, put=put, after=True),), reason="a deal was forgotten"))
    told = compared(before, table.game)
    assert told is not None
    assert [(one.line, one.old and one.old.contract, one.new and one.new.contract) for one in told.lines] == [
        (2, None, "LM"), (3, "7", "7"), (4, "6", "6")]  # fmt: skip
    assert Four(*(sum(one.moved[seat] for one in told.lines) for seat in SEATS)) == Four(
        *(told.new.balances[seat] - told.old.balances[seat] for seat in SEATS)
    )
    back = compared(table.game, before)
    assert back is not None
    assert [(one.line, one.old and one.old.contract, one.new and one.new.contract) for one in back.lines] == [
        (2, "LM", None), (3, "7", "7"), (4, "6", "6")]  # fmt: skip
