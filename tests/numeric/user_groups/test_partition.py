from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as stn
from scipy import sparse

from tacita.logs.microaggregation.interests import interests_of
from tacita.numeric.user_groups.partition import join_leftovers, listed_groups, similar_groups
from tests.logs.material import interested_users
from tests.oracles.logs.semantic_microaggregation import partition
from tests.oracles.numeric.user_groups import similarity


@given(stn.arrays(np.int32, st.tuples(st.integers(5, 14), st.just(6)), elements=st.integers(0, 3)), st.integers(2, 5))
def test_groups_with_leftovers_equal_the_slow_transcription(dense: np.ndarray, k: int) -> None:
    assert similar_groups(sparse.csr_array(dense), k).tolist() == partition(similarity(dense).tolist(), k)


def test_leftovers_do_not_see_who_joined_before_them() -> None:
    users = sparse.csr_array([[4, 0], [4, 0], [0, 3], [0, 3], [1, 1], [2, 2]])
    assert join_leftovers(users, np.array([0, 0, 1, 1, -1, -1])).tolist() == [0, 0, 1, 1, 0, 0]


@pytest.mark.parametrize("k", [2, 3, 5, 7])
def test_lists_come_near_to_all_pairs(k: int) -> None:
    """The similarity within groups is at least 95 % of the exact one's, and nobody is forgotten."""
    users = interests_of(*interested_users(400)).counts
    similar = similarity(users.toarray())
    labels = {most: similar_groups(users, k, most_exact=most) for most in (40, 1000)}
    within = {most: similar[found[:, None] == found].sum() for most, found in labels.items()}
    assert within[40] >= 0.95 * within[1000]
    assert k <= np.bincount(labels[40]).min() <= np.bincount(labels[40]).max() < 2 * k


def test_users_without_any_interest_are_grouped_too() -> None:
    users = sparse.csr_array((100, 3), dtype=np.int32)
    labels = listed_groups(users, 3, most_exact=10)
    assert (labels < 0).sum() == 1
    assert set(np.bincount(labels[labels >= 0])) == {3}


def test_groups_larger_than_what_is_compared_at_once() -> None:
    users = interests_of(*interested_users(100)).counts
    labels = similar_groups(users, 20, most_exact=10)
    assert 20 <= np.bincount(labels).min() <= np.bincount(labels).max() < 40
    assert set(listed_groups(sparse.csr_array((100, 3), dtype=np.int32), 30, most_exact=10)) == {-1, 0, 1, 2}
