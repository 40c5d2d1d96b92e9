"""Local suppression: k-anonymity by an independent recount, for every subset and every reading of missing keys."""

from __future__ import annotations

import itertools
from typing import Any, cast

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.errors import ColumnError, DataError, ParameterError
from tacita.core.vocabulary import MissingKeys
from tacita.data.microdata import Microdata
from tacita.mask.local_suppression import LocalSuppression, suppressions
from tests.oracles.frequencies import frequencies_oracle

READINGS = ("wildcard", "own category", "conservative")


def make(codes: np.ndarray, **options: Any) -> Microdata:
    table = pa.table(
        {f"k{j}": pa.array([None if c < 0 else int(c) for c in column]) for j, column in enumerate(codes.T)}
    )
    names = table.column_names
    return Microdata.from_frame(table, keys=names, scales=dict.fromkeys(names, "nominal"), **options)


def shown(data: Microdata, names: tuple[str, ...]) -> np.ndarray:
    columns = [data.to_arrow().column(name).to_pylist() for name in names]
    return np.array([[-1 if value is None else value for value in column] for column in columns]).T


def smallest_frequency(data: Microdata, names: tuple[str, ...], missing: str) -> float:
    return float(frequencies_oracle(shown(data, names), np.ones(len(data)), missing).min())


@st.composite
def key_codes(draw: st.DrawFn) -> np.ndarray:
    n, d = draw(st.integers(4, 25)), draw(st.integers(1, 4))
    return np.array(draw(st.lists(st.integers(0, 2), min_size=n * d, max_size=n * d)), dtype=np.int64).reshape(n, d)


def test_by_hand() -> None:
    """One record differs in one key from three others: that key is suppressed, nothing else."""
    data = make(np.array([[0, 0], [0, 0], [0, 0], [0, 1]]))
    masked = LocalSuppression(k=3).apply(data)
    assert shown(masked, ("k0", "k1")).tolist() == [[0, 0], [0, 0], [0, 0], [0, -1]]
    assert suppressions(data, masked) == {"k0": 0, "k1": 1}


def test_the_cheaper_key_is_suppressed() -> None:
    data = make(np.array([[0, 0], [0, 0], [1, 1], [1, 1], [0, 1]]))
    for costs, spared in (({"k0": 10, "k1": 1}, "k0"), ({"k0": 1, "k1": 10}, "k1")):
        masked = LocalSuppression(k=2, costs=costs).apply(data)
        assert suppressions(data, masked)[spared] == 0
    assert suppressions(data, LocalSuppression(k=2, importance=(1, 2)).apply(data))["k0"] == 0


@settings(max_examples=60, deadline=None)
@given(key_codes(), st.integers(2, 4), st.sampled_from(READINGS))
def test_recount_over_all_keys(codes: np.ndarray, k: int, missing: str) -> None:
    data = make(codes)
    masked = LocalSuppression(k=k, missing=cast(MissingKeys, missing)).apply(data)
    assert smallest_frequency(masked, data.names, missing) >= k
    kept = shown(masked, data.names)
    assert ((kept == codes) | (kept < 0)).all()


@settings(max_examples=40, deadline=None)
@given(key_codes(), st.integers(2, 3), st.sampled_from(READINGS), st.integers(1, 3))
def test_recount_over_every_subset(codes: np.ndarray, k: int, missing: str, m: int) -> None:
    data = make(codes)
    m = min(m, codes.shape[1])
    masked = LocalSuppression(k=k, missing=cast(MissingKeys, missing), subsets=m).apply(data)
    for names in itertools.combinations(data.names, m):
        assert smallest_frequency(masked, names, missing) >= k


def test_linked_columns_inherit_the_gaps() -> None:
    table = pa.table({"age": [1, 1, 1, 2], "birth": [11, 11, 11, 12], "sex": [0, 0, 0, 0]})
    data = Microdata.from_frame(
        table, keys=["age", "sex"], linked={"birth": "age"}, scales=dict.fromkeys(("age", "sex"), "nominal")
    )
    masked = LocalSuppression(k=3).apply(data)
    assert np.array_equal(masked.is_missing("birth"), masked.is_missing("age"))
    assert masked.is_missing("age").tolist() == [False, False, False, True]


def test_household_keys_are_suppressed_for_all_members() -> None:
    table = pa.table(
        {"size": [2, 2, 2, 2, 2, 2, 3, 3, 3], "sex": [0, 1] * 4 + [0], "house": [1, 1, 2, 2, 3, 3, 4, 4, 4]}
    )
    data = Microdata.from_frame(
        table, keys=["size", "sex"], household="house", scales=dict.fromkeys(("size", "sex"), "nominal")
    )
    masked = LocalSuppression(k=3, unit="house").apply(data)
    gone = masked.is_missing("size")
    for house in (1, 2, 3, 4):
        assert len(set(gone[np.array(table["house"]) == house].tolist())) == 1
    assert smallest_frequency(masked, ("size", "sex"), "wildcard") >= 3


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 1000))
def test_heuristic_is_never_cheaper_than_the_optimum(seed: int) -> None:
    rng = np.random.default_rng(seed)
    data = make(np.minimum(rng.geometric(0.5, (12, 3)) - 1, 2))
    exact = sum(suppressions(data, LocalSuppression(k=2, effort="exact").apply(data)).values())
    found = sum(suppressions(data, LocalSuppression(k=2).apply(data)).values())
    assert exact <= found <= 1.5 * exact + 1


def test_what_is_refused() -> None:
    data = make(np.array([[0, 0], [0, 1]]))
    with pytest.raises(DataError, match="at least 3 records"):
        LocalSuppression(k=3).apply(data)
    with pytest.raises(ColumnError, match="k9"):
        LocalSuppression(k=2, costs={"k9": 1}).apply(data)
    with pytest.raises(ParameterError):
        LocalSuppression(k=2, costs={"k0": -1}).apply(data)
    with pytest.raises(ColumnError, match="k9"):
        LocalSuppression(k=2, subsets=(("k9",),)).apply(data)
