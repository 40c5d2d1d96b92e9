"""Data swapping, shuffling, and rank swapping without a hard bound."""

from collections import Counter

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tacita as tc
from tacita.core.errors import ColumnError
from tacita.mask.swap.data_swap import swap_within_groups
from tacita.mask.swap.rank_swap import rank_swap_normal
from tacita.mask.swap.shuffle import shuffled_scores
from tacita.numeric.statistics.ranks import rank_correlations


@given(st.lists(st.integers(0, 4), max_size=60), st.floats(0, 100), st.integers(0, 3))
def test_partners_are_mutual_and_of_one_group(groups: list[int], p: float, seed: int) -> None:
    labels = np.array(groups, dtype=np.int64)
    source = swap_within_groups(labels, p=p, rng=np.random.default_rng(seed))
    assert np.array_equal(source[source], np.arange(len(labels)))
    assert np.array_equal(labels[source], labels)


def test_data_swap_keeps_chosen_tables_and_changes_others() -> None:
    data = tc.samples.household_survey(3000, seed=1)
    mask = tc.mask.DataSwap(columns=["region", "urban"], match=["sex", "education"], p=60, unit=False)
    masked = mask.apply(data, seed=2)

    def counts(d: tc.Microdata, *names: str) -> Counter[tuple[object, ...]]:
        return Counter(zip(*(d.to_arrow().column(name).to_pylist() for name in names), strict=True))

    assert counts(data, "region", "urban", "sex", "education") == counts(masked, "region", "urban", "sex", "education")
    assert counts(data, "region", "marital") != counts(masked, "region", "marital")
    swapped = np.mean(data.codes("region").values != masked.codes("region").values)
    assert 0.3 < swapped < 0.6


def test_data_swap_refuses_a_column_on_both_sides() -> None:
    data = tc.samples.household_survey(100, seed=1)
    with pytest.raises(ColumnError, match="swapped and matched"):
        tc.mask.DataSwap(columns=["region"], match=["region"]).apply(data, seed=1)


def test_shuffle_keeps_values_and_relations_but_not_who_has_what() -> None:
    rng = np.random.default_rng(1)
    n = 4000
    s = rng.standard_normal(n)
    x = np.exp(0.7 * s + 0.7 * rng.standard_normal(n))
    data = tc.Microdata.from_frame(pa.table({"s": s, "x": x}), keys=["s"], confidential=["x"])
    y = tc.mask.Shuffle(columns=["x"], given=["s"]).apply(data, seed=3).float("x")
    assert np.array_equal(np.sort(x), np.sort(y))
    before, after = rank_correlations(np.column_stack([s, x]))[0, 1], rank_correlations(np.column_stack([s, y]))[0, 1]
    assert after == pytest.approx(before, abs=0.04)
    # Given s, the new values tell nothing of the old: the partial correlation vanishes.
    r = rank_correlations(np.column_stack([x, y, s]))
    partial = (r[0, 1] - r[0, 2] * r[1, 2]) / np.sqrt((1 - r[0, 2] ** 2) * (1 - r[1, 2] ** 2))
    assert abs(partial) < 0.06


def test_shuffled_scores_have_the_wanted_correlations() -> None:
    rng = np.random.default_rng(2)
    base = (
        rng.standard_normal((20_000, 3)) @ np.linalg.cholesky(np.array([[1, 0.5, 0.6], [0.5, 1, 0.2], [0.6, 0.2, 1]])).T
    )
    scores = shuffled_scores(base[:, :2], base[:, 2:], [np.random.default_rng(3), np.random.default_rng(4)])
    found = np.corrcoef(np.column_stack([scores, base[:, 2]]).T)
    assert found == pytest.approx(np.corrcoef(base.T), abs=0.03)


def test_shuffle_refuses_a_given_column_that_it_shuffles() -> None:
    data = tc.samples.household_survey(100, seed=1)
    with pytest.raises(ColumnError, match="masked and given"):
        tc.mask.Shuffle(columns=["age"], given=["age"]).apply(data, seed=1)


@given(st.integers(0, 80), st.floats(0, 100), st.integers(0, 3))
def test_rank_swap_normal_is_a_swap(n: int, p: float, seed: int) -> None:
    x = np.arange(n, dtype=np.float64)
    y = rank_swap_normal(x, p=p, rng=np.random.default_rng(seed))
    assert np.array_equal(y[y.astype(np.int64)], x)  # swapping twice brings every value back


def test_rank_swap_normal_has_no_hard_bound_but_the_right_scale() -> None:
    n, p = 20_000, 10
    x = np.arange(n, dtype=np.float64)
    distance = np.abs(rank_swap_normal(x, p=p, rng=np.random.default_rng(1)) - x) / n * 100
    # |N(5, 5)| has mean 5.83; the file's ends and redraws pull it down a little.
    assert distance.mean() == pytest.approx(5.6, abs=0.4)
    assert distance.max() > 1.5 * p
