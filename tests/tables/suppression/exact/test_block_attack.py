"""The attacker's programme: the interval by hand and by another solver, and moves of few cells."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tacita.tables.suppression.exact.block_attack import BlockAttack
from tacita.tables.suppression.exact.block_form import cores_of
from tests.effort import examples
from tests.oracles.tables.suppression import interval_oracle
from tests.tables.small_problems import grid
from tests.tables.suppression_cases import SQUARE, solvable, whole


def test_by_hand() -> None:
    """Hidden corners 3, 9, 6, 8: the first can fall by 3 and rise by 6, the smallest of its neighbours."""
    problem = grid(SQUARE, unsafe=[(0, 0)], level=1.0)
    (core,) = cores_of(problem)
    hidden = np.isin(core.cells, [0, 2, 8, 10])
    down, up = np.where(hidden, core.down, 0.0), np.where(hidden, core.up, 0.0)
    attack = BlockAttack(core, hidden)
    assert attack.stretch(0, 1, down, up, stop=99.0).share == pytest.approx(6.0)
    assert attack.stretch(0, -1, down, up, stop=99.0).share == pytest.approx(3.0)
    assert attack.stretch(0, 1, down, up).share == pytest.approx(1.0)
    found = attack.move(0, 1, down, up)
    assert found is not None
    assert core.cells[np.flatnonzero(found.move)].tolist() == [0, 2, 8, 10]
    assert attack.move(0, 1, down / 7, up / 7) is None


@settings(max_examples=examples(25), deadline=None)
@given(st.integers(0, 10**6))
def test_same_interval_as_another_solver(seed: int) -> None:
    case = solvable(seed, most=10)
    assume(case is not None)
    assert case is not None
    problem, core = case
    rng = np.random.default_rng(seed)
    hidden = core.forced | (rng.random(core.size) < 0.7)
    down, up = np.where(hidden, core.down, 0.0), np.where(hidden, core.up, 0.0)
    cell = int(core.guarded[0])
    low, high = interval_oracle(problem, whole(problem, core, hidden), int(core.cells[cell]), np.empty(0, int))
    value, far = problem.values[core.cells[cell]], 1e6
    attack = BlockAttack(core, hidden)
    rise, fall = (attack.stretch(cell, side, down, up, stop=far).share for side in (1, -1))
    assert rise == pytest.approx(min(high - value, far), abs=1e-5, rel=1e-6)
    assert fall == pytest.approx(min(value - low, far), abs=1e-5, rel=1e-6)
