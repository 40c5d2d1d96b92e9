"""Partitioned: halves of halves, with a tree whose every node can be chosen."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.errors import DataError
from tacita.query.cutpoints.partitioned import Partitioned, halvings
from tests.effort import examples
from tests.query.cutpoints.examples import TABLE_3, check_bins, extents, members, variables


def slow_tree(values: list[float], minimum: int) -> list[list[float]]:
    """All parts by recursion: every place between distinct values is tried."""
    found = [sorted(values)]
    cuts = [
        (abs(2 * sum(v <= cut for v in values) - len(values)), cut)
        for cut in sorted(set(values))[:-1]
        if min(sum(v <= cut for v in values), sum(v > cut for v in values)) >= minimum
    ]
    if cuts:
        cut = min(cuts)[1]
        for part in ([v for v in values if v <= cut], [v for v in values if v > cut]):
            found += slow_tree(part, minimum)
    return found


def test_table_3_and_figure_4() -> None:
    bins = Partitioned(minimum=2).cut(TABLE_3)
    assert extents(TABLE_3, bins) == [(1, 1), (2, 2), (4, 4), (5, 6)]
    parts = {node.leaves: np.sort(TABLE_3[np.isin(bins.codes(TABLE_3), node.leaves)]).tolist() for node in bins.nodes}
    assert parts == {
        (0, 1, 2, 3): [1, 1, 2, 2, 4, 4, 5, 6],
        (0, 1): [1, 1, 2, 2],
        (2, 3): [4, 4, 5, 6],
        (0,): [1, 1],
        (1,): [2, 2],
        (2,): [4, 4],
        (3,): [5, 6],
    }
    parents = {node.leaves: node.parent for node in bins.nodes}
    assert parents[0, 1] == parents[2, 3] == next(node.number for node in bins.nodes if len(node.leaves) == 4)


@settings(max_examples=examples(25), deadline=None)
@given(variables, st.integers(1, 6))
def test_the_tree_is_that_of_halving_by_hand(values: np.ndarray, minimum: int) -> None:
    if len(values) < minimum:
        with pytest.raises(DataError, match="at least 'minimum'"):
            Partitioned(minimum=minimum).cut(values)
        return
    bins = Partitioned(minimum=minimum).cut(values)
    check_bins(values, bins, minimum)
    leaves = members(values, bins)
    found = [sorted(v for leaf in node.leaves for v in leaves[leaf]) for node in bins.nodes]
    assert sorted(found) == sorted(slow_tree(values.tolist(), minimum))
    assert len(bins.nodes) == 2 * bins.n_bins - 1  # a binary tree
    for node in bins.nodes:
        children = [other for other in bins.nodes if other.parent == node.number]
        assert len(children) == (0 if node.number < bins.n_bins else 2)


def test_a_heavy_tie_is_not_split() -> None:
    values = np.array([0.0] * 90 + [1.0, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    bins = Partitioned(minimum=5).cut(values)
    assert np.bincount(bins.codes(values)).tolist() == [90, 5, 5]
    parts, leaves = halvings(np.array([4]), 1)
    assert (parts.tolist(), leaves.tolist()) == ([], [[0, 0]])


def test_bins_of_powers_of_two_are_equal() -> None:
    values = np.random.default_rng(0).permutation(1024).astype(float)
    bins = Partitioned(minimum=64).cut(values)
    assert np.bincount(bins.codes(values)).tolist() == [64] * 16
    assert all(cut % 10 == 0 for cut in Partitioned(minimum=64, grain=10).cut(values).cuts)
