"""Unchanged values: to rounding, by column, for records that stand out; means that one record makes up."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import tacita as tc
from tacita.data.microdata import Microdata
from tacita.data.schema import Column, Schema
from tacita.risk.unchanged import UnchangedValues


def file(**columns: Any) -> Microdata:
    return Microdata.from_frame(pa.table(columns), keys=list(columns))


def test_by_hand() -> None:
    data = file(n=[1, 2, 3, None], word=["a", "b", None, "c"])
    masked = data.with_numbers({"n": np.array([1.4, 2.6, np.nan, np.nan])})
    masked = masked.with_column("word", pa.array(["a", "x", "b", None]))
    found = UnchangedValues()(data, masked)
    assert found.parts["n"] == pytest.approx(100 / 3)  # 1.4 rounds to 1; a suppressed value has changed
    assert found.parts["word"] == pytest.approx(100 / 3)
    assert found.value == pytest.approx(100 * 2 / 6)
    assert found.per_record is not None
    assert found.per_record.tolist() == [1.0, 0.0, 0.0, 0.0]


def test_identity_leaves_everything_and_names_it() -> None:
    data = tc.samples.household_survey(200, seed=1)
    found = UnchangedValues()(data, data)
    assert found.value == 100
    assert found.note.startswith("as they were: ")


def test_rare_and_extreme_records_have_their_own_share() -> None:
    x = np.append(np.random.default_rng(1).normal(size=990), np.arange(10) + 100.0)
    data = file(x=x, word=["often"] * 995 + ["seldom"] * 5)
    moved = np.where(x > 50, x, x + 1)
    masked = data.with_numbers({"x": moved}).with_column("word", pa.array(["often"] * 1000))
    parts = UnchangedValues()(data, masked).parts
    assert parts["x"] == pytest.approx(1.0)
    assert parts["x: rare or extreme"] == 100
    assert parts["word: rare or extreme"] == 0


def test_dominated_means_are_counted_whatever_made_them() -> None:
    x = np.append(np.random.default_rng(1).uniform(1, 100, 999), 1e9)
    data = file(x=x)
    masked = tc.mask.Mdav(columns=["x"], k=3, dominance=100).apply(data)
    assert UnchangedValues()(data, masked).parts["x: dominated means"] == 1
    safe = tc.mask.Mdav(columns=["x"], k=3, aggregate="median").apply(data)
    assert "x: dominated means" not in UnchangedValues()(data, safe).parts


def test_bounds_are_on_the_card() -> None:
    schema = Schema((Column(name="x", scale="numeric", roles=("key",), bounds=(0, 10)),))
    data = Microdata(pa.table({"x": [1.0, 5.0, 9.0]}), schema)
    parts = UnchangedValues()(data, data.with_numbers({"x": np.array([-1.0, 5.5, 12.0])})).parts
    assert parts["x: outside bounds"] == 2


def test_it_stands_on_every_card() -> None:
    data = tc.samples.household_survey(200, seed=1)
    masked = tc.mask.AdditiveNoise(columns=["savings"], sd_ratio=0.5).apply(data, seed=7)
    assert tc.evaluate(data, masked)["unchanged"] < 100


def test_a_masked_sum_of_unmasked_columns_is_named() -> None:
    rng = np.random.default_rng(2)
    a, b = rng.integers(1, 999, 200), rng.integers(1, 999, 200)
    data = file(a=a, b=b, total=a + b)
    masked = tc.mask.AdditiveNoise(columns=["total"], sd_ratio=0.5).apply(data, seed=1)
    note = UnchangedValues()(data, masked).note
    assert note.endswith("masked, but sums or copies of columns that are as they were: total")
    assert "masked, but" not in UnchangedValues(columns=["a", "total"])(data, masked).note
