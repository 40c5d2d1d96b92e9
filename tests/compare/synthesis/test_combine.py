"""Combining rules: by hand, and their coverage with proper and correct models."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from tacita.compare.synthesis.combine import combine
from tacita.core.errors import ParameterError


def test_by_hand() -> None:
    q, u = [10.0, 11.0, 12.0], [0.3, 0.4, 0.5]
    partly, wholly, filled = (combine(q, u, kind=kind) for kind in ("partially", "fully", "missing"))  # type: ignore[arg-type]
    assert partly.variances[0] == pytest.approx(0.4 + 1 / 3)
    assert partly.freedom[0] == pytest.approx(2 * (1 + 3 * 0.4) ** 2)
    assert wholly.variances[0] == pytest.approx(4 / 3 - 0.4)
    assert wholly.freedom[0] == pytest.approx(2 * (1 - 0.4 / (4 / 3)) ** 2)
    assert filled.variances[0] == pytest.approx(0.4 + 4 / 3)
    assert filled.freedom[0] == pytest.approx(2 * (1 + 0.4 / (4 / 3)) ** 2)
    half = stats.t.ppf(0.975, partly.freedom[0]) * np.sqrt(partly.variances[0])
    assert (partly.low[0], partly.high[0]) == pytest.approx((11 - half, 11 + half))


def test_a_negative_variance_is_adjusted_and_said() -> None:
    found = combine([10.0, 10.1, 9.9], [4.0, 4.0, 4.0], kind="fully", size_ratio=0.5)
    assert found.was_negative.tolist() == [True]
    assert (found.variances[0], found.freedom[0]) == (2.0, 2.0)
    assert not combine([10.0, 20.0], [4.0, 4.0], kind="fully").was_negative.any()


def test_files_that_do_not_differ_have_normal_intervals() -> None:
    found = combine([5.0, 5.0], [4.0, 4.0])
    assert np.isinf(found.freedom[0])
    assert found.high[0] == pytest.approx(5 + 1.959964 * 2, abs=1e-5)


def test_names_go_with_their_numbers() -> None:
    found = combine([{"a": 1.0, "b": 2.0}, {"b": 4.0, "a": 1.0}], [{"b": 1.0, "a": 0.0}] * 2)
    assert found.names == ("a", "b")
    assert found["b"]["estimate"] == 3.0
    assert found["a"]["error"] == 0.0
    with pytest.raises(ParameterError, match="no quantity 'c'"):
        found["c"]


@pytest.mark.parametrize(
    ("q", "u", "more", "words"),
    [
        ([1.0], [1.0], {}, "at least 2 files"),
        ([1.0, 2.0], [1.0, -1.0], {}, "must not be negative"),
        ([1.0, 2.0], [[1.0, 1.0], [1.0, 1.0]], {}, "same files and quantities"),
        ([{"a": 1}, {"b": 1}], [{"a": 1}, {"a": 1}], {}, "same quantities"),
        ([1.0, np.nan], [1.0, 1.0], {}, "finite number"),
        (["x", "y"], [1.0, 1.0], {}, "must be numbers"),
        ([1.0, 2.0], [1.0, 1.0], {"kind": "half"}, "'kind' must be one of"),
        ([1.0, 2.0], [1.0, 1.0], {"level": 95}, "'level' must be between"),
        ([1.0, 2.0], [1.0, 1.0], {"size_ratio": 0}, "'size_ratio' must be above"),
    ],
)
def test_bad_input(q: list[object], u: list[object], more: dict[str, object], words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        combine(q, u, **more)  # type: ignore[arg-type]


# --- coverage --------------------------------------------------------------------------------------------------------------


def _posterior(x: np.ndarray, y: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, float]:
    """Draw coefficients and variance of a normal regression from their posterior with the usual flat prior."""
    n, q = x.shape
    root = np.linalg.cholesky(np.linalg.inv(x.T @ x))
    b = np.linalg.lstsq(x, y, rcond=None)[0]
    s2 = float(((y - x @ b) ** 2).sum() / rng.chisquare(n - q))
    return b + np.sqrt(s2) * root @ rng.standard_normal(q), s2


def _estimates(x: np.ndarray, y: np.ndarray) -> tuple[list[float], list[float]]:
    """The mean of y and the slope of its regression, with their variances."""
    n = len(y)
    b = np.linalg.lstsq(x, y, rcond=None)[0]
    s2 = float(((y - x @ b) ** 2).sum() / (n - 2))
    return [float(y.mean()), float(b[1])], [float(y.var(ddof=1) / n), s2 * float(np.linalg.inv(x.T @ x)[1, 1])]


def _covered(kind: str, runs: int, seed: int, m: int, size: int, n: int = 100) -> np.ndarray:
    """How often the intervals hold the true mean and slope: y = 1 + 2 x + e, x standard normal in the population.

    Fully synthetic files have ``size`` people who were not sampled, whose x is known; partially synthetic ones the sample's x.
    """
    rng = np.random.default_rng(seed)
    hits = np.zeros(2)
    for _ in range(runs):
        x = np.column_stack([np.ones(n), rng.standard_normal(n)])
        y = x @ [1.0, 2.0] + rng.standard_normal(n)
        q, u = [], []
        for _ in range(m):
            b, s2 = _posterior(x, y, rng)
            new = x if kind == "partially" else np.column_stack([np.ones(size), rng.standard_normal(size)])
            est, var = _estimates(new, new @ b + np.sqrt(s2) * rng.standard_normal(len(new)))
            q.append(est)
            u.append(var)
        found = combine(q, u, kind=kind, size_ratio=size / n)  # type: ignore[arg-type]
        hits += (found.low <= [1.0, 2.0]) & (found.high >= [1.0, 2.0])
    return 100 * hits / runs


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["fully", "partially"])
def test_coverage_over_a_thousand_simulations(kind: str) -> None:
    covered = _covered(kind, 1000, seed=1, m=50 if kind == "fully" else 5, size=1000)
    assert ((covered >= 93) & (covered <= 97)).all(), covered


@pytest.mark.parametrize("kind", ["fully", "partially"])
def test_coverage_at_a_glance(kind: str) -> None:
    """Two hundred simulations: four standard errors are 6 points."""
    covered = _covered(kind, 200, seed=2, m=20 if kind == "fully" else 5, size=500)
    assert ((covered >= 89) & (covered <= 100)).all(), covered
