"""Tables of noise: moments to the last digits, the known example, the bounds of the variance, and most entropy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from tacita.core.errors import ParameterError
from tacita.numeric.perturbation.noise_table import most_entropy, noise_from_table, noise_support, noise_table
from tests.effort import examples


def moments(table: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    p = np.diff(table, axis=1, prepend=0.0)
    v = np.arange(table.shape[1]) - table.shape[1] // 2
    return p @ v, p @ v**2


def entropy(p: np.ndarray) -> float:
    p = p[p > 0]
    return float(-(p * np.log(p)).sum())


def test_the_known_example() -> None:
    p = most_entropy(np.array([-1, 0, 1, 2]), 1.0)
    assert p.round(5).tolist() == [0.39806, 0.30581, 0.19419, 0.10194]
    assert entropy(p) > entropy(np.array([0.375, 0.375, 0.125, 0.125]))


@pytest.mark.parametrize("bound", [1, 2, 5, 15, 40])
@pytest.mark.parametrize("share", [1e-9, 0.01, 0.3, 0.9, 1 - 1e-9, 1.0])
def test_every_row_has_its_moments(bound: int, share: float) -> None:
    variance = share * bound
    for count in range(1, bound + 1):
        support = noise_support(count, bound)
        p = most_entropy(support, variance)
        assert abs(p @ support) < 1e-12
        assert abs(p @ support**2 - variance) < 1e-12
    means, squares = moments(noise_table(bound, variance))
    digits = 1e-14 * bound**2  # differences of cumulative numbers next to 1 lose a digit
    assert np.abs(means).max() < digits
    assert np.abs(squares[1:] - variance).max() < digits
    assert squares[0] == 0  # zero stays zero


def test_no_ones_and_no_twos() -> None:
    """The smallest variance is exactly 2, and there the row of 1 stands on two points."""
    table = noise_table(5, 2.0, smallest=3)
    p = np.diff(table, axis=1, prepend=0.0)
    assert p[1][[4, 7]].tolist() == pytest.approx([2 / 3, 1 / 3], abs=1e-15)
    assert len(table) == 5 + 3
    for count in range(1, len(table)):
        shown = np.flatnonzero(p[count] > 0) - 5 + count
        assert not {1, 2} & set(shown.tolist())
        assert shown.min() >= 0
    means, squares = moments(table)
    assert np.abs(means).max() < 1e-12
    assert np.abs(squares[1:] - 2).max() < 1e-12
    with pytest.raises(ParameterError, match=r"count of 1.*must be in \[2, 5\], got 1.99"):
        noise_table(5, 1.99, smallest=3)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_the_largest_variance_is_count_times_bound(count: int) -> None:
    support = noise_support(count, 4)
    edge = most_entropy(support, float(4 * count))
    assert edge[[0, -1]].tolist() == [4 / (4 + count), count / (4 + count)]
    with pytest.raises(ParameterError, match="larger bound"):
        most_entropy(support, 4 * count + 1e-9)


@settings(max_examples=examples(20), deadline=None)
@given(count=st.integers(1, 4), bound=st.integers(2, 4), share=st.floats(0.1, 0.9))
def test_no_other_distribution_has_more_entropy(count: int, bound: int, share: float) -> None:
    """A general solver, started elsewhere, finds nothing better and nothing else."""
    support = noise_support(count, bound)
    variance = share * min(count, bound) * bound
    found = most_entropy(support, variance)
    constraints = [
        {"type": "eq", "fun": lambda p: p.sum() - 1},
        {"type": "eq", "fun": lambda p: p @ support},
        {"type": "eq", "fun": lambda p: p @ support**2 - variance},
    ]
    start = np.full(len(support), 1 / len(support))
    other = minimize(
        lambda p: (p * np.log(np.maximum(p, 1e-12))).sum(),
        start,
        bounds=[(1e-9, 1)] * len(support),
        constraints=constraints,
        method="SLSQP",
    )
    if other.success:
        assert entropy(found) >= -other.fun - 1e-6
        assert np.abs(found - other.x).max() < 5e-3


def test_noise_is_read_from_the_row_of_the_count() -> None:
    """Against the obvious loop, at the edges of every step as well."""
    table = noise_table(3, 2.0)
    rng = np.random.default_rng(5)
    edges = np.unique(table[table < 1])
    uniforms = np.concatenate([rng.random(300), edges, np.nextafter(edges, -1.0)[edges > 0], [0.0, 1 - 2.0**-53]])
    counts = rng.integers(0, 9, len(uniforms))
    found = noise_from_table(table, counts, uniforms)
    for count, u, noise in zip(counts, uniforms, found, strict=True):
        row = table[min(count, 3)]
        assert noise == next(v for v in range(-3, 4) if u < row[v + 3])
        assert count + noise >= 0
        assert noise == 0 or count > 0


@pytest.mark.parametrize("bad", [{"bound": 0}, {"smallest": 0}, {"variance": 6.0}, {"bound": 2, "smallest": 3}])
def test_impossible_noise_is_refused(bad: dict[str, float]) -> None:
    given = {"bound": 5, "variance": 2.0, "smallest": 1} | bad
    with pytest.raises(ParameterError):
        noise_table(int(given["bound"]), given["variance"], smallest=int(given["smallest"]))
