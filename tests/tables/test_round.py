"""Rounding as a protector."""

from __future__ import annotations

import numpy as np
import pytest

import tacita as tc
from tacita.core.errors import ParameterError
from tacita.tables.minimum_frequency import MinimumFrequency
from tacita.tables.round import Round


def test_controlled_rounding_keeps_sums_and_the_others_say_that_they_do_not() -> None:
    table = tc.tabulate(tc.samples.household_survey(400, seed=1), ["region", "sex"], weight=False)
    unsafe = MinimumFrequency().judge(table)
    made = Round(base=5).protect(table, unsafe)
    assert np.all(made.values % 5 == 0)
    assert len(table.relations.violated(made.values)) == 0
    assert np.abs(made.values - table.values).max() < 5
    nearest = Round(base=5, kind_of="conventional").protect(table, unsafe)
    assert np.abs(nearest.values - table.values).max() <= 2.5
    assert "do not hold" in nearest.notes[0]
    drawn = [Round(base=5, kind_of="random", rounding_seed=3).protect(table, unsafe).values for _ in range(2)]
    assert (drawn[0] == drawn[1]).all()
    with pytest.raises(ParameterError, match="'rounding_seed' must be given"):
        Round(base=5, kind_of="random")
