"""MDAV as a mask: groups of k, means kept, patterns of missing values, and what happens where no group exists."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.core.errors import DataError, ParameterError, TacitaWarning
from tacita.data.microdata import Microdata
from tacita.mask.microaggregation.mdav import Mdav


def file(n: int = 100, seed: int = 1) -> Microdata:
    rng = np.random.default_rng(seed)
    return Microdata.from_frame(
        pa.table(
            {"a": rng.normal(50, 10, n), "b": rng.lognormal(0, 1, n), "s": ["x", "y"] * (n // 2) + ["x"] * (n % 2)}
        ),
        keys=["a", "b"],
    )


def combinations(data: Microdata, *names: str) -> Counter[tuple[float | None, ...]]:
    return Counter(zip(*(data.to_arrow(codes=False).column(name).to_pylist() for name in names), strict=True))


@given(st.integers(2, 7), st.integers(0, 40), st.integers(0, 100))
def test_every_combination_occurs_k_to_2k_minus_1_times(k: int, more: int, seed: int) -> None:
    data = file(k + more, seed)
    counts = combinations(Mdav(columns=("a", "b"), k=k, dominance=100).apply(data), "a", "b")
    assert min(counts.values()) >= k
    assert max(counts.values()) <= 2 * k - 1


def test_two_clear_groups_by_hand() -> None:
    data = Microdata.from_frame(pa.table({"a": [1.0, 101.0, 2.0, 102.0, 3.0, 103.0]}), keys=["a"])
    masked = Mdav(columns=("a",), k=3).apply(data)
    assert masked.float("a").tolist() == [2.0, 102.0, 2.0, 102.0, 2.0, 102.0]


def test_standardising_decides_which_column_counts() -> None:
    """b is wide and says nothing; without standardising it alone forms the groups."""
    data = Microdata.from_frame(
        pa.table({"a": [0.0, 0.0, 0.0, 1.0, 1.0, 1.0], "b": [0.0, 500.0, 600.0, 400.0, 500.0, 1000.0]}), keys=["a", "b"]
    )
    raw = Mdav(columns=("a", "b"), k=3, standardise=False, decimals="any", dominance=100).apply(data)
    assert raw.float("a")[0] not in (0.0, 1.0)
    scaled = Mdav(columns=("a", "b"), k=3, decimals="any").apply(data)
    assert set(scaled.float("a").tolist()) == {0.0, 1.0}


def test_within_strata() -> None:
    data = file()
    masked = Mdav(columns=("a", "b"), k=4, by=("s",)).apply(data)
    assert min(combinations(masked, "a", "b", "s").values()) >= 4


@pytest.mark.parametrize("n", [1, 2])
def test_fewer_records_than_k_are_refused(n: int) -> None:
    with pytest.raises(DataError, match=f"k = 3 needs at least 3 records in the file and in every stratum, got {n}"):
        Mdav(columns=("a", "b"), k=3).apply(file(n))


def test_a_stratum_that_is_too_small_is_refused() -> None:
    data = Microdata.from_frame(pa.table({"a": np.arange(10.0), "s": ["x"] * 8 + ["y"] * 2}), keys=["a"])
    with pytest.raises(DataError, match="in every stratum, got 2"):
        Mdav(columns=("a",), k=3, by=("s",)).apply(data)


def test_records_that_lack_the_same_values_form_their_own_groups() -> None:
    data = file(40)
    b = data.float("b").copy()
    b[:6] = np.nan
    masked = Mdav(columns=("a", "b"), k=3).apply(data.with_numbers({"b": b}))
    assert masked.is_missing("b").tolist() == [True] * 6 + [False] * 34
    assert not masked.is_missing("a").any()
    assert min(combinations(masked, "a", "b").values()) >= 3


def test_a_rare_pattern_is_suppressed_with_a_warning() -> None:
    data = file(40)
    b = data.float("b").copy()
    b[:2] = np.nan
    with pytest.warns(
        TacitaWarning, match=r"2 record\(s\) lack values in a pattern that fewer than k = 3 records share"
    ):
        masked = Mdav(columns=("a", "b"), k=3).apply(data.with_numbers({"b": b}))
    assert masked.is_missing("a").tolist() == [True] * 2 + [False] * 38
    assert masked.is_missing("b").tolist() == [True] * 2 + [False] * 38


@pytest.mark.parametrize("k", [1, 0, 2.5, "3"])
def test_k_is_a_group_size(k: object) -> None:
    with pytest.raises(ParameterError, match="Mdav: 'k' must be a whole number, at least 2"):
        Mdav(k=k)  # type: ignore[arg-type]
