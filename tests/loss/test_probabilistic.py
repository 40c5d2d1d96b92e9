"""PIL against the formulas written out and against simulation."""

import math

import numpy as np
import pyarrow as pa
import pytest

import tacita as tc
from tacita.core.errors import MeasureError
from tacita.loss.probabilistic import Pil, pil_all_pairs, pil_columns, pil_pairs, probability_of_difference


def phi(z: float) -> float:
    return 0.5 * (1 + math.erf(z / math.sqrt(2)))


def test_two_standard_deviations_by_hand() -> None:
    # |theta - theta'| = 2, Var = 1: 2 P(0 <= Z <= 2) = 0.9545
    assert probability_of_difference(np.asarray(5.0), np.asarray(7.0), np.asarray(1.0)) == pytest.approx(95.4499736)


def test_statistic_without_variance_loses_all_or_nothing() -> None:
    found = probability_of_difference(np.array([1.0, 1.0]), np.array([1.0, 2.0]), np.array([0.0, 0.0]))
    assert found.tolist() == [0.0, 100.0]


def test_mean_and_variance_by_the_formulas() -> None:
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=80), rng.normal(0.1, 1.2, size=80)
    mu2, mu4 = ((x - x.mean()) ** 2).mean(), ((x - x.mean()) ** 4).mean()
    found = pil_columns(x, y, (0.5,))
    assert found["means"] == pytest.approx(200 * (phi(abs(x.mean() - y.mean()) / math.sqrt(mu2 / 80)) - 0.5))
    z = abs(x.var() - y.var()) / math.sqrt((mu4 - mu2**2) / 80)
    assert found["variances"] == pytest.approx(200 * (phi(z) - 0.5))


def test_correlation_variance_is_that_of_the_sampling_distribution() -> None:
    # For normal data Var(r) = (1 - rho^2)^2 / n; PIL of a shift by one such standard deviation is 68.27.
    rng = np.random.default_rng(2)
    n, rho = 200_000, 0.6
    a = rng.normal(size=n)
    b = rho * a + math.sqrt(1 - rho**2) * rng.normal(size=n)
    shift = (1 - rho**2) / math.sqrt(n)
    # A masked pair whose correlation is larger by exactly that shift.
    residual = b - (a * b).mean() / (a**2).mean() * a
    r = np.corrcoef(a, b)[0, 1] + shift
    masked = r * (a - a.mean()) / a.std() + math.sqrt(1 - r**2) * (residual - residual.mean()) / residual.std()
    assert pil_pairs(a, b, a, masked)["correlations"] == pytest.approx(68.27, abs=1.0)


def test_covariance_by_the_formula() -> None:
    rng = np.random.default_rng(3)
    a, b = rng.normal(size=50), rng.exponential(size=50)
    u, v = a - a.mean(), b - b.mean()
    variance = ((u**2 * v**2).mean() - (u * v).mean() ** 2) / 50
    masked = b * 1.1
    z = abs(0.1 * (u * v).mean()) / math.sqrt(variance)
    assert pil_pairs(a, b, a, masked)["covariances"] == pytest.approx(200 * (phi(z) - 0.5))


def test_quantile_variance_is_that_of_the_sampling_distribution() -> None:
    # The median of n uniform values has the variance 1 / (4 n): a shift by one standard deviation is 68.27.
    n = 40_001
    x = np.arange(n) / (n - 1)
    found = pil_columns(x, x + 0.5 / math.sqrt(n), (0.5,))
    assert found["quantiles"] == pytest.approx(68.27, abs=0.5)


def test_all_pairs_at_once_are_the_single_pairs() -> None:
    rng = np.random.default_rng(4)
    x = rng.lognormal(size=(90, 4)) @ rng.normal(size=(4, 4))
    y = x + rng.normal(0, 0.5, x.shape)
    y[:, 3] = 1.0  # without spread after masking: a covariance, but no correlation
    found = pil_all_pairs(x, y)
    single = [pil_pairs(x[:, i], x[:, j], y[:, i], y[:, j]) for i in range(4) for j in range(i)]
    for part in ("covariances", "correlations"):
        assert found[part] == pytest.approx([pair[part] for pair in single if part in pair], rel=1e-9)


def test_columns_with_gaps_or_without_spread_are_compared_pair_by_pair() -> None:
    rng = np.random.default_rng(5)
    x = rng.normal(size=(50, 4))
    x[:, 2] = 3.0
    y = x + rng.normal(0, 0.1, x.shape)
    y[::5, 3] = np.nan
    files = [tc.Microdata.from_frame(pa.table({f"c{j}": f[:, j] for j in range(4)})) for f in (x, y)]
    found = Pil()(*files, pairing="order").parts
    pairs = []
    for i in range(4):
        for j in range(i):
            there = ~np.isnan(y[:, [i, j]]).any(axis=1)
            pairs.append(pil_pairs(x[:, i], x[:, j], y[there, i], y[there, j]))
    for part in ("covariances", "correlations"):
        assert found[part] == pytest.approx(np.mean([p[part] for p in pairs if part in p]), rel=1e-9)


def test_more_noise_loses_more_and_stays_within_bounds() -> None:
    data = tc.samples.household_survey(500, seed=1)
    values = [Pil(columns=["age", "savings"])(data, data).value]
    for ratio in (0.1, 0.5, 2.0):
        masked = tc.mask.AdditiveNoise(columns=["age", "savings"], sd_ratio=ratio).apply(data, seed=1)
        values.append(Pil(columns=["age", "savings"])(data, masked).value)
    assert values[0] == pytest.approx(0, abs=1e-9)
    assert values == sorted(values)
    assert values[-1] <= 100


def test_too_few_values_are_a_clear_error() -> None:
    data = tc.Microdata.from_frame(pa.table({"a": [1.0]}), keys=["a"])
    with pytest.raises(MeasureError, match="fewer than two values"):
        Pil()(data, data)
