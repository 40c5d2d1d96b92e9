"""Attacks on published counts, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.compare.census.census_attacks import (
    JointCells,
    averaging_gain,
    fitting_gain,
    narrow_small_cells,
    solve_small_cells,
)
from tacita.tables.model.relations import Relations


def cells_of(
    truth: list[int], mean: list[float], error: list[float], times: int, low: list[float], high: list[float]
) -> JointCells:
    n = len(truth)
    return JointCells(
        np.arange(n),
        np.array(truth),
        np.array(mean),
        np.array(error),
        np.full(n, times),
        np.array(low),
        np.array(high),
        Relations.of([(0, [1, 2])], n),
    )


@pytest.mark.parametrize(("D", "exactly"), [(2, 2), (3, 0)])
def test_a_contradiction_undoes_noise(D: int, exactly: int) -> None:
    """1 + 1 = 2 is shown as 3, 3 and 0: with D = 2 the sum is 2 at most, and both parts have somebody in them."""
    cells = cells_of([2, 1, 1], [0, 3, 3], [2, 2, 2], 1, [0, 1, 1], [D, 3 + D, 3 + D])
    for solve in (solve_small_cells, narrow_small_cells):
        found = solve(cells, np.array([1, 2]))
        assert (found.tried, found.exactly) == (2, exactly)
        assert found.share == 50.0 * exactly


def test_what_is_shown_as_it_is_needs_no_programme() -> None:
    cells = cells_of([2, 1, 1], [2, 1, 1], [0, 0, 0], 1, [2, 1, 1], [2, 1, 1])
    assert solve_small_cells(cells, np.array([1])).share == 100
    assert solve_small_cells(cells, np.zeros(0, np.int64)).share is None


def test_averages_that_meet_in_the_middle() -> None:
    """One table shows 3 too many, another 3 too few: the mean is right."""
    cells = cells_of([20, 10, 10], [20, 10, 10], [3, 3, 0], 2, [0, 0, 0], [99, 99, 99])
    assert averaging_gain(cells) == pytest.approx(100)
    same = cells_of([20, 10, 10], [23, 13, 10], [3, 3, 0], 2, [0, 0, 0], [99, 99, 99])
    assert averaging_gain(same) == pytest.approx(0)


def test_one_table_has_nothing_to_average() -> None:
    assert averaging_gain(cells_of([20, 10, 10], [23, 10, 10], [3, 0, 0], 1, [0] * 3, [99] * 3)) is None


def test_fitting_spreads_a_contradiction() -> None:
    """The sum is 3 too large; least squares give each of the three cells 1 of it, which is as far as before, not nearer."""
    cells = cells_of([20, 10, 10], [23, 10, 10], [3, 0, 0], 1, [0] * 3, [99] * 3)
    assert fitting_gain(cells) == pytest.approx(100 * (1 - (2 + 1 + 1) / 3), abs=0.01)
    contrary = cells_of([20, 10, 10], [22, 9, 9], [2, 1, 1], 1, [0] * 3, [99] * 3)
    assert fitting_gain(contrary) == pytest.approx(100 * (1 - (2 / 3 + 1 / 3 + 1 / 3) / 4), abs=0.01)


def test_nothing_to_fit() -> None:
    assert fitting_gain(cells_of([20, 10, 10], [20, 10, 10], [0, 0, 0], 1, [0] * 3, [99] * 3)) is None
