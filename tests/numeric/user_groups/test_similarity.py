from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as stn
from scipy import sparse

from tacita.numeric.user_groups.counts import by_category, sparse_counts
from tacita.numeric.user_groups.similarity import incidence, similarities

COUNTS = stn.arrays(np.int32, st.tuples(st.integers(1, 9), st.integers(1, 7)), elements=st.integers(0, 3))


@given(COUNTS)
def test_incidence_is_the_sum_of_the_smaller_counts(dense: np.ndarray) -> None:
    counts = sparse_counts(sparse.csr_array(dense))
    expected = np.minimum(dense[:, None], dense[None]).sum(axis=2)
    np.fill_diagonal(expected, 0)
    assert np.array_equal(incidence(counts, by_category(counts, dense.shape[1])), expected)
    for user in range(len(dense)):
        assert np.array_equal(similarities(counts, user, dense.shape[1]), expected[user])
