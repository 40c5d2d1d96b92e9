"""Parts as whole-number models: the rest stands still, and the whole is a part too."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
import scipy.sparse as sp

from tacita.core.clock import Clock
from tacita.tables.adjustment.bound import CompensationBound
from tacita.tables.adjustment.core import AdjustmentCore, adjustment_core
from tacita.tables.adjustment.model import DirectionModel, Moved
from tacita.tables.adjustment.part import PartModel, solve_part
from tests.tables.small_problems import grid


def core_of() -> AdjustmentCore:
    base = grid(
        np.array([[30.0, 20, 50], [40, 10, 60], [25, 35, 45]]), unsafe=[(0, 0), (0, 1), (1, 1), (2, 2)], level=4
    )
    return adjustment_core(base, np.linspace(1, 2, 16))[0]


def fixed(core: AdjustmentCore, up: tuple[bool, ...]) -> Moved:
    model = DirectionModel(core)
    model.fix(np.arange(len(up)), np.array(up))
    return model.moved(model.run())


def test_the_whole_table_is_solved_to_the_optimum() -> None:
    core = core_of()
    best = min(fixed(core, up).cost for up in product([False, True], repeat=4))
    start = fixed(core, (True, True, True, True))
    bound = CompensationBound(core, start.cost)
    bound.tighten(Clock.of(None))
    for cuts in (sp.csr_array((0, core.size)), bound.cuts):
        found, answer = solve_part(
            core, start, np.arange(core.size), np.arange(4), cuts, time_limit=30.0, most=bound.most, gap=0.0
        )
        assert answer.status == "optimal"
        assert found is not None
        assert found.cost == pytest.approx(best)
        assert found.is_safe


def test_the_rest_stands_still() -> None:
    core = core_of()
    start = fixed(core, (True, True, True, True))
    cells = np.sort(np.append(np.arange(core.size // 2), core.unsafe[:1]))
    cells = np.unique(cells)
    found, _ = solve_part(core, start, cells, np.arange(4), sp.csr_array((0, core.size)), time_limit=30.0)
    assert found is not None
    outside = np.setdiff1d(np.arange(core.size), cells)
    np.testing.assert_array_equal(found.z[outside], start.z[outside])
    np.testing.assert_allclose(core.rows @ found.z, 0, atol=1e-6)
    assert found.cost <= start.cost + 1e-6


def test_directions_that_are_closed_stay() -> None:
    core = core_of()
    start = fixed(core, (True, False, True, True))
    found, _ = solve_part(
        core, start, np.arange(core.size), np.array([0]), sp.csr_array((0, core.size)), time_limit=30.0
    )
    assert found is not None
    np.testing.assert_array_equal(found.up[1:], start.up[1:])


def test_a_start_meets_the_model() -> None:
    core = core_of()
    start = fixed(core, (True, False, True, False))
    part = PartModel(core, start, np.arange(core.size), np.arange(4), sp.csr_array((0, core.size)), None)
    columns = part.start()
    assert columns is not None
    n = core.size
    z = columns[:n] - columns[n : 2 * n]
    z[core.unsafe] += -core.below + (core.above + core.below) * columns[2 * n :]
    np.testing.assert_allclose(z, start.z, atol=1e-9)
    unsafe = Moved.of(core, np.zeros(n), start.up)
    assert PartModel(core, unsafe, np.arange(n), np.arange(4), sp.csr_array((0, n)), None).start() is None
