"""Multivariate top coding: by hand, on planted outliers, and where nothing stands out."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.core.errors import ParameterError
from tacita.mask.recode.multivariate_top_code import MultivariateTopCode, drawn_in
from tacita.numeric.statistics.robust_covariance import chi_square_quantile, robust_covariance, robust_distances
from tests.conformance.examples import numbers


def test_by_hand() -> None:
    """Variances 4 and 1: (6, 0) lies at 9, and is drawn to 4 by the factor 2/3."""
    x = np.array([[6.0, 0.0], [2.0, 1.0], [1.0, -4.0]])
    made = drawn_in(x, np.zeros(2), np.diag([4.0, 1.0]), 4.0)
    assert made[0].tolist() == pytest.approx([4.0, 0.0])
    assert made[1].tolist() == [2.0, 1.0]
    assert robust_distances(made, np.zeros(2), np.diag([4.0, 1.0]))[2] == pytest.approx(4.0)


def test_a_combination_is_coded_where_no_value_is_extreme() -> None:
    """Two columns that go together; one record has the largest of one and the smallest of the other."""
    rng = np.random.default_rng(1)
    a = rng.normal(size=400)
    b = a + 0.1 * rng.normal(size=400)
    a[0], b[0] = 1.5, -1.5
    data = numbers(a=a, b=b)
    masked = MultivariateTopCode(columns=["a", "b"], decimals="any").apply(data)
    x, y = np.column_stack([a, b]), np.column_stack([masked.float("a"), masked.float("b")])
    limit, moments = chi_square_quantile(0.975, 2), robust_covariance(x)
    assert robust_distances(y, *moments).max() <= limit * (1 + 1e-9)
    inside = robust_distances(x, *moments) <= limit
    assert np.array_equal(x[inside], y[inside])
    assert abs(y[0, 0] - y[0, 1]) < 0.5
    assert 0.9 < inside.mean() < 1


def test_more_are_coded_with_a_larger_share() -> None:
    x = np.random.default_rng(2).normal(size=(1000, 2))
    data = numbers(a=x[:, 0], b=x[:, 1])
    changed = [
        np.mean(MultivariateTopCode(columns=["a", "b"], beyond_p=p, decimals="any").apply(data).float("a") != x[:, 0])
        for p in (1, 5, 20)
    ]
    assert changed[0] < changed[1] < changed[2]
    assert changed[2] == pytest.approx(0.2, abs=0.05)


@pytest.mark.parametrize("beyond_p", [0, -1, 60])
def test_bad_parameters(beyond_p: float) -> None:
    with pytest.raises(ParameterError, match="beyond_p"):
        MultivariateTopCode(beyond_p=beyond_p)
