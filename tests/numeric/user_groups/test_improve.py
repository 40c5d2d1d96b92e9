from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as stn
from scipy import sparse

from tacita.logs.microaggregation.interests import interests_of
from tacita.numeric.compiled.random import stream_state
from tacita.numeric.user_groups.improve import improved_groups, interested, remaining
from tacita.numeric.user_groups.near_users import near_users
from tacita.numeric.user_groups.partition import similar_groups
from tests.logs.material import interested_users
from tests.oracles.numeric import user_groups as oracle
from tests.oracles.numeric.as_python import run_as_python


@given(
    stn.arrays(np.int32, st.tuples(st.integers(4, 12), st.just(6)), elements=st.integers(0, 3)),
    st.integers(2, 4),
    st.integers(1, 3),
)
def test_what_remains_equals_the_slow_sum(dense: np.ndarray, k: int, least: int) -> None:
    n = len(dense)
    labels, lines, level = np.arange(n) % max(n // k, 1), np.arange(1, n + 1), np.array([1, 1, 2, 2, 3, 3])
    known = interested(sparse.csr_array(dense), level, lines, least)
    assert remaining(known, labels, n) == pytest.approx(oracle.remaining(dense, level, lines, labels, least))


@pytest.mark.parametrize(("k", "least"), [(2, 1), (3, 2), (5, 2)])
def test_more_remains_in_groups_of_allowed_sizes(k: int, least: int) -> None:
    material = interested_users(201)
    interests = interests_of(*material)
    known = interested(interests.counts, interests.level, material.log.lines_of_users, least)
    lists = near_users(interests.counts, most=30, wide=201)
    before = similar_groups(interests.counts, k)
    made = [improved_groups(known, lists, before, k, moves=60_000, state=stream_state(seed)) for seed in (1, 1, 2)]
    assert remaining(known, made[0], k) > 1.002 * remaining(known, before, k)
    assert k <= np.bincount(made[0]).min() <= np.bincount(made[0]).max() < 2 * k
    assert np.array_equal(made[0], made[1])
    assert not np.array_equal(made[0], made[2])


def test_groups_that_cannot_be_improved_stay() -> None:
    users = sparse.csr_array(np.ones((6, 2), np.int32))
    known = interested(users, np.array([1, 2]), np.ones(6), 1)
    labels, lists = np.array([0, 0, 0, 1, 1, 1]), near_users(users, most=5, wide=6)
    assert improved_groups(known, lists, labels, 3, moves=100, state=stream_state(1)).tolist() == labels.tolist()
    alone = np.zeros(6, np.int64)
    assert improved_groups(known, lists, alone, 6, moves=100, state=stream_state(1)).tolist() == alone.tolist()


def test_python_and_machine_code_make_the_same_groups() -> None:
    code = """
        from tacita.logs.microaggregation.interests import interests_of
        from tacita.numeric.compiled.random import stream_state
        from tacita.numeric.user_groups.improve import improved_groups, interested
        from tacita.numeric.user_groups.near_users import near_users
        from tacita.numeric.user_groups.partition import similar_groups
        from tests.logs.material import interested_users
        material = interested_users(30, lines_each=8)
        interests = interests_of(*material)
        known = interested(interests.counts, interests.level, material.log.lines_of_users, 2)
        lists = near_users(interests.counts, most=8, wide=12)
        labels = similar_groups(interests.counts, 3, lists=lists, most_exact=12)
        print(labels.tolist(), improved_groups(known, lists, labels, 3, moves=500, state=stream_state(1)).tolist())
    """
    assert run_as_python(code) == run_as_python(code, compiled=True)
