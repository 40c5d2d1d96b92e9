"""Noise on the column: fixed per record, of its size, the same in every version, never the same at two sizes."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import kstest

from tacita.core.errors import DataError, ParameterError
from tacita.core.keyed import Key
from tacita.query.noise.input_noise import AddedInput, InputNoise, MultipliedInput

KEY = Key(b"a key that is only for tests")
IDS = np.arange(20_000, dtype=np.uint64)
VALUES = np.random.default_rng(0).lognormal(8, 1, 20_000)
METHODS = [AddedInput(sd=500.0), MultipliedInput(least=0.05, most=0.2)]


@pytest.mark.parametrize("method", METHODS)
def test_a_record_has_its_noise_for_ever(method: InputNoise) -> None:
    """Whatever else is in the file and in whatever order; a changed value moves by another amount."""
    masked = method.apply(VALUES, IDS, key=KEY, variable="income")
    order = np.random.default_rng(1).permutation(500)
    assert (method.apply(VALUES[order], IDS[order], key=KEY, variable="income") == masked[order]).all()
    changed = VALUES.copy()
    changed[:100] += 10
    later = method.apply(changed, IDS, key=KEY, variable="income")
    assert (later[100:] == masked[100:]).all()
    assert (np.abs(later[:100] - masked[:100] - 10) > 1e-6).all()
    assert (method.apply(VALUES, IDS, key=KEY, variable="wealth") != masked).all()
    assert (method.apply(VALUES, IDS, key=Key(b"another key for the tests"), variable="income") != masked).all()


def test_added_noise_has_its_distribution() -> None:
    """False alarm 1e-6 at a fixed key; a size 30 % off is seen."""
    noise = AddedInput(sd=500.0).apply(VALUES, IDS, key=KEY, variable="income") - VALUES
    assert kstest(noise / 500, "norm").pvalue > 1e-6
    assert kstest(noise / 650, "norm").pvalue < 1e-6


def test_multiplied_noise_has_its_distribution() -> None:
    factor = MultipliedInput(least=0.05, most=0.2).apply(VALUES, IDS, key=KEY, variable="income") / VALUES - 1
    share = np.abs(factor)
    assert share.min() >= 0.05 - 1e-12
    assert share.max() <= 0.2 + 1e-12
    assert abs((factor > 0).mean() - 0.5) < 0.02
    assert kstest(1 - (1 - (share - 0.05) / 0.15) ** 2, "uniform").pvalue > 1e-6
    assert kstest(1 - (1 - (share - 0.05) / 0.195) ** 2, "uniform").pvalue < 1e-6


@pytest.mark.parametrize("method", METHODS)
def test_a_unit_moves_one_way(method: InputNoise) -> None:
    firms = IDS // np.uint64(4)
    moved = method.apply(VALUES, IDS, key=KEY, variable="x", units=firms) > VALUES
    by_firm = moved.reshape(-1, 4).sum(axis=1)
    assert set(by_firm.tolist()) == {0, 4}


def test_two_sizes_do_not_give_the_values_back() -> None:
    """With one stream at two sizes (y1 s2 - y2 s1) / (s2 - s1) would be the value."""
    small, large = (AddedInput(sd=sd).apply(VALUES, IDS, key=KEY, variable="x") for sd in (100.0, 200.0))
    assert (np.abs(2 * small - large - VALUES) < 1).mean() < 0.02


@pytest.mark.parametrize("method", METHODS)
def test_missing_and_zero(method: InputNoise) -> None:
    masked = method.apply(np.array([np.nan, 0.0, -0.0]), np.array([1, 2, 2], dtype=np.uint64), key=KEY, variable="x")
    assert np.isnan(masked[0])
    assert masked[1] == masked[2]
    assert (masked[1] == 0) == isinstance(method, MultipliedInput)
    assert len(method.apply(np.zeros(0), np.zeros(0, dtype=np.uint64), key=KEY, variable="x")) == 0


def test_bad_input_is_refused() -> None:
    with pytest.raises(ParameterError, match="below 'most'"):
        MultipliedInput(least=0.2, most=0.1)
    with pytest.raises(ParameterError, match="'sd'"):
        AddedInput(sd=0)
    with pytest.raises(ParameterError, match="an id for each of 3 values"):
        AddedInput(sd=1).apply(np.zeros(3), IDS[:2], key=KEY, variable="x")
    with pytest.raises(DataError, match="finite or missing"):
        AddedInput(sd=1).apply(np.array([np.inf]), IDS[:1], key=KEY, variable="x")
