"""Correlated noise and noise with linear transformation, against the formulas and by simulation."""

import numpy as np
import pyarrow as pa
import pytest

import tacita as tc
from tacita.mask.noise.correlated_noise import adjust_subpopulation, correlated_noise, rescaled_noise
from tacita.numeric.statistics.covariances import factor, sample_covariance, shrunk_covariance


def normal_file(n: int, seed: int = 1) -> np.ndarray:
    rng = np.random.default_rng(seed)
    mix = np.array([[1.0, 0.6, 0.0], [0.0, 0.8, 0.5], [0.0, 0.0, 2.0]])
    return rng.standard_normal((n, 3)) @ mix + [10.0, -4.0, 100.0]


def as_data(x: np.ndarray) -> tc.Microdata:
    return tc.Microdata.from_frame(pa.table({name: x[:, j] for j, name in enumerate("abc")}), keys=list("abc"))


def test_kernel_follows_the_formula_record_by_record() -> None:
    x, cov = np.array([[1.0, 2.0], [3.0, 5.0]]), np.array([[4.0, 1.0], [1.0, 9.0]])
    normals = np.array([[0.5, -1.0], [2.0, 0.25]])
    root = factor(cov)
    for i in range(2):
        expected = x[i] + 0.3 * root @ normals[i]
        assert correlated_noise(x, normals, sd_ratio=0.3, cov=cov)[i] == pytest.approx(expected)
        mean = x.mean(axis=0)
        assert rescaled_noise(x, normals, sd_ratio=0.3, cov=cov)[i] == pytest.approx(
            mean + (expected - mean) / np.sqrt(1.09)
        )


def test_factor_reproduces_singular_matrices() -> None:
    x = normal_file(50)
    singular = sample_covariance(np.column_stack([x, x.sum(axis=1)]))
    assert factor(singular) @ factor(singular).T == pytest.approx(singular, abs=1e-9)


def mean_covariance(mask: tc.mask.Mask, x: np.ndarray, replicates: int) -> np.ndarray:
    data = as_data(x)
    return np.mean([sample_covariance(mask.apply(data, seed=s).floats("abc")) for s in range(replicates)], axis=0)


def test_correlated_noise_inflates_the_covariance_matrix_by_one_plus_alpha() -> None:
    # 300 replicates of 400 records: the standard error of a ratio is about 0.3 %; 3 % is ten of them.
    x = normal_file(400)
    ratio = mean_covariance(tc.mask.CorrelatedNoise(sd_ratio=0.5), x, 300) / sample_covariance(x)
    large = np.abs(sample_covariance(x)) > 0.3
    assert np.all(np.abs(ratio[large] - 1.25) < 0.0375)
    assert not np.all(np.abs(ratio[large] - 1.25 * 1.3) < 0.0375)


def test_linear_noise_is_unbiased_for_the_covariance_matrix_of_the_file() -> None:
    x = normal_file(60)  # few records, where a wrong constant would show
    ratio = mean_covariance(tc.mask.LinearNoise(sd_ratio=0.7), x, 700) / sample_covariance(x)
    large = np.abs(sample_covariance(x)) > 0.3
    assert np.all(np.abs(ratio[large] - 1) < 0.05)


def test_subpopulation_is_recovered_by_a_user_who_knows_the_parameter() -> None:
    x = normal_file(40_000)
    chosen = x[:, 0] > 11
    masked = tc.mask.LinearNoise(sd_ratio=0.8).apply(as_data(x), seed=3).floats("abc")
    mean, cov = adjust_subpopulation(masked[chosen], masked, sd_ratio=0.8)
    assert mean == pytest.approx(x[chosen].mean(axis=0), abs=0.05)
    assert cov == pytest.approx(sample_covariance(x[chosen]), abs=0.15)
    # Without the correction the mean is far off.
    assert abs(masked[chosen].mean(axis=0)[0] - x[chosen].mean(axis=0)[0]) > 0.15


def test_shrinkage_grows_when_records_are_few_and_keeps_variances() -> None:
    strong, many = shrunk_covariance(normal_file(12))[1], shrunk_covariance(normal_file(5000))[1]
    assert 0 <= many < 0.02 < strong <= 1
    x = normal_file(12)
    assert np.diag(shrunk_covariance(x)[0]) == pytest.approx(np.diag(sample_covariance(x)))


def test_shrinkage_intensity_by_the_formula_written_out() -> None:
    x = normal_file(15)[:, :2]
    n = len(x)
    z = (x - x.mean(axis=0)) / x.std(axis=0, ddof=1)
    w = z[:, 0] * z[:, 1]
    r = n / (n - 1) * w.mean()
    variance = n / (n - 1) ** 3 * ((w - w.mean()) ** 2).sum()
    assert shrunk_covariance(x)[1] == pytest.approx(min(1.0, variance / r**2))


def test_missing_values_stay_missing_and_others_get_noise() -> None:
    x = normal_file(100)
    x[3, 1] = np.nan
    masked = tc.mask.CorrelatedNoise(sd_ratio=0.5).apply(as_data(x), seed=1).floats("abc")
    assert np.isnan(masked[3, 1])
    assert np.isnan(masked).sum() == 1
    assert masked[3, 0] != x[3, 0]
