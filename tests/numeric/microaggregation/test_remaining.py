"""The records that are left: their centroid is the exact sum, rounded once, in whatever order records were taken."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.numeric.microaggregation.remaining import set_centre, start_state, take_record
from tests.effort import examples


@given(st.integers(2, 60), st.integers(1, 4), st.sampled_from([1.0, 1e8, 1e-8]), st.integers(0, 2**32 - 1))
@settings(max_examples=examples(80), deadline=None)
def test_the_centroid_is_exact(n: int, d: int, offset: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, d)) * rng.choice([1.0, 1e5, 1e-4], size=(n, 1)) + offset
    state = start_state(x)
    for number, row in enumerate(rng.permutation(n)[: n - 1]):
        take_record(x, int(row), number // 3, state)
        left = np.flatnonzero(state.labels < 0)
        set_centre(state)
        assert state.left[0] == len(left) == n - number - 1
        assert state.centre.tolist() == [math.fsum(x[left, j]) / len(left) for j in range(d)]
        assert state.taken[number] == row
    assert np.bincount(state.labels[state.labels >= 0]).max() <= 3


def test_nothing_is_lost_to_a_record_that_dwarfs_the_others() -> None:
    x = np.array([[1e16], [1.0], [3.0]])
    state = start_state(x)
    take_record(x, 0, 0, state)
    set_centre(state)
    assert state.centre.tolist() == [2.0], "a plain running sum would give 2 of 4: 1e16 + 1 + 3 - 1e16"


def test_an_empty_file_has_nobody_left() -> None:
    state = start_state(np.empty((0, 2)))
    assert state.left[0] == 0
    assert state.labels.size == 0
