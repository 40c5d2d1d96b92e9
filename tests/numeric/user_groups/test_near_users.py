from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as stn
from scipy import sparse

from tacita.numeric.user_groups.near_users import near_users
from tests.oracles.numeric import user_groups as oracle

COUNTS = stn.arrays(np.int32, st.tuples(st.integers(1, 12), st.integers(1, 6)), elements=st.integers(0, 3))


@given(COUNTS, st.integers(1, 13))
def test_lists_are_exact_where_every_category_is_looked_at_in_full(dense: np.ndarray, most: int) -> None:
    lists = near_users(sparse.csr_array(dense), most=most, wide=len(dense))
    expected = oracle.near_users(dense, most)
    assert [row[row >= 0].tolist() for row in lists.near] == expected
    similar = oracle.similarity(dense)
    for i, row in enumerate(expected):
        assert lists.similar[i, : len(row)].tolist() == similar[i, row].tolist()


@given(COUNTS, st.integers(1, 4))
def test_a_narrow_look_finds_fewer_but_says_their_true_similarity(dense: np.ndarray, wide: int) -> None:
    lists, similar = near_users(sparse.csr_array(dense), most=5, wide=wide), oracle.similarity(dense)
    for i, j in zip(*np.nonzero(lists.near >= 0), strict=True):
        assert lists.near[i, j] != i
        assert lists.similar[i, j] == similar[i, lists.near[i, j]] > 0


def test_of_a_common_category_those_with_similar_counts_are_met() -> None:
    """Everybody has the one category: user i has it i + 1 times."""
    lists = near_users(sparse.csr_array(np.arange(1, 101, dtype=np.int32)[:, None]), most=10, wide=11)
    assert abs(lists.near[50] - 50).max() <= 11
