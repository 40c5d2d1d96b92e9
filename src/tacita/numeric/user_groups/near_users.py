"""For every user a list of others who are similar to him, without looking at all pairs.

The users of a category are looked at from the rare categories to the common ones alike, but of a category that many users have
only those are looked at who have it about as often as the user himself: a window in the list of its users, which is sorted by
their counts. So categories at the top of a directory, which nearly everybody has, do not make all pairs, and a user with few
queries does not get a list of those with most. What was found there chooses the candidates; their similarity is then exact.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tacita.core.arrays import Place1, Place2, PlaceArray
from tacita.core.kernel import entry, kernel
from tacita.core.progress import task
from tacita.numeric.compiled.threads import in_blocks
from tacita.numeric.user_groups.counts import Counts, by_category, sparse_counts
from tacita.numeric.user_groups.similarity import common, spread_row, wipe_row

if TYPE_CHECKING:
    from scipy import sparse

__all__ = ["NearUsers", "near_users"]

_BLOCK = 2048
"""Users that a thread looks for at a time; each block needs room for one row of all users and one of all categories."""


class NearUsers(NamedTuple):
    """Who is similar to each user, most similar first, then lowest number; -1 behind the last."""

    near: PlaceArray  # (n, most)
    similar: PlaceArray  # (n, most)


def near_users(users: sparse.csr_array, *, most: int, wide: int) -> NearUsers:
    """Return up to ``most`` similar users of each user.

    Parameters
    ----------
    users
        Counts of users x categories.
    most
        Length of a list.
    wide
        Users of a category who are looked at.

    Notes
    -----
    O(entries wide + n most categories of a user) time, O(entries + n most) memory.

    Examples
    --------
    >>> from scipy import sparse
    >>> near_users(sparse.csr_array([[5, 0], [0, 3], [4, 0]]), most=2, wide=10).near.tolist()
    [[2, -1], [-1, -1], [0, -1]]
    """
    counts, (n, width) = sparse_counts(users), users.shape
    listed = by_category(counts, width)
    own = _own_places(counts, listed)
    near, similar = np.full((n, most), -1, np.int32), np.zeros((n, most), np.int32)
    with task("Looking for similar users", n) as running:

        def look(begin: int, end: int) -> None:
            _near_of_block(counts, listed, own, width, wide, begin, end, near, similar)

        in_blocks(look, n, block=_BLOCK, done=running.advance)
    return NearUsers(near, similar)


def _own_places(counts: Counts, listed: Counts) -> PlaceArray:
    """Return where each entry of a user stands in the lists by category."""
    user = np.repeat(np.arange(len(counts.start) - 1, dtype=np.int32), np.diff(counts.start))
    own = np.empty(len(user), np.int32)
    own[np.lexsort((user, counts.amount, counts.column))] = np.arange(len(user), dtype=np.int32)
    return own


@entry
def _near_of_block(
    counts: Counts,
    listed: Counts,
    own: Place1,
    width: int,
    wide: int,
    begin: int,
    end: int,
    near: Place2,
    similar: Place2,
) -> None:
    """Fill the lists of the users from `begin` to `end`."""
    n, most = near.shape
    seen = np.zeros(n, np.int32)
    met = np.empty(n, np.int32)
    row = np.zeros(width, np.int32)
    heap = np.empty(most, np.int32)
    for user in range(begin, end):
        number = _meet(counts, listed, own, user, wide, seen, met)
        size = 0
        for place in range(number):
            other = met[place]
            if size < most:
                heap[size] = other
                size += 1
                _rise(heap, size - 1, seen)
            elif _is_less(heap[0], other, seen):
                heap[0] = other
                _sink(heap, size, seen)
        spread_row(counts, user, row)
        for place in range(size):
            near[user, place] = heap[place]
            similar[user, place] = common(counts, heap[place], row)
        wipe_row(counts, user, row)
        for place in range(number):
            seen[met[place]] = 0
        _sort_list(near[user], similar[user], size)


@kernel
def _meet(
    counts: Counts, listed: Counts, own: PlaceArray, user: int, wide: int, seen: PlaceArray, met: PlaceArray
) -> int:
    """Add up what a user has in common with those he meets in his categories; return how many they are."""
    number = 0
    for place in range(counts.start[user], counts.start[user + 1]):
        category, mine = counts.column[place], counts.amount[place]
        first, last = listed.start[category], listed.start[category + 1]
        if last - first > wide:
            first = min(max(first, own[place] - wide // 2), last - wide)
            last = first + wide
        for other in range(first, last):
            it = listed.column[other]
            if it != user:
                if seen[it] == 0:
                    met[number] = it
                    number += 1
                seen[it] += min(mine, listed.amount[other])
    return number


@kernel
def _is_less(a: int, b: int, seen: PlaceArray) -> bool:
    """Whether user a is less similar than user b; of equal ones the higher number is."""
    return seen[a] < seen[b] or (seen[a] == seen[b] and a > b)


@kernel
def _rise(heap: PlaceArray, place: int, seen: PlaceArray) -> None:
    while place > 0:
        above = (place - 1) // 2
        if not _is_less(heap[place], heap[above], seen):
            break
        heap[place], heap[above] = heap[above], heap[place]
        place = above


@kernel
def _sink(heap: PlaceArray, size: int, seen: PlaceArray) -> None:
    place = 0
    while 2 * place + 1 < size:
        below = 2 * place + 1
        if below + 1 < size and _is_less(heap[below + 1], heap[below], seen):
            below += 1
        if not _is_less(heap[below], heap[place], seen):
            break
        heap[place], heap[below] = heap[below], heap[place]
        place = below


@kernel
def _sort_list(near: PlaceArray, similar: PlaceArray, size: int) -> None:
    """Sort a short list: most similar first, then lowest number."""
    for i in range(1, size):
        user, value = near[i], similar[i]
        j = i - 1
        while j >= 0 and (similar[j] < value or (similar[j] == value and near[j] > user)):
            near[j + 1], similar[j + 1] = near[j], similar[j]
            j -= 1
        near[j + 1], similar[j + 1] = user, value
