"""Tests of ``tacita.data.directory.directory`` and ``tacita.data.directory.directory_reading``."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from tacita.core.errors import DataError
from tacita.data.directory.directory import Directory
from tacita.data.directory.directory_reading import DirectoryReading

MADE = Directory.from_entries([(("a", "b"), "one", "first"), (("a",), "two", ""), (("c", "d"), "three", "third")])


def test_entries_are_filed() -> None:
    assert [MADE.tree.path(place) for place in MADE.category.tolist()] == [("a", "b"), ("a",), ("c", "d")]
    assert MADE.description.to_pylist() == ["first", "", "third"]


def test_an_empty_directory_is_one() -> None:
    assert repr(Directory.from_entries([])) == "Directory of 0 entries in 0 categories"


def test_a_part_keeps_what_lies_above_without_its_entries() -> None:
    about = pa.array([f"about {name}" for name in MADE.tree.names], pa.string())
    whole = dataclasses.replace(MADE, about=about, weight=np.array([1.0, 2.0, 3.0]))
    part = whole.select(np.array([path == ("a", "b") for path in whole.tree.paths]))
    assert part.title.to_pylist() == ["one"]
    assert part.tree.paths == [("a",), ("a", "b")]
    assert part.about is not None
    assert part.about.to_pylist() == ["about a", "about b"]
    assert part.weight is not None
    assert part.weight.tolist() == [1.0]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"category": np.array([0, 0, 9], np.int32)}, "places of the tree"),
        ({"title": pa.array(["x"])}, "every entry"),
        ({"about": pa.array(["x"])}, "a text for each"),
        ({"weight": np.array([1.0, 0.0, 1.0])}, "above 0"),
        ({"weight": np.ones(2)}, "above 0"),
    ],
)
def test_what_does_not_fit_together_is_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(DataError, match=message):
        dataclasses.replace(MADE, **change)


def test_a_directory_without_world_is_english() -> None:
    assert MADE.languages == ("English",)
    assert len(MADE.in_languages(["English"])) == 3


def test_a_reading_says_what_was_mended() -> None:
    reading = DirectoryReading(
        form="table", records=9, kept=8, left_out={"without a title": 1}, broken={"b": 2, "a": 1}
    )
    assert reading.words().splitlines()[1:] == ["Left out: without a title 1.", "Mended: a 1, b 2."]
