"""One value for each group of records, computed from a record of the group so that few digits are lost."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.numeric.microaggregation.group_values import geometric_means, group_means

LABELS = np.array([0, 0, 0])


def test_a_record_without_weight_costs_no_digits() -> None:
    x, weights = np.array([[1e12], [1e-5], [2e-5]]), np.array([0.0, 1.0, 1.0])
    assert group_means(x, LABELS, weights)[0, 0] == pytest.approx(1.5e-5, rel=1e-12)
    assert geometric_means(x, LABELS, weights)[0, 0] == pytest.approx(np.sqrt(2) * 1e-5, rel=1e-12)


def test_without_any_weight_the_plain_mean_counts() -> None:
    x = np.array([[1.0], [2.0], [6.0]])
    assert group_means(x, LABELS, np.zeros(3))[0, 0] == 3.0
    assert group_means(x, LABELS)[0, 0] == 3.0


def test_equal_values_stay_exactly_equal() -> None:
    x = np.full((3, 1), 0.1)
    for weights in (None, np.array([0.3, 0.3, 0.7])):
        assert group_means(x, LABELS, weights)[0, 0] == 0.1


def test_means_by_hand() -> None:
    x = np.array([[1.0, 10.0], [3.0, 20.0], [5.0, 60.0]])
    assert group_means(x, np.array([1, 0, 1])).tolist() == [[3.0, 20.0], [3.0, 35.0]]


def test_means_keep_the_digits_of_large_numbers() -> None:
    x = np.full((6, 1), 1e15) + np.arange(6.0)[:, None]
    assert group_means(x, np.repeat([0, 1], 3)).ravel().tolist() == [1e15 + 1, 1e15 + 4]
