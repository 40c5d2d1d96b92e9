from __future__ import annotations

import numpy as np
from scipy import sparse

from tacita.numeric.user_groups.counts import by_category, sparse_counts


def test_users_of_a_category_stand_in_the_order_of_their_counts() -> None:
    counts = sparse_counts(sparse.csr_array([[3, 0], [1, 2], [3, 1], [2, 0]]))
    listed = by_category(counts, 2)
    assert listed.start.tolist() == [0, 4, 6]
    assert listed.column.tolist() == [1, 3, 0, 2, 2, 1]
    assert listed.amount.tolist() == [1, 2, 3, 3, 1, 2]


def test_entries_that_stand_twice_are_added() -> None:
    doubled = sparse.csr_array((np.array([1, 2]), np.array([0, 0]), np.array([0, 2])), shape=(1, 2))
    assert sparse_counts(doubled).amount.tolist() == [3]
    assert doubled.nnz == 2
