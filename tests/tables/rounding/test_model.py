"""The model of controlled rounding: steps, distances, parts."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.core.errors import DataError
from tacita.tables.model.relations import Relations
from tacita.tables.rounding.model import RoundingModel
from tests.tables.small_problems import grid

SUM = Relations.of([(0, [1, 2, 3])], 4)
VALUES = np.array([7.0, 1.0, 2.0, 4.0])


def model(values: np.ndarray = VALUES, base: float = 5.0, **bounds: np.ndarray) -> RoundingModel:
    low, high = bounds.get("low", np.zeros(len(values))), bounds.get("high", np.full(len(values), np.inf))
    return RoundingModel.of(SUM, values, base, low, high, bounds.get("weights"))


def test_steps_by_hand() -> None:
    made = model()
    assert made.floor.tolist() == [1, 0, 0, 0]
    assert made.part.tolist() == pytest.approx([0.4, 0.2, 0.4, 0.8])
    steps = np.array([1.0, 0, 0, 1])
    assert made.distance(steps) == pytest.approx(6)
    assert made.least_distance == pytest.approx(2 + 1 + 2 + 1)
    assert made.is_additive(steps)
    assert not made.is_additive(np.zeros(4) + 1)


def test_weights_count() -> None:
    assert model(weights=np.array([2.0, 1, 1, 1])).distance(np.array([1.0, 0, 0, 1])) == pytest.approx(8)


def test_noise_in_a_multiple_is_none() -> None:
    made = model(np.array([0.3 + 0.6, 0.1 * 3, 0.3, 0.3]), 0.3)
    assert made.part.tolist() == [0, 0, 0, 0]
    assert made.floor.tolist() == [3, 1, 1, 1]


def test_steps_beyond() -> None:
    made = model()
    assert made.beyond(np.array([3.0, -1, 1, 0])).tolist() == [1, -1, 0, 0]
    exact = model(np.array([10.0, 5.0, 5.0, 0.0]))
    assert exact.beyond(np.array([3.0, 0, 1, 0])).tolist() == [1, -1, 0, 0]
    assert not exact.can_move(0).any()
    assert exact.can_move(1).all()


def test_whole_and_relaxed() -> None:
    made = model()
    for integer in (False, True):
        answer, steps = made.solve(np.arange(4), made.floor, reach=0, integer=integer)
        assert answer.status == "optimal"
        assert answer.objective + made.offset(np.arange(4), made.floor) == pytest.approx(6)
        assert made.distance(steps) == pytest.approx(6)


def test_a_part_leaves_the_rest() -> None:
    made = model()
    known = np.array([2.0, 0, 0, 0])
    answer, steps = made.solve(np.array([2, 3]), known, reach=0, integer=True)
    assert answer.status == "optimal"
    assert steps.tolist() == [2, 0, 1, 1]
    assert answer.objective + made.offset(np.array([2, 3]), known) == pytest.approx(made.distance(steps))


def test_a_start_is_taken() -> None:
    made = model()
    start = np.array([1.0, 1, 0, 0])
    answer, steps = made.solve(np.arange(4), start, reach=1, integer=True, start=True, time_limit=10.0)
    assert answer.has_solution
    assert made.distance(steps) <= made.distance(start)


def test_impossible_parts() -> None:
    made = model()
    assert made.solve(np.array([1]), np.array([2.0, 0, 0, 0]), reach=0, integer=True)[0].status == "infeasible"
    off = np.array([2.0, 0, 0, 0])
    assert made.solve(np.empty(0, np.int64), off, reach=0, integer=True)[0].status == "infeasible"


def test_any_rounding_will_do() -> None:
    made = model()
    answer, steps = made.solve(np.arange(4), made.floor, reach=0, integer=True, costs_count=False)
    assert answer.objective == 0
    assert made.is_additive(steps)


def test_from_the_bottom_up() -> None:
    problem = grid(np.array([[1.0, 4.0], [2.0, 9.0]]), unsafe=[], level=0)
    made = RoundingModel.of(problem.relations, problem.values, 5.0, np.zeros(9), np.full(9, np.inf))
    steps = made.summed()
    assert steps is not None
    assert steps.tolist() == [0, 1, 1, 0, 2, 2, 0, 3, 3]
    tight = RoundingModel.of(problem.relations, problem.values, 5.0, np.zeros(9), np.full(9, 10.0) + 6 * np.eye(9)[8])
    summed = tight.summed()
    assert summed is None or tight.is_additive(summed)


def test_no_multiple_between_bounds() -> None:
    with pytest.raises(DataError, match="between the bounds of 1 cells") as caught:
        model(low=np.array([6.0, 0, 0, 0]), high=np.array([8.0, 9, 9, 9]))
    assert caught.value.details["cells"] == [0]
