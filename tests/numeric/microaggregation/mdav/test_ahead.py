"""Looking ahead: lists hold the first records in the documented order, and say so when too few of them are left."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from tacita.numeric.microaggregation.mdav.ahead import foreseen, look_ahead, nothing_ahead, refreshed
from tacita.numeric.microaggregation.remaining import set_centre, start_state, take_record
from tacita.numeric.nearest.deletion_tree import NOBODY, build_tree, delete_record


def test_the_first_that_are_left_are_foreseen() -> None:
    lists, labels, rows = np.array([[4, 1, 3, NOBODY]]), np.array([-1, 0, -1, -1, -1]), np.zeros(3, np.int64)
    assert foreseen(lists, 0, labels, 2, rows)
    assert rows[:2].tolist() == [4, 3]
    assert not foreseen(lists, 0, labels, 3, rows), "record 1 is in a group and nobody stands behind the third"
    assert not foreseen(lists, -1, labels, 1, rows), "no slot, no list"


def _first(x: np.ndarray, row: int, left: np.ndarray, count: int, sign: float) -> list[int]:
    distance = np.array([sum(((a - b) * (a - b) for a, b in zip(x[i], x[row], strict=True)), 0.0) for i in left])
    return [int(left[i]) for i in np.lexsort((left, sign * distance))[:count]]


@pytest.mark.parametrize("threads", [1, 3])
def test_answers_are_those_of_searching_when_asked(threads: int) -> None:
    rng = np.random.default_rng(5)
    x, k = np.ascontiguousarray(rng.integers(0, 6, (400, 3)) / 3.0), 4
    state, ahead, sweep = start_state(x), nothing_ahead(400, k), None
    tree = build_tree(x, np.arange(400), state.centre)
    rows, answered = np.zeros(k, np.int64), 0
    with ThreadPoolExecutor(2) as pool:
        for turn in range(3):
            sweep = refreshed(sweep, x, state)
            look_ahead(tree, sweep, x, k, state, ahead, pool, threads)
            for row in rng.choice(np.flatnonzero(state.labels < 0), 25, replace=False):
                take_record(x, int(row), turn, state)
                delete_record(tree, int(row))
            set_centre(state)
            left = np.flatnonzero(state.labels < 0)
            for row in left[ahead.slot[left] >= 0]:
                slot = ahead.slot[row]
                if foreseen(ahead.lists.near, slot, state.labels, k - 1, rows):
                    assert rows[: k - 1].tolist() == _first(x, int(row), left, k - 1, 1.0)
                    answered += 1
                if foreseen(ahead.lists.far, slot, state.labels, 1, rows):
                    assert rows[:1].tolist() == _first(x, int(row), left, 1, -1.0)
    assert answered > 100, "most questions are answered early"
