"""The linear model with directions: relaxation, fixing, shortfall, prices."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tacita.tables.adjustment.core import AdjustmentCore, adjustment_core
from tacita.tables.adjustment.model import DirectionModel, Moved
from tests.tables.small_problems import grid


def core_of(level: float = 3.0, **changes: np.ndarray) -> tuple[AdjustmentCore, float]:
    """2 x 2 with locked margins is one ring; here the margins are free, and two cells of a row are unsafe."""
    base = grid(np.array([[10.0, 20.0], [30.0, 40.0]]), unsafe=[(0, 0), (0, 1)], level=level)
    return adjustment_core(replace(base, **changes), np.ones(9))


def test_the_relaxation_costs_the_levels() -> None:
    core, unit = core_of()
    model = DirectionModel(core)
    answer = model.run()
    constant = core.weight[core.unsafe] @ core.below
    assert answer.objective + constant == pytest.approx(6)
    assert unit > 0


def test_opposite_directions_are_cheaper() -> None:
    core, unit = core_of()
    costs = {}
    for up in ((True, True), (True, False), (False, True), (False, False)):
        model = DirectionModel(core)
        model.fix(np.arange(2), np.array(up))
        moved = model.moved(model.run())
        assert moved.is_safe
        np.testing.assert_allclose(core.rows @ moved.z, 0, atol=1e-7)
        assert np.all(
            np.where(moved.up, moved.z[core.unsafe] >= core.above - 1e-7, moved.z[core.unsafe] <= 1e-7 - core.below)
        )
        costs[up] = moved.cost
    assert costs[True, False] == pytest.approx(costs[False, True])
    assert costs[True, False] < costs[True, True]
    assert unit > 0


def test_flipping_and_its_promise() -> None:
    """The promised gain is never less than the real one."""
    core, _ = core_of()
    model = DirectionModel(core)
    model.fix(np.arange(2), np.array([True, True]))
    answer = model.run()
    before, promise = model.moved(answer).cost, model.gains(answer)
    for which in range(2):
        model.fix(np.array([which]), np.array([False]))
        after = model.moved(model.run()).cost
        assert before - after <= promise[which] + 1e-6
        model.fix(np.array([which]), np.array([True]))
    assert model.moved(model.run()).cost == pytest.approx(before)


def test_shortfall_instead_of_infeasible() -> None:
    """Row total locked and both cells raised: one of them misses its level."""
    locked = np.zeros(9, bool)
    locked[2] = True
    base = grid(np.array([[10.0, 20.0], [30.0, 40.0]]), unsafe=[(0, 0), (1, 1)], level=3)
    core, unit = adjustment_core(replace(base, upper=base.values + 3, lower=base.values - 3, locked=locked), np.ones(9))
    model = DirectionModel(core)
    for up in ((True, True), (True, False)):
        model.fix(np.arange(2), np.array(up))
        answer = model.run()
        assert answer.status == "optimal"
        moved = model.moved(answer)
        np.testing.assert_allclose(core.rows @ moved.z, 0, atol=1e-6)
        assert moved.is_safe == (moved.short.sum() == 0)
        assert moved.price(core) >= moved.cost
    assert unit > 0


def test_shortfall_by_hand() -> None:
    core, _ = core_of()
    still = Moved.of(core, np.zeros(core.size), np.array([True, False]))
    np.testing.assert_allclose(still.short, [core.above[0], core.below[1]])
    assert not still.is_safe
    assert still.cost == 0
    assert still.price(core) > 0
