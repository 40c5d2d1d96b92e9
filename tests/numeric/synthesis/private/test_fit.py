"""The fit: noisy tables that agree come back, those that do not are fitted as well as can be, and no further than their noise."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize

from tacita.numeric.synthesis.private.fit import NoisyTables, fit_tree
from tacita.numeric.synthesis.private.rare import MergedClasses
from tacita.numeric.synthesis.private.tree import ColumnTree

TREE = ColumnTree.of(3, [(0, 1), (1, 2)])


def exact(counts: np.ndarray, variance: float = 1.0) -> MergedClasses:
    return MergedClasses(
        np.arange(len(counts)), np.zeros(0, np.int64), np.zeros(0), counts.astype(float), np.full(len(counts), variance)
    )


def people(n: int = 4000, seed: int = 1) -> list[np.ndarray]:
    rng = np.random.default_rng(seed)
    a = rng.choice(4, n, p=[0.5, 0.3, 0.15, 0.05])
    b = np.where(rng.random(n) < 0.7, a % 3, rng.integers(0, 3, n))
    return [a, b, np.where(rng.random(n) < 0.6, b, rng.integers(0, 5, n))]


def two_way(x: np.ndarray, y: np.ndarray, shape: tuple[int, int]) -> np.ndarray:
    return np.bincount(x * shape[1] + y, minlength=shape[0] * shape[1]).reshape(shape).astype(float)


def measured(sd: float, seed: int = 2) -> tuple[NoisyTables, list[np.ndarray]]:
    rng, (a, b, c) = np.random.default_rng(seed), people()
    true = [two_way(a, b, (4, 3)), two_way(b, c, (3, 5))]
    singles = [np.bincount(a, minlength=4), np.bincount(b, minlength=3), np.bincount(c, minlength=5)]
    noisy = tuple(exact(part + sd * rng.normal(size=len(part)), max(sd, 1e-3) ** 2) for part in singles)
    pairs = tuple(part + sd * rng.normal(size=part.shape) for part in true)
    return NoisyTables(noisy, pairs, max(sd, 1e-3) ** 2), true


def test_tables_that_agree_come_back() -> None:
    noisy, true = measured(0.0)
    found = fit_tree(TREE, noisy, misfit=0.0)
    for part, made in zip(true, found.pairs, strict=True):
        np.testing.assert_allclose(made, part / part.sum(), atol=1e-6)
    for one, made in zip(noisy.singles, found.singles, strict=True):
        np.testing.assert_allclose(made, one.counts / 4000, atol=1e-6)


def test_tables_that_do_not_agree_are_fitted_as_well_as_can_be() -> None:
    """Against scipy's optimiser over the shares of all combinations of classes."""
    noisy, _ = measured(60.0)
    found = fit_tree(TREE, noisy, misfit=0.0)
    total = noisy.total

    kept = [(0,), (1,), (2,), (0, 1), (1, 2)]

    def misfit(made: list[np.ndarray]) -> float:
        parts = zip(made, noisy.counts, noisy.variances, strict=True)
        return sum(float(((total * m - c) ** 2 / v).sum()) for m, c, v in parts)

    def of_logs(logs: np.ndarray) -> tuple[float, np.ndarray]:
        joint = np.exp(logs - logs.max()).reshape(4, 3, 5)
        joint /= joint.sum()
        made = [joint.sum(tuple(set(range(3)) - set(axes))) for axes in kept]
        slope = np.zeros(joint.shape)
        for axes, m, c, v in zip(kept, made, noisy.counts, noisy.variances, strict=True):
            by = 2 * total * (total * m - c) / v
            slope += by.reshape([joint.shape[i] if i in axes else 1 for i in range(3)])
        return misfit(made), (joint * (slope - (joint * slope).sum())).ravel()

    best = minimize(of_logs, np.zeros(60), jac=True, method="L-BFGS-B", options={"maxiter": 200}).fun
    assert misfit([*found.singles, *found.pairs]) <= best * 1.02


def test_the_fit_ends_at_the_noise() -> None:
    noisy, _ = measured(40.0)
    cells = sum(part.size for part in noisy.counts)

    def misfit(share: float) -> float:
        made = fit_tree(TREE, noisy, misfit=share)
        parts = zip((*made.singles, *made.pairs), noisy.counts, noisy.variances, strict=True)
        return sum(float(((noisy.total * m - c) ** 2 / v).sum()) for m, c, v in parts)

    assert misfit(0.0) < misfit(0.85) <= 0.85 * cells
    assert misfit(0.85) > 0.4 * cells


def test_the_total_is_that_of_the_surest_tables() -> None:
    one, other = exact(np.array([10.0, 20.0]), 1.0), exact(np.array([100.0]), 1e9)
    assert NoisyTables((one, other), (), 1.0).total == pytest.approx(30, abs=1e-3)
    assert NoisyTables((one,), (np.full((2, 2), 11.0),), 0.5).total == pytest.approx((30 / 2 + 44 / 2) / 1)


def test_noise_alone_is_fitted_by_something() -> None:
    noisy = NoisyTables((exact(np.array([-5.0, -9.0])), exact(np.array([3.0]))), (np.array([[-4.0], [-1.0]]),), 100.0)
    found = fit_tree(ColumnTree.of(2, [(0, 1)]), noisy)
    assert found.singles[0].sum() == pytest.approx(1)
    assert np.isfinite(found.pairs[0]).all()
