"""The search for roundings: relaxation, whole model, parts."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.core.clock import Clock
from tacita.tables.model.relations import Relations
from tacita.tables.rounding.model import RoundingModel
from tacita.tables.rounding.search import RoundingSearch, improve_by_parts, search_rounding
from tests.tables.small_problems import grid


def made(inner: np.ndarray, base: float = 5.0) -> RoundingModel:
    problem = grid(inner.astype(float), unsafe=[], level=0)
    n = problem.size
    return RoundingModel.of(problem.relations, problem.values, base, np.zeros(n), np.full(n, np.inf))


def test_a_network_needs_the_relaxation_only() -> None:
    model = made(np.random.default_rng(1).poisson(4, (12, 9)))
    found = search_rounding(model, 0, Clock.of(None))
    assert found.steps is not None
    assert model.is_additive(found.steps)
    assert found.bound == pytest.approx(model.distance(found.steps), rel=1e-7)


def test_proof_that_there_is_none() -> None:
    """Three cells of half a step whose pairwise sums are one step each: the relaxation is feasible, whole numbers are not."""
    rows = Relations.of([(3, [0, 1]), (4, [1, 2]), (5, [0, 2])], 6)
    values = np.array([1.0, 1.0, 1.0, 2.0, 2.0, 2.0])
    model = RoundingModel.of(rows, values, 2.0, np.zeros(6), np.full(6, np.inf))
    found = search_rounding(model, 0, Clock.of(None))
    assert found.steps is None
    assert found.is_impossible
    assert search_rounding(model, 1, Clock.of(None)).steps is not None


def test_parts_improve_a_bad_rounding() -> None:
    """From the table that is rounded at the bottom and added up, back to the optimum."""
    model = made(np.random.default_rng(3).poisson(4, (8, 8)))
    steps = model.summed()
    assert steps is not None
    best = search_rounding(model, 0, Clock.of(None))
    reach = int(np.abs(model.beyond(steps)).max())
    found = RoundingSearch(steps, best.bound * 0.99)
    before = model.distance(steps)
    improve_by_parts(model, found, reach, Clock.of(5.0))
    assert found.steps is not None
    assert model.is_additive(found.steps)
    assert model.distance(found.steps) < before
    assert best.steps is not None
    assert model.distance(found.steps) <= model.distance(best.steps) + 1e-9


def test_nothing_to_improve() -> None:
    model = made(np.array([[5, 10], [0, 5]]))
    found = RoundingSearch(model.floor.copy(), 0.0)
    improve_by_parts(model, found, 0, Clock.of(5.0))
    np.testing.assert_array_equal(found.steps, model.floor)
    empty = RoundingSearch(None, 0.0)
    improve_by_parts(model, empty, 0, Clock.of(5.0))
    assert empty.steps is None


def test_no_time_gives_a_bound_at_least() -> None:
    model = made(np.random.default_rng(1).poisson(4, (20, 20)))
    found = search_rounding(model, 0, Clock.of(0.0))
    assert found.bound >= model.least_distance
