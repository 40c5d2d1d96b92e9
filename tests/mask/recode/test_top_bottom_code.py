"""Top and bottom coding by limits and by percentages."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.core.errors import ColumnError, ParameterError, TacitaWarning
from tacita.data.microdata import Microdata
from tacita.data.schema import Column, Schema
from tacita.mask import TopBottomCode

LEVELS = ("low", "middle", "high", "top")


def data(values: Any) -> Microdata:
    return Microdata.from_frame(pa.table({"x": values}), keys=["x"])


def coded(values: Any, **parameters: Any) -> list[Any]:
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore", TacitaWarning
        )  # of one value that makes up a code, and of limits that nobody exceeds
        return _coded(values, **parameters)


def _coded(values: Any, **parameters: Any) -> list[Any]:
    return list(TopBottomCode(**parameters).apply(data(values)).to_arrow().column("x").to_pylist())


def test_limits_by_hand() -> None:
    values = [1, 2, 8, 10, None]
    assert coded(values, top=7) == [1, 2, 7, 7, None]
    assert coded(values, top=7, code="mean") == [1, 2, 9, 9, None]
    assert coded(values, top=7, bottom=2) == [2, 2, 7, 7, None]
    assert coded([1.0, 2.0, 8.0, 9.0, 19.0], top=7, code="median") == [1.0, 2.0, 9.0, 9.0, 9.0]
    assert coded([1.5, 2.0, 8.0], bottom=1.8, top_p=0, code="mean") == [1.5, 2.0, 8.0]


def test_percentages_by_hand() -> None:
    assert coded(list(range(1, 11)), top_p=20, bottom_p=10) == [2, 2, 3, 4, 5, 6, 7, 8, 8, 8]
    assert coded([1, 5, 5, 5], top_p=50) == [1, 5, 5, 5], "ties with the limit are not coded"


def test_ordinal_columns() -> None:
    table = pa.table({"x": ["low", "top", "high", "middle", None]})
    survey = Microdata(table, Schema((Column(name="x", scale="ordinal", roles=("key",), categories=LEVELS),)))
    made = TopBottomCode(top="middle").apply(survey).to_arrow().column("x").to_pylist()
    assert made == ["low", "middle", "middle", "middle", None]
    with pytest.raises(ColumnError, match="no category 'huge'"):
        TopBottomCode(top="huge").apply(survey)


@given(
    st.lists(st.integers(-1000, 1000), min_size=1, max_size=60),
    st.floats(0, 50),
    st.floats(0, 50),
    st.sampled_from(["limit", "mean", "median"]),
)
def test_no_more_than_the_percentage_is_coded(values: list[int], top_p: float, bottom_p: float, code: Any) -> None:
    x = np.array(values, dtype=float)
    y = np.array(coded(x, top_p=top_p, bottom_p=bottom_p, code=code))
    moved = x != y
    assert moved.sum() <= len(x) * (top_p + bottom_p) / 100 + 1e-9
    order = np.argsort(x, kind="stable")
    assert (np.diff(y[order]) >= -1e-9).all()
    if code == "mean":
        assert y.mean() == pytest.approx(x.mean(), abs=0.5)


def test_a_code_that_one_value_makes_up_is_told() -> None:
    values = [*range(1, 98), 200, 300, 1e7]
    with pytest.warns(TacitaWarning, match=r"more than 90 % of the sum of its group in some groups \(1 of 1 for 'x'\)"):
        TopBottomCode(top_p=3, code="mean").apply(data(values))
    TopBottomCode(top_p=3, code="median").apply(data(values))
    TopBottomCode(top_p=3).apply(data(values))


def test_whole_numbers_stay_whole() -> None:
    made = TopBottomCode(top=7, code="mean").apply(data(pa.array([1, 8, 9, 9], pa.int32())))
    assert made.to_arrow().column("x").type == pa.int32()
    assert made.to_arrow().column("x").to_pylist() == [1, 9, 9, 9]


def test_bad_limits() -> None:
    with pytest.raises(ParameterError, match="'bottom' must not be above 'top'"):
        TopBottomCode(top=1, bottom=2)
    with pytest.raises(ParameterError, match="lower limit of column 'x' is above"):
        TopBottomCode(bottom=100, top_p=5).apply(data(list(range(20))))
    with pytest.raises(ColumnError, match="limit of numeric column 'x' must be a number"):
        TopBottomCode(top="high").apply(data([1, 2]))
