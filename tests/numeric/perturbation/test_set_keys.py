"""Keyed numbers of sets: exact sums, golden numbers, and the limit of 64 bits."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.core.errors import DataError, ParameterError
from tacita.core.keyed import Key
from tacita.numeric.perturbation.set_keys import (
    MOST_MEMBERS,
    check_members,
    checked_sets,
    key_sums,
    keyed_uniforms,
    set_uniforms,
)

KEY = Key(bytes(range(7, 39)))


@pytest.mark.parametrize("count", [1, 200, 256, 257, 70_000])
def test_sums_are_those_of_python(count: int) -> None:
    rng = np.random.default_rng(count)
    cells, keys = rng.integers(0, count, 500), rng.integers(0, 2**31, (500, 2))
    slow = [[0, 0, 0] for _ in range(count)]
    for cell, (a, b) in zip(cells.tolist(), keys.tolist(), strict=True):
        slow[cell] = [slow[cell][0] + 1, slow[cell][1] + a, slow[cell][2] + b]
    found = key_sums(cells, keys, count)
    assert found.tolist() == slow
    order = rng.permutation(500)
    assert np.array_equal(key_sums(cells[order].astype(np.int32), keys[order].astype(np.int32), count), found)


def test_sums_are_exact_where_floats_are_not() -> None:
    n = (1 << 22) + 3
    found = key_sums(np.zeros(n, np.int8), np.full((n, 2), 2**31 - 1, np.int32), 1)
    assert found.tolist() == [[n, n * (2**31 - 1), n * (2**31 - 1)]]


def test_more_than_64_bits_are_refused_by_the_count() -> None:
    check_members(MOST_MEMBERS)
    assert MOST_MEMBERS * (2**31 - 1) < 2**63
    with pytest.raises(DataError, match=r"up to 4294967296 records, got 4294967297"):
        check_members(MOST_MEMBERS + 1)


def test_golden_numbers() -> None:
    """These numbers must never change: published tables depend on them."""
    sums, counts = np.array([[3, 5], [2**40, 17], [0, 0]]), np.array([1, 2**20, 0])
    assert set_uniforms(KEY, sums, counts, "count").tolist() == GOLDEN_SETS
    assert keyed_uniforms(KEY, np.array([1, 2], np.uint64)).tolist() == GOLDEN_RECORDS


GOLDEN_SETS = [0.6236993788399388, 0.407919268886587, 0.28004049997215363]
GOLDEN_RECORDS = [0.08402289539222196, 0.6701813993915537]


def test_labels_and_members_all_matter() -> None:
    sums, counts = np.array([[3, 5]] * 2), np.array([1, 2])
    u = set_uniforms(KEY, sums, counts, "count")
    assert u[0] != u[1]
    assert set_uniforms(KEY, sums, counts, "total")[0] != u[0]
    assert set_uniforms(KEY.derive("x"), sums, counts, "count")[0] != u[0]


def test_numbers_are_uniform() -> None:
    """Chi-square over 20 classes of 20 000 sets; false alarm 1 in 10 000 (fixed key: none)."""
    n = 20_000
    u = set_uniforms(KEY, np.stack([np.arange(n), np.arange(n)], axis=1), np.ones(n, np.int64), "x")
    share = np.bincount((u * 20).astype(int), minlength=20)
    assert ((share - n / 20) ** 2 / (n / 20)).sum() < 50.8
    assert ((u >= 0) & (u < 1)).all()


@pytest.mark.parametrize(
    ("sums", "counts"),
    [(np.zeros((2, 3), int), np.zeros(2, int)), (np.zeros((2, 2)), np.zeros(2, int)), (np.zeros((1, 2), int), [-1])],
)
def test_bad_sets_are_refused(sums: np.ndarray, counts: object) -> None:
    with pytest.raises(ParameterError, match="X: '"):
        checked_sets(sums, np.asarray(counts), owner="X")
