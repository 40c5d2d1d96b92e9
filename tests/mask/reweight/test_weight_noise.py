"""Weight noise: weights move, chosen totals stay."""

import numpy as np
import pyarrow as pa
import pytest

import tacita as tc
from tacita.core.errors import DataError, ParameterError
from tacita.mask.reweight.weight_noise import noise_factors

DATA = tc.samples.household_survey(600, seed=1)


def total(data: tc.Microdata, region: str | None = None) -> float:
    here = np.ones(len(data), dtype=bool)
    if region is not None:
        here = np.array([value == region for value in data.to_arrow().column("region").to_pylist()])
    return float(data.weights()[here].sum())


def test_factors_have_mean_one_and_the_variation_asked_for() -> None:
    factors = noise_factors(200_000, variation=0.3, rng=np.random.default_rng(1))
    assert factors.min() > 0
    # Standard errors are 0.0007 and 0.0006; five of them.
    assert factors.mean() == pytest.approx(1, abs=0.0035)
    assert factors.std() == pytest.approx(0.3, abs=0.003)


def test_totals_stay_and_weights_move() -> None:
    masked = tc.mask.WeightNoise(variation=0.2, margins=[["region"]]).apply(DATA, seed=3)
    assert total(masked) == pytest.approx(total(DATA), rel=1e-9)
    for region in set(DATA.to_arrow().column("region").to_pylist()):
        assert total(masked, region) == pytest.approx(total(DATA, region), rel=1e-8)
    ratio = masked.weights() / DATA.weights()
    assert (masked.weights() > 0).all()
    assert 0.1 < ratio.std() < 0.3
    assert (ratio != 1).all()


def test_members_of_a_household_keep_one_weight() -> None:
    houses = DATA.groups(["household"])
    for mask in (tc.mask.WeightNoise(), tc.mask.WeightNoise(margins=[["sex"]])):
        weights = mask.apply(DATA, seed=3).weights()
        first = weights[np.unique(houses, return_index=True)[1]]
        assert weights == pytest.approx(first[houses], rel=1e-12)


def test_weights_that_differ_in_a_household_are_masked_one_by_one() -> None:
    data = tc.Microdata.from_frame(pa.table({"h": [1, 1, 2, 2], "w": [1.0, 2.0, 3.0, 4.0]}), household="h", weight="w")
    ratio = tc.mask.WeightNoise(variation=0.5).apply(data, seed=1).weights() / data.weights()
    assert len(np.unique(ratio)) == 4


def test_a_record_alone_in_a_kept_cell_is_named() -> None:
    data = tc.Microdata.from_frame(pa.table({"area": ["a", "a", "b"], "w": [1.0, 2.0, 3.0]}), keys=["area"], weight="w")
    with pytest.warns(tc.TacitaWarning, match=r"1 record\(s\) have the weight that they had"):
        tc.mask.WeightNoise(margins=[["area"]]).apply(data, seed=1)


def test_zeros_stay_and_wrong_settings_are_refused() -> None:
    data = tc.Microdata.from_frame(pa.table({"w": [0.0, 2.0, 3.0]}), weight="w")
    assert tc.mask.WeightNoise().apply(data, seed=1).weights()[0] == 0
    with pytest.raises(ParameterError, match="'initial'"):
        tc.mask.WeightNoise(initial="equal")
    with pytest.raises(DataError, match="weight column"):
        tc.mask.WeightNoise().apply(tc.Microdata.from_frame(pa.table({"x": [1.0]})), seed=1)
