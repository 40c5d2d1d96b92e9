"""How similar two users are: over all categories, the smaller of their two counts, summed.

References
----------
Erola, A., Castella-Roca, J., Navarro-Arribas, G., Torra, V. (2011). Semantic microaggregation for the anonymization of query
logs using the Open Directory Project. SORT special issue, 41-58: expression (1), Algorithm 2.
"""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import IntArray, PlaceArray
from tacita.core.kernel import entry, kernel
from tacita.numeric.user_groups.counts import Counts

__all__ = ["common", "incidence", "similarities", "spread_row", "wipe_row"]


@entry
def incidence(counts: Counts, by_category: Counts) -> IntArray:
    """Return (n, n): the similarity of all pairs of users, with 0 for a user and himself.

    Goes through the categories of each user and who else has them, and never looks at a pair that shares nothing.
    O(sum over categories of the square of their users) time, O(n^2) memory.
    """
    n = len(counts.start) - 1
    similar = np.zeros((n, n), np.int64)
    for i in range(n):
        for place in range(counts.start[i], counts.start[i + 1]):
            category, mine = counts.column[place], counts.amount[place]
            for other in range(by_category.start[category], by_category.start[category + 1]):
                similar[i, by_category.column[other]] += min(mine, by_category.amount[other])
        similar[i, i] = 0
    return similar


@entry
def similarities(counts: Counts, user: int, width: int) -> IntArray:
    """Return (n,): the similarity of one user to all, 0 to himself. O(entries) time; `width` is the number of categories."""
    n = len(counts.start) - 1
    row = np.zeros(width, np.int32)
    found = np.zeros(n, np.int64)
    spread_row(counts, user, row)
    for other in range(n):
        if other != user:
            found[other] = common(counts, other, row)
    return found


@kernel
def spread_row(counts: Counts, user: int, row: PlaceArray) -> None:
    """Write the counts of a user into a row with a place for every category."""
    for place in range(counts.start[user], counts.start[user + 1]):
        row[counts.column[place]] = counts.amount[place]


@kernel
def wipe_row(counts: Counts, user: int, row: PlaceArray) -> None:
    """Set the places of a user's categories back to zero."""
    for place in range(counts.start[user], counts.start[user + 1]):
        row[counts.column[place]] = 0


@kernel
def common(counts: Counts, user: int, row: PlaceArray) -> int:
    """Sum the smaller counts of a user and of a row in which another one was spread."""
    total = 0
    for place in range(counts.start[user], counts.start[user + 1]):
        total += min(counts.amount[place], row[counts.column[place]])
    return total
