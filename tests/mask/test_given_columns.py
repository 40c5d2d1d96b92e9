"""Given columns as numbers."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from tacita.core.errors import ColumnError
from tacita.data.microdata import Microdata
from tacita.mask.given_columns import given_numbers


def test_numbers_stay_and_classes_become_columns_of_0_and_1() -> None:
    data = Microdata.from_frame(pa.table({"x": [1.0, 2.0, 3.0], "c": ["a", "b", "c"]}))
    np.testing.assert_array_equal(given_numbers(data, ["x", "c"], (), owner="M"), [[1, 0, 0], [2, 1, 0], [3, 0, 1]])
    assert given_numbers(data, (), (), owner="M").shape == (3, 0)


def test_columns_on_both_sides_and_too_many_classes() -> None:
    data = Microdata.from_frame(pa.table({"x": [1.0] * 60, "c": [f"c{i}" for i in range(60)]}))
    with pytest.raises(ColumnError, match="M: column 'x' cannot be masked and given at once"):
        given_numbers(data, ["x"], ("x",), owner="M")
    with pytest.raises(ColumnError, match="more than 50 different values"):
        given_numbers(data, ["c"], (), owner="M")
