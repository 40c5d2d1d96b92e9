"""Columns of two files are compared whatever became of their scale."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import tacita as tc
from tacita.attack.files.compared import compare, is_as_it_was, may_be_suppressed, said_values, shared_names, steps_on
from tacita.attack.judge.stage_file import as_it_leaves
from tacita.attack.targets import KnownStep
from tests.attack.files.people import file_of, target_of

TREE = tc.Hierarchy((("red", "warm", "*"), ("pink", "warm", "*"), ("blue", "cold", "*")))


def fits_of(
    known: tc.Microdata, released: tc.Microdata, name: str, steps: tuple[KnownStep, ...] = ()
) -> dict[str, set[str]]:
    _, (pair,) = compare(known, released, [name], steps)
    mine, theirs = known.codes(name).categories, released.codes(name).categories
    return {str(mine[i]): {str(theirs[j]) for j in np.flatnonzero(row)} for i, row in enumerate(pair.fits)}


def test_a_group_of_the_hierarchy_fits_its_values() -> None:
    data = file_of({"x": ["red", "pink", "blue", "blue"]}, keys=["x"], hierarchies={"x": TREE})
    masked = tc.mask.LocalRecode(k=2).apply(data)
    assert fits_of(as_it_leaves(data), as_it_leaves(masked), "x") == {
        "red": {"warm"},
        "pink": {"warm"},
        "blue": {"blue"},
    }


def test_intervals_hold_numbers() -> None:
    data = file_of({"age": [17, 18, 40, 70]}, keys=["age"])
    masked = tc.mask.GlobalRecode(breaks={"age": [18, 65]}).apply(data)
    assert fits_of(data, as_it_leaves(masked), "age") == {
        "17": {"below 18"}, "18": {"18-64"}, "40": {"18-64"}, "70": {"65 or more"},
    }  # fmt: skip


def test_a_documented_map_is_used_and_a_value_without_a_label_may_have_any_that_cannot_be_read() -> None:
    data = file_of({"region": ["north", "west", "south"]}, keys=["region"])
    masked = as_it_leaves(tc.mask.GlobalRecode(map={"region": {"north": "coast", "west": "coast"}}).apply(data))
    step = KnownStep("global_recode", ("region",), {"map": {"region": {"north": "coast", "west": "coast"}}})
    assert fits_of(data, masked, "region", (step,)) == {"north": {"coast"}, "west": {"coast"}, "south": {"south"}}
    assert fits_of(data, masked, "region") == {"north": {"coast"}, "west": {"coast"}, "south": {"south"}}


@pytest.mark.parametrize(
    ("to", "every"), [("month", 1), ("quarter", 1), ("year", 1), ("year", 5), ("decade", 1), ("week", 1)]
)
def test_periods_hold_their_dates(to: str, every: int) -> None:
    days = [f"{1980 + i % 17}-{i % 12 + 1:02d}-{i % 28 + 1:02d}" for i in range(100)]
    data = file_of({"born": pa.array(days).cast(pa.date32())}, keys=["born"])
    masked = tc.mask.DateCoarsen(columns=["born"], to=to, every=every, written="label").apply(data)
    _, (pair,) = compare(data, masked, ["born"])
    assert pair.fits[pair.known, pair.released].all()
    assert pair.fits.mean() < 0.8


def test_dates_are_days_and_numbers_are_numbers() -> None:
    data = file_of({"born": pa.array(["1970-01-02", None]).cast(pa.date32()), "x": [1.5, None]})
    numbers, classes = compare(data, data, ["born", "x"])
    assert not classes
    assert [pair.known[0] for pair in numbers] == [1.0, 1.5]
    assert all(np.isnan(pair.known[1]) for pair in numbers)


def test_what_is_said_of_a_column() -> None:
    data = file_of({"age": [17, 18, 40, None]}, keys=["age"])
    banded = tc.mask.GlobalRecode(breaks={"age": [18, 65]}).apply(data)
    assert said_values(banded, "age")[1] == pytest.approx(41.5)
    words = said_values(file_of({"c": ["a", None]}), "c")
    assert words.tolist() == ["a", ""]
    assert said_values(data, "age").tolist()[:3] == [17.0, 18.0, 40.0]


def test_what_is_known_of_steps() -> None:
    data = file_of({"a": [1.0], "b": [2.0]})
    step = KnownStep("local_suppression", ("a",))
    told = target_of(data, data, steps=(step,))
    assert steps_on(told, "a") == (step,)
    assert not is_as_it_was(told, "a")
    assert is_as_it_was(told, "b")
    assert may_be_suppressed(told, "a")
    assert not may_be_suppressed(told, "b")
    assert may_be_suppressed(target_of(data, data), "b")
    assert shared_names(data, data.select(["b"])) == ("b",)
    assert shared_names(data, data, leave=["b"]) == ("a",)
