"""Rates and means as they are shown, and rows as COPY reads them."""

from __future__ import annotations

import math
import statistics

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ops.copytext import copy_text
from projections.figures import Z, mean, rate


def test_wilsons_interval_by_its_textbook_values() -> None:
    ten_of_thirty = rate(10, 30)
    assert ten_of_thirty.rate == pytest.approx(1 / 3)
    assert ten_of_thirty.low == pytest.approx(0.1923, abs=5e-5)
    assert ten_of_thirty.high == pytest.approx(0.5122, abs=5e-5)
    assert rate(0, 0).rate is None


@given(st.integers(1, 10_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_bounds_of_an_interval_are_where_the_score_test_turns(case: tuple[int, int]) -> None:
    k, n = case
    told = rate(k, n)
    assert told.low is not None
    assert told.high is not None
    assert 0 <= told.low <= k / n <= told.high <= 1
    for bound in (told.low, told.high):
        if 0 < bound < 1:
            assert abs(k / n - bound) == pytest.approx(Z * math.sqrt(bound * (1 - bound) / n), abs=1e-9)


@given(st.lists(st.integers(-2000, 2000), min_size=2, max_size=50))
def test_a_mean_has_the_spread_of_its_sample(values: list[int]) -> None:
    told = mean(len(values), sum(values), sum(value * value for value in values))
    assert told.mean == pytest.approx(statistics.mean(values))
    assert told.sd == pytest.approx(statistics.stdev(values), abs=1e-6)


texts = st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\0"), max_size=20)


@pytest.mark.log
def test_whatever_a_row_holds_is_read_back_after_copy(database: str) -> None:
    with psycopg.connect(database) as connection:
        connection.execute(
            "CREATE TEMP TABLE copied (at integer, a text, b text[], c integer[], d boolean, e numeric(12, 1))"
        )

        @given(
            st.lists(
                st.tuples(
                    st.none() | texts,
                    st.lists(st.none() | texts, max_size=4),
                    st.lists(st.integers(-9, 999), max_size=4),
                    st.booleans(), st.integers(-50_000, 50_000).map(lambda halves: halves / 2),
                ),
                max_size=5,
            )
        )  # fmt: skip
        def check(rows: list[tuple[object, ...]]) -> None:
            numbered = [(at, *row) for at, row in enumerate(rows)]
            connection.execute("TRUNCATE copied")
            with connection.cursor().copy("COPY copied FROM STDIN") as copy:
                copy.write(copy_text(numbered))
            assert connection.execute("SELECT * FROM copied ORDER BY at").fetchall() == numbered

        check()
