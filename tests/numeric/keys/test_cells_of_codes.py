"""Cells of codes: equal numbers for equal combinations, whichever file they stand in."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.numeric.keys.cells_of_codes import cells_of_codes

rows = st.lists(st.tuples(*[st.integers(0, 3)] * 3), min_size=1, max_size=8)


@given(rows, rows)
@pytest.mark.parametrize("size", [4, 2**31])
def test_equal_combinations_have_equal_numbers(size: int, first: list, second: list) -> None:
    """Three columns of 2^31 codes have more cells than a number can count: those that occur are numbered anew."""
    x, y = (list(np.array(side).T) for side in (first, second))
    a, b, count = cells_of_codes(x, y, [size] * 3)
    numbers, every = np.concatenate([a, b]).tolist(), [*first, *second]
    assert all(0 <= number < count for number in numbers)
    assert len(set(numbers)) == len(set(every))
    assert len(set(zip(numbers, every, strict=True))) == len(set(every))
