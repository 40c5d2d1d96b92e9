"""Attribute disclosure through zeros, before and after noise."""

from __future__ import annotations

from dataclasses import astuple

import numpy as np
import pyarrow as pa
import pytest

import tacita as tc
from tacita.core.errors import DataError
from tacita.tables.perturbation.cell_key import CellKey
from tacita.tables.perturbation.keyed_table import KeyedTable, keyed_table
from tacita.tables.perturbation.zero_disclosure import zero_disclosure
from tests.oracles.tables.zero_disclosure_oracle import groups_one_by_one
from tests.tables.perturbation.test_cell_key import KEY, people


def sparse() -> KeyedTable:
    rng = np.random.default_rng(6)
    n = 600
    frame = pa.table(
        {
            "id": np.arange(n),
            "region": [f"r{k}" for k in rng.integers(0, 200, n)],
            "religion": [f"g{k}" for k in rng.choice(4, n, p=[0.85, 0.05, 0.05, 0.05])],
        }
    )
    return keyed_table(tc.Microdata.from_frame(frame), ["region", "religion"], key=KEY, identity="id")


@pytest.mark.parametrize("zeros", [None, 0.0, 0.2])
def test_groups_are_those_counted_one_by_one(zeros: float | None) -> None:
    made = sparse()
    values = made.values if zeros is None else CellKey(key=KEY, zeros=zeros).perturbed(made)
    assert astuple(zero_disclosure(made, values)) == groups_one_by_one(made, values)


def test_noise_makes_false_groups_and_perturbed_zeros_hide_true_ones() -> None:
    made = sparse()
    before = zero_disclosure(made)
    kept = zero_disclosure(made, CellKey(key=KEY).perturbed(made))
    mixed = zero_disclosure(made, CellKey(key=KEY, zeros=0.2).perturbed(made))
    assert before.false == 0
    assert before.true > 20
    assert kept.false > 0
    assert mixed.share < kept.share < before.share


def test_sums_are_refused() -> None:
    with pytest.raises(DataError, match="one of counts"):
        zero_disclosure(tc.tabulate(people(), ["sex"], "income"))
