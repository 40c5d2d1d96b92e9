"""After every mask: what came out as it was, bounds that were broken, and columns that give masked ones away, are told."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import tacita as tc
from tacita.core.errors import DataError, TacitaWarning
from tacita.data.microdata import Microdata
from tacita.data.schema import Column, Schema
from tacita.mask import (
    AdditiveNoise,
    CorrelatedNoise,
    DataSwap,
    Jpeg,
    LinearNoise,
    Mask,
    Mdav,
    MixedMicroaggregation,
    MultiplicativeNoise,
    OutlierNoise,
    Pram,
    RandomRounding,
    RankSwap,
    Resampling,
    Rounding,
    TopBottomCode,
)
from tacita.release.recipe import Recipe

N = 600


def file(**columns: Any) -> Microdata:
    return Microdata.from_frame(pa.table(columns), keys=list(columns))


def rng() -> np.random.Generator:
    return np.random.default_rng(4)


def counts() -> np.ndarray[Any, Any]:
    return np.asarray(rng().poisson(2, N))


def told(mask: Mask, data: Microdata, seed: int = 3) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        mask.apply(data, seed=seed)
    return [str(w.message) for w in caught]


# --- masks that do nothing --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mask", "words"),
    [
        (AdditiveNoise(columns=["n"], sd_ratio=0.1), "AdditiveNoise: many values came out as they were"),
        (AdditiveNoise(columns=["n"], sd_ratio=0.1, decimals="any"), "of 'n'"),
        (AdditiveNoise(columns=["n"], sd_ratio=0), "100 % of 'n'"),
        (Jpeg(columns=["n"], quality=95), "100 % of 'n'"),
        (Rounding(columns=["n"], base=1), "100 % of 'n'"),
        (RandomRounding(columns=["n"], base=1), "100 % of 'n'"),
        (RankSwap(columns=["flag"], p=5), "of 'flag'"),
        (TopBottomCode(columns=["n"], top=1000), "100 % of 'n'"),
        (DataSwap(columns=["flag"], p=0), "100 % of 'flag'"),
        (AdditiveNoise(columns=["level"], by=["level2"]), "100 % of 'level'"),
    ],
)
def test_a_mask_that_does_nothing_says_so(mask: Mask, words: str) -> None:
    flag = (rng().random(N) < 0.18).astype(int)
    level = np.arange(N) // 100
    found = told(mask, file(n=counts(), flag=flag, level=level, level2=[f"s{i}" for i in level]))
    assert len(found) == 1, found
    assert words in found[0]


@pytest.mark.parametrize(
    "mask",
    [
        AdditiveNoise(columns=["money"], sd_ratio=0.1),
        RankSwap(columns=["money"], p=5),
        Rounding(columns=["money"], base=100),
        Mdav(columns=["age"], k=3),
        MixedMicroaggregation(columns=["age", "place"], k=3),
        Pram(columns=["place"]),
        DataSwap(columns=["place"], p=10),
        TopBottomCode(columns=["money"]),
        OutlierNoise(columns=["money"], only_outliers=True),
        AdditiveNoise(columns=["some"], sd_ratio=0.2),  # four of five values are zero, and the others get noise
        AdditiveNoise(columns=["some"], sd_ratio=0.2, keep_zeros=True),
    ],
)
def test_a_mask_that_does_what_it_should_says_nothing(mask: Mask) -> None:
    r = rng()
    money = np.round(np.exp(r.normal(7, 1, N)), 2)
    data = file(
        money=money,
        age=r.integers(18, 80, N),
        place=r.choice(list("uvwxyz"), N),
        some=np.where(r.random(N) < 0.8, 0.0, money),
    )
    assert told(mask, data) == []


def test_one_warning_names_the_columns_and_no_value() -> None:
    data = file(a=counts() + 7310, b=counts() + 8420)
    found = told(AdditiveNoise(sd_ratio=0.01), data)
    assert len(found) == 1
    assert "'a'" in found[0]
    assert "'b'" in found[0]
    assert "7310" not in found[0]
    assert "8420" not in found[0]


def test_a_recipe_goes_through_the_same_look() -> None:
    with pytest.warns(TacitaWarning, match="Rounding: many values came out as they were"):
        Recipe([Rounding(columns=["n"], base=1)]).apply(file(n=counts()), seed=1)


def test_extreme_values_that_stay_are_told() -> None:
    """Swapping whole values within strata leaves a stratum of one large value each as it is."""
    x = rng().normal(100, 10, 1000)
    x[:10] = np.arange(10) * 1e5 + 1e6
    stratum = np.where(np.arange(1000) < 10, [f"s{i}" for i in range(1000)], "rest")
    found = told(AdditiveNoise(columns=["x"], by=["s"]), file(x=x, s=stratum))
    assert any("100 % of the rare or extreme values of 'x'" in words for words in found)


# --- bounds and decimals ----------------------------------------------------------------------------------------------


def bounded(values: Any, bounds: tuple[float | None, float | None]) -> Microdata:
    schema = Schema((Column(name="x", scale="numeric", roles=("key",), bounds=bounds),))
    return Microdata(pa.table({"x": values}), schema)


@pytest.mark.parametrize(
    "mask",
    [
        AdditiveNoise(columns=["x"], sd_ratio=1.0),
        AdditiveNoise(columns=["x"], sd_ratio=30.0, decimals="any"),
        CorrelatedNoise(columns=["x"], sd_ratio=1.0),
        LinearNoise(columns=["x"], sd_ratio=1.0),
        OutlierNoise(columns=["x"], sd_ratio=1.0),
        MultiplicativeNoise(columns=["x"], inflation=1.0),
        Rounding(columns=["x"], base=7),
        RandomRounding(columns=["x"], base=7),
        Resampling(columns=["x"]),
        Mdav(columns=["x"], k=3),
        RankSwap(columns=["x"], p=20),
    ],
)
def test_declared_bounds_are_kept(mask: Mask) -> None:
    data = bounded(rng().integers(0, 1000, N), (0, 999))
    y = mask.apply(data, seed=1).float("x")
    assert y.min() >= 0
    assert y.max() <= 999


def test_a_multiple_beyond_a_bound_becomes_the_last_one_within() -> None:
    masked = Rounding(columns=["x"], base=10).apply(bounded([3, 48, 97, 98, 99], (0, 99)))
    assert masked.float("x").tolist() == [0, 50, 90, 90, 90]


def test_reflection_keeps_values_from_piling_up_at_a_bound() -> None:
    data = bounded(rng().uniform(0, 1, 5000), (0, 1))
    y = AdditiveNoise(columns=["x"], sd_ratio=0.5).apply(data, seed=1).float("x")
    assert ((y == 0) | (y == 1)).sum() == 0
    assert np.mean(y) == pytest.approx(0.5, abs=0.02)


def test_a_total_outside_its_bounds_is_told_and_does_not_leave(tmp_path: Any) -> None:
    a = rng().integers(0, 50, N)
    columns = [Column(name=n, scale="numeric", roles=("key",), bounds=(0, 49 if n != "t" else 98)) for n in "abt"]
    columns[2] = Column(name="t", scale="numeric", roles=("key",), bounds=(0, int(a.max() * 2)))
    narrow = Column(name="t", scale="numeric", roles=("key",), bounds=(0, int(2 * a.max()) - 20))
    b = np.minimum(a, a.max() - 20)
    data = Microdata(pa.table({"a": a, "b": b, "t": a + b}), Schema((columns[0], columns[1], narrow)))
    recipe = Recipe([AdditiveNoise(columns=["a", "b"], sd_ratio=1.0, identities=["t = a + b"])])
    with pytest.warns(TacitaWarning, match=r"outside the declared bounds of their column \(\d+ in 't'\)"):
        release = recipe.apply(data, seed=1)
    with pytest.raises(DataError, match=r"outside the declared bounds of their column \(\d+ in 't'\)"):
        release.write(tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("mask", "places"),
    [
        (AdditiveNoise(columns=["a", "b"], sd_ratio=0.3), 2),
        (AdditiveNoise(columns=["a", "b"], sd_ratio=0.3, decimals=1), 1),
        (Mdav(columns=["a", "b"], k=3), 2),
        (MixedMicroaggregation(columns=["a", "b"], k=3), 2),
        (Resampling(columns=["a", "b"]), 2),
        (TopBottomCode(columns=["a", "b"], code="mean"), 2),
        (MultiplicativeNoise(columns=["a", "b"]), 2),
    ],
)
def test_money_keeps_its_decimals(mask: Mask, places: int) -> None:
    money = np.round(np.exp(rng().normal(5, 0.5, (N, 2))), 2)
    masked = mask.apply(file(a=money[:, 0], b=money[:, 1]), seed=1)
    for name in "ab":
        y = masked.float(name)
        assert np.array_equal(y, np.round(y, places))
        assert not np.array_equal(y, np.round(y, places - 1))


def test_sums_still_add_up_to_the_cent() -> None:
    money = np.round(np.exp(rng().normal(5, 0.5, (N, 2))), 2)
    data = file(a=money[:, 0], b=money[:, 1], t=np.round(money.sum(axis=1), 2))
    masked = AdditiveNoise(columns=["a", "b"], sd_ratio=0.3, identities=["t = a + b"]).apply(data, seed=1)
    a, b, t = (masked.float(n) for n in "abt")
    assert np.array_equal(t, np.round(t, 2))
    assert np.array_equal(t, np.round(a + b, 2))


def test_decimals_any_and_continuous_columns_are_not_rounded() -> None:
    x = rng().normal(size=N)
    assert not np.array_equal(*[np.round(AdditiveNoise().apply(file(x=x), seed=1).float("x"), d) for d in (9, 15)])
    y = AdditiveNoise(sd_ratio=1.0, decimals="any").apply(file(x=np.arange(N)), seed=1).float("x")
    assert not np.array_equal(y, np.rint(y))


def test_kept_zeros_are_the_only_zeros_after_rounding() -> None:
    data = file(x=np.tile([0, 1, 2, 300], 100))
    masked = AdditiveNoise(sd_ratio=0.01, keep_zeros=True).apply(data, seed=1)
    assert np.array_equal(masked.float("x") == 0, data.float("x") == 0)


# --- columns that give masked ones away -------------------------------------------------------------------------------


def test_a_total_beside_masked_parts_is_named() -> None:
    r = rng()
    a, b = r.integers(1, 1000, N), r.integers(1, 1000, N)
    data = file(a=a, b=b, total=a + b, double=2 * a + 5, free=r.integers(1, 1000, N))
    found = told(AdditiveNoise(columns=["a", "b"], sd_ratio=0.5), data)
    assert len(found) == 1
    assert "'total' (of a, b), 'double' (of a)" in found[0]
    assert "free" not in found[0]


def test_a_total_that_nearly_always_holds_and_a_rounded_copy_are_named() -> None:
    r = rng()
    a, b = np.round(np.exp(r.normal(8, 1, N)), 2), np.round(np.exp(r.normal(8, 1, N)), 2)
    total = a + b
    total[:15] += 77
    found = told(AdditiveNoise(columns=["a", "b"], sd_ratio=0.5), file(a=a, b=b, total=total, euros=np.rint(a)))
    assert "'total' (of a, b), 'euros' (of a)" in found[0]


def test_masked_totals_identities_and_unrelated_columns_are_not_named() -> None:
    r = rng()
    a, b = r.integers(1, 1000, N), r.integers(1, 1000, N)
    data = file(a=a, b=b, total=a + b, free=r.integers(1, 1000, N), flag=(r.random(N) < 0.03).astype(int))
    assert told(AdditiveNoise(columns=["a", "b"], sd_ratio=0.5, identities=["total = a + b"]), data) == []
    assert told(AdditiveNoise(columns=["a", "b", "total"], sd_ratio=0.5), data) == []


def test_parts_masked_in_two_steps_are_seen_together() -> None:
    r = rng()
    a, b = r.integers(1, 1000, N), r.integers(1, 1000, N)
    steps = [AdditiveNoise(columns=["a"], sd_ratio=0.5), RankSwap(columns=["b"], p=30)]
    with pytest.warns(TacitaWarning, match=r"Recipe: 'total' \(of a, b\) leave as they were"):
        Recipe(steps).apply(file(a=a, b=b, total=a + b), seed=1)


# --- claims ------------------------------------------------------------------------------------------------------------


def test_claims_about_totals_are_not_made() -> None:
    assert tc.mask.RankSwap(columns=["a"], p=5).traits.preserves == ("marginals", "means")
    assert tc.mask.RankSwap(columns=["a"], p=5, identities=["t = a"]).traits.preserves == ()
    assert tc.mask.Rounding(columns=["a"], by=["s"]).traits.preserves == ()
    assert tc.mask.RankSwap(columns=["a"], decimals=1).traits.preserves == ()
