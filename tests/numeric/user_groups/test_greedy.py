from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as stn
from scipy import sparse

from tacita.numeric.user_groups.counts import sparse_counts
from tacita.numeric.user_groups.greedy import groups_from_lists
from tacita.numeric.user_groups.near_users import near_users
from tacita.numeric.user_groups.partition import exact_groups

COUNTS = stn.arrays(np.int32, st.tuples(st.integers(2, 14), st.just(6)), elements=st.integers(0, 3))


@given(COUNTS, st.integers(2, 5))
def test_complete_lists_give_the_exact_groups(dense: np.ndarray, k: int) -> None:
    users = sparse.csr_array(dense + np.eye(1, 6, dtype=np.int32))  # everybody has something in common with everybody
    lists = near_users(users, most=len(dense), wide=len(dense))
    assert np.array_equal(groups_from_lists(sparse_counts(users), 6, lists, k), exact_groups(users, k))


@given(COUNTS, st.integers(2, 5), st.integers(1, 3))
def test_short_lists_give_full_groups_or_none(dense: np.ndarray, k: int, most: int) -> None:
    users = sparse.csr_array(dense)
    labels = groups_from_lists(sparse_counts(users), 6, near_users(users, most=most, wide=4), k)
    assert set(np.bincount(labels[labels >= 0])) <= {k}
