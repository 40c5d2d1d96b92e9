"""Figures with labels, from frames and files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest

from tacita.core.errors import DataError, FileError
from tacita.data.formats.shown_grid import grid_names, read_shown, shown_label


def test_a_wide_frame_of_pandas() -> None:
    frame = pd.crosstab(pd.Series(["f", "m", "f"], name="sex"), pd.Series([1.0, 2.0, 2.0], name="size"), margins=True)
    grid = read_shown(frame, ["sex"], ["size"])
    assert grid.rows == (("f",), ("m",), ("All",))
    assert grid.columns == (("1",), ("2",), ("All",))
    assert grid.values[2].tolist() == [1, 2, 3]
    assert not grid.is_long
    assert grid_names(frame) == (["sex"], ["size"])
    assert grid_names(pd.DataFrame({"a": [1]})) == ([], [])


def test_a_series_and_frames_without_an_index() -> None:
    series = pd.Series([1.25, np.nan], index=pd.Index(["f", "m"], name="sex"), name="mean")
    grid = read_shown(series, ["sex"], [])
    assert grid.columns == (("mean",),)
    assert np.isnan(grid.values[1, 0])
    long = pl.DataFrame({"n": [3, 4], "sex": ["f", "m"], "size": [1, 2]})
    made = read_shown(long, ["sex"], ["size"])
    assert made.is_long
    assert made.rows == (("f", "1"), ("m", "2"))
    wide = read_shown(pl.DataFrame({"who": ["f"], "1": [3], "2": [4]}), ["sex"], ["size"])
    assert wide.columns == (("1",), ("2",))


def test_a_file_and_what_is_hidden_in_it(tmp_path: Path) -> None:
    place = tmp_path / "t.csv"
    place.write_text("sex;mean;share\nf;1.50;12 %\nm;x;<10\n\n", encoding="utf-8")
    grid = read_shown(place, ["sex"], [])
    assert grid.values[0].tolist() == [1.5, 12]
    assert np.isnan(grid.values[1]).all()
    assert grid.steps[0].tolist() == [0.01, 1.0]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"sex,n\n", "at least one line of figures"),
        (b"sex,n\nf\n", "differ in length"),
        (b"\xff\xfe\x00", "UTF-8"),
        (b'sex,n\n"f\x00,1\n', "differ in length|not a CSV"),
    ],
)
def test_bad_files(tmp_path: Path, content: bytes, message: str) -> None:
    place = tmp_path / "t.csv"
    place.write_bytes(content)
    with pytest.raises(FileError, match=message):
        read_shown(place, ["sex"], [])


def test_no_file_and_no_figures(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"'t.csv' cannot be read"):
        read_shown(tmp_path / "t.csv", ["sex"], [])
    with pytest.raises(DataError, match="labels only"):
        read_shown(pl.DataFrame({"sex": ["f"]}), ["sex"], [])
    with pytest.raises(DataError, match="A frame of pandas"):
        read_shown(7, ["sex"], [])


def test_labels() -> None:
    assert [shown_label(one) for one in (2.0, "2", "2.50", "a ", None, "1e400")] == [
        "2",
        "2",
        "2.50",
        "a",
        "None",
        "1e400",
    ]
