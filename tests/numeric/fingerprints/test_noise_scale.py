from __future__ import annotations

import numpy as np
import pytest

from tacita.numeric.fingerprints.noise_scale import (
    NoiseScale,
    amplitudes,
    grid_decimals,
    in_noise_units,
    noise_scale,
)
from tacita.numeric.fingerprints.variants import cell_variants


def test_the_scale_follows_noise_that_grows_with_the_value() -> None:
    rng = np.random.default_rng(1)
    x = np.exp(rng.normal(8, 1, 8000))
    y = x * (1 + rng.normal(0, 0.1, 8000))
    scale = noise_scale(x, y)
    assert len(scale.at) == 16
    assert np.allclose(scale.sd[2:-2], 0.1 * scale.at[2:-2], rtol=0.25)


def test_a_few_wild_values_do_not_enlarge_the_scale() -> None:
    rng = np.random.default_rng(2)
    x = rng.normal(0, 100, 3000)
    y = x + rng.normal(0, 5, 3000)
    y[:60] += 1e6
    assert noise_scale(x, y).sd.max() < 10


def test_unchanged_values_have_no_room() -> None:
    x = np.arange(500.0)
    assert noise_scale(x, x).sd.tolist() == [0.0] * len(noise_scale(x, x).sd)
    assert noise_scale(np.full(3, np.nan), np.full(3, np.nan)).sd.tolist() == [0.0]


def test_few_records_share_one_class_and_ties_one_knot() -> None:
    x = np.zeros(100)
    assert len(noise_scale(x, x + 1).at) == 1
    many = np.zeros(1000)
    assert len(noise_scale(many, many).at) == 1


@pytest.mark.parametrize(("decimals", "sd"), [(0, 1.0), (0, 3.0), (0, 8.0), (0, 40.0), (-2, 900.0), (None, 3.0)])
def test_the_variance_of_marks_stays_below_the_share(decimals: int | None, sd: float) -> None:
    """share^2 p (1 - p) of the noise without rounding, and at most half more with it."""
    rng, n = np.random.default_rng(3), 60_000
    values, p = np.full(n, 12_300.0), np.array([0.2113])
    apart = amplitudes(values, NoiseScale(np.zeros(1), np.array([sd])), 0.2, decimals)
    made = cell_variants(values, apart, np.zeros(n, np.int64), p, rng, decimals=decimals)
    added = (1 - 0.2113) * ((made.zero - values) ** 2).mean() + 0.2113 * ((made.one - values) ** 2).mean()
    assert added <= 1.55 * 0.04 * 0.2113 * 0.7887 * sd**2
    assert added >= 0.4 * 0.04 * 0.2113 * 0.7887 * sd**2


def test_missing_values_have_no_amplitude() -> None:
    flat = NoiseScale(np.zeros(1), np.ones(1))
    assert amplitudes(np.array([np.nan, 1.0]), flat, 0.5, None).tolist() == [0.0, 0.5]


def test_grids_of_people_who_round() -> None:
    rng = np.random.default_rng(4)
    heaped = np.round(rng.normal(30_000, 9_000, 1000), -2)
    assert grid_decimals(heaped) == -2
    heaped[:100] += 7  # one in ten did not round
    assert grid_decimals(heaped) == 0
    assert grid_decimals(np.array([np.nan, 0.0])) is None


def test_the_axis_of_noise_units_grows_by_one_for_each_sd() -> None:
    scale = NoiseScale(np.array([0.0, 100.0]), np.array([1.0, 10.0]))
    x = np.linspace(-50, 300, 200)
    made = in_noise_units(x, scale)
    assert (np.diff(made) > 0).all()
    assert made[-1] - in_noise_units(np.array([290.0]), scale)[0] == pytest.approx(1.0)
    assert np.isnan(in_noise_units(np.array([np.nan]), scale)[0])
