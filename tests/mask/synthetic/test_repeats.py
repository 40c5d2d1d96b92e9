"""Repeats: drawn records that equal one of the original are found, drawn anew, and refused where they are the rule."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from tacita.core.arrays import IntArray
from tacita.core.errors import DataError, TacitaWarning
from tacita.data.microdata import Microdata
from tacita.mask.synthetic.repeats import find_repeated, without_repeats


def file(x: list[float], word: str = "w") -> Microdata:
    return Microdata.from_frame(pa.table({"x": x, "word": [word] * len(x), "weight": np.arange(len(x)) + 1.0}))


def test_all_described_columns_count_and_no_other() -> None:
    made = file([1.0, 2.0, 3.0])
    assert find_repeated(made, file([3.0, 9.0, 2.0]), ("x", "word")).tolist() == [False, True, True]
    assert not find_repeated(made, file([3.0, 2.0], "v"), ("x", "word")).any()


def test_repeats_are_drawn_anew_until_they_are_none() -> None:
    asked: list[list[int]] = []

    def redraw(rows: IntArray) -> Microdata:
        asked.append(rows.tolist())
        return file([2.0 if len(asked) == 1 else 77.0] * len(rows))

    made = file([float(i) for i in range(20)])
    done, rows = without_repeats(made, file([2.0, 100.0]), ("x", "word"), redraw, owner="Test")
    assert asked == [[2], [2]]
    assert done.numbers("x").tolist() == [0, 1, 77, *range(3, 20)]
    assert rows.tolist() == list(range(20))


def test_what_cannot_be_drawn_otherwise_is_left_out() -> None:
    made = file([float(i) for i in range(20)])
    with pytest.warns(TacitaWarning, match=r"Test: 1 record\(s\) still equalled one of the original"):
        done, rows = without_repeats(made, file([2.0]), ("x",), lambda _: file([2.0]), owner="Test")
    assert len(done) == len(rows) == 19
    assert 2 not in rows


def test_many_repeats_are_refused() -> None:
    made = file([float(i % 4) for i in range(20)])
    with pytest.raises(DataError, match="more than 10 % of the drawn records equal one of the original"):
        without_repeats(made, file([1.0]), ("x",), made.take, owner="Test")
