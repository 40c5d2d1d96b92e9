"""Averaging against real servers: what is left agrees with the formulas, and limits and budgets end it where they say."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.study.averaging import AVERAGED, averaged_noise, averaging


@pytest.mark.parametrize("defence", AVERAGED, ids=lambda one: one.words)
def test_what_is_left_is_what_the_formula_says(defence) -> None:  # type: ignore[no-untyped-def]
    """With 12 sets a standard deviation is within a factor of two in more than 999 of 1000 runs."""
    measured, expected, answered = averaged_noise(defence, (1, 8), towns=3, seed=1)
    ratio = measured / expected
    assert ((ratio > 0.45) & (ratio < 2.0)).all()
    assert answered == min(8, defence.splits or 8)


def test_a_layer_of_records_stays_and_a_layer_of_sets_does_not() -> None:
    sets, records = AVERAGED[2], AVERAGED[3]
    ends = [averaged_noise(one, (30,), towns=3, seed=2)[0][0] for one in (sets, records)]
    assert ends[0] < 0.9 < ends[1]
    assert np.sqrt(records.left(10_000, 400)) == pytest.approx(2.0, abs=0.01)  # sd 0.1 for each of 400 people


@pytest.mark.slow
def test_the_study_meets_its_claims() -> None:
    found = averaging.run(replicates=10)
    assert all(one.met for one in found.findings)
    assert len(found.tables[0].rows) == len(AVERAGED)
