"""Directions by search: a first choice, flips and parts, each no worse than the one before."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.core.clock import Clock
from tacita.tables.adjustment.bound import CompensationBound
from tacita.tables.adjustment.core import AdjustmentCore, adjustment_core
from tacita.tables.adjustment.directions import choose_directions, flip_directions, improve_parts
from tacita.tables.adjustment.model import DirectionModel, Moved
from tests.tables.adjustment.test_tabular_adjustment import middle


def core_of(seed: int) -> AdjustmentCore:
    problem = middle(seed)
    return adjustment_core(problem, 1 / problem.cost)[0]


def is_valid(core: AdjustmentCore, moved: Moved) -> None:
    np.testing.assert_allclose(core.rows @ moved.z, 0, atol=1e-6 * max(1.0, np.abs(moved.z).max()))
    assert np.all((moved.z <= core.up + 1e-6) & (moved.z >= -core.down - 1e-6))
    assert moved.cost == pytest.approx(core.cost(moved.z))


@pytest.mark.parametrize("seed", range(3))
def test_each_step_is_no_worse(seed: int) -> None:
    core = core_of(seed)
    model = DirectionModel(core)
    first = choose_directions(model, Clock.of(None))
    assert first is not None
    is_valid(core, first)
    second = flip_directions(model, first, Clock.of(5.0))
    is_valid(core, second)
    assert second.price(core) <= first.price(core) + 1e-9
    bound = CompensationBound(core, second.cost)
    bound.tighten(Clock.of(None))
    third = improve_parts(core, second, bound.tight(), bound.v, Clock.of(3.0), target=bound.value)
    is_valid(core, third)
    assert third.price(core) <= second.price(core) + 1e-9
    assert third.is_safe
    assert bound.value <= third.cost + 1e-9


def test_better_than_chance() -> None:
    core = core_of(1)
    model = DirectionModel(core)
    first = choose_directions(model, Clock.of(None))
    assert first is not None
    rng = np.random.default_rng(1)
    for _ in range(5):
        other = DirectionModel(core)
        other.fix(np.arange(len(core.unsafe)), rng.random(len(core.unsafe)) < 0.5)
        assert first.cost < other.moved(other.run()).price(core)


def test_no_time_still_gives_directions() -> None:
    core = core_of(2)
    moved = choose_directions(DirectionModel(core), Clock.of(0.0))
    assert moved is None or len(moved.up) == len(core.unsafe)


def test_a_target_that_is_reached_ends_the_search() -> None:
    core = core_of(1)
    first = choose_directions(DirectionModel(core), Clock.of(None))
    assert first is not None
    bound = CompensationBound(core, first.cost)
    same = improve_parts(core, first, bound.tight(), bound.v, Clock.of(60.0), target=np.inf)
    assert same.cost <= first.cost + 1e-9
