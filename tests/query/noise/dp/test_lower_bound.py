"""The measured epsilon: below the claim where the mechanism is right, above it where it is not."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tacita.core.errors import ParameterError
from tacita.query.noise.dp.lower_bound import epsilon_lower_bound


def two_sided(rng: np.random.Generator, scale: float, n: int) -> np.ndarray:
    """Discrete Laplace noise as a difference of geometric numbers."""
    chance = -math.expm1(-1 / scale)
    return rng.geometric(chance, n) - rng.geometric(chance, n)


@pytest.mark.parametrize("epsilon", [0.3, 1.0, 2.0])
def test_the_bound_is_near_and_below_the_truth(epsilon: float) -> None:
    rng = np.random.default_rng(4)
    first = 101 + two_sided(rng, 1 / epsilon, 100_000)
    second = 100 + two_sided(rng, 1 / epsilon, 100_000)
    measured = epsilon_lower_bound(first, second, 101)
    assert 0.75 * epsilon < measured <= epsilon


def test_both_sides_are_looked_at() -> None:
    """An answer that is never below the threshold with the unit betrays its absence."""
    rng = np.random.default_rng(1)
    first, second = np.full(2000, 5), rng.integers(4, 6, 2000)
    assert epsilon_lower_bound(first, second, 5) > 3
    assert epsilon_lower_bound(second, second, 5) == 0


def test_bad_input_is_refused() -> None:
    for first, alarm in ((np.zeros(0, dtype=int), 0.1), (np.zeros(2, dtype=int), 0.0)):
        with pytest.raises(ParameterError, match="epsilon_lower_bound"):
            epsilon_lower_bound(first, np.zeros(2, dtype=int), 1, false_alarm=alarm)
