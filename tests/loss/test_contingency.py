"""Contingency tables: by hand and against counting with dictionaries."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.core.errors import ParameterError
from tacita.data.microdata import Microdata
from tacita.loss import Contingency, contingency
from tests.oracles.loss import categorical_losses as oracle


def file(*columns: list) -> Microdata:
    return Microdata.from_frame(pa.table({f"c{j}": pa.array(c, pa.string()) for j, c in enumerate(columns)}))


def test_by_hand() -> None:
    """a: 2 x, 2 y, unchanged counts. b: 3 p, 1 q becomes 2 and 2. Cells xp xq yp yq: 2 0 1 1 becomes 1 1 1 1."""
    data, masked = file(list("xxyy"), list("pppq")), file(list("xxyy"), list("pqpq"))
    found = Contingency()(data, masked, pairing="order")
    assert found.parts["1-way.sum"] == 2
    assert found.parts["2-way.sum"] == 2
    assert found.parts["sum"] == 4
    assert found.parts["per_cell"] == pytest.approx(4 / (2 + 2 + 4))
    assert found.parts["1-way"] == pytest.approx((0 + 25) / 2)
    assert found.value == pytest.approx((0 + 25 + 25) / 3)
    assert found.note == "3 tables of up to 2 columns"


values = st.sampled_from(["x", "y", "z", None])
records = st.lists(st.tuples(values, values, values), min_size=1, max_size=10)


@given(records, records, st.integers(1, 3))
def test_against_the_slow_version(x: list, y: list, dimension: int) -> None:
    columns, masked = ([list(c) for c in zip(*rows, strict=True)] for rows in (x, y))
    # Files of different length without a link: categories alone cannot be paired, a number can.
    data = Microdata.from_frame(pa.table({**_table(columns), "n": np.arange(float(len(x)))}))
    other = Microdata.from_frame(pa.table({**_table(masked), "n": np.arange(float(len(y)))}))
    found = Contingency(dimension=dimension)(data, other)
    expected = oracle.contingency(columns, masked, dimension)
    assert found.value == pytest.approx(expected["value"])
    assert found.parts["sum"] == pytest.approx(expected["sum"])
    assert found.parts["per_cell"] == pytest.approx(expected["per_cell"])


def _table(columns: list) -> dict:
    return {f"c{j}": pa.array(c, pa.string()) for j, c in enumerate(columns)}


def test_large_tables_are_counted_where_records_are(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    x, y = [rng.integers(0, 30, (3, 500)) for _ in range(2)]
    dense = contingency.table_differences(list(x), list(y), [30, 30, 30])
    monkeypatch.setattr(contingency, "_DENSE", 10)
    assert contingency.table_differences(list(x), list(y), [30, 30, 30]) == pytest.approx(dense)
    # Numbers of cells beyond 64 bits.
    assert contingency.table_differences(list(x), list(y), [2**40, 2**40, 2**40]) == pytest.approx(dense)


def test_swapping_within_a_column_is_seen_from_two_columns_on() -> None:
    rng = np.random.default_rng(1)
    a = rng.integers(0, 3, 300).astype(str)
    data = file(a.tolist(), a.tolist())
    masked = file(a.tolist(), rng.permutation(a).tolist())
    assert Contingency(dimension=1)(data, masked, pairing="order").value == 0
    assert Contingency(dimension=2)(data, masked, pairing="order").value > 10


def test_a_sample_is_compared_by_its_shares() -> None:
    data = file(list("xxyy") * 10)
    assert Contingency()(data, data.take(np.array([0, 1, 2, 3]))).value == pytest.approx(0)


def test_bad_input() -> None:
    with pytest.raises(ParameterError, match="'dimension' must be a whole number, at least 1, got 0"):
        Contingency(dimension=0)
