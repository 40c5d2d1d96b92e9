"""What came out as it went in: to the last decimal that is written, by frequency, by extremes, and as dominated means."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.numeric.statistics.unchanged import dominated_means, is_common, is_rare, same_numbers


def test_a_number_is_the_same_within_half_of_its_last_decimal() -> None:
    x = np.array([1.25, 1.25, 1.25, np.nan, 2.5])
    y = np.array([1.254, 1.256, np.nan, 1.0, 2.5])
    assert same_numbers(x, y).tolist() == [True, False, False, False, True]


def test_numbers_without_a_last_decimal_are_compared_by_their_size() -> None:
    x = np.array([np.pi, np.pi * 1e12, np.e])
    assert same_numbers(x, x * (1 + 1e-10)).all()
    assert not same_numbers(x, x * (1 + 1e-8)).any()


@pytest.mark.parametrize(("most", "expected"), [(2, 2), (1, 0)])
def test_the_most_frequent_value_is_common_from_a_tenth_on(most: int, expected: int) -> None:
    codes = np.concatenate([np.zeros(most, np.int64), np.arange(1, 21 - most)])
    assert is_common(codes).sum() == expected
    assert not is_common(np.array([-1, -1])).any()


def test_values_that_one_percent_have_are_rare() -> None:
    codes = np.repeat([0, 1, 2], [300, 3, 1])
    codes = np.append(codes, -1)
    assert is_rare(codes).tolist() == [False] * 300 + [True] * 4 + [False]


def test_extremes_are_those_farthest_from_the_median() -> None:
    rng = np.random.default_rng(1)
    x = rng.normal(size=400)
    x[[7, 11]], x[13], x[17] = 50.0, -60.0, 40.0
    _, codes = np.unique(x, return_inverse=True)
    assert np.flatnonzero(is_rare(codes.ravel(), x)).tolist() == [7, 11, 13, 17]


def test_a_limit_that_many_share_has_no_extremes() -> None:
    x = np.concatenate([np.arange(100.0) / 100, np.full(30, 9.0)])
    _, codes = np.unique(x, return_inverse=True)
    assert not is_rare(codes.ravel(), x).any()


def test_a_mean_that_one_record_dominates_is_counted() -> None:
    x = np.array([1.0, 2.0, 97.0, 4.0, 5.0, 6.0, 8.0])
    y = np.array([33.33, 33.33, 33.33, 5.0, 5.0, 5.0, 8.0])
    ones = np.ones(7)
    assert dominated_means(x, y, ones, 0.9) == 1
    assert dominated_means(x, y, ones, 0.98) == 0
    assert dominated_means(x, y + 3, ones, 0.9) == 0, "no mean of these records"
    assert dominated_means(x, x, ones, 0.1) == 0, "nobody shares a value"


def test_weights_make_means_and_domination_their_own() -> None:
    x, weights = np.array([10.0, 20.0, 90.0]), np.array([1.0, 1.0, 8.0])
    weighted = np.full(3, 75.0)
    assert dominated_means(x, weighted, weights, 0.9) == 1
    assert dominated_means(x, weighted, np.ones(3), 0.9) == 0


def test_weights_are_made_when_they_are_needed() -> None:
    x, weights = np.array([10.0, 20.0, 90.0]), np.array([1.0, 1.0, 8.0])
    assert dominated_means(x, np.full(3, 75.0), lambda: weights, 0.9, overwrite=True) == 1
    assert dominated_means(x, np.array([1.0, 2.0, 3.0]), lambda: pytest.fail("no group"), 0.9) == 0
