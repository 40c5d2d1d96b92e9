"""Partitions of users into groups of similar ones: exact where all pairs fit into memory, by lists of near users where not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tacita.core.arrays import IntArray
from tacita.numeric.user_groups.counts import by_category, sparse_counts
from tacita.numeric.user_groups.exact import most_similar_groups
from tacita.numeric.user_groups.greedy import groups_from_lists
from tacita.numeric.user_groups.near_users import NearUsers, near_users
from tacita.numeric.user_groups.similarity import incidence, similarities

if TYPE_CHECKING:
    from scipy import sparse

__all__ = ["LIST", "WIDE", "exact_groups", "join_leftovers", "listed_groups", "similar_groups"]

_EXACT = 3000
"""Users up to whom all pairs are compared: 72 MB of memory and about a second."""
LIST, WIDE = 64, 250
"""Length of a list of near users, and how many users of a category are looked at for it."""
_WORTH = 0.02
"""Share of the users that a round must put into groups; below it the rest are compared in parts."""


def similar_groups(
    users: sparse.csr_array, k: int, *, lists: NearUsers | None = None, most_exact: int = _EXACT
) -> IntArray:
    """Return (n,): groups of k to 2k - 1 users of whom everybody has one; exact for up to ``most_exact`` users.

    Lists of near users that are known already need not be made again.

    Examples
    --------
    >>> from scipy import sparse
    >>> similar_groups(sparse.csr_array([[5, 0], [0, 3], [4, 0], [0, 2], [1, 1]]), 2).tolist()
    [0, 1, 0, 1, 0]
    """
    if users.shape[0] <= most_exact:
        return join_leftovers(users, exact_groups(users, k))
    return join_leftovers(users, listed_groups(users, k, lists=lists, most_exact=most_exact))


def exact_groups(users: sparse.csr_array, k: int) -> IntArray:
    """Return (n,): the paper's groups, -1 for the fewer than k users that are left over.

    O(sum over categories of the square of their users) time, O(n^2) memory.

    Examples
    --------
    >>> from scipy import sparse
    >>> exact_groups(sparse.csr_array([[5, 0], [0, 3], [4, 0], [0, 2], [1, 1]]), 2).tolist()
    [0, 1, 0, 1, -1]
    """
    counts = sparse_counts(users)
    similar = incidence(counts, by_category(counts, users.shape[1]))
    return np.asarray(most_similar_groups(similar, k), np.int64)


def listed_groups(
    users: sparse.csr_array,
    k: int,
    *,
    lists: NearUsers | None = None,
    most_exact: int = _EXACT,
    most: int = LIST,
    wide: int = WIDE,
) -> IntArray:
    """Return (n,): groups from lists of near users, -1 for the fewer than k users that are left over.

    In every round those who are left get new lists and form groups. When few are left, or lists help no more (users without any
    category have none), the rest are grouped exactly, in parts of ``most_exact`` users with similar interests; groups larger
    than such a part are cut from an order in which similar interests stand together.

    O(n (e wide + k most e)) time for e categories a user, O(entries + n most + most_exact^2) memory.
    """
    labels, groups = np.full(users.shape[0], -1), 0
    left = np.arange(users.shape[0])
    while len(left) > most_exact:
        some = users[left]
        if lists is None:
            lists = near_users(some, most=most, wide=wide)
        found = groups_from_lists(sparse_counts(some), users.shape[1], lists, k)
        is_found, lists = found >= 0, None
        if is_found.sum() < _WORTH * len(left):
            break
        labels[left[is_found]] = found[is_found] + groups
        groups = int(labels.max()) + 1
        left = left[~is_found]
    left = left[_by_interest(users[left])]
    if k > most_exact:  # a part would be one group, whoever is in it
        full = left[: len(left) // k * k]
        labels[full] = groups + np.arange(len(full)) // k
        return labels
    while len(left) >= k:
        part, left = left[:most_exact], left[most_exact:]
        found = exact_groups(users[np.sort(part)], k)
        part = np.sort(part)
        labels[part[found >= 0]] = found[found >= 0] + groups
        groups = int(labels.max()) + 1
        left = np.concatenate([part[found < 0], left])
    return labels


def _by_interest(users: sparse.csr_array) -> IntArray:
    """Return an order in which users stand together whose most frequent category is the same."""
    counts = sparse_counts(users)
    user = np.repeat(np.arange(users.shape[0]), np.diff(counts.start))
    order = np.lexsort((counts.column, -counts.amount, user))
    most = np.full(users.shape[0], -1)
    first = order[np.flatnonzero(np.diff(user, prepend=-1))]
    most[user[first]] = counts.column[first]
    return np.argsort(most, kind="stable")


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
    counts = sparse_counts(users)
    for user in np.flatnonzero(~members):
        similar = similarities(counts, int(user), users.shape[1])
        joined[user] = np.argmax(np.bincount(labels[members], weights=similar[members]))
    return joined
