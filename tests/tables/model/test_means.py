"""Means from a linked pair of count and total."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from tacita.core.errors import DataError, ParameterError
from tacita.data.microdata import Microdata
from tacita.tables.model.from_cells import table_from_cells
from tacita.tables.model.link import link
from tacita.tables.model.means import means
from tacita.tables.model.tabulate import tabulate, tabulate_means

DATA = Microdata.from_frame(
    pa.table({"a": ["p", "p", "q"], "x": [1.0, 3.0, 6.0], "w": [1.0, 3.0, 2.0]}), weight="w", scales={"a": "nominal"}
)


def test_by_hand() -> None:
    found = means(tabulate_means(DATA, ["a"], "x"))
    assert found.values == pytest.approx([22 / 6, 10 / 4, 6.0])
    assert not found.hidden.any()
    assert found.labels(1) == ("p",)


def test_hidden_where_either_parent_is() -> None:
    pair = tabulate_means(DATA, ["a"], "x")
    hidden = np.zeros(6, bool)
    hidden[1] = hidden[5] = True  # the count of p, the total of q
    found = means(pair, hidden)
    assert found.hidden.tolist() == [False, True, True]
    assert np.isnan(found.values).tolist() == [False, True, True]


def test_from_two_tables_and_empty_cells() -> None:
    count = table_from_cells({"a": ["p", "q"], "value": [4, 0]}, ["a"])
    total = table_from_cells({"a": ["p", "q"], "value": [10, 0]}, ["a"], response="x")
    found = means(link([count, total]), response="x")
    assert found.values[:2].tolist() == [2.5, 2.5]
    assert found.is_empty.tolist() == [False, False, True]
    assert np.isnan(found.values[2])
    assert not found.hidden.any()


def test_bad_input() -> None:
    pair = tabulate_means(DATA, ["a"], "x")
    with pytest.raises(ParameterError, match="must have counts and a response"):
        means(tabulate(DATA, ["a"], "x"))
    with pytest.raises(ParameterError, match="'response' must be one of x, got 'y'"):
        means(pair, response="y")
    with pytest.raises(ParameterError, match="one entry for each of the 6 cells"):
        means(pair, np.zeros(3, bool))
    wrong = pair.with_values(np.array([0.0, 0.0, 0.0, 1.0, 1.0, 0.0]))
    with pytest.raises(DataError, match="not zero where nobody is counted"):
        means(wrong)
    lacking = link([tabulate(DATA, ["a"], empties=False), tabulate(DATA, ["a", "w"], "x", weight=False)])
    with pytest.raises(DataError, match="have no count beside them: a=Total, w="):
        means(lacking)
