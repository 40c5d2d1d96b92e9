"""Sufficient perturbation against its definition: what is exact, what correlates by the similarity, and both ends."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.numeric.synthesis.ipso import fit_on_given
from tacita.numeric.synthesis.sufficient import records_to_perturb, sufficient


def case(n: int = 60) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(3)
    given = rng.normal(size=(n, 2))
    return given, given @ rng.normal(size=(2, 3)) + rng.normal(size=(n, 3)) @ np.diag([1.0, 100.0, 0.01])


@pytest.mark.parametrize("similarity", [0.0, 0.3, 0.95])
def test_moments_and_similarity_are_exact(similarity: float) -> None:
    given, y = case()
    fit = fit_on_given(given, y)
    new = fit_on_given(given, sufficient(fit, similarity, np.random.default_rng(5)))
    np.testing.assert_allclose(new.coefficients, fit.coefficients, rtol=1e-9, atol=1e-10)
    length = np.sqrt((fit.residuals**2).sum(0))
    e, f = fit.residuals / length, new.residuals / length
    np.testing.assert_allclose(f.T @ f, e.T @ e, atol=1e-10)
    # E'Y' = a E'E: the paper's condition that covariances of old and new are a times those of the old
    np.testing.assert_allclose(e.T @ f, similarity * e.T @ e, atol=1e-10)


def test_the_first_record_says_nothing_of_itself() -> None:
    given, y = case(20)
    fit = fit_on_given(given, y)
    old = np.sign(fit.residuals[0, 0])
    new = [
        np.sign(fit_on_given(given, sufficient(fit, 0.0, np.random.default_rng(s))).residuals[0, 0]) for s in range(200)
    ]
    # Orthogonal to the old residuals, they lean a little to the other side: by less than this.
    assert 60 <= sum(sign == old for sign in new) <= 140


def test_fewest_records_still_have_a_draw() -> None:
    given, y = case(records_to_perturb(3, 3))
    fit = fit_on_given(given, y)
    a, b = (sufficient(fit, 0.5, np.random.default_rng(s)) for s in (1, 2))
    assert not np.allclose(a, b)
    np.testing.assert_allclose(
        fit_on_given(given, a).root @ fit_on_given(given, a).root.T, fit.root @ fit.root.T, rtol=1e-8, atol=1e-9
    )
