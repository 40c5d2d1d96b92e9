"""The profile of a group: how many copies of each query every member gives to it.

A user with |Q_i| of the lines of his group contributes ``Contrib_i = |Q_i| / sum |Q_j|`` (2). His queries are gone through from
the one that he repeated most; each enters the profile ``Contrib_i`` times its repetitions, of which the whole part is certain
and the fraction is drawn. He stops when he gave his quota ``|Q_i| / k`` (3), or when he has no further query.

References
----------
Erola, A., Castella-Roca, J., Navarro-Arribas, G., Torra, V. (2011). Semantic microaggregation for the anonymization of query
logs using the Open Directory Project. SORT special issue, 41-58: expressions (2) and (3), Algorithm 5.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tacita.core.arrays import FloatArray, IntArray

__all__ = ["AskedItems", "asked_by_repetitions", "copies", "lines_of_copies", "shares_of_copies"]


class AskedItems(NamedTuple):
    """What users asked, each pair of a user and an item once; user by user, most repeated first, then lowest item."""

    user: IntArray
    item: IntArray
    repetitions: IntArray
    entry_of_line: IntArray
    """For each line the entry that it belongs to."""


def asked_by_repetitions(user: IntArray, item: IntArray) -> AskedItems:
    """Count and sort what users asked, one entry of ``user`` and ``item`` a line. O(n log n) time, O(n) memory.

    Examples
    --------
    >>> found = asked_by_repetitions(np.array([0, 0, 1, 0]), np.array([3, 5, 3, 5]))
    >>> found.user.tolist(), found.item.tolist(), found.repetitions.tolist(), found.entry_of_line.tolist()
    ([0, 0, 1], [5, 3, 3], [2, 1, 1], [1, 0, 2, 0])
    """
    items = int(item.max(initial=-1)) + 1
    keys, entry, repetitions = np.unique(user * items + item, return_inverse=True, return_counts=True)
    users, asked = (keys // items, keys % items) if items else (keys, keys)
    order = np.lexsort((asked, -repetitions, users))
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    return AskedItems(users[order], asked[order], repetitions[order].astype(np.int64), place[entry])


def shares_of_copies(lines: IntArray, total: IntArray, repetitions: IntArray) -> tuple[IntArray, FloatArray]:
    """Return how many copies are certain, and the probability of one more: the parts of ``Contrib_i`` times repetitions.

    Examples
    --------
    A query asked 3 times by a user with 4 of the 10 lines of the group: 3 x 0.4 = 1.2 (section 3.3).

    >>> certain, chance = shares_of_copies(np.array([4]), np.array([10]), np.array([3]))
    >>> certain.tolist(), chance.tolist()
    ([1], [0.2])
    """
    certain, rest = np.divmod(lines * repetitions, total)  # whole numbers: 0.4 x 5 must be 2, and nothing may be drawn
    return certain, rest / total


def copies(asked: AskedItems, group: IntArray, rng: np.random.Generator, *, cut_at_quota: bool) -> IntArray:
    """Return for each entry how many copies of it enter the profile of the group.

    Parameters
    ----------
    asked
        What the users asked.
    group
        The group of each user; groups are numbered from 0.
    rng
        Draws one number an entry, in their order.
    cut_at_quota
        False: a user stops with the query that reaches his quota, as printed; the copies of that query may take him far
        beyond it. True: he stops at the quota, rounded up.

    Notes
    -----
    O(entries) time and memory. The quota divides by the size of the group, which is k or more.
    """
    lines = np.bincount(asked.user, weights=asked.repetitions, minlength=len(group)).astype(np.int64)
    groups = int(group.max(initial=-1)) + 1
    total = np.bincount(group, weights=lines, minlength=groups).astype(np.int64)
    size = np.bincount(group, minlength=groups)
    certain, chance = shares_of_copies(lines[asked.user], total[group[asked.user]], asked.repetitions)
    given = certain + (rng.random(len(chance)) < chance)
    before = _sums_before(given, asked.user)
    if not cut_at_quota:
        return np.where(before * size[group[asked.user]] < lines[asked.user], given, 0)
    quota = -(-lines // size[group])
    return np.asarray(np.clip(quota[asked.user] - before, 0, given), np.int64)


def _sums_before(values: IntArray, user: IntArray) -> IntArray:
    """Return for each entry the sum of the values of its user that stand before it."""
    before = np.cumsum(values) - values
    first = np.flatnonzero(np.diff(user, prepend=-1))
    return before - np.repeat(before[first], np.diff(first, append=len(user)))


def lines_of_copies(asked: AskedItems, wanted: IntArray, rng: np.random.Generator) -> IntArray:
    """Return which lines stand for the copies: as many of each entry as are wanted, drawn from its lines. O(n log n) time."""
    shuffled = rng.permutation(len(asked.entry_of_line))
    order = shuffled[np.argsort(asked.entry_of_line[shuffled], kind="stable")]
    entry = asked.entry_of_line[order]
    first = np.cumsum(asked.repetitions) - asked.repetitions
    return np.sort(order[np.arange(len(order)) - first[entry] < wanted[entry]])
