"""Groups drawn anew: exact moments of each, nothing of the old records left, and draws that are uniform."""

from __future__ import annotations

import numpy as np

from tacita.numeric.synthesis.group_moments import drawn_in_groups, fewest_in_group, similar_groups


def groups(n: int = 120, d: int = 3, k: int = 8, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    x = rng.lognormal(3, 1, size=(n, d)) @ np.diag([1.0, 1e4, 1e-3][:d])
    return x, similar_groups(x, k)


def test_each_group_keeps_its_moments() -> None:
    x, labels = groups()
    y = drawn_in_groups(x, labels, np.random.default_rng(2))
    for group in range(labels.max() + 1):
        a, b = x[labels == group], y[labels == group]
        np.testing.assert_allclose(b.mean(0), a.mean(0), rtol=1e-12)
        scale = np.sqrt(np.outer(a.var(0), a.var(0)))
        assert np.abs(np.cov(a.T) - np.cov(b.T)).max(initial=0, where=scale > 0) <= 1e-9 * scale.max()
        np.testing.assert_allclose(np.cov(b.T) / scale, np.cov(a.T) / scale, atol=1e-9)
    assert (np.abs(y - x) > 1e-9 * np.abs(x)).all()


def test_one_group_is_the_definition() -> None:
    """Against the plain formula: normal numbers, centred, turned by inverse roots into the covariance matrix."""
    x, _ = groups(30, 2)
    one = np.zeros(30, np.int64)
    y = drawn_in_groups(x, one, np.random.default_rng(5))
    g = np.random.default_rng(5).standard_normal((1, 30, 2))[0]
    g -= g.mean(0)
    c = x - x.mean(0)
    whitened = g @ np.linalg.inv(np.linalg.cholesky(g.T @ g)).T
    turned = whitened @ np.linalg.cholesky(c.T @ c).T
    for j in range(2):  # roots are alike up to the sign of each direction; the first column has one direction only
        np.testing.assert_allclose(np.abs(y[:, 0] - x[:, 0].mean()), np.abs(turned[:, 0]), atol=1e-9)
        np.testing.assert_allclose(np.var(y[:, j]), np.var(x[:, j]))


def test_the_first_record_says_nothing_of_itself() -> None:
    """Without signs made uniform, a QR decomposition would put the first record on its old side of the mean every time."""
    x, _ = groups(12, 2)
    one = np.zeros(12, np.int64)
    side = [drawn_in_groups(x, one, np.random.default_rng(s))[0, 0] > x[:, 0].mean() for s in range(200)]
    assert 70 <= sum(side) <= 130  # four standard errors around a half


def test_constant_and_dependent_columns() -> None:
    rng = np.random.default_rng(1)
    x = rng.normal(size=(40, 2))
    x = np.column_stack([x, x[:, 0] - 2 * x[:, 1], np.full(40, 0.1)])
    y = drawn_in_groups(x, np.repeat([0, 1, 2, 3], 10), rng)
    np.testing.assert_allclose(y[:, 2], y[:, 0] - 2 * y[:, 1], atol=1e-12)
    np.testing.assert_allclose(y[:, 3], 0.1, rtol=1e-14)


def test_groups_of_several_sizes_and_none() -> None:
    x, labels = groups(41, 2, 6)
    assert np.bincount(labels).min() >= 6
    assert drawn_in_groups(x[:0], labels[:0], np.random.default_rng(1)).shape == (0, 2)
    assert fewest_in_group(2) == 4
