"""Noise taken out: the best linear estimate, and the directions above the noise."""

from __future__ import annotations

import numpy as np

from tacita.numeric.statistics.noise_removal import bayes_estimate, random_part, spectral_estimate


def panel(n: int = 3000, d: int = 5) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(1)
    x = rng.normal(10, 3, (n, 1)) + rng.normal(0, 0.5, (n, d))
    return x, x + rng.normal(0, 2, (n, d))


def test_the_estimate_is_the_conditional_mean_of_a_normal_record() -> None:
    signal, noise = np.array([[4.0, 3.0], [3.0, 9.0]]), np.diag([1.0, 2.0])
    seen, mean = np.array([[1.0, 5.0]]), np.array([2.0, 3.0])
    wanted = mean + signal @ np.linalg.inv(signal + noise) @ (seen[0] - mean)
    np.testing.assert_allclose(bayes_estimate(seen, mean, signal, noise)[0], wanted)


def test_a_gap_is_estimated_from_the_rest_and_what_has_no_noise_stays() -> None:
    signal = np.array([[4.0, 3.0], [3.0, 9.0]])
    found = bayes_estimate(np.array([[np.nan, 6.0], [np.nan, np.nan]]), np.zeros(2), signal, np.diag([1.0, 0.0]))
    np.testing.assert_allclose(found, [[3 / 9 * 6.0, 6.0], [0.0, 0.0]])


def test_both_filters_bring_the_error_down() -> None:
    x, z = panel()
    mean, whole, noise = z.mean(axis=0), np.cov(z.T), 4.0 * np.eye(5)
    raw = np.mean((z - x) ** 2)
    bayes = np.mean((bayes_estimate(z, mean, whole - noise, noise) - x) ** 2)
    spectral = np.mean((spectral_estimate(z, mean, whole, 4.0, len(z)) - x) ** 2)
    assert bayes < 0.3 * raw
    assert spectral < 0.4 * raw
    assert bayes <= spectral


def test_the_largest_eigenvalue_of_noise_alone_is_about_that_of_the_law() -> None:
    noise = np.random.default_rng(2).normal(0, 2, (4000, 40))
    largest = np.linalg.eigvalsh(noise.T @ noise / 4000)[-1]
    assert abs(largest / random_part(4.0, 4000, 40) - 1) < 0.03


def test_one_direction_is_kept_where_there_is_nothing_but_noise() -> None:
    noise = np.random.default_rng(3).normal(0, 1, (200, 3))
    found = spectral_estimate(noise, noise.mean(axis=0), 0.5 * np.eye(3), 1.0, 200)
    assert np.linalg.matrix_rank(found - noise.mean(axis=0), tol=1e-8) == 1
