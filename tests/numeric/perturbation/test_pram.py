"""What is behind post-randomisation: the shares before it, and the chance of each original class."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.numeric.perturbation.pram import corrected_table, expected_matrix, margin_before, posterior, random_matrix


def test_where_the_correction_is_not_negative_it_is_the_most_likely_margin() -> None:
    matrix = random_matrix(4, 0.6, np.random.default_rng(1))
    before = np.array([0.4, 0.3, 0.2, 0.1])
    released = before @ matrix
    np.testing.assert_allclose(
        margin_before(released, matrix, rounds=20_000), corrected_table(released, [matrix]), atol=1e-6
    )


def test_the_most_likely_margin_is_never_negative() -> None:
    matrix = np.array([[0.6, 0.4], [0.4, 0.6]])
    assert corrected_table(np.array([0.9, 0.1]), [matrix])[1] < 0
    found = margin_before(np.array([0.9, 0.1]), matrix, rounds=5000)
    assert found == pytest.approx([1.0, 0.0], abs=1e-6)


def test_bayes_by_hand() -> None:
    found = posterior(np.array([0.2, 0.8]), np.array([[0.5, 0.5, 0.0], [0.25, 0.75, 0.0]]))
    np.testing.assert_allclose(found[:, 0], [0.1 / 0.3, 0.2 / 0.3])
    assert found[:, 2].tolist() == [0.0, 0.0]


def test_the_mean_of_built_matrices() -> None:
    rng = np.random.default_rng(2)
    mean = np.mean([random_matrix(3, 0.7, rng) for _ in range(4000)], axis=0)
    np.testing.assert_allclose(mean, expected_matrix(3, 0.7), atol=0.01)
    assert expected_matrix(1, 0.2).tolist() == [[1.0]]
