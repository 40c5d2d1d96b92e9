"""Multiplicative noise in numbers: the equations, repaired covariances, what is kept in expectation, higher moments."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import tacita as tc
from tacita.core.errors import TacitaWarning
from tacita.mask.noise.multiplicative_noise import MultiplicativeNoise, adjust_moments
from tacita.numeric.perturbation.multiplicative import (
    lag_bounds,
    masked_moments,
    noise_covariance,
    plan_noise,
    raw_moments,
)
from tacita.numeric.statistics.psd import repair_covariance
from tests.mask.noise.test_multiplicative_noise import FloatArray, K, S, file, skewed, small_tables
from tests.oracles.mask import multiplicative_noise as oracle

# --- the equations ----------------------------------------------------------------------------------------------------


def test_covariances_of_the_noise_by_hand() -> None:
    """Means 2 and 4, variances 1 and 4, second moments 5 and 20: (8) gives log 1.04, (23) gives log(6 / 5.8)."""
    x = np.array([[1.0, 2.0], [3.0, 6.0]])
    assert np.allclose(noise_covariance(x, k=0.2, scheme="plain"), np.log(1.04), rtol=1e-14)
    assert np.allclose(noise_covariance(x, k=0.2, scheme="safe"), np.log(6 / 5.8), rtol=1e-14)


def test_schemes_by_hand() -> None:
    """With normals of zero the noise is exp(-variance / 2): (7) and (21) for x = 1, mean 2, k = 0.21, s = 1.1."""
    x = np.array([[1.0], [3.0]])
    zero = np.zeros_like(x)
    seven = plan_noise(x, k=0.21, scheme="plain").apply(x, zero)
    assert seven[0, 0] == pytest.approx((0.1 * 2 + 1 / np.sqrt(1 + 0.21 * 1 / 5)) / 1.1, rel=1e-13)
    twenty_one = plan_noise(x, k=0.21).apply(x, zero)
    assert twenty_one[0, 0] == pytest.approx((0.1 * 2 + 1) / np.sqrt(1.21 * 5 / (5 + 0.21 * 4)) / 1.1, rel=1e-13)


@given(small_tables, st.floats(0.01, 1.0), st.integers(0, 9))
def test_schemes_against_the_oracle(rows: list[tuple[int, ...]], k: float, seed: int) -> None:
    x = np.array(rows, dtype=float)
    z = np.random.default_rng(seed).standard_normal(x.shape)
    assume((x.max(axis=0) > x.min(axis=0)).all() and ((x.T @ x) > 0).all())
    for scheme, formula in (("plain", oracle.equation_7), ("safe", oracle.equation_21)):
        plan = plan_noise(x, k=k, scheme=scheme)
        usable = not np.isnan(plan.formula).any()
        if usable and np.linalg.eigvalsh(plan.formula)[0] > 1e-6:
            expected = formula(x.tolist(), k, z.tolist())
            assert np.allclose(plan.apply(x, z), expected, rtol=1e-7, atol=1e-9)


@given(small_tables, st.integers(0, 9), st.floats(0, 1))
def test_z_scores_against_the_oracle(rows: list[tuple[int, ...]], seed: int, where: float) -> None:
    """Equation (15) for lags anywhere within (19)."""
    x = np.array(rows, dtype=float)
    assume((x.max(axis=0) > x.min(axis=0)).all())
    low, high = lag_bounds(x, k=K)
    lag = (low + where * (high - low)).tolist()
    plan = plan_noise(x, k=K, scheme="z-score", lag=lag)
    assume(not np.isnan(plan.formula).any() and np.linalg.eigvalsh(plan.formula)[0] > 1e-6)
    z = np.random.default_rng(seed).standard_normal(x.shape)
    masked = plan.apply(x, z)
    assert np.allclose(masked, oracle.equation_15(x.tolist(), K, z.tolist(), lag), rtol=1e-7, atol=1e-7)
    assert (masked >= 0).all()


def test_ends_of_the_lag_are_the_other_schemes() -> None:
    """lag = E[X] / sigma is scheme (7), as (20) says; lag = sqrt(1 + k) E[X] / sigma is scheme (21)."""
    x = skewed(50)
    z = np.random.default_rng(1).standard_normal(x.shape)
    ratio = x.mean(axis=0) / x.std(axis=0, ddof=1)
    for lag, scheme in ((ratio, "plain"), (S * ratio, "safe")):
        by_lag = plan_noise(x, k=K, scheme="z-score", lag=lag.tolist()).apply(x, z)
        assert np.allclose(by_lag, plan_noise(x, k=K, scheme=scheme).apply(x, z), rtol=1e-12)


def test_mixed_signs_against_the_oracle() -> None:
    x = np.random.default_rng(4).normal(size=(12, 3)) + np.linspace(-2, 2, 12)[:, None]
    z = np.random.default_rng(5).standard_normal(x.shape)
    assert np.allclose(
        plan_noise(x, k=K).apply(x, z), oracle.shifted_21(x.tolist(), K, z.tolist()), rtol=1e-10, atol=1e-12
    )


# --- repair -----------------------------------------------------------------------------------------------------------


@given(st.integers(2, 6), st.integers(0, 200))
def test_repair_keeps_variances_and_gives_a_factor(d: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    matrix = rng.normal(size=(d, d))
    matrix = matrix + matrix.T
    np.fill_diagonal(matrix, rng.uniform(0.1, 3, d))
    made = repair_covariance(matrix)
    assert np.array_equal(np.diag(made.matrix), np.diag(matrix)), "variances stay exact"
    assert np.linalg.eigvalsh(made.matrix)[0] > -1e-12
    assert np.allclose(made.factor @ made.factor.T, made.matrix, atol=1e-12)
    assert np.array_equal(np.triu(made.factor, 1), np.zeros((d, d)))
    assert made.changed == (np.linalg.eigvalsh(matrix)[0] < -1e-9)
    if not made.changed:
        assert np.array_equal(made.matrix, matrix)


@pytest.mark.parametrize(
    ("name", "skip", "smallest", "lowest", "highest"),
    [("census", 0, -0.0243, -4.55, 2.61), ("eia", 5, -0.0102, -1.40, 0.0), ("tarragona", 0, -0.0333, -7.73, 35.0)],
)
def test_repair_on_reference_data(
    reference: Callable[[str], Path], name: str, skip: int, smallest: float, lowest: float, highest: float
) -> None:
    """The noise of (23) at k = 0.15 has no positive semidefinite covariance; variances stay exact all the same."""
    data = tc.read(reference(f"{name}.csv"))
    columns = data.names[skip:]
    x = data.floats(columns)
    plan = plan_noise(x, k=K)
    assert plan.noise.smallest == pytest.approx(smallest, abs=2e-4)
    off = 100 * plan.change / (np.cov(x.T, bias=True) / np.outer(plan.unit, plan.unit))
    assert np.array_equal(np.diag(plan.noise.matrix), np.diag(plan.formula))
    assert np.abs(np.diag(off)).max() == 0
    assert (off.min(), off.max()) == (pytest.approx(lowest, abs=0.02), pytest.approx(highest, abs=0.06))
    words = rf"not positive semidefinite \(smallest eigenvalue {plan.noise.smallest:.2g}\) and was repaired"
    with pytest.warns(TacitaWarning, match=words) as caught:
        masked = MultiplicativeNoise(columns=columns).apply(data, seed=1)
    assert f"{off.min():+.1f} % to {off.max():+.1f} %" in str(caught[0].message)
    assert (masked.floats(columns)[:, x.min(axis=0) >= 0] >= 0).all()


def test_deviation_after_repair_is_what_happens(reference: Callable[[str], Path]) -> None:
    """The reported change of the covariances agrees with simulation: 600 runs of census, 5 standard errors."""
    data = tc.read(reference("census.csv"))
    x = data.floats(data.names)
    plan, rng = plan_noise(x, k=K), np.random.default_rng(3)
    sd = x.std(axis=0)
    runs = np.stack([np.cov(plan.apply(x, rng.standard_normal(x.shape)).T, bias=True) for _ in range(600)])
    runs /= np.outer(sd, sd)
    seen, error = runs.mean(axis=0) - np.corrcoef(x.T), runs.std(axis=0) / np.sqrt(600)
    told = plan.change * np.outer(plan.unit, plan.unit) / np.outer(sd, sd)
    assert (np.abs(seen - told) <= 5 * error + 2 / len(x)).all()
    assert (np.abs(seen) > 5 * error + 2 / len(x)).any(), "without the report the deviation would go unnoticed"


# --- statistics -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scheme", ["safe", "plain", "z-score"])
def test_means_and_covariances_are_kept_in_expectation(scheme: Any) -> None:
    """400 runs; a false alarm of 4 standard errors in 9 numbers has a chance below 0.1 %. 30 % off is rejected."""
    x, rng = skewed(500), np.random.default_rng(11)
    plan = plan_noise(x, k=K, scheme=scheme)
    runs = [plan.apply(x, rng.standard_normal(x.shape)) for _ in range(400)]
    for statistic in (lambda v: v.mean(axis=0), lambda v: np.cov(v.T)[np.triu_indices(3)]):
        made = np.stack([statistic(y) for y in runs])
        error = made.std(axis=0) / np.sqrt(len(runs))

        def accepts(value: FloatArray, made: FloatArray = made, error: FloatArray = error) -> bool:
            return bool((np.abs(made.mean(axis=0) - value) <= 4 * error).all())

        assert accepts(statistic(x))
        assert not accepts(1.3 * statistic(x))
        assert not accepts(0.7 * statistic(x))


def test_noise_has_the_variance_that_k_asks_for() -> None:
    """log(X_m / (X + (s - 1) E[X])) has the variance of (23): chi-square with 20 000 degrees of freedom, 4 sd = 4 %."""
    x = skewed(20_000, d=1)
    y = MultiplicativeNoise(inflation=K).apply(file(a=x[:, 0]), seed=2).float("a")
    seen = np.log(y / (x[:, 0] + (S - 1) * x.mean())).var()
    expected = {k: float(noise_covariance(x, k=k)[0, 0]) for k in (K, 1.3 * K, 0.7 * K)}
    assert abs(seen / expected[K] - 1) <= 0.04
    assert abs(seen / expected[1.3 * K] - 1) > 0.04
    assert abs(seen / expected[0.7 * K] - 1) > 0.04


def test_missing_values_keep_variances_in_expectation() -> None:
    x, rng = skewed(30_000), np.random.default_rng(5)
    x[rng.random(x.shape) < 0.2] = np.nan
    data = file(a=x[:, 0], b=x[:, 1], c=x[:, 2])
    y = MultiplicativeNoise().apply(data, seed=4).floats("abc")
    assert np.array_equal(np.isnan(x), np.isnan(y))
    both = ~np.isnan(x[:, :2]).any(axis=1)
    assert np.allclose(np.nanvar(y, axis=0) / np.nanvar(x, axis=0), 1, atol=0.05)
    assert np.cov(y[both, :2].T)[0, 1] / np.cov(x[both, :2].T)[0, 1] == pytest.approx(1, abs=0.05)


# --- moments ----------------------------------------------------------------------------------------------------------


@given(st.lists(st.tuples(st.floats(0.1, 9), st.floats(0.1, 9)), min_size=2, max_size=6), st.floats(0.01, 1))
def test_moments_against_the_oracle(rows: list[tuple[float, float]], k: float) -> None:
    """The corrected (25), and (26) solved recursively."""
    x = np.array(rows)
    table = x.tolist()
    for p, value in masked_moments(raw_moments(x), k).items():
        assert value == pytest.approx(oracle.equation_25(table, k, p), rel=1e-9)
    for p, value in adjust_moments(x, k).items():
        size = max(abs(oracle.moment(table, p)), 1e-9)
        assert value == pytest.approx(oracle.equation_26(table, k, p), rel=1e-7, abs=1e-7 * size)


def test_corrected_moment_agrees_with_simulation_and_the_printed_one_does_not() -> None:
    """Moment (2, 2) of 2000 log-normal records, 2000 runs: the cross term of A as printed is 1."""
    x, rng = skewed(2000, d=2) * 2, np.random.default_rng(7)
    plan = plan_noise(x, k=K)
    runs = np.empty(2000)
    for i in range(len(runs)):
        y = plan.apply(x, rng.standard_normal(x.shape))
        runs[i] = (y[:, 0] ** 2 * y[:, 1] ** 2).mean()
    error = 4 * runs.std() / np.sqrt(len(runs))
    table = x.tolist()
    assert abs(runs.mean() - oracle.equation_25(table, K, (2, 2))) <= error
    assert abs(runs.mean() - oracle.equation_25(table, K, (2, 2), as_printed=True)) > 5 * error
    assert masked_moments(raw_moments(x), K)[(2, 2)] == pytest.approx(oracle.equation_25(table, K, (2, 2)), rel=1e-10)


def test_users_recover_third_and_fourth_moments() -> None:
    """Normal and gamma data of 400 000 records: within 1.5 % adjusted, at least 2 % off in the fourth as they are."""
    rng = np.random.default_rng(13)
    shared = rng.gamma(2, size=(400_000, 1))
    for x in (shared + rng.gamma(2, size=(400_000, 2)), 1 + rng.normal(size=(400_000, 2)) + 0.3 * shared):
        origin = np.minimum(x.min(axis=0), 0)
        plan = plan_noise(x, k=0.3)
        y = plan.apply(x, rng.standard_normal(x.shape))
        truth, seen, found = raw_moments(x), raw_moments(y), adjust_moments(y, 0.3, origin=origin)
        for p in truth:
            assert found[p] / truth[p] == pytest.approx(1, abs=0.015)
        assert max(abs(seen[p] / truth[p] - 1) for p in truth if sum(p) == 4) > 0.02
