"""For what may not leave as it was written: the deepest of its categories that enough users of the group share."""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import Int1, IntArray
from tacita.core.kernel import entry
from tacita.numeric.user_groups.counts import Counts

__all__ = ["deepest_shared"]


@entry
def deepest_shared(group: Int1, text: Int1, topics: Counts, shared: Counts, level: Int1, least: int) -> IntArray:
    """Return for each pair of a group and a text the column of a category; -1 where the group shares none of its categories.

    Parameters
    ----------
    group, text
        The pairs, in the order of their groups.
    topics
        Texts x columns: how many terms of a text fall into a category.
    shared
        Groups x columns: how many users of a group have an interest in a category.
    level
        The level of each column.
    least
        Fewest users.

    Notes
    -----
    Of several on one level the one that most users share is taken, then the one with most terms, then the lowest column.
    O(pairs + entries) time, O(columns) memory.
    """
    found = np.full(len(group), -1)
    sharers = np.zeros(len(level), np.int32)
    at = -1
    for pair in range(len(group)):
        if group[pair] != at:
            if at >= 0:
                for place in range(shared.start[at], shared.start[at + 1]):
                    sharers[shared.column[place]] = 0
            at = group[pair]
            for place in range(shared.start[at], shared.start[at + 1]):
                sharers[shared.column[place]] = shared.amount[place]
        best, terms = -1, 0
        for place in range(topics.start[text[pair]], topics.start[text[pair] + 1]):
            column, count = topics.column[place], topics.amount[place]
            if sharers[column] < least:
                continue
            if (
                best < 0
                or level[column] > level[best]
                or (level[column] == level[best] and sharers[column] > sharers[best])
                or (level[column] == level[best] and sharers[column] == sharers[best] and count > terms)
            ):
                best, terms = column, count
        found[pair] = best
    return found
