"""Nearest records against looking at every pair, with ties and duplicates; memory that grows with n, not with n squared."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tacita.numeric.nearest.distances import box_distance
from tacita.numeric.nearest.kd_tree import LEAF_SIZE, build_kd_tree
from tacita.numeric.nearest.neighbours import nearest_records, own_is_nearest
from tests.oracles.risk import linkage as oracle

grid = st.integers(-3, 3).map(float)
"""Few values, so that duplicates and equal distances are the rule."""


def points(
    n: st.SearchStrategy[int], d: st.SearchStrategy[int], of: st.SearchStrategy[float] = grid
) -> st.SearchStrategy:
    return st.tuples(n, d).flatmap(lambda shape: arrays(np.float64, shape, elements=of))


@st.composite
def two_files(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray]:
    d = draw(st.integers(1, 3))
    n, m = draw(st.integers(1, 60)), draw(st.integers(1, 8))
    return draw(arrays(np.float64, (n, d), elements=grid)), draw(arrays(np.float64, (m, d), elements=grid))


@given(two_files())
def test_nearest_record_is_the_first_of_the_nearest(files: tuple[np.ndarray, np.ndarray]) -> None:
    originals, queries = files
    found = nearest_records(originals, queries)
    assert found.tolist() == [oracle.nearest(originals.tolist(), query) for query in queries.tolist()]


@given(two_files(), st.randoms(use_true_random=False))
def test_share_of_the_own_record(files: tuple[np.ndarray, np.ndarray], random: object) -> None:
    originals, masked = files
    own = np.array([random.randrange(len(originals)) for _ in range(len(masked))])  # type: ignore[attr-defined]
    found = own_is_nearest(originals, masked, own)
    assert found.tolist() == oracle.linked_share(originals.tolist(), masked.tolist(), own.tolist())


@pytest.mark.parametrize("d", [1, 2, 5, 13])
def test_larger_files_against_all_distances(d: int) -> None:
    rng = np.random.default_rng(d)
    originals = rng.normal(size=(1500, d))
    queries = originals[:400] + rng.normal(scale=0.3, size=(400, d))
    distances = ((queries[:, None, :] - originals[None]) ** 2).sum(axis=2)
    assert np.array_equal(nearest_records(originals, queries), distances.argmin(axis=1))
    expected = distances.argmin(axis=1) == np.arange(400)
    assert np.array_equal(own_is_nearest(originals, queries, np.arange(400)), expected.astype(float))


def test_duplicates_share_the_link() -> None:
    originals = np.repeat(np.arange(20.0), 5).reshape(-1, 1)
    assert own_is_nearest(originals, originals, np.arange(100)).tolist() == [0.2] * 100
    assert nearest_records(originals, originals).tolist() == np.repeat(np.arange(0, 100, 5), 5).tolist()


def test_rounding_does_not_decide_a_tie() -> None:
    """0.1 + 0.2 lies as far from 0.2 as from 0.4 on paper."""
    originals = np.array([[0.2], [0.4]])
    assert own_is_nearest(originals, np.array([[0.1 + 0.2]]), np.array([1])).tolist() == [0.5]


def test_all_records_equal() -> None:
    same = np.ones((500, 2))
    assert nearest_records(same, same[:3]).tolist() == [0, 0, 0]
    assert own_is_nearest(same, same[:3], np.array([0, 7, 499])).tolist() == [1 / 500] * 3


def test_no_queries() -> None:
    assert nearest_records(np.ones((3, 1)), np.empty((0, 1))).tolist() == []
    assert own_is_nearest(np.ones((3, 1)), np.empty((0, 1)), np.empty(0, dtype=np.int64)).tolist() == []


def test_layout_of_the_arrays_does_not_matter() -> None:
    rng = np.random.default_rng(5)
    x, y = rng.normal(size=(200, 3)), rng.normal(size=(50, 3))
    expected = nearest_records(x, y)
    assert np.array_equal(nearest_records(np.asfortranarray(x), np.asfortranarray(y)), expected)
    own = own_is_nearest(x, y, np.arange(50))
    assert np.array_equal(own_is_nearest(np.asfortranarray(x), np.asfortranarray(y), np.arange(50)), own)


# --- the tree --------------------------------------------------------------------------------------------------------


@given(points(st.integers(0, 200), st.integers(1, 3)))
def test_tree_holds_every_point_once_inside_its_box(x: np.ndarray) -> None:
    tree = build_kd_tree(x)
    assert sorted(tree.rows.tolist()) == list(range(len(x)))
    assert np.array_equal(tree.points, x[tree.rows])
    leaves = 0
    for node in range(len(tree.start)):
        a, b = tree.start[node], tree.stop[node]
        part = tree.points[a:b]
        if len(part):
            assert np.array_equal(tree.low[node], part.min(axis=0))
            assert np.array_equal(tree.high[node], part.max(axis=0))
        left = tree.left[node]
        if left < 0:
            leaves += b - a
            assert b - a <= LEAF_SIZE or len(np.unique(part, axis=0)) == 1
        else:
            assert (tree.start[left], tree.stop[left + 1]) == (a, b)
            assert tree.stop[left] == tree.start[left + 1]
    assert leaves == len(x)


def test_distance_to_a_box() -> None:
    low, high = np.array([0.0, 0.0]), np.array([1.0, 2.0])
    assert box_distance(np.array([0.5, 1.0]), low, high) == 0
    assert box_distance(np.array([-3.0, 6.0]), low, high) == 9 + 16
    assert box_distance(np.array([2.0, 1.0]), low, high) == 1


# --- memory ----------------------------------------------------------------------------------------------------------

MEMORY = """
import re
from pathlib import Path
import numpy as np
from tacita.numeric.nearest.neighbours import nearest_records, own_is_nearest

def peak():  # not getrusage: its maximum counts the process that started this one
    return int(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text()).group(1)) / 1024

rng = np.random.default_rng(1)
x = rng.normal(size=(100_000, 5))
y = x + rng.normal(scale=0.2, size=x.shape)
own = np.arange(len(x))
own_is_nearest(x[:50], y[:50], own[:50])
nearest_records(x[:50], y[:50])
before = peak()
share = own_is_nearest(x, y, own).mean()
assert 0.05 < share < 0.95, share
print(peak() - before, peak())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="peak memory is read from /proc, which Linux has")
def test_linkage_of_100_000_records_needs_no_distance_matrix() -> None:
    """All distances would be 80 GB; the tree, the result and the interpreter stay far below 1 GB."""
    done = subprocess.run([sys.executable, "-c", MEMORY], capture_output=True, text=True, check=True)
    more, all_of_it = map(float, done.stdout.split())
    assert more < 100
    assert all_of_it < 700


def test_originals_may_be_put_in_another_order() -> None:
    rng = np.random.default_rng(4)
    originals = rng.normal(size=(500, 2)).round(1)
    masked, own = originals[::3] + rng.normal(0, 0.05, (167, 2)), np.arange(0, 500, 3)
    wanted = own_is_nearest(originals, masked, own)
    assert np.array_equal(own_is_nearest(originals, masked, own, overwrite=True), wanted)
