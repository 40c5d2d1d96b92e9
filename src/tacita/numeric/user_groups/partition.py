"""Partitions of users into groups of similar ones: exact where all pairs fit into memory, by lists of near users where not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tacita.core.arrays import IntArray
from tacita.numeric.user_groups.counts import by_category, counts_of
from tacita.numeric.user_groups.exact import most_similar_groups
from tacita.numeric.user_groups.similarity import incidence, similarities

if TYPE_CHECKING:
    from scipy import sparse

__all__ = ["exact_groups", "join_leftovers"]


def exact_groups(users: sparse.csr_array, k: int) -> IntArray:
    """Return (n,): the paper's groups, -1 for the fewer than k users that are left over.

    O(sum over categories of the square of their users) time, O(n^2) memory.

    Examples
    --------
    >>> from scipy import sparse
    >>> exact_groups(sparse.csr_array([[5, 0], [0, 3], [4, 0], [0, 2], [1, 1]]), 2).tolist()
    [0, 1, 0, 1, -1]
    """
    counts = counts_of(users)
    similar = incidence(counts, by_category(counts, users.shape[1]))
    return np.asarray(most_similar_groups(similar, k), np.int64)


def join_leftovers(users: sparse.csr_array, labels: IntArray) -> IntArray:
    """Return the groups after every user without one joined the group that he is most similar to.

    Similar to a group is the sum over the members that it had before anybody joined, so that the order of joining does not
    matter; equal groups go by the lowest number. O(entries) time for each user without a group.

    Examples
    --------
    >>> from scipy import sparse
    >>> join_leftovers(sparse.csr_array([[5, 0], [0, 3], [4, 0], [0, 2], [1, 1]]), np.array([0, 1, 0, 1, -1])).tolist()
    [0, 1, 0, 1, 0]
    """
    joined, members = labels.copy(), labels >= 0
    counts = counts_of(users)
    for user in np.flatnonzero(~members):
        similar = similarities(counts, int(user), users.shape[1])
        joined[user] = np.argmax(np.bincount(labels[members], weights=similar[members]))
    return joined
