"""One pass in single precision: the lists are those that sorting by the documented distance gives, to the last tie."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tacita.numeric.microaggregation.mdav.sweep import Lists, hide_records, new_lists, new_sweep, sweep_records
from tacita.numeric.nearest.deletion_tree import NOBODY
from tests.effort import examples


def _distances(x: np.ndarray, row: int) -> list[float]:
    """Squared distances summed in column order, each term rounded."""
    return [
        sum(((float(u) - float(v)) * (float(u) - float(v)) for u, v in zip(r, x[row], strict=True)), 0.0) for r in x
    ]


def _check(x: np.ndarray, left: list[int], records: np.ndarray, lists: Lists) -> None:
    for slot, row in enumerate(records):
        distance = _distances(x, int(row))
        near = sorted(left, key=lambda i: (distance[i], i))[: lists.near.shape[1]]
        far = sorted(left, key=lambda i: (-distance[i], i))[: lists.far.shape[1]]
        assert [i for i in lists.near[slot] if i < NOBODY] == near
        assert [i for i in lists.far[slot] if i < NOBODY] == far
        assert lists.near_keys[slot, : len(near)].tolist() == [distance[i] for i in near]
        assert lists.far_keys[slot, : len(far)].tolist() == [-distance[i] for i in far]


def test_worked_example() -> None:
    """Records 0, 1 and 3 on a line: from 1 the nearest are itself and 0, the farthest is 3."""
    x = np.array([[0.0], [1.0], [3.0]])
    lists = new_lists(1, 2, 1)
    sweep = new_sweep(x, np.arange(3), np.array([1.0]))
    sweep_records(sweep, x, np.array([1]), np.array([0]), lists)
    assert lists.near.tolist() == [[1, 0]]
    assert lists.near_keys.tolist() == [[0.0, 1.0]]
    assert lists.far.tolist() == [[2]]
    assert lists.far_keys.tolist() == [[-4.0]]


@settings(max_examples=examples(80), deadline=None)
@given(
    n=st.integers(1, 600),
    d=st.integers(1, 4),
    levels=st.sampled_from([1, 2, 5, 1000, 10**6]),
    shift=st.sampled_from([0.0, 1 / 3, 1e3, 1e8]),
    scale=st.sampled_from([1e-170, 1e-140, 1e-8, 1.0, 1e8, 1e140]),
    seed=st.integers(0, 2**32 - 1),
)
@example(n=600, d=1, levels=10**6, shift=1e8, scale=1.0, seed=0)
@example(n=1, d=1, levels=1, shift=0.0, scale=1e-170, seed=0)
def test_equal_to_sorting(n: int, d: int, levels: int, shift: float, scale: float, seed: int) -> None:
    """With ties, with squares that underflow, and with means that dwarf the spread, while records disappear."""
    rng = np.random.default_rng(seed)
    x = (rng.integers(0, levels, (n, d)) / 3.0 + shift) * scale
    left = sorted(rng.choice(n, max(1, n - n // 5), replace=False).tolist())
    sweep = new_sweep(x, np.array(left), x.mean(axis=0))
    lists = new_lists(7, 5, 3)
    for _ in range(2):
        records = rng.choice(n, min(n, int(rng.integers(1, 8))), replace=False)
        sweep_records(sweep, x, records, np.arange(records.size), lists)
        _check(x, left, records, lists)
        gone = rng.choice(left, len(left) // 3, replace=False)
        hide_records(sweep, gone)
        left = sorted(set(left) - set(gone.tolist()))
    assert sweep.gone[0] == n - len(left)


@pytest.mark.parametrize("gap", [0.0, 10.0, 1e4, 1e9])
def test_clusters_closer_than_single_precision(gap: float) -> None:
    """Where rounding hides all differences within a cluster, every record of it is a candidate."""
    rng = np.random.default_rng(5)
    x = rng.standard_normal((3000, 6))
    x[::2] += gap
    lists = new_lists(9, 6, 6)
    records = rng.choice(3000, 9, replace=False)
    candidates = sweep_records(new_sweep(x, np.arange(3000), x.mean(axis=0)), x, records, np.arange(9), lists)
    _check(x, list(range(3000)), records, lists)
    assert candidates < 40 * records.size or gap > 1e3


def test_a_sorted_file_has_few_candidates() -> None:
    x = np.sort(np.random.default_rng(1).standard_normal((20_000, 1)), axis=0)
    lists = new_lists(4, 6, 6)
    records = np.array([0, 5000, 10_000, 19_999])
    candidates = sweep_records(new_sweep(x, np.arange(20_000), np.zeros(1)), x, records, np.arange(4), lists)
    _check(x, list(range(20_000)), records, lists)
    assert candidates < 100 * records.size
