"""What may leave of a group: texts that several of its users asked, a shared category in the place of others, or nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tacita.core.arrays import BoolArray, IntArray
from tacita.data.directory.classified import Classified
from tacita.logs.microaggregation.interests import Interests
from tacita.numeric.user_groups.counts import sparse_counts
from tacita.numeric.user_groups.shared_topics import deepest_shared

if TYPE_CHECKING:
    from scipy import sparse

__all__ = ["generalised", "is_shared", "shared_interests"]


def is_shared(group: IntArray, what: IntArray, user: IntArray, askers: int) -> BoolArray:
    """Return for each line whether at least so many users of its group have what it has; -1 is never shared.

    O(n log n) time, O(n) memory.

    Examples
    --------
    >>> is_shared(np.array([0, 0, 0, 1]), np.array([7, 7, 8, 7]), np.array([0, 1, 1, 2]), 2).tolist()
    [True, True, False, False]
    """
    several, users = int(what.max(initial=-1)) + 2, int(user.max(initial=-1)) + 1
    _, pair = np.unique(group * several + what + 1, return_inverse=True)
    once = np.unique(pair * users + user) // max(users, 1)
    return np.asarray((np.bincount(once, minlength=1)[pair] >= askers) & (what >= 0), bool)


def shared_interests(counts: sparse.csr_array, labels: IntArray) -> sparse.csr_array:
    """Return groups x categories: how many users of a group have an interest in a category. O(entries)."""
    from scipy import sparse  # loads when used

    users = np.arange(len(labels))
    member = sparse.csr_array((np.ones(len(labels), np.int32), (labels, users)))
    has = sparse.csr_array((np.ones_like(counts.data), counts.indices, counts.indptr), shape=counts.shape)
    return sparse.csr_array(member @ has)


def generalised(
    group: IntArray, text: IntArray, topics: Classified, interests: Interests, shared: sparse.csr_array, askers: int
) -> IntArray:
    """Return for each line the deepest category of its text that at least so many users of its group share; -1 for none.

    Parameters
    ----------
    group, text
        Of each line.
    topics
        What the directory says of the texts.
    interests
        The interests of all users, for their columns.
    shared
        How many users of a group have an interest in each column.
    askers
        Fewest users.

    Notes
    -----
    O(n log n + entries) time for n lines.
    """
    pairs, of_line = np.unique(group * topics.texts + text, return_inverse=True)
    column = deepest_shared(
        pairs // topics.texts,
        pairs % topics.texts,
        sparse_counts(_of_texts(topics, interests)),
        sparse_counts(shared),
        interests.level,
        askers,
    )
    category = np.append(interests.category, -1)[column]  # -1 is the last
    return np.asarray(category[of_line], np.int64)


def _of_texts(topics: Classified, interests: Interests) -> sparse.csr_array:
    """Return texts x the columns of the interests."""
    from scipy import sparse  # loads when used

    matrices = []
    for number, level in enumerate(topics.levels, 1):
        matrices.append(level[:, interests.category[interests.level == number]])
    return sparse.csr_array(sparse.hstack(matrices, format="csr"))
