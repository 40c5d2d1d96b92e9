"""Reflection: inside afterwards, unchanged where it was inside, and uniform noise stays uniform."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tacita.numeric.statistics.reflection import reflected

numbers = st.floats(-1e6, 1e6)


@given(st.lists(numbers, max_size=30), numbers, st.floats(0, 1e6))
def test_inside_afterwards(values: list[float], low: float, width: float) -> None:
    x = np.array(values)
    for ends in ((low, low + width), (low, np.inf), (-np.inf, low)):
        y = reflected(x, *ends)
        assert ((y >= ends[0]) & (y <= ends[1])).all()
        inside = (x >= ends[0]) & (x <= ends[1])
        assert np.array_equal(y[inside], x[inside])


def test_missing_stays_missing() -> None:
    assert np.isnan(reflected(np.array([np.nan, -1.0]), 0.0, 1.0)[0])
