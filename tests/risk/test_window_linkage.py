"""Linkage inside windows: what an intruder gets out of order that was kept, and out of a base."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tacita as tc
from tacita.core.errors import MeasureError
from tacita.data.microdata import Microdata
from tacita.mask import IndividualRanking, RandomRounding, RankSwap, Resampling, Rounding, TopBottomCode
from tacita.risk import DistanceLinkage, RankOrderLinkage, RankSwapLinkage, RoundingLinkage
from tests.oracles.risk.known_method import rank_order_share

MONEY = ("earnings", "other_income", "tax", "savings")


def people(n: int) -> Microdata:
    """A sample without the total of two of the masked columns, which would give them away."""
    return tc.samples.household_survey(n, seed=1).drop(["income"])


def keys(**columns: object) -> Microdata:
    return Microdata.from_frame(pa.table(columns), keys=list(columns))


# In groups of two of skewed values one often has nearly all of the sum; the attack is the same with and without.
@pytest.mark.filterwarnings("ignore:IndividualRanking. one of the largest records")
@given(st.integers(0, 10_000), st.integers(2, 5))
def test_order_linkage_is_that_of_the_oracle(seed: int, k: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(k, 14))
    data = keys(a=rng.integers(0, 30, n).astype(float), b=rng.lognormal(3, 1, n))
    masked = IndividualRanking(k=k).apply(data)
    x, y = data.floats(["a", "b"]), masked.floats(["a", "b"])
    found = RankOrderLinkage()(data, masked)
    assert found.per_record == pytest.approx(rank_order_share(x, y))
    assert found.parts["original among the candidates"] == 100


def test_worked_example() -> None:
    """Groups of two in each column: (1, 2), (3, 4) and (10, 30), (20, 40) cross, so every record is alone in its windows."""
    data = keys(a=[1.0, 2.0, 3.0, 4.0], b=[10.0, 30.0, 20.0, 40.0])
    masked = keys(a=[1.5, 1.5, 3.5, 3.5], b=[15.0, 35.0, 15.0, 35.0]).with_origin(data, np.arange(4))
    assert RankOrderLinkage()(data, masked).value == 100.0


@pytest.mark.parametrize(
    "mask",
    [
        IndividualRanking(columns=MONEY, k=20),
        Resampling(columns=MONEY),
        Rounding(columns=MONEY, base=1000),
        TopBottomCode(columns=MONEY, top_p=20),
    ],
    ids=lambda mask: mask.name,
)
def test_masks_that_keep_order_hide_less_than_distances_say(mask: tc.mask.Mask) -> None:
    data = people(300)
    masked = mask.apply(data, seed=7)
    attack = RankOrderLinkage(columns=MONEY)(data, masked)
    assert attack.parts["original among the candidates"] == 100
    assert attack.value > 1.1 * DistanceLinkage(columns=MONEY)(data, masked).value


def test_records_and_values_that_are_gone_widen_the_windows() -> None:
    data = people(200)
    masked = IndividualRanking(columns=MONEY, k=3).apply(data)
    some = masked.take(np.arange(0, 200, 2))
    holes = some.with_numbers({"tax": np.where(np.arange(100) < 30, np.nan, some.float("tax"))})
    for part in (some, holes, masked.take(np.r_[np.arange(200), np.arange(50)])):
        assert RankOrderLinkage(columns=MONEY)(data, part).parts["original among the candidates"] == 100


@pytest.mark.parametrize("kind", [RankSwap, IndividualRanking])
def test_strata_are_attacked_one_by_one(kind: type[tc.mask.Mask]) -> None:
    data = people(400)
    masked = kind(columns=MONEY, by=("sex",)).apply(data, seed=7)  # type: ignore[call-arg]
    attack = (RankSwapLinkage if kind is RankSwap else RankOrderLinkage)(columns=MONEY, by=("sex",))
    found = attack(data, masked)
    assert found.parts["original among the candidates"] == 100
    for sex in ("female", "male"):
        rows = np.flatnonzero(np.array(data.to_arrow()["sex"].to_pylist()) == sex)
        if len(rows):
            alone = type(attack)(columns=MONEY)(data.take(rows), masked.take(rows)).per_record
            assert found.per_record is not None
            assert found.per_record[rows] == pytest.approx(alone)
    swapped = masked.with_values_of(["sex"], np.arange(400)[::-1].astype(np.int64))
    with pytest.raises(MeasureError, match="the stratum 'sex' was changed as well"):
        attack(data, swapped)
    with pytest.raises(MeasureError, match="the stratum 'sex' is not in the masked file"):
        attack(data, masked.drop(["sex"]))


def test_households_and_zeros_are_ranked_as_the_mask_ranked_them() -> None:
    rng = np.random.default_rng(1)
    house = np.repeat(np.arange(60), 3)
    rent, debt = (np.where(rng.random(60) < 0.3, 0.0, rng.lognormal(6, 1, 60)) for _ in range(2))
    table = pa.table({"h": house, "rent": rent[house], "debt": debt[house]})
    data = Microdata.from_frame(table, keys=["rent", "debt"], household="h")
    masked = RankSwap(p=10, unit="h", keep_zeros=True).apply(data, seed=3)
    right = RankSwapLinkage(p=10, unit="h", keep_zeros=True)(data, masked)
    assert right.parts["original among the candidates"] == 100
    assert right.value >= RankSwapLinkage(p=10)(data, masked).value
    assert right.value > DistanceLinkage()(data, masked).value


def test_random_rounding_is_intersected() -> None:
    data = people(400)
    masked = RandomRounding(columns=MONEY, base=5000).apply(data, seed=7)
    found = RoundingLinkage(columns=MONEY, base=5000)(data, masked)
    assert found.parts["original among the candidates"] == 100
    assert found.value > DistanceLinkage(columns=MONEY)(data, masked).value
    wrong = RoundingLinkage(columns=MONEY, base=100)(data, masked)
    assert wrong.parts["original among the candidates"] < 50
