"""Tables of noise for sums: against the definition one sum at a time, mean 0, signs kept, small sums, extra noise."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.core.errors import ParameterError
from tacita.numeric.perturbation.noise_table import noise_table
from tacita.numeric.perturbation.size_table import separation_point, size_noise, stepwise_noise


def looked_up(steps: float, u: float, bound: int, variance: float) -> float:
    """The definition: the first v whose cumulative probability exceeds u, in the rows below and above, mixed."""
    table = noise_table(bound, variance)
    size = min(steps, len(table) - 1)
    low = int(size)
    found = []
    for row in (low, min(low + 1, len(table) - 1)):
        found.append(next(place - bound for place in range(2 * bound + 1) if table[row][place] > u))
    return (1 - (size - low)) * found[0] + (size - low) * found[1]


def one_sum(total: float, step: list[float], u: list[float], n: int, extra: float, small: bool) -> float:
    now = total
    for k, given in enumerate(step):
        if small and k:
            break
        length = 1.0 if small else given
        if not length:
            continue
        variance = 0.8 if small else (2.0 if n % 2 else 1.0)
        v = looked_up(abs(now) / length, u[k], 4, variance)
        if k == 0 and v:
            v += extra if v > 0 else -extra
        now = (-1 if now < 0 else 1) * max(abs(now) + length * v, 0.0)
    return now - total


def test_noise_is_that_of_the_definition() -> None:
    rng, m = np.random.default_rng(3), 300
    totals = np.round(rng.normal(size=m) * 40, 2)
    step = np.abs(totals)[:, None] * rng.uniform(0, 0.4, (m, 2)) * (rng.uniform(size=(m, 2)) > 0.1)
    u, counts = rng.uniform(size=(m, 2)), rng.integers(1, 9, m)
    extra, small = rng.integers(0, 2, m) * 0.7, np.abs(totals) < 5
    found = stepwise_noise(
        totals, step, u, counts, bound=4, variances=(1.0, 2.0), extra=extra, small=small, small_variance=0.8
    )
    slow = [
        one_sum(totals[i], step[i].tolist(), u[i].tolist(), int(counts[i]), extra[i], bool(small[i])) for i in range(m)
    ]
    assert np.allclose(found, slow, rtol=0, atol=1e-9)
    assert ((totals + found) * totals >= 0).all()  # no sum changes its sign
    assert small.any()


def test_mean_and_variance() -> None:
    """20 000 numbers: mean within 4 standard errors of 0, false alarm 1 in 15 000; between rows the mean stays 0."""
    u = (np.arange(20_000) + 0.5) / 20_000
    for steps in (0.3, 1.0, 2.6, 9.0):
        v = size_noise(np.full(len(u), steps), u, bound=5, variance=1.0)
        assert abs(v.mean()) < 1e-3
        assert v.min() >= -steps - 1e-9
    assert abs((v**2).mean() - 1.0) < 1e-3


def test_the_separation_point_gives_both_the_same_variance() -> None:
    weights = np.array([1.0, 0.5])
    point = separation_point(2.0, weights, 0.2)
    assert abs((0.2 * point) ** 2 * (weights**2).sum() - 2.0) < 1e-12


def test_noise_that_is_not_there_is_refused() -> None:
    with pytest.raises(ParameterError, match="no such noise for a count of 1"):
        size_noise(np.ones(1), np.zeros(1), bound=2, variance=9.0)
