"""Keyed numbers of sets: the same for the same set, uniform, and others for another set, size, purpose or key."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import kstest

from tacita.core.errors import ParameterError
from tacita.core.keyed import Key
from tacita.query.noise.set_numbers import checked_sets, keyed_uniforms, member_hashes, set_uniforms

KEY = Key(b"a key that is only for tests")


def some_sets(m: int = 4000) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(3)
    return rng.integers(0, 2**60, (m, 2)), rng.integers(0, 1000, m)


def test_a_set_has_one_number_wherever_it_stands() -> None:
    sums, counts = some_sets()
    all_of_them = set_uniforms(KEY, sums, counts, "count")
    order = np.random.default_rng(1).permutation(len(counts))
    assert (set_uniforms(KEY, sums[order], counts[order], "count") == all_of_them[order]).all()
    assert set_uniforms(KEY, sums[7:8], counts[7:8], "count")[0] == all_of_them[7]


@pytest.mark.parametrize("change", ["first", "second", "members", "label", "key"])
def test_whatever_differs_gives_another_number(change: str) -> None:
    sums, counts = some_sets()
    before = set_uniforms(KEY, sums, counts, "count")
    key, label = KEY, "count"
    if change == "first":
        sums = sums + np.array([1, 0])
    elif change == "second":
        sums = sums + np.array([0, 1])
    elif change == "members":
        counts = counts + 1
    elif change == "label":
        label = "total"
    else:
        key = Key(b"a key that is only for others")
    after = set_uniforms(key, sums, counts, label)
    assert (before != after).all()
    assert abs(np.corrcoef(before, after)[0, 1]) < 0.08  # five standard errors


def test_numbers_are_uniform() -> None:
    """Neighbouring sums give unrelated numbers; false alarm 1e-6, fixed key."""
    sums = np.stack([np.arange(20_000), np.zeros(20_000, dtype=np.int64)], axis=1)
    u = set_uniforms(KEY, sums, np.ones(20_000, dtype=np.int64), "count")
    assert u.min() >= 0
    assert u.max() < 1
    assert kstest(u, "uniform").pvalue > 1e-6
    assert abs(np.corrcoef(u[1:], u[:-1])[0, 1]) < 0.035
    assert kstest(keyed_uniforms(KEY, np.arange(20_000, dtype=np.uint64)), "uniform").pvalue > 1e-6


def test_sets_can_be_looked_up() -> None:
    assert member_hashes(np.array([[1, 2], [3, 4]]), np.array([5, 6])) == [(1, 2, 5), (3, 4, 6)]


@pytest.mark.parametrize(
    ("sums", "counts"),
    [
        (np.zeros((2, 2)), np.zeros(2, dtype=int)),
        (np.zeros((2, 3), dtype=int), np.zeros(2, dtype=int)),
        (np.zeros((1, 2), dtype=int), np.array([-1])),
        (np.zeros((1, 2), dtype=int), np.array([1.5])),
    ],
)
def test_what_is_no_set_is_refused(sums: np.ndarray, counts: np.ndarray) -> None:
    """Sums of floats above all: they are inexact from 2^53 on."""
    with pytest.raises(ParameterError, match="whole numbers"):
        checked_sets(sums, counts, owner="test")
