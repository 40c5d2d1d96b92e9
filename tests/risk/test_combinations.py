"""Combination rules: by hand, against the tables one by one, and bad input."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.core.errors import ColumnError, MeasureError, ParameterError
from tacita.data.microdata import Microdata
from tacita.numeric.keys.combinations import level_tables, table_count, unsafe_combinations
from tacita.numeric.keys.frequencies import find_patterns
from tacita.risk.combinations import CombinationRule
from tests.oracles.risk.combinations import combinations_oracle


def make() -> Microdata:
    table = pa.table(
        {
            "place": ["n", "n", "n", "s", "s", None],
            "sex": ["f", "f", "m", "m", "m", "f"],
            "job": ["1", "1", "1", "1", "2", "1"],
        }
    )
    return Microdata.from_frame(table, keys=["place", "sex", "job"])


def test_by_hand() -> None:
    """Frequencies below 2. One key: job 2. Two: (n, m), (s, 1), (s, 2), (m, 2). Three: (n, m, 1), (s, m, 1), (s, m, 2)."""
    found = CombinationRule(thresholds=[2]).assess(make())
    assert found.per_record is not None
    assert found.per_record.tolist() == [0, 0, 2, 2, 4, 0]
    assert found.value == 50
    assert found.parts == {
        "tables": 7, "unsafe": 8, "unsafe of 1 keys": 1, "unsafe of 2 keys": 4, "unsafe of 3 keys": 3,
        "unsafe with place": 6, "unsafe with sex": 5, "unsafe with job": 7,
    }  # fmt: skip


def test_thresholds_by_dimension() -> None:
    """Below 3 alone: place s, job 2; below 2 in pairs."""
    found = CombinationRule(thresholds=[3, 2], dimension=2).assess(make())
    assert (found.parts["unsafe of 1 keys"], found.parts["unsafe of 2 keys"]) == (2, 4)


def test_identification_levels() -> None:
    levels = {"place": 1, "sex": 2, "job": 3}
    found = CombinationRule(thresholds=[2], identification=levels).assess(make())
    assert found.parts["tables"] == 3
    assert found.parts["unsafe"] == 0 + 1 + 3
    assert list(level_tables([1, 1, 2, 3, 0], 3)) == [
        (0,), (1,), (0, 1), (0, 2), (1, 2), (0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3),
    ]  # fmt: skip


@st.composite
def files(draw: st.DrawFn) -> tuple[np.ndarray, list[int]]:
    n, d = draw(st.integers(1, 15)), draw(st.integers(1, 4))
    codes = draw(st.lists(st.integers(-1, 2), min_size=n * d, max_size=n * d))
    levels = draw(st.lists(st.integers(0, 3), min_size=d, max_size=d))
    return np.array(codes, dtype=np.int64).reshape(n, d), levels


@given(files(), st.integers(1, 4), st.lists(st.integers(1, 4), min_size=1, max_size=3))
def test_equals_the_tables_one_by_one(
    file: tuple[np.ndarray, list[int]], dimension: int, thresholds: list[int]
) -> None:
    codes, levels = file
    patterns = find_patterns([(column.copy(), 3) for column in codes.T])
    found = unsafe_combinations(patterns, level_tables(levels, dimension), thresholds)
    wanted = combinations_oracle([tuple(row) for row in codes.tolist()], levels, dimension, thresholds)
    assert found.per_pattern[patterns.labels].tolist() == wanted["record"]
    assert found.per_column.tolist() == wanted["column"]
    assert found.per_dimension.tolist() == wanted["dimension"]
    assert found.tables == wanted["tables"] <= table_count(len(levels), dimension)


def test_all_keys_together_are_k_anonymity() -> None:
    data = make().take(np.arange(5))
    found = CombinationRule(dimension=3, thresholds=[1, 1, 3]).assess(data)
    assert found.per_record is not None
    assert found.value == 100
    assert found.parts["unsafe of 3 keys"] == 4


def test_rules_can_be_kept_in_sets() -> None:
    levels = {"sex": 2}
    assert len({CombinationRule(identification=levels), CombinationRule(identification=dict(levels))}) == 1


def test_bad_input() -> None:
    with pytest.raises(ParameterError, match="'thresholds' must be"):
        CombinationRule(thresholds=[])
    with pytest.raises(ParameterError, match="'thresholds' must be"):
        CombinationRule(thresholds=[3, 0])
    with pytest.raises(ParameterError, match="'dimension' must be"):
        CombinationRule(dimension=0)
    with pytest.raises(ParameterError, match="'identification' must give whole numbers from 0, got -1 for 'sex'"):
        CombinationRule(identification={"sex": -1})
    with pytest.raises(ColumnError, match="names 'sxe', which is not among the keys"):
        CombinationRule(identification={"sxe": 1}).assess(make())
    with pytest.raises(MeasureError, match="at least one key needs level 1"):
        CombinationRule(identification={"place": 2, "sex": 2, "job": 0}).assess(make())
    wide = pa.table({f"x{j}": ["a"] for j in range(40)})
    with pytest.raises(MeasureError, match="more than 20,000"):
        CombinationRule(dimension=5).assess(Microdata.from_frame(wide, keys=wide.column_names))
