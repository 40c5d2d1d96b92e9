"""Log-linear means: against a Poisson regression by Newton steps, and against published figures of another program."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from tacita.numeric.statistics.cell_means import cell_means
from tacita.numeric.statistics.log_linear import fit_margins, match_chances
from tests.oracles.numeric.poisson_regression import poisson_means_oracle

VAR1 = [2, 3, 2, 3, 3, 1, 2, 3, 2, 2]
VAR2 = [2, 1, 2, 2, 1, 2, 1, 1, 1, 2]
VAR3 = [5, 4, 4, 5, 4, 4, 3, 3, 2, 2]
"""Ten records of three variables, each with the weight 100: the example in the tests of sdcMicro's modRisk."""


def example() -> tuple[np.ndarray, np.ndarray]:
    counts = np.zeros((3, 2, 4))
    np.add.at(counts, (np.array(VAR1) - 1, np.array(VAR2) - 1, np.array(VAR3) - 2), 1)
    return counts, 100 * counts


def mean_over_cells(counts: np.ndarray, means: np.ndarray) -> tuple[float, float]:
    """What that program prints: it takes fitted sample means for population means, and divides by the cells in use."""
    one, match = match_chances(means, np.full(means.shape, 0.99))
    used = (counts > 0).sum()
    return float(one[counts == 1].sum() / used), float(match[counts == 1].sum() / used)


def test_poisson_means_as_published() -> None:
    counts, weights = example()
    fitted = cell_means(counts, weights, [(0,), (1,), (2,)], "poisson", fraction=0.01)
    low = [0.1, 0.1, 0.2, 0.1, 0.1, 0.1, 0.2, 0.1]
    expected = [*low, *(5 * v for v in low), *(4 * v for v in low)]
    assert fitted.sample.ravel().tolist() == pytest.approx(expected, abs=0.005)
    assert mean_over_cells(counts, fitted.sample) == pytest.approx((0.552916, 0.7053842), abs=1e-6)


def test_offsets_as_published() -> None:
    """The offset there is z + 0.1, with z = 0 in empty cells."""
    counts, weights = example()
    z = np.divide(counts, weights, out=np.zeros_like(counts), where=counts > 0) + 0.1
    fitted = fit_margins(counts, [(0,), (1,), (2,)], start=z)
    assert mean_over_cells(counts, fitted) == pytest.approx((0.542, 0.699), abs=5e-4)
    expected = [0.10, 0.10, 0.20, 0.10, 0.10, 0.10, 0.21, 0.10, 0.52, 0.52, 0.95, 0.47]
    assert fitted.ravel()[:12].tolist() == pytest.approx(expected, abs=0.0051)


def test_weights_as_a_regressor_as_published() -> None:
    counts, weights = example()
    fitted = cell_means(counts, weights, [(0,), (1,), (2,)], "weighted", fraction=0.01)
    assert mean_over_cells(counts, fitted.sample) == pytest.approx((0.408, 0.613), abs=5e-4)
    assert float((weights * (counts - fitted.sample)).sum()) == pytest.approx(0, abs=1e-3)


@pytest.mark.parametrize("margins", [[(0,), (1,), (2,)], [(0, 1), (2,)], [(0, 1), (0, 2), (1, 2)]])
def test_equals_a_regression(margins: list[tuple[int, ...]]) -> None:
    rng = np.random.default_rng(3)
    counts = rng.poisson(3.0, (2, 3, 4)).astype(float) + 1
    weights = counts * rng.uniform(5, 20, counts.shape)
    pi = float(counts.sum() / weights.sum())
    plain = cell_means(counts, weights, margins, "poisson", fraction=pi)
    assert plain.sample == pytest.approx(poisson_means_oracle(counts, margins), rel=1e-4)
    offset = cell_means(counts, weights, margins, "clogg-eliason", fraction=pi)
    assert offset.sample == pytest.approx(
        poisson_means_oracle(counts, margins, offset=np.log(counts / weights)), rel=1e-4
    )
    assert offset.population == pytest.approx(offset.sample * weights / counts)
    pseudo = cell_means(counts, weights, margins, "pseudo-likelihood", fraction=pi)
    assert pseudo.population == pytest.approx(poisson_means_oracle(weights, margins), rel=1e-4)
    more = cell_means(counts, weights, margins, "weighted", fraction=pi)
    assert more.sample == pytest.approx(poisson_means_oracle(counts, margins, regressor=weights), rel=1e-3)


def test_equal_weights_make_the_first_three_agree() -> None:
    counts = np.arange(1.0, 13.0).reshape(3, 4)
    found = [
        cell_means(counts, 25 * counts, [(0,), (1,)], model, fraction=0.04).population
        for model in ("poisson", "clogg-eliason", "pseudo-likelihood")
    ]
    for one, other in itertools.pairwise(found):
        assert one == pytest.approx(other, rel=1e-6)
