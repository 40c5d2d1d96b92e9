"""Squares: the projection for given directions, flips, and a bound below them."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
import scipy.sparse as sp

from tacita.core.clock import Clock
from tacita.tables.adjustment.core import AdjustmentCore, adjustment_core
from tacita.tables.adjustment.model import Moved
from tacita.tables.adjustment.squares import bound_in_squares, flip_in_squares, nearest_with_directions, squared_weights
from tests.oracles.tables.adjustment import nearest_adjustment_oracle
from tests.tables.small_problems import grid

BASE = grid(np.array([[30.0, 20, 50], [40, 10, 60]]), unsafe=[(0, 0), (0, 1), (1, 1)], level=4)
WEIGHTS = np.linspace(1, 2, 12)


def core_of() -> tuple[AdjustmentCore, np.ndarray]:
    core, _ = adjustment_core(BASE, WEIGHTS)
    return core, squared_weights(core, WEIGHTS)


def all_directions() -> dict[tuple[bool, ...], float]:
    core, weight = core_of()
    found = {}
    for up in product([False, True], repeat=3):
        z = nearest_with_directions(core, weight, np.array(up))
        if z is not None:
            found[up] = float(weight @ z**2)
    return found


def test_squares_of_groups_are_those_of_the_cells() -> None:
    core, weight = core_of()
    z = np.random.default_rng(1).normal(size=core.size)
    assert weight @ z**2 == pytest.approx(WEIGHTS @ core.moves(z) ** 2)


def test_best_directions_match_the_oracle() -> None:
    assert min(all_directions().values()) == pytest.approx(nearest_adjustment_oracle(BASE, WEIGHTS, "l2"), rel=1e-5)


def test_flips_only_gain() -> None:
    core, weight = core_of()
    costs = all_directions()
    for up, cost in costs.items():
        z = nearest_with_directions(core, weight, np.array(up))
        assert z is not None
        found = flip_in_squares(core, weight, Moved.of(core, z, np.array(up)), Clock.of(5.0))
        reached = float(weight @ found.z**2)
        assert found.is_safe
        assert min(costs.values()) - 1e-6 <= reached <= cost + 1e-6


def test_bound_is_below_the_least_squares() -> None:
    core, weight = core_of()
    least = min(all_directions().values())
    none = sp.csr_array((0, core.size))
    bound = bound_in_squares(core, weight, none, least, Clock.of(None))
    assert float(weight @ core.least**2) < bound <= least * (1 + 1e-6)


def test_directions_without_room_are_none() -> None:
    low = replace(BASE, upper=BASE.values + 4.5)
    core, _ = adjustment_core(low, WEIGHTS)
    weight = squared_weights(core, WEIGHTS)
    z = nearest_with_directions(core, weight, np.array([True, True, True]))
    assert z is None
