"""The two layers of noise: what they depend on, and how large they are."""

import numpy as np
import pytest
from scipy.stats import kstest

from tacita.core.errors import DataError
from tacita.core.keyed import Key
from tacita.query.residuals.noise import keyed_normals, layered_noise, step_of
from tests.query.residuals.builders import KEY

IDS = np.arange(20_000, dtype=np.uint64)


def test_keyed_normals_are_normal_and_belong_to_records() -> None:
    drawn = keyed_normals(KEY, IDS, "a")
    assert kstest(drawn, "norm").pvalue > 1e-4
    assert abs(np.corrcoef(drawn, keyed_normals(KEY, IDS, "b"))[0, 1]) < 0.03  # four standard errors
    assert np.array_equal(keyed_normals(KEY, IDS[::-1], "a"), drawn[::-1])
    assert not np.array_equal(keyed_normals(Key(b"another key of 16"), IDS, "a"), drawn)


@pytest.mark.parametrize("scale", [1e-9, 0.3, 1.0, 1.7, 5e12])
def test_the_step_is_the_next_power_of_two(scale: float) -> None:
    assert scale <= 2.0 ** step_of(scale) * (1 + 1e-8)
    assert 2.0 ** step_of(scale) < 2 * scale


@pytest.mark.parametrize("scale", [0.0, -1.0, np.nan, np.inf])
def test_an_exact_fit_has_no_noise_to_hide_behind(scale: float) -> None:
    with pytest.raises(DataError, match="fits exactly"):
        step_of(scale)


def noise(
    scale: float, model: bytes = b"m", response: str = "y", sigma: float = 0.4, model_sigma: float = 0.3
) -> np.ndarray:
    return layered_noise(KEY, IDS, scale, response=response, model=model, sigma=sigma, model_sigma=model_sigma)


def test_the_first_layer_stays_within_a_step_and_the_second_with_the_model() -> None:
    assert np.array_equal(noise(5.0, b"a", model_sigma=0), noise(7.9, b"b", model_sigma=0))
    assert abs(np.corrcoef(noise(7.9, model_sigma=0), noise(8.1, model_sigma=0))[0, 1]) < 0.03
    assert abs(np.corrcoef(noise(5.0, response="z", model_sigma=0), noise(5.0, model_sigma=0))[0, 1]) < 0.03
    assert abs(np.corrcoef(noise(5.0, b"a", sigma=0), noise(5.0, b"b", sigma=0))[0, 1]) < 0.03
    assert np.array_equal(noise(5.0, b"a"), noise(5.0, b"a"))


def test_the_variance_is_that_of_the_formula() -> None:
    wanted = (0.4 * 8) ** 2 + (0.3 * 5) ** 2
    assert abs(noise(5.0).var() / wanted - 1) < 0.05  # five standard errors: sqrt(2 / 20 000) = 0.01
    assert abs(noise(5.0, sigma=0.52).var() / wanted - 1) > 0.3
