"""The search in one block: bound and cost close in on each other, and a stop leaves both valid."""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks.table_instances import frequency_table

from tacita.tables.suppression.exact.block import Block
from tacita.tables.suppression.exact.block_form import cores_of
from tests.tables.small_problems import grid
from tests.tables.suppression_cases import SQUARE


def test_bound_meets_cost() -> None:
    problem = grid(SQUARE, unsafe=[(0, 0)], level=3.0)
    (core,) = cores_of(problem.with_cost(np.where(problem.unsafe, 1.0, problem.values / 7)))
    block = Block(core, lambda: False)
    assert block.leaks() == []
    block.begin(None, 60.0)
    block.search(60.0, 0.0)
    assert block.cost == pytest.approx(1 + 23 / 7)
    assert block.bound == pytest.approx(block.cost)


@pytest.mark.parametrize("calls", [1, 20, 300])
def test_stopped_anywhere_cost_and_bound_enclose_the_optimum(calls: int) -> None:
    problem = frequency_table([(3, 3), (3, 2)], seed=1, twice=True)
    (core,) = cores_of(problem)
    best = Block(core, lambda: False)
    best.begin(None, 60.0)
    best.search(60.0, 0.0)
    assert best.bound == best.cost
    left = iter(range(calls))
    stopped = Block(core, lambda: next(left, None) is None)
    stopped.begin(None, 60.0)
    stopped.search(60.0, 0.0)
    assert stopped.bound <= best.cost <= stopped.cost
