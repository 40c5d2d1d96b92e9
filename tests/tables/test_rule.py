"""What rules share: combination, levels that end at the bounds, weights, negative amounts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.core.errors import DataError, ParameterError
from tacita.tables.dominance import Dominance
from tacita.tables.minimum_frequency import MinimumFrequency
from tacita.tables.p_percent import PPercent
from tacita.tables.rule import Rules
from tests.tables.tables_by_hand import row_of


def test_rules_combine_with_the_wider_level() -> None:
    table = row_of([[100.0, 5.0], [40.0, 30.0, 30.0, 20.0], [60.0]])
    one, other = PPercent(p=10), MinimumFrequency(at_least=3, span=50)
    both = (one | other).judge(table)
    first, second = one.judge(table), other.judge(table)
    assert (both.cells == (first.cells | second.cells)).all()
    assert (both.above == np.maximum(first.above, second.above)).all()
    assert both.rules == (one.words(), other.words())
    assert both.by.shape == (4, 2)


def test_no_rule_is_an_error() -> None:
    with pytest.raises(ParameterError, match="at least one rule"):
        Rules(())


def test_a_level_ends_at_what_everybody_knows() -> None:
    table = row_of([[100.0], [50.0, 50.0, 50.0]])
    found = Dominance(n=1, share=10).judge(table)
    assert found.below[1] == 100.0, "nobody believes in a negative amount"
    assert found.above[1] == 900.0


def test_depth_and_missing_contributors_are_named() -> None:
    table = row_of([[3.0, 2.0, 1.0, 1.0]], depth=2)
    with pytest.raises(DataError, match="depth=3"):
        Dominance(n=3, share=80).judge(table)
    with pytest.raises(DataError, match="holdings"):
        PPercent(level="holding").judge(table)


def test_negative_amounts_do_not_hide_dominance() -> None:
    """100 and -95 cancel, but by size they dominate the cell."""
    table = row_of([[100.0, -95.0, 1.0], [10.0, 10.0, 10.0]])
    assert PPercent(p=10).judge(table).cells[1]
    assert Dominance(n=2, share=90).judge(table).cells[1]


@given(
    st.lists(st.lists(st.integers(0, 50), min_size=1, max_size=6), min_size=1, max_size=4),
    st.floats(1, 60),
    st.integers(1, 2),
)
def test_against_the_definitions(cells: list[list[int]], p: float, n: int) -> None:
    table = row_of([[float(a) for a in cell] for cell in cells], depth=6)
    percent, dominance = PPercent(p=p).judge(table), Dominance(n=n, share=p).judge(table)
    for place, cell in enumerate([[a for c in cells for a in c], *cells]):
        if place == 0 and len(cell) > 6:
            continue
        top, total = sorted(cell, reverse=True), sum(cell)
        rest = total - sum(top[:2])
        unsafe = top[0] > 0 and rest < p / 100 * top[0] - 1e-9 * max(total, 1)
        assert percent.cells[place] == unsafe
        dominant = top[0] > 0 and sum(top[:n]) * 100 / p > total + 1e-9 * max(total, 1)
        assert dominance.cells[place] == dominant
