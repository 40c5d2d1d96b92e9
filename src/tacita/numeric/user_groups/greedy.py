"""Groups from lists of near users: the most similar pair that the lists know, then whoever of their lists is most similar.

This is the paper's partition with the lists in the place of the whole matrix. A group whose members' lists hold nobody who is
left is given up; its users wait for the next lists, which are made of those who are left.
"""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import BoolArray, IntArray, Place1, Place2, PlaceArray
from tacita.core.kernel import entry, kernel
from tacita.numeric.user_groups.counts import Counts
from tacita.numeric.user_groups.near_users import NearUsers
from tacita.numeric.user_groups.similarity import common, spread_row, wipe_row

__all__ = ["groups_from_lists"]


def groups_from_lists(counts: Counts, width: int, lists: NearUsers, k: int) -> IntArray:
    """Return (n,): groups of k users in the order in which they are formed, and -1 for those who wait.

    O(n most log(n most)) time to sort the pairs, and for each user O(k most) similarities; O(n most) memory.
    """
    user, rank = np.nonzero(lists.near >= 0)
    other = lists.near[user, rank]
    first = np.minimum(user, other).astype(np.int32)
    second = np.maximum(user, other).astype(np.int32)
    order = np.lexsort((second, first, -lists.similar[user, rank]))  # equal pairs by the lowest numbers
    return np.asarray(_groups(counts, width, lists.near, first[order], second[order], k), np.int64)


@entry
def _groups(counts: Counts, width: int, near: Place2, first: Place1, second: Place1, k: int) -> IntArray:
    """Go through the pairs, most similar first, and complete a group around each whose users are both left."""
    n = near.shape[0]
    labels = np.full(n, -1)
    total = np.zeros(n, np.int64)
    known = np.zeros(n, np.bool_)
    candidates = np.empty(n, np.int32)
    members = np.empty(k, np.int32)
    row = np.zeros(width, np.int32)
    group = 0
    for pair in range(len(first)):
        if labels[first[pair]] >= 0 or labels[second[pair]] >= 0:
            continue
        members[0], members[1] = first[pair], second[pair]
        labels[members[0]] = labels[members[1]] = group
        size, number, scored = 2, 0, 0
        while size < k:
            before = number
            for place in range(scored, size):
                number = _gather(near[members[place]], labels, known, candidates, number)
            for place in range(size):  # new candidates are compared with all members, the others with the newest
                spread_row(counts, members[place], row)
                for new in range(0 if place >= scored else before, number):
                    if labels[candidates[new]] < 0:
                        total[candidates[new]] += common(counts, candidates[new], row)
                wipe_row(counts, members[place], row)
            scored = size
            best = _best(candidates, number, total, labels)
            if best < 0:
                break
            members[size] = best
            labels[best] = group
            size += 1
        for place in range(number):
            total[candidates[place]] = 0
            known[candidates[place]] = False
        if size == k:
            group += 1
        else:
            for place in range(size):
                labels[members[place]] = -1
    return labels


@kernel
def _gather(near: PlaceArray, labels: IntArray, known: BoolArray, candidates: PlaceArray, number: int) -> int:
    """Add those of a list who are left and new; return how many candidates there are."""
    for it in near:
        if it < 0:
            break
        if labels[it] < 0 and not known[it]:
            known[it] = True
            candidates[number] = it
            number += 1
    return number


@kernel
def _best(candidates: PlaceArray, number: int, total: IntArray, labels: IntArray) -> int:
    """Return the candidate left with the largest sum, of equal ones the lowest number; -1 where nobody is left."""
    best = -1
    for place in range(number):
        it = candidates[place]
        if labels[it] < 0 and (best < 0 or total[it] > total[best] or (total[it] == total[best] and it < best)):
            best = it
    return best
