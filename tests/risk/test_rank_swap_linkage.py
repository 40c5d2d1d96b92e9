"""Linkage by an intruder who knows p: no original is excluded falsely, and far more records are linked than without p."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import tacita as tc
from tacita.core.errors import MeasureError, ParameterError
from tacita.data.microdata import Microdata
from tacita.mask import RankSwap
from tacita.mask.swap.rank_swap import rank_swap
from tacita.numeric.statistics.moments import standardise
from tacita.risk import DistanceLinkage, RankSwapLinkage
from tacita.risk.rank_swap_linkage import window_linked_share
from tests.oracles.risk import linkage as nearest_oracle
from tests.oracles.risk import record_linkage as oracle

few = st.integers(0, 6).map(float)
many = st.floats(-1e6, 1e6)


def microdata(x: np.ndarray) -> Microdata:
    return Microdata.from_frame(pa.table({f"c{j}": x[:, j] for j in range(x.shape[1])}))


def swapped(x: np.ndarray, p: float, seed: int) -> np.ndarray:
    """Swap every column as the mask does; missing values stay."""
    made, rng = x.copy(), np.random.default_rng(seed)
    for j in range(x.shape[1]):
        there = ~np.isnan(x[:, j])
        made[there, j] = rank_swap(x[there, j], p=p, rng=rng)
    return made


@given(
    st.tuples(st.integers(2, 40), st.integers(1, 3)).flatmap(
        lambda shape: (
            arrays(np.float64, shape, elements=few | st.just(np.nan)) | arrays(np.float64, shape, elements=many)
        )
    ),
    st.integers(0, 100),
    st.integers(0, 10**6),
)
def test_with_the_right_p_no_original_is_excluded(x: np.ndarray, p: int, seed: int) -> None:
    y = swapped(x, p, seed)
    _, inside, empty = window_linked_share(x, y, np.arange(len(x)), p=p)
    assert inside.all()
    assert not empty.any()


@given(
    st.tuples(st.integers(2, 20), st.integers(1, 3)).flatmap(
        lambda shape: st.tuples(
            arrays(np.float64, shape, elements=few | st.just(np.nan)),
            arrays(np.float64, shape, elements=few | st.just(np.nan)),
        )
    ),
    st.integers(0, 60),
)
def test_candidates_against_every_rank(files: tuple[np.ndarray, np.ndarray], p: int) -> None:
    """The masked file need not come from rank swapping: then originals are lost, and without candidates all are taken."""
    x, drawn = files
    y = swapped(x, p, 1)
    y[::2] = np.where(np.isnan(drawn[::2]), np.nan, y[::2])  # suppressed after swapping
    own = np.random.default_rng(len(x)).integers(0, len(x), len(x))
    share, inside, empty = window_linked_share(x, y, own, p=p)
    filled, query = np.nan_to_num(standardise(x)), np.nan_to_num(standardise(y, like=x))
    for q in range(len(y)):
        candidates = oracle.swap_candidates(x.tolist(), y[q].tolist(), p)
        assert inside[q] == (own[q] in candidates)
        assert empty[q] == (not candidates)
        pool = candidates or list(range(len(x)))
        if own[q] not in pool:
            assert share[q] == 0
        else:
            squares = ((filled[pool] - query[q]) ** 2).sum(axis=1)
            ties = squares <= squares.min() * (1 + 1e-8)
            assert share[q] == pytest.approx(1 / ties.sum() if ties[pool.index(own[q])] else 0)


def test_by_hand() -> None:
    """Ten originals, p = 10: one rank either way.

    The masked (20, 60) is at rank 2 in c0, so its original has 10, 20 or 30 there; 60 is not in c1, between 50 and 66 it lies,
    so its original has one of these. Nobody has both. The masked (33, 66) has 30, 33 or 40 and 50, 66 or 70: numbers 4 and 9
    do, and 9 is the nearest.
    """
    x = np.array([[0, 0], [10, 10], [20, 90], [30, 80], [40, 50], [50, 20], [60, 30], [70, 40], [80, 70], [33, 66.0]])
    y = np.array([[20.0, 60.0]])
    share, inside, empty = window_linked_share(x, y, np.array([4]), p=10)
    assert share.tolist() == [0.0]
    assert oracle.swap_candidates(x.tolist(), y[0].tolist(), 10) == []
    assert (inside.tolist(), empty.tolist()) == ([False], [True])
    y = np.array([[33.0, 66.0]])
    assert oracle.swap_candidates(x.tolist(), y[0].tolist(), 10) == [4, 9]
    assert window_linked_share(x, y, np.array([9]), p=10)[0].tolist() == [1.0]
    assert window_linked_share(x, y, np.array([4]), p=10)[0].tolist() == [0.0]


def test_the_window_settles_what_distance_does_not() -> None:
    """c0 has a huge value, so that standardised distances of the others vanish: the ranks still tell them apart."""
    a, b = np.array([1.0, 2, 3, 4, 5, 6, 7, 8, 9, 1e6]), np.array([6.0, 1, 9, 2, 8, 3, 7, 0, 5, 4])
    x = np.column_stack([a, b])
    y = x.copy()
    y[[0, 1], 0] = y[[1, 0], 0]
    y[[0, 6], 1] = y[[6, 0], 1]
    plain = nearest_oracle.linked_share(standardise(x).tolist(), standardise(y, like=x).tolist(), list(range(10)))
    share = window_linked_share(x, y, np.arange(10), p=10)[0]
    assert plain[0] == 0
    assert share[0] == 1


def test_wrong_p() -> None:
    rng = np.random.default_rng(1)
    data = microdata(rng.normal(size=(400, 5)))
    masked = RankSwap(columns=data.names, p=10).apply(data, seed=1)
    right, small, large = (RankSwapLinkage(p=p)(data, masked) for p in (10, 2, 100))
    plain = DistanceLinkage()(data, masked)
    assert right.parts["original among the candidates"] == 100
    assert right.parts["no candidate"] == 0
    assert small.parts["original among the candidates"] < 100
    assert large.value == pytest.approx(plain.value), "a window of all ranks excludes nobody"
    assert right.value > plain.value
    assert right.note.endswith("believes p = 10")


def test_pairing_by_nearness_in_the_same_columns_is_refused() -> None:
    x = np.random.default_rng(1).normal(size=(40, 2))
    with pytest.raises(MeasureError, match="RankSwapLinkage: records are paired by nearness"):
        RankSwapLinkage()(microdata(x), microdata(x + 0.1))
    assert 0 <= RankSwapLinkage(columns=("c0",))(microdata(x), microdata(x + 0.1)).value <= 100


@pytest.mark.parametrize("bad", [-1, 101, "a", None])
def test_p_is_a_percentage(bad: object) -> None:
    with pytest.raises(ParameterError, match="'p' must be in \\[0, 100\\]"):
        RankSwapLinkage(p=bad)  # type: ignore[arg-type]


@pytest.mark.parametrize(("p", "columns", "factor"), [(14, 13, 1.8), (14, 7, 1.5), (20, 13, 2.5)])
def test_census_is_linked_far_more_often_than_plain_linkage_says(
    reference: Callable[[str], Path], p: int, columns: int, factor: float
) -> None:
    """p = 14: about 91 % instead of 45 % with all 13 columns known, 44 instead of 26 with the first seven."""
    from pyarrow import csv

    table = csv.read_csv(reference("census.csv"))
    census = Microdata.from_frame(table, keys=table.column_names)
    known = census.names[:columns]
    for seed in (1, 2):
        masked = RankSwap(p=p).apply(census, seed=seed)
        plain = DistanceLinkage(columns=known)(census, masked).value
        attack = RankSwapLinkage(columns=known, p=p)(census, masked)
        assert attack.value > factor * plain
        assert attack.parts["original among the candidates"] == 100


def _homes(n: int, seed: int) -> Microdata:
    rng = np.random.default_rng(seed)
    home = np.repeat(np.arange(n), rng.integers(1, 6, n))
    values = {"home": home, "rent": np.round(rng.lognormal(6, 0.8, n), 2)[home], "age": rng.integers(0, 90, len(home))}
    return Microdata.from_frame(pa.table(values), keys=["rent", "age"], household="home")


@pytest.mark.parametrize("unit", [None, False])
def test_ranks_are_counted_as_the_mask_counted_them(unit: bool | None) -> None:
    """Household columns are swapped once for each household by default; the windows must hold every original."""
    data = _homes(150, seed=3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", tc.TacitaNote)
        masked = tc.mask.RankSwap(columns=["rent", "age"], p=12, unit=unit).apply(data, seed=4)
    found = tc.risk.RankSwapLinkage(columns=["rent", "age"], p=12, unit=unit)(data, masked)
    assert found.parts["original among the candidates"] == pytest.approx(100.0)
    attacked = tc.risk.Strongest(columns=["rent", "age"])(data, masked)
    assert attacked.value >= found.value
