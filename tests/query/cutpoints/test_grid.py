"""Decimal grids: the step of a value agrees with the published points, whatever floating point does."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.errors import ParameterError
from tacita.query.cutpoints.grid import DecimalGrid
from tests.effort import examples


@settings(max_examples=examples(25), deadline=None)
@given(
    st.lists(st.one_of(st.floats(-1e4, 1e4), st.integers(-900, 900).map(lambda k: k / 10)), min_size=1, max_size=20),
    st.sampled_from([0.1, 0.05, 0.3, 1.0, 25.0, 1 / 3]),
    st.sampled_from([0.0, 10.0, -0.7]),
)
def test_a_value_lies_between_its_points(values: list[float], grain: float, origin: float) -> None:
    grid, x = DecimalGrid(grain, origin), np.array(values)
    steps = grid.steps(x)
    assert np.all(x <= grid.points(steps))
    assert np.all(x > grid.points(steps - 1))


def test_points_are_short_decimals() -> None:
    points = DecimalGrid(0.1).points(np.arange(-1000, 1000))
    assert max(len(repr(float(point))) for point in points) <= len("-100.0")


def test_a_grain_that_cannot_tell_values_apart_is_refused() -> None:
    with pytest.raises(ParameterError, match="'grain' must be coarse enough") as caught:
        DecimalGrid(1e-3).steps(np.array([123_456_789e9]))
    assert "123" not in str(caught.value)
