"""One value for each group of records, computed from a record of the group so that few digits are lost."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.numeric.microaggregation.group_values import geometric_means, means

LABELS = np.array([0, 0, 0])


def test_a_record_without_weight_costs_no_digits() -> None:
    x, weights = np.array([[1e12], [1e-5], [2e-5]]), np.array([0.0, 1.0, 1.0])
    assert means(x, LABELS, weights)[0, 0] == pytest.approx(1.5e-5, rel=1e-12)
    assert geometric_means(x, LABELS, weights)[0, 0] == pytest.approx(np.sqrt(2) * 1e-5, rel=1e-12)


def test_without_any_weight_the_plain_mean_counts() -> None:
    x = np.array([[1.0], [2.0], [6.0]])
    assert means(x, LABELS, np.zeros(3))[0, 0] == 3.0
    assert means(x, LABELS)[0, 0] == 3.0


def test_equal_values_stay_exactly_equal() -> None:
    x = np.full((3, 1), 0.1)
    for weights in (None, np.array([0.3, 0.3, 0.7])):
        assert means(x, LABELS, weights)[0, 0] == 0.1
