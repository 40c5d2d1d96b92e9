"""Repair: any pattern becomes a safe one in which every secondary cell is needed."""

from __future__ import annotations

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tacita.tables.suppression.exact.block_attack import BlockAttack
from tacita.tables.suppression.exact.block_form import cores_of
from tacita.tables.suppression.exact.repair import Repair
from tests.effort import examples
from tests.oracles.tables.suppression import is_safe_oracle
from tests.tables.small_problems import grid
from tests.tables.suppression_cases import SQUARE, solvable, whole


def test_the_cheap_rectangle() -> None:
    problem = grid(SQUARE, unsafe=[(0, 0)], level=3.0)
    (core,) = cores_of(problem.with_cost(problem.values))
    repair = Repair(core, BlockAttack(core))
    proof = repair.safe(core.forced, core.cost, lambda: False)
    assert proof is not None
    assert core.cells[np.flatnonzero(proof.hidden)].tolist() == [0, 2, 8, 10]
    assert repair.safe(core.forced, core.cost, lambda: True) is None, "stopped before anything was found"


@settings(max_examples=examples(25), deadline=None)
@given(st.integers(0, 10**6))
def test_safe_and_lean(seed: int) -> None:
    case = solvable(seed, most=12)
    assume(case is not None)
    assert case is not None
    problem, core = case
    rng = np.random.default_rng(seed)
    repair = Repair(core, BlockAttack(core))
    proof = repair.safe(rng.random(core.size) < 0.3, core.cost, lambda: False)
    assert proof is not None
    assert is_safe_oracle(problem, whole(problem, core, proof.hidden))
    lean = repair.lean(proof, core.cost, lambda: False)
    assert is_safe_oracle(problem, whole(problem, core, lean.hidden))
    for cell in np.flatnonzero(lean.hidden & ~core.forced):
        fewer = lean.hidden.copy()
        fewer[cell] = False
        assert not is_safe_oracle(problem, whole(problem, core, fewer))
