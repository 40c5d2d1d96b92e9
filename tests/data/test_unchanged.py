"""Comparison of one column in two files: numbers to rounding, other values by their text."""

from __future__ import annotations

import datetime as dt

import numpy as np
import pyarrow as pa

from tacita.data.microdata import Microdata
from tacita.data.unchanged import unchanged


def file(**columns: object) -> Microdata:
    return Microdata.from_frame(pa.table(columns))


def test_numbers_and_categories_and_dates() -> None:
    day = dt.date(2024, 1, 1)
    data = file(n=[1, 2, None], c=pa.array(["a", None, "b"]).dictionary_encode(), d=[day, day, None])
    masked = file(n=[1.2, 2.5, 3.0], c=["a", "a", None], d=[day, day + dt.timedelta(1), day])
    for name in data.names:
        assert unchanged(data, masked, name).same.tolist() == [True, False, False]
    assert unchanged(data, masked, "c").there.tolist() == [True, False, True]


def test_a_recoded_column_is_compared_as_text() -> None:
    data, masked = file(age=[31, 47, 80]), file(age=["31", "40-49", None])
    assert unchanged(data, masked, "age").same.tolist() == [True, False, False]


def test_pairs_of_rows() -> None:
    data, masked = file(n=[1, 2, 3]), file(n=[3, 9])
    assert unchanged(data, masked, "n", np.array([2, 0]), np.array([0, 1])).same.tolist() == [True, False]


def test_the_most_frequent_value_tells_nothing() -> None:
    data = file(n=np.where(np.arange(100) < 80, 0, np.arange(100)))
    looked = unchanged(data, data, "n")
    assert looked.telling.sum() == 20
    assert looked.share(looked.telling) == 1
    many = file(n=np.arange(1000))
    assert unchanged(many, many, "n").telling.all()
    assert unchanged(many, many, "n").standing_out.sum() == 10
