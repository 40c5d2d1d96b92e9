from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tacita.numeric.safe.moves import cells_of_records, pair_cells
from tests.numeric.safe.small_problems import small_problem


@given(seed=st.integers(0, 10**6))
def test_every_cell_gets_what_it_should_and_nobody_moves_in_vain(seed: int) -> None:
    found, rng = small_problem(seed), np.random.default_rng(seed)
    labels = rng.permutation(np.repeat(np.arange(len(found.counts)), found.counts))
    wanted = np.bincount(rng.integers(0, len(found.counts), len(labels)), minlength=len(found.counts))
    after = cells_of_records(labels, wanted, found.codes, np.array(found.sizes), rng)
    assert np.array_equal(np.bincount(after, minlength=len(wanted)), wanted)
    assert (after != labels).sum() == np.maximum(found.counts - wanted, 0).sum()


def test_a_near_place_is_taken_first() -> None:
    """The record of (0, 0, 0) goes to (4, 0, 0), not to (1, 1, 1), which the other one has to take."""
    codes = np.array([[0, 0, 0], [4, 0, 0], [1, 1, 1], [2, 1, 0]])
    taken = pair_cells(np.array([3, 0]), np.array([1, 2]), codes, np.array([5, 2, 2]))
    assert taken.tolist() == [1, 0]


def test_the_variable_with_most_categories_is_changed_first() -> None:
    codes = np.array([[0, 0], [0, 1], [3, 0]])
    assert pair_cells(np.array([0]), np.array([1, 2]), codes, np.array([9, 2])).tolist() == [1]


def test_many_variables_are_paired_in_the_end() -> None:
    rng = np.random.default_rng(1)
    codes = rng.integers(0, 9, (60, 12))
    taken = pair_cells(np.arange(30), np.arange(30, 60), codes, np.full(12, 9))
    assert sorted(taken.tolist()) == list(range(30))
