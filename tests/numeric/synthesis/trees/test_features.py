from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.numeric.synthesis.trees.features import bin_features
from tacita.numeric.synthesis.variables import ModelVariable

numbers = st.lists(st.floats(-1e300, 1e300), min_size=1, max_size=60).map(np.array)


@given(numbers)
def test_few_values_have_a_bin_each(values: np.ndarray) -> None:
    features = bin_features([ModelVariable(values)])
    distinct, places = np.unique(values, return_inverse=True)
    assert features.binned.codes[0].tolist() == places.tolist()
    assert features.bins.tolist() == [len(distinct)]
    assert np.allclose(features.middles[0], distinct)


@given(numbers, st.integers(1, 8))
def test_many_values_share_bins_of_neighbours(values: np.ndarray, most: int) -> None:
    features = bin_features([ModelVariable(values)], most)
    codes = features.binned.codes[0]
    assert codes.max() < features.bins[0] <= most
    assert set(codes.tolist()) == set(range(features.bins[0]))
    order = np.argsort(values, kind="stable")
    assert (np.diff(codes[order].astype(int)) >= 0).all()
    assert features.apply([ModelVariable(values)]).codes.tolist() == features.binned.codes.tolist()


def test_bins_hold_about_as_many_records_each() -> None:
    values = np.random.default_rng(1).lognormal(size=10_000)
    sizes = np.bincount(bin_features([ModelVariable(values)]).binned.codes[0])
    assert len(sizes) == 256
    assert sizes.min() >= 39
    assert sizes.max() <= 40


def test_a_value_that_many_have_takes_one_bin_and_leaves_the_others() -> None:
    values = np.concatenate([np.zeros(9000), np.random.default_rng(1).lognormal(size=1000)])
    sizes = np.bincount(bin_features([ModelVariable(values)], 100).binned.codes[0])
    assert sizes[0] == 9000
    assert len(sizes) >= 10


def test_new_values_outside_go_to_the_ends() -> None:
    features = bin_features([ModelVariable(np.arange(10.0))])
    assert features.apply([ModelVariable(np.array([-5.0, 99.0, 3.4, 3.5]))]).codes.tolist() == [[0, 9, 3, 4]]


def test_some_features_are_those_of_their_columns() -> None:
    rng = np.random.default_rng(1)
    x = [ModelVariable(rng.normal(size=50)), ModelVariable(rng.integers(0, 4, 50).astype(float), 4)]
    x.append(ModelVariable(rng.integers(0, 9, 50).astype(float)))
    features = bin_features(x)
    for chosen in ([0, 1], [2], [2, 0]):
        alone = bin_features([x[j] for j in chosen])
        part = features.some(chosen)
        assert part.binned.codes.tolist() == alone.binned.codes.tolist()
        assert part.bins.tolist() == alone.bins.tolist()
        assert part.classes.tolist() == alone.classes.tolist()
    assert np.shares_memory(features.some([0, 1]).binned.codes, features.binned.codes)


def test_bins_must_fit_their_numbers() -> None:
    with pytest.raises(ValueError, match="65536"):
        bin_features([ModelVariable(np.zeros(2))], 70_000)
