"""Conventional rounding: nearest multiples by hand, random ones without bias."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.core.errors import ParameterError
from tacita.tables.rounding.conventional import conventional_rounding, random_rounding


def test_by_hand() -> None:
    """Half way goes away from zero."""
    values = np.array([0.0, 1.0, 2.0, 2.5, 3.0, 5.0, 7.5, -2.5, -2.4, -8.0])
    expected = [0.0, 0.0, 0.0, 5.0, 5.0, 5.0, 10.0, -5.0, 0.0, -10.0]
    assert conventional_rounding(values, base=5).tolist() == expected


def test_a_half_with_noise_is_a_half() -> None:
    values = np.array([0.1 + 0.2, 0.3, 1.5, 0.15])
    np.testing.assert_allclose(conventional_rounding(values, base=0.6), [0.6, 0.6, 1.8, 0.0], atol=1e-12)


@given(st.lists(st.integers(-1000, 1000), min_size=1, max_size=20), st.integers(1, 50))
def test_nearest_multiple(values: list[int], base: int) -> None:
    rounded = conventional_rounding(np.array(values, float), base=base)
    for value, x in zip(values, rounded.tolist(), strict=True):
        steps = math.floor(abs(value) / base + 0.5)
        assert x == math.copysign(steps * base, value) or (steps == 0 and x == 0)
        assert abs(x - value) <= base / 2


def test_sums_need_not_hold() -> None:
    parts = np.array([1.0, 1.0, 1.0])
    assert conventional_rounding(np.append(parts, parts.sum()), base=5).tolist() == [0, 0, 0, 5]


def test_random_rounding_has_no_bias() -> None:
    """The mean of 40 000 roundings of a / base = 0.3 has a standard error of 0.0023; four of them are allowed."""
    rng = np.random.default_rng(7)
    n = 40_000
    for share in (0.1, 0.3, 0.5, 0.9):
        rounded = random_rounding(np.full(n, 10 + 5 * share), base=5, rng=rng)
        assert set(rounded.tolist()) == {10.0, 15.0}
        error = 5 * math.sqrt(share * (1 - share) / n)
        assert abs(rounded.mean() - (10 + 5 * share)) < 4 * error
        assert abs(rounded.mean() - (10 + 5 * share * 1.3)) > 4 * error  # a share that is 30 % off is told apart


def test_multiples_stay() -> None:
    values = np.array([0.0, 5.0, -10.0, 1e12, 0.0])
    for seed in range(5):
        assert random_rounding(values, base=5, rng=np.random.default_rng(seed)).tolist() == values.tolist()
    noisy = np.array([0.1 * 3])
    np.testing.assert_allclose(random_rounding(noisy, base=0.1, rng=np.random.default_rng(1)), 0.3)


def test_random_negative_values_go_to_a_neighbour() -> None:
    rounded = random_rounding(np.full(1000, -7.0), base=5, rng=np.random.default_rng(1))
    assert set(rounded.tolist()) == {-10.0, -5.0}


def test_the_same_stream_gives_the_same_table() -> None:
    values = np.arange(50.0)
    one, two = (random_rounding(values, base=7, rng=np.random.default_rng(3)) for _ in range(2))
    np.testing.assert_array_equal(one, two)


@pytest.mark.parametrize("base", [0, -5, float("nan"), float("inf")])
def test_bad_base(base: float) -> None:
    with pytest.raises(ParameterError, match="'base' must be positive"):
        conventional_rounding(np.ones(2), base=base)
    with pytest.raises(ParameterError, match="'base' must be positive"):
        random_rounding(np.ones(2), base=base, rng=np.random.default_rng(1))
