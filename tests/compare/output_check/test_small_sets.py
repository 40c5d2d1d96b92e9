"""Small groups in a row space, against the trial of all groups; and the atoms that are put aside before."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.compare.output_check import small_sets
from tacita.compare.output_check.contraction import atoms_in_doubt
from tacita.compare.output_check.small_sets import find_small_sets, rows_on_small
from tests.effort import examples

BELOW = 5


def _all_groups(matrix: np.ndarray, sizes: np.ndarray) -> set[tuple[int, ...]]:
    rank = np.linalg.matrix_rank(matrix)
    found = set()
    for count in range(1, matrix.shape[1] + 1):
        for group in combinations(range(matrix.shape[1]), count):
            vector = np.zeros((1, matrix.shape[1]))
            vector[0, list(group)] = 1
            if sizes[list(group)].sum() < BELOW and np.linalg.matrix_rank(np.vstack([matrix, vector])) == rank:
                found.add(group)
    return found


@settings(max_examples=examples(60), deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_a_group_is_found_where_there_is_one(seed: int) -> None:
    rng = np.random.default_rng(seed)
    atoms = int(rng.integers(2, 9))
    matrix = (rng.random((int(rng.integers(1, 7)), atoms)) < 0.5).astype(np.int64)
    sizes = rng.integers(1, 7, atoms)
    rows = rows_on_small(matrix, sizes < BELOW, sizes)
    assert rows is not None
    found = find_small_sets(
        rows, lambda group: int(sizes[group].sum()) < BELOW, effort=10**6, known=lambda _: False, most=10**6
    )
    wanted = _all_groups(matrix, sizes)
    assert found.complete
    assert {tuple(group.tolist()) for group in found.sets} <= wanted
    assert bool(found.sets) == bool(wanted)


def test_too_much_work_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(small_sets, "MOST_WORK", 1)
    matrix = np.array([[1, 1, 0], [1, 0, 1], [1, 1, 1]])
    assert rows_on_small(matrix, np.array([False, True, True]), np.array([9, 1, 1])) is None
    assert rows_on_small(matrix, np.array([True, True, True]), np.array([9, 1, 1])) is None


def test_the_search_ends_when_it_has_enough_or_too_much() -> None:
    rows = np.eye(9, dtype=np.int64)
    few = find_small_sets(rows, lambda group: len(group) < 2, effort=10**6, known=lambda _: False, most=3)
    assert len(few.sets) == 3
    assert not few.complete
    assert not find_small_sets(rows, lambda group: len(group) < 2, effort=2, known=lambda _: True).complete


@settings(max_examples=examples(60), deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_what_is_put_aside_is_in_no_small_group(seed: int) -> None:
    """Two or three tables of a file of few categories: every group that follows is among the atoms in doubt."""
    rng = np.random.default_rng(seed)
    grid = np.array([(i, j) for i in range(3) for j in range(3)])
    grid = grid[rng.random(len(grid)) < 0.8]
    if not len(grid):
        return
    sizes = rng.integers(1, 7, len(grid))
    matrix = np.array([grid[:, j] == k for j in range(2) for k in range(3)], np.int64)
    doubt = atoms_in_doubt(
        grid, [[0], [1]], lambda atoms, labels, count: np.bincount(labels, sizes[atoms], count) >= BELOW
    )
    for group in _all_groups(matrix, sizes):
        assert doubt[list(group)].all()
