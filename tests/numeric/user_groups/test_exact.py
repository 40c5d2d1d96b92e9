from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as stn

from tacita.numeric.user_groups.exact import most_similar_groups
from tests.oracles.logs.semantic_microaggregation import partition


@given(
    stn.arrays(np.int64, st.tuples(st.just(14), st.just(14)), elements=st.integers(0, 6)),
    st.integers(2, 5),
    st.integers(2, 14),
)
def test_groups_equal_the_slow_transcription(drawn: np.ndarray, k: int, n: int) -> None:
    """Many ties, and every number of users that are left over."""
    similar = np.ascontiguousarray((drawn + drawn.T)[:n, :n] * (1 - np.eye(n, dtype=np.int64)))
    found = most_similar_groups(similar, k)
    assert (found < 0).sum() == (n % k if n >= k else n)
    if n >= k:
        expected = np.array(partition(similar.tolist(), k))
        assert np.array_equal(found[found >= 0], expected[found >= 0])


def test_groups_are_numbered_as_they_are_formed() -> None:
    similar = np.array([[0, 1, 2, 0], [1, 0, 0, 9], [2, 0, 0, 3], [0, 9, 3, 0]])
    assert most_similar_groups(similar, 2).tolist() == [1, 0, 1, 0]
