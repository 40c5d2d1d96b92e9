"""Declared bounds: counted by column, refused with names and counts only."""

from __future__ import annotations

import pyarrow as pa
import pytest

from tacita.core.errors import DataError
from tacita.data.bounds import check_bounds, outside_bounds
from tacita.data.microdata import Microdata
from tacita.data.schema import Column, Schema

SCHEMA = Schema(
    (
        Column(name="age", scale="numeric", bounds=(0, 120)),
        Column(name="debt", scale="numeric", bounds=(None, 0)),
        Column(name="free", scale="numeric"),
        Column(name="word", scale="nominal", bounds=(0, 1)),
    )
)


def file(age: list[float | None], debt: list[float]) -> Microdata:
    n = len(age)
    return Microdata(pa.table({"age": age, "debt": debt, "free": [1e9] * n, "word": ["x"] * n}), SCHEMA)


def test_inside_is_fine() -> None:
    data = file([0, 120, None], [-5, 0, -1e9])
    assert outside_bounds(data) == {}
    check_bounds(data)


def test_outside_is_refused_without_values() -> None:
    data = file([-1, 121, 30, 7777], [-5, 0, 8888, -1])
    assert outside_bounds(data) == {"age": 3, "debt": 1}
    with pytest.raises(DataError, match=r"3 in 'age', 1 in 'debt'") as caught:
        check_bounds(data)
    assert "7777" not in str(caught.value)
