"""What users are interested in: how often each of them asked for each category, at every level.

References
----------
Erola, A., Castella-Roca, J., Navarro-Arribas, G., Torra, V. (2011). Semantic microaggregation for the anonymization of query
logs using the Open Directory Project. SORT special issue, 41-58: Algorithm 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tacita.core.arrays import IntArray
from tacita.data.directory.classified import Classified
from tacita.data.query_log.query_log import QueryLog

if TYPE_CHECKING:
    from scipy import sparse

__all__ = ["Interests", "interests_of"]


@dataclass(frozen=True, eq=False)
class Interests:
    """The classification matrices of a log beside each other.

    Parameters
    ----------
    counts
        Users x categories in use: how many terms of a user's queries fall into a category. A category that lies on two levels
        has a column for each.
    level
        The level of each column, from 1.
    category
        The category of each column, as a place in the tree.
    """

    counts: sparse.csr_array
    level: IntArray
    category: IntArray

    @property
    def depth(self) -> int:
        """The deepest level on which anybody has an interest; 0 where nobody has one."""
        return int(self.level.max(initial=0))


def interests_of(log: QueryLog, topics: Classified) -> Interests:
    """Return the classification matrices (Algorithm 1): how often users asked, times what was asked for.

    O(sum over the different queries of all users of their categories) time and memory.

    Examples
    --------
    >>> from tacita.data.directory.category_tree import CategoryTree
    >>> log = QueryLog.from_columns(["ann", "ann", "bob"], ["ajax", "ajax", "tea"])
    >>> tree = CategoryTree.from_paths([("Sports", "Soccer"), ("Home",)])
    >>> topics = Classified.from_categories(tree, 2, np.array([0, 1]), np.array([0, 0]), np.array([1, 2]), depth=2)
    >>> interests_of(log, topics).counts.toarray().tolist()
    [[2, 0, 2], [0, 1, 0]]
    """
    from scipy import sparse  # loads when used

    matrices = [sparse.csr_array(log.asked @ level) for level in topics.levels]
    every = sparse.csr_array(sparse.hstack(matrices, format="csr"))
    used = np.flatnonzero(np.bincount(every.indices, minlength=every.shape[1]))
    place = np.zeros(every.shape[1], np.int32)
    place[used] = np.arange(len(used), dtype=np.int32)
    shape = (every.shape[0], len(used))
    counts = sparse.csr_array((every.data, place[every.indices], every.indptr), shape=shape)
    counts.sort_indices()
    return Interests(counts, used // len(topics.tree) + 1, used % len(topics.tree))
