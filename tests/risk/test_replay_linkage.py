"""Masks without chance can be repeated by whoever knows the values."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tacita as tc
from tacita.data.microdata import Microdata
from tacita.mask import Mdav
from tacita.risk import ReplayLinkage
from tests.oracles.risk.known_method import replay_share

MONEY = ("earnings", "other_income", "tax", "savings")


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=20))
def test_chances_are_those_of_the_oracle(rows: list[tuple[int, int]]) -> None:
    values = np.array(rows)
    data = Microdata.from_frame(pa.table({"a": values[:, 0], "b": values[:, 1]}), keys=["a", "b"])
    assert ReplayLinkage().assess(data).per_record == pytest.approx(replay_share(values))


def test_worked_example() -> None:
    data = Microdata.from_frame(pa.table({"a": [1.0, 1.0, 2.0, 3.0]}), keys=["a"])
    assert ReplayLinkage().assess(data).value == 75.0  # (1/2 + 1/2 + 1 + 1) / 4


def test_one_group_of_columns_holds_and_several_do_not() -> None:
    data = tc.samples.household_survey(400, seed=1).drop(["income"])  # the total of two masked columns
    together, apart = (Mdav(columns=MONEY, k=10, groups=groups).apply(data) for groups in (None, 1))
    attack = ReplayLinkage(columns=MONEY)
    assert attack(data, together).value <= 10.0
    assert attack(data, apart).value > 60.0


def test_the_mask_really_can_be_repeated() -> None:
    """What the measure takes for granted: run by somebody else with another seed, the mask gives the same values."""
    data = tc.samples.household_survey(200, seed=1).drop(["income"])
    mine, theirs = (Mdav(columns=MONEY, k=4).apply(data, seed=seed) for seed in (1, 2))
    assert mine.same_content(theirs)
