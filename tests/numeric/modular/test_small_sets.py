"""The search for small sets of columns, against trying all of them."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.arrays import IntArray
from tacita.numeric.modular.small_sets import small_relation, small_sum
from tests.effort import examples

PRIME = 2**50 - 27


def _sets(sizes: IntArray, room: int) -> list[list[int]]:
    numbers = range(len(sizes))
    found = itertools.chain.from_iterable(itertools.combinations(numbers, k) for k in range(1, len(sizes) + 1))
    return [list(chosen) for chosen in found if sizes[list(chosen)].sum() <= room]


@settings(max_examples=examples(25), deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 6), st.integers(1, 9), st.sampled_from([11, 31, 101]))
def test_sums_that_cancel(seed: int, room: int, count: int, prime: int) -> None:
    """Small primes make sets cancel by chance, some of which overlap or are too large."""
    rng = np.random.default_rng(seed)
    prints, sizes = rng.integers(1, prime, size=count), rng.integers(1, 4, size=count)
    expected = any(prints[chosen].sum() % prime == 0 for chosen in _sets(sizes, room))
    found = small_sum(prints, sizes, room=room, prime=prime, most_work=10**6)
    assert found == ("some" if expected else "none")


@settings(max_examples=examples(25), deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 5), st.integers(1, 4))
def test_dependent_prints(seed: int, room: int, rank: int) -> None:
    """Columns are combinations of few vectors with small coefficients, so that many relations hold."""
    rng = np.random.default_rng(seed)
    basis = rng.integers(-1, 2, size=(rank, 7))
    sizes = rng.integers(1, 4, size=7)
    expected = any(np.linalg.matrix_rank(basis[:, chosen]) < len(chosen) for chosen in _sets(sizes, room))
    random = rng.integers(0, PRIME, size=(max(2, room), rank)).astype(object)
    prints = ((random @ basis.astype(object)) % PRIME).astype(np.int64)
    found = small_relation(prints, sizes, room=room, prime=PRIME, most_work=10**9)
    assert found == ("some" if expected else "none")


def test_a_long_search_is_not_begun() -> None:
    rng = np.random.default_rng(1)
    prints, sizes = rng.integers(1, PRIME, size=(4, 50)), np.ones(50, dtype=np.int64)
    assert small_sum(prints[0], sizes, room=4, prime=PRIME, most_work=100) == "unknown"
    assert small_sum(prints[0], sizes, room=4, prime=PRIME, most_work=10**6) == "none"
    assert small_relation(prints, sizes, room=4, prime=PRIME, most_work=100) == "unknown"
    assert small_relation(prints, sizes, room=4, prime=PRIME, most_work=10**6) == "none"


@pytest.mark.parametrize("room", [1, 2, 3, 4])
def test_what_is_found_early_needs_no_long_search(room: int) -> None:
    prints, sizes = np.full((4, 50), 3), np.ones(50, dtype=np.int64)
    prints[:, 7] = 0
    assert small_sum(prints[0], sizes, room=room, prime=PRIME, most_work=1) == "some"
    assert small_relation(prints, sizes, room=room, prime=PRIME, most_work=1) == "some"


def test_no_columns() -> None:
    none = np.zeros((2, 0), dtype=np.int64)
    assert small_sum(none[0], none[0], room=3, prime=PRIME, most_work=10) == "none"
    assert small_relation(none, none[0], room=2, prime=PRIME, most_work=10) == "none"
