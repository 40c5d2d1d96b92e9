"""Multiplicative noise against an intruder who knows its parameters."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tacita as tc
from tacita.data.microdata import Microdata
from tacita.mask import MultiplicativeNoise
from tacita.risk import DistanceLinkage, RatioLinkage
from tests.oracles.risk.known_method import ratio_share

# The covariance of the noise is repaired, which is not what these tests are about.
pytestmark = pytest.mark.filterwarnings("ignore:MultiplicativeNoise. the covariance of the noise")
MONEY = ("earnings", "other_income", "tax", "savings")


@given(st.integers(0, 10_000))
def test_links_are_those_of_the_oracle(seed: int) -> None:
    rng = np.random.default_rng(seed)
    x = rng.lognormal(4, 0.3, (30, 2))  # no covariance to repair
    data = Microdata.from_frame(pa.table({"a": x[:, 0], "b": x[:, 1]}), keys=["a", "b"])
    masked = MultiplicativeNoise(inflation=0.1).apply(data, seed=seed)
    found = RatioLinkage(inflation=0.1)(data, masked).per_record
    assert found == pytest.approx(ratio_share(x, masked.floats(["a", "b"]), 0.1))


@pytest.mark.parametrize("scheme", ["safe", "plain", "z-score"])
def test_knowing_the_noise_links_more_than_distances(scheme: str) -> None:
    data = tc.samples.business_survey(400, seed=1)
    names = ("employees", "turnover", "wages", "energy")  # in one column alone, chance decides between the two attacks
    masked = MultiplicativeNoise(columns=names, inflation=0.05, scheme=scheme).apply(data, seed=3)  # type: ignore[arg-type]
    plain = DistanceLinkage(columns=names)(data, masked).value
    assert RatioLinkage(columns=names, inflation=0.05, scheme=scheme)(data, masked).value > 1.5 * plain  # type: ignore[arg-type]


def test_gaps_zeros_constants_and_strata_are_no_obstacle() -> None:
    data = tc.samples.household_survey(300, seed=1).drop(["income"])  # the total of two masked columns
    masked = MultiplicativeNoise(columns=MONEY, by=("sex",), keep_zeros=True).apply(data, seed=3)
    found = RatioLinkage(columns=MONEY, by=("sex",), keep_zeros=True)(data, masked)
    assert found.value > DistanceLinkage(columns=MONEY)(data, masked).value
    same = Microdata.from_frame(pa.table({"a": [5.0] * 4, "b": [5.0] * 4}), keys=["a", "b"])
    assert RatioLinkage()(same, same).value == 25.0


def test_the_census_file_is_linked_almost_whole(reference: Callable[[str], Path]) -> None:
    data = tc.read(reference("census.csv"))
    masked = MultiplicativeNoise(columns=data.names, inflation=0.15).apply(data, seed=1)
    assert DistanceLinkage()(data, masked).value == pytest.approx(44, abs=6)
    assert RatioLinkage(inflation=0.15)(data, masked).value > 95
