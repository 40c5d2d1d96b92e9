"""The longest common start, against looking at every row."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tacita.numeric.nearest.leading_columns import longest_common_start

rows = st.lists(st.tuples(*[st.integers(0, 2)] * 3), min_size=1, max_size=10)


def shared(a: tuple, b: tuple) -> int:
    return next((i for i, (p, q) in enumerate(zip(a, b, strict=True)) if p != q), len(a))


@given(rows, rows)
def test_no_row_shares_more(x: list, y: list) -> None:
    found = longest_common_start(np.array(x), np.array(y))
    for row, mine in zip(found, y, strict=True):
        assert shared(x[row], mine) == max(shared(other, mine) for other in x)
