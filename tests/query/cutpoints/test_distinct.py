"""Distinct values: counting, what is refused, where equal widths begin."""

import numpy as np
import pytest

from tacita.core.errors import DataError
from tacita.query.cutpoints.distinct import DistinctValues, merged
from tacita.query.cutpoints.grid import DecimalGrid

CANARY = 987_654_321.0


def test_values_are_counted_once() -> None:
    found = DistinctValues.of(np.array([3.0, np.nan, -0.0, 3.0, 0.0, 1.5]))
    assert found.points.tolist() == [0.0, 1.5, 3.0]
    assert found.counts.tolist() == [2, 1, 2]
    assert found.reached.tolist() == [2, 3, 5]
    assert (found.total, len(found), found.span, found.decimals, found.whole) == (5, 3, 3.0, 1, False)
    assert found.up_to(np.array([-1.0, 0.0, 1.4, 9.0])).tolist() == [0, 2, 2, 5]


def test_the_input_is_not_touched() -> None:
    values = np.array([3.0, -0.0, 1.0])
    DistinctValues.of(values)
    assert values.tolist() == [3.0, 0.0, 1.0]
    assert np.signbit(values[1])


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ([], "not missing"),
        ([np.nan, np.nan], "not missing"),
        ([CANARY, np.inf], "finite or missing"),
        ([-np.inf, CANARY, np.nan], "finite or missing"),
        (["a", str(CANARY)], "must be numbers"),
    ],
)
def test_bad_values_are_refused_without_being_shown(values: list[object], said: str) -> None:
    with pytest.raises(DataError, match=said) as caught:
        DistinctValues.of(np.array(values))
    assert "987" not in str(caught.value)


def test_values_between_points_of_a_grid_become_ties() -> None:
    found = DistinctValues.of(np.array([1.0, 4.0, 5.0, 6.0, 11.0])).on_grid(DecimalGrid(5.0))
    assert (found.points.tolist(), found.counts.tolist()) == ([5.0, 10.0, 15.0], [3, 1, 1])
    keys, counts = merged(np.array([7]), np.array([2]))
    assert (keys.tolist(), counts.tolist()) == ([7], [2])


@pytest.mark.parametrize(
    ("values", "grain", "start"),
    [
        ([1, 6], None, 0),
        ([18, 95], None, 10),
        ([20, 95], None, 10),
        ([-3.2, 3.1], None, -4),
        ([5, 5], None, 4),
        ([0.12, 0.5], None, 0.1),
        ([10_000.3, 10_000.9], None, 10_000.2),
        ([18, 95], 25.0, 0),
        ([18, 95], 4.0, 8),
    ],
)
def test_equal_widths_begin_at_a_round_number_below(values: list[float], grain: float | None, start: float) -> None:
    assert DistinctValues.of(np.array(values, dtype=float)).round_start(grain) == start
