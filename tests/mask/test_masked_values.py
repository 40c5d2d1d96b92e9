"""Promises that hold for every mask of numeric columns: nothing unmasked, infinite or lost goes out without a word."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import tacita as tc
from tacita.core.errors import ColumnError, DataError, ParameterError, TacitaWarning

PARTS = {"a": [1.0, 2.0, 3.0, 5.0], "b": [1.0, 2.0, 4.0, 9.0], "t": [2.0, 4.0, 7.0, 14.0], "x": [1.0, 5.0, 9.0, 2.0]}


def data_of(columns: dict[str, Any], **options: Any) -> tc.Microdata:
    return tc.Microdata.from_frame(pa.table(columns), **options)


def test_a_total_is_not_released_as_it_was() -> None:
    mask = tc.mask.AdditiveNoise(columns=["t", "x"], identities=["t = a + b"])
    with pytest.raises(ColumnError, match="names 't', a total of 'identities', but none of its parts"):
        mask.apply(data_of(PARTS), seed=1)


def test_a_column_is_not_masked_and_a_stratum_at_once() -> None:
    with pytest.raises(ColumnError, match="'a' cannot be masked and a stratum at once"):
        tc.mask.AdditiveNoise(columns=["a", "x"], by=["a"]).apply(data_of(PARTS), seed=1)


def test_a_stratum_too_small_to_be_swapped_is_told() -> None:
    rng = np.random.default_rng(1)
    data = data_of({"a": rng.normal(size=100), "s": [str(i // 10) for i in range(100)]})
    with pytest.warns(TacitaWarning, match=r"RankSwap: many values came out as they were.* 100 % of 'a'.* a larger p"):
        tc.mask.RankSwap(columns=["a"], by=["s"]).apply(data, seed=1)
    some = data_of({"a": rng.normal(size=100), "s": ["0"] * 80 + ["1"] * 10 + ["2"] * 10})
    with pytest.warns(TacitaWarning, match=r"RankSwap: 20 record\(s\) came out as they were"):
        tc.mask.RankSwap(columns=["a"], by=["s"]).apply(some, seed=1)
    tc.mask.RankSwap(columns=["a"], by=["s"], p=20).apply(data, seed=1)  # no warning


def test_a_column_with_few_values_in_a_long_file_is_told() -> None:
    values = np.full(60_000, np.nan)
    values[:9] = np.arange(9.0)
    data = data_of({"a": pa.array(values, mask=np.isnan(values)), "b": np.arange(60_000.0)})
    with pytest.warns(TacitaWarning, match=r"RankSwap: 9 record\(s\) came out as they were"):
        tc.mask.RankSwap(columns=["a", "b"], p=10).apply(data, seed=1)


@pytest.mark.parametrize("name", ["NonlinearNoise", "Jpeg"])
def test_a_record_alone_with_its_missing_values_is_told(name: str) -> None:
    rng = np.random.default_rng(1)
    data = data_of({"a": [0.5, *rng.normal(size=11)], "b": [None, *rng.normal(size=11)]})
    with pytest.warns(TacitaWarning, match=rf"{name}: 1 record\(s\) came out as they were"):
        getattr(tc.mask, name)(columns=["a", "b"]).apply(data, seed=1)


def test_identities_hold_in_single_precision() -> None:
    a = np.linspace(0.1, 7.3, 20).astype(np.float32)
    data = data_of({"a": a, "b": a + np.float32(2), "t": a + (a + np.float32(2))})
    mask = tc.mask.AdditiveNoise(columns=["a", "b"], identities=["t = a + b"])
    once = mask.apply(data, seed=1)
    assert once.to_arrow().schema.field("t").type == pa.float32()
    mask.apply(once, seed=2)  # what came out is a valid input


def test_a_total_with_a_missing_part_is_told() -> None:
    data = data_of({"a": [None, 1.0, 2.0], "b": [3.0, 1.0, 5.0], "t": [6.0, 2.0, 7.0]})
    with pytest.warns(TacitaWarning, match=r"the total 't' became missing in 1 record\(s\)"):
        tc.mask.AdditiveNoise(columns=["a", "b"], identities=["t = a + b"]).apply(data, seed=1)


def test_a_masked_value_that_reads_as_missing_is_told() -> None:
    data = data_of({"a": [1.0, 2.0, 4.0, 47.0, 51.0]}, missing={"a": [0]})
    with pytest.warns(TacitaWarning, match=r"3 masked value\(s\) of column 'a' equal one of its codes"):
        tc.mask.Rounding(columns=["a"], base=10).apply(data)


def test_whole_numbers_step_aside_of_codes_for_missing() -> None:
    """The mean of 98 and 100 would be the code 99; all records of the group take the next number."""
    data = data_of({"a": [98, 100, -9, 5, 7, 12]}, missing={"a": [99, -9]})
    masked = tc.mask.Mdav(columns=["a"], k=2).apply(data)
    assert masked.to_arrow().column("a").to_pylist()[:3] == [100, 100, -9]
    assert masked.to_arrow(codes=False).column("a").null_count == 1


def test_totals_step_aside_of_codes_for_missing() -> None:
    rng = np.random.default_rng(3)
    a, b = rng.integers(1, 30, 400), rng.integers(-30, 0, 400)
    a = np.where(np.isin(a + b, (-9, 5)), a + 1, a)
    data = data_of({"a": a, "b": b, "t": a + b}, missing={"t": [-9, 5]})
    assert not data.is_missing("t").any()
    masked = tc.mask.AdditiveNoise(columns=["a", "b"], sd_ratio=0.5, identities=["t = a + b"]).apply(data, seed=1)
    assert not np.isin(masked.float("t"), (-9, 5)).any()
    assert np.array_equal(masked.float("t"), masked.float("a") + masked.float("b"))


@pytest.mark.parametrize(
    "mask", [tc.mask.AdditiveNoise(columns=["x"], sd_ratio=1e308), tc.mask.Rounding(columns=["x"], base=1e-308)]
)
def test_infinite_values_are_refused(mask: Any) -> None:
    with pytest.raises(DataError, match="masked values of column 'x' would be infinite"):
        mask.apply(data_of({"x": [1e12, 5.0, 9.0]}), seed=1)


def test_decimals_stay_decimals() -> None:
    values = [Decimal("3.30"), Decimal("1.10"), Decimal("2.20"), Decimal("0.07")]
    masked = tc.mask.RankSwap(columns=["a"], p=100).apply(
        data_of({"a": pa.array(values, pa.decimal128(10, 2))}), seed=1
    )
    assert sorted(masked.to_arrow().column("a").to_pylist()) == sorted(values)
    long = pa.array([Decimal("12345678901234567.89"), Decimal("1.10")], pa.decimal128(20, 2))
    with pytest.raises(DataError, match="'a' has numbers of 16 or more digits"):
        tc.mask.RankSwap(columns=["a"], p=100).apply(data_of({"a": long}), seed=1)


def test_zeros_of_an_ordinal_column_are_zeros() -> None:
    values = [-1, 0, 1, -1, 0, 1, 1, -1]
    data = data_of({"a": values}, scales={"a": "ordinal"})
    masked = (
        tc.mask.RankSwap(columns=["a"], p=100, keep_zeros=True).apply(data, seed=1).to_arrow().column("a").to_pylist()
    )
    assert [v == 0 for v in masked] == [v == 0 for v in values]
    assert sorted(masked) == sorted(values)
    assert masked != values


@pytest.mark.parametrize("name", ["LinearNoise", "CorrelatedNoise", "OutlierNoise"])
def test_zeros_that_stay_say_nothing_about_the_others(name: str) -> None:
    rng = np.random.default_rng(1)
    x = np.where(rng.random(5000) < 0.8, 0.0, rng.normal(100, 10, 5000))
    mask = getattr(tc.mask, name)(columns=["x", "u"], sd_ratio=0.5, keep_zeros=True)
    y = mask.apply(data_of({"x": x, "u": rng.normal(size=5000)}), seed=1).float("x")
    assert (y[x == 0] == 0).all()
    assert y[x != 0].mean() == pytest.approx(100, abs=1.5)
    assert y[x != 0].std() < 13


@pytest.mark.parametrize("name", ["LinearNoise", "CorrelatedNoise"])
def test_units_of_the_columns_do_not_matter(name: str) -> None:
    rng = np.random.default_rng(0)
    z, e = rng.normal(size=1000), rng.normal(size=(3, 1000))
    data = data_of({"c": 0.01 * (z + e[0]), "b": z + 0.5 * e[1], "a": 1e12 * (z + 0.3 * e[2])})
    masked = getattr(tc.mask, name)(columns=["c", "b", "a"], sd_ratio=0.1).apply(data, seed=1)
    for column in "cba":
        noise = masked.float(column) - data.float(column)
        assert noise.std() / data.float(column).std() == pytest.approx(0.1, rel=0.1)


def test_shuffling_puts_records_without_a_given_value_in_the_middle() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=4000)
    gone = rng.random(4000) < 0.2
    given = pa.array(x + 0.1 * rng.normal(size=4000), mask=gone)
    shuffled = tc.mask.Shuffle(columns=["x"], given=["s"]).apply(data_of({"x": x, "s": given}), seed=1).float("x")
    assert abs(shuffled[gone].mean()) < 0.15


def test_codes_for_missing_do_not_single_out_a_record_of_a_group(tmp_path: Path) -> None:
    for codes, written in (([-8, -8, -9], ["2,", "2,", "2,"]), ([-9, -9, -9], ["2,-9", "2,-9", "2,-9"])):
        data = data_of({"a": [1, 2, 3, 4, 5, 6], "b": [*codes, 7, 8, 9]}, keys=["a", "b"], missing={"b": [-8, -9]})
        tc.write(tc.mask.Mdav(k=3).apply(data), tmp_path / "out.csv", overwrite=True)
        assert (tmp_path / "out.csv").read_text().split()[1:4] == written


def test_nanoseconds_have_an_order() -> None:
    days = pa.array([1_577_836_800_123_456_789 + i * 86_400_000_000_000 for i in range(9)], pa.timestamp("ns"))
    masked = tc.mask.MixedMicroaggregation(columns=["d"], k=3).apply(data_of({"d": days}))
    assert max(len(set(group)) for group in np.reshape(masked.to_arrow().column("d").to_pylist(), (3, 3))) == 1


def test_a_lag_must_be_finite() -> None:
    with pytest.raises(ParameterError, match="'lag' must be finite"):
        tc.mask.MultiplicativeNoise(columns=["u"], scheme="z-score", lag=float("inf"))


@pytest.mark.parametrize("name", ["Mdav", "MixedMicroaggregation"])
def test_numbers_beyond_exact_floats_are_refused(name: str) -> None:
    data = data_of({"a": [2**53 + i for i in range(6)]}, scales={"a": "numeric"})
    with pytest.raises(DataError, match="'a' has numbers of 16 or more digits"):
        getattr(tc.mask, name)(columns=["a"], k=3).apply(data)
