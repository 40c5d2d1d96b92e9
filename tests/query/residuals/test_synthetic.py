"""Synthetic numbers: masses stay masses, ends are hidden, the distribution is kept."""

import numpy as np
import pytest
from scipy.stats import ks_2samp

from tacita.query.residuals.ordered import OrderedUnits
from tacita.query.residuals.synthetic import bandwidths, end_values, rounding_step, synthetic_numbers

RNG = np.random.default_rng(4)


def drawn(values: np.ndarray, size: int = 5000, count: int = 10, seed: int = 1) -> np.ndarray:
    return synthetic_numbers(OrderedUnits.of(values), size, count, np.random.default_rng(seed))


def test_the_distribution_is_kept() -> None:
    x = RNG.lognormal(0, 0.6, 4000)
    assert ks_2samp(drawn(x), x).pvalue > 1e-3
    assert ks_2samp(drawn(x), 1.3 * x).pvalue < 1e-9


def test_a_mass_stays_a_mass() -> None:
    x = np.concatenate([np.zeros(400), RNG.lognormal(3, 1, 600)])
    share = (drawn(x) == 0).mean()
    assert abs(share - 0.4) < 0.03  # four standard errors
    assert np.abs(drawn(x)[drawn(x) != 0]).min() > 0


@pytest.mark.parametrize(("count", "kept"), [(9, False), (10, True)])
def test_a_mass_needs_enough_units(count: int, kept: bool) -> None:
    x = np.concatenate([np.full(count, 0.123456), RNG.normal(0, 1, 500)])
    assert (0.123456 in drawn(x)) == kept


def test_no_value_beyond_the_ends_and_no_heap_at_them() -> None:
    x = np.append(RNG.lognormal(3, 1.5, 2000), [1e6, 2e6])
    made, (low, high) = drawn(x), end_values(OrderedUnits.of(x), 10)
    assert made.min() > low
    assert made.max() < high
    assert (x > made.max()).sum() >= 10
    assert (x < made.min()).sum() >= 10
    assert len(np.unique(made)) == len(made)


def test_the_largest_value_does_not_move_anything() -> None:
    x = RNG.lognormal(3, 1.5, 500)
    further = np.where(x == x.max(), 1e9, x)
    assert np.array_equal(drawn(x), drawn(further))


def test_no_true_value_of_a_continuous_variable_is_drawn() -> None:
    x = RNG.normal(0, 1, 3000)
    assert not set(drawn(x)) & set(x)


def test_few_units_beside_masses_are_left_out() -> None:
    x = np.concatenate([np.zeros(50), np.ones(50), [7.7, 8.8]])
    assert set(drawn(x, 500)) == {0.0, 1.0}


def test_constant_and_tiny_data() -> None:
    assert set(drawn(np.full(30, 2.5), 20)) == {2.5}
    assert len(drawn(np.array([1.0, 2.0, 4.0]), 3)) == 0
    assert len(drawn(np.array([1.0, 2.0, 4.0]), 3, count=1)) == 3


def test_kernels_span_enough_units() -> None:
    x = np.sort(RNG.lognormal(0, 2, 400))
    h = bandwidths(x, np.arange(400), 10)
    inside = [(np.abs(x - x[i]) <= 2 * h[i]).sum() for i in range(400)]
    assert min(inside) >= 6  # at the ends one side only


@pytest.mark.parametrize(("low", "high", "step"), [(0, 1, 0.001), (0, 99, 0.01), (-5e5, 5e5, 1e3)])
def test_rounding_keeps_four_figures_of_the_width(low: float, high: float, step: float) -> None:
    assert rounding_step(low, high) == pytest.approx(step)
