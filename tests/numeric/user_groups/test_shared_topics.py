from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as stn
from scipy import sparse

from tacita.numeric.user_groups.counts import sparse_counts
from tacita.numeric.user_groups.shared_topics import deepest_shared
from tests.oracles.numeric import user_groups as oracle

SMALL = st.integers(0, 3)


@given(stn.arrays(np.int32, (4, 6), elements=SMALL), stn.arrays(np.int32, (3, 6), elements=SMALL), st.integers(1, 3))
def test_the_deepest_category_that_enough_users_share(topics: np.ndarray, shared: np.ndarray, least: int) -> None:
    level = np.array([1, 1, 2, 2, 3, 3])
    group, text = np.repeat(np.arange(3), 4), np.tile(np.arange(4), 3)
    of_texts, of_groups = sparse_counts(sparse.csr_array(topics)), sparse_counts(sparse.csr_array(shared))
    found = deepest_shared(group, text, of_texts, of_groups, level, least)
    assert found.tolist() == [
        oracle.deepest_shared(topics[t], shared[g], level, least) for g, t in zip(group, text, strict=True)
    ]
