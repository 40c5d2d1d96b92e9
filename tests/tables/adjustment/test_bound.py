"""The bound of absolute moves: by hand, and below every solution."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tacita.core.clock import Clock
from tacita.core.errors import DataError
from tacita.tables.adjustment.bound import CompensationBound
from tacita.tables.adjustment.core import adjustment_core
from tests.effort import examples
from tests.oracles.tables.adjustment import nearest_adjustment_oracle
from tests.tables.adjustment.test_tabular_adjustment import usable
from tests.tables.small_problems import grid


def test_a_move_must_be_compensated_everywhere() -> None:
    """One unsafe cell in 3 x 3 with locked margins: levels alone prove 3, compensation 12, and 12 is the optimum."""
    base = grid(np.arange(1.0, 10.0).reshape(3, 3) * 10, unsafe=[(0, 0)], level=3)
    locked = np.zeros((4, 4), bool)
    locked[3], locked[:, 3] = True, True
    core, _ = adjustment_core(replace(base, locked=locked.ravel()), np.ones(16))
    bound = CompensationBound(core, np.inf)
    assert bound.value == pytest.approx(3)
    bound.tighten(Clock.of(None))
    assert bound.is_done
    assert bound.value == pytest.approx(12, rel=1e-3)
    assert bound.value <= 12 + 1e-9


def test_how_far_a_group_can_move() -> None:
    """With a solution of cost 14 nothing can move further than that pays for."""
    base = grid(np.arange(1.0, 10.0).reshape(3, 3) * 10, unsafe=[(0, 0)], level=3)
    core, unit = adjustment_core(base, np.ones(16))
    bound = CompensationBound(core, 14.0)
    assert np.all(bound.most * unit <= 14 * (1 + 1e-5))
    before = bound.most.copy()
    bound.tighten(Clock.of(None))
    bound.best_known(13.0)
    assert np.all(bound.most <= before + 1e-9)


@pytest.mark.slow
@settings(max_examples=examples(60), deadline=None)
@given(st.integers(0, 10**6))
def test_below_the_optimum(seed: int) -> None:
    problem = usable(seed)
    assume(problem.unsafe.any())
    weights = np.random.default_rng([seed, 3]).uniform(0.5, 2.0, problem.size)
    expected = nearest_adjustment_oracle(problem, weights)
    assume(np.isfinite(expected))
    try:
        core, _ = adjustment_core(problem, weights)
    except DataError:
        pytest.fail("a problem with a solution was called impossible")
    for known in (np.inf, expected):
        bound = CompensationBound(core, known)
        bound.tighten(Clock.of(None))
        assert bound.value <= expected * (1 + 1e-6) + 1e-6


def test_rows_hold_for_every_table() -> None:
    """Absolute moves of any additive change meet the rows."""
    rng = np.random.default_rng(1)
    base = grid(rng.poisson(30, (5, 6)) + 1.0, unsafe=[(0, 0), (1, 1), (2, 4)], level=4)
    core, unit = adjustment_core(base, np.ones(base.size))
    bound = CompensationBound(core, np.inf)
    bound.tighten(Clock.of(None))
    other = grid(rng.normal(0, 3, (5, 6)), unsafe=[], level=0).values
    z = np.linalg.lstsq(core.member.toarray(), other, rcond=None)[0]
    np.testing.assert_allclose(core.moves(z), other, atol=1e-9)
    assert bound.cuts.shape[0] > 0
    assert np.all(bound.cuts @ np.abs(z) >= -1e-9 / unit)
    assert bound.tight().shape[0] <= bound.cuts.shape[0]


def test_no_time_leaves_the_levels() -> None:
    base = grid(np.full((3, 3), 50.0), unsafe=[(0, 0)], level=3)
    core, _ = adjustment_core(base, np.ones(16))
    bound = CompensationBound(core, np.inf)
    bound.tighten(Clock.of(0.0))
    assert bound.value >= 3 - 1e-9
