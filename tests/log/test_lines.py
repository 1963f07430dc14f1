"""What a line of the score sheet is bound to: the same however the log is read, and another after any change."""

from __future__ import annotations

from hypothesis import given

from domain.events import CorrectionMade
from domain.session import initial
from service.folded import traced
from service.lines import Lines, followed, rows_of
from tests import evenings
from tests.projections.logs import steps


@given(evenings.evenings(most_deals=3))
def test_lines_followed_entry_by_entry_are_those_of_the_whole_log(told: evenings.Evening) -> None:
    log, session, lines = [], initial(), Lines()
    for now, added in steps(told.entries()):
        log += added
        before, session = session, now
        lines = followed(lines, before, session, added[0].data, added[-1].version, added[0].at)
        assert len(lines) == len(rows_of(session))
    assert traced(initial(), (), log) == (session, lines)
    half = len(log) // 2
    while half and log[half - 1].entry == log[half].entry:
        half -= 1
    assert traced(*traced(initial(), (), log[:half]), log[half:]) == (session, lines)


@given(evenings.evenings(most_deals=3))
def test_a_line_whose_row_changes_is_bound_anew_and_remembers_the_table(told: evenings.Evening) -> None:
    session, lines, corrected = initial(), Lines(), False
    for now, added in steps(told.entries()):
        before, was = session, lines
        session = now
        lines = followed(lines, before, session, added[0].data, added[-1].version, added[0].at)
        corrected = corrected or isinstance(added[0].data, CorrectionMade)
        for line, row in zip(lines, rows_of(session), strict=True):
            # Lines that one correction changed may say the same, so it is one of them.
            if same := [place for place, earlier in enumerate(was) if earlier == line]:
                assert row in [rows_of(before)[place] for place in same]
            else:
                assert line.version == added[-1].version
            assert line.was != row
            assert line.corrected or line.was is None
        assert corrected or not any(line.corrected for line in lines)
