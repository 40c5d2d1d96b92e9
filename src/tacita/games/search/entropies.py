"""The utilities of section 4: H(Y_i(t)) and H(F_i(x, t)), for all peers at once and over time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from tacita.core.arrays import FloatArray, IntArray, PlaceArray
from tacita.games.search.play import SearchRun

__all__ = ["Forwarded", "entropies_over_time", "entropy_against_database", "entropy_against_peers", "occurrence"]


class Forwarded(NamedTuple):
    """Queries that were forwarded, one entry a pair of owner and query."""

    owner: IntArray
    times: IntArray  # how often it was forwarded
    bits: FloatArray  # H(F_i(x))


def occurrence(codes: IntArray) -> IntArray:
    """Return for each entry how many equal ones stand before it. O(n log n).

    Examples
    --------
    >>> occurrence(np.array([7, 7, 3, 7])).tolist()
    [0, 1, 0, 2]
    """
    order = np.argsort(codes, kind="stable")
    ordered = codes[order]
    begins = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]])) if len(codes) else np.zeros(0, int)
    before = np.arange(len(codes)) - np.repeat(begins, np.diff(np.append(begins, len(codes))))
    found = np.empty(len(codes), np.int64)
    found[order] = before
    return found


def entropies_over_time(
    group: PlaceArray, item: PlaceArray, groups: int, cuts: IntArray
) -> Iterator[tuple[IntArray, FloatArray]]:
    """Give n and H of the items of each group after the first so many entries.

    H = log2 n - sum c log2 c / n, and 0 where n = 0; the sum grows by (c + 1) log2(c + 1) - c log2 c with an entry whose like
    stands c times before it.

    Parameters
    ----------
    group, item
        One entry each, in the order of time.
    groups
        How many groups there are.
    cuts
        Numbers of entries, rising.

    Notes
    -----
    Complexity: O(n log n) for the entries, O(groups) for each cut.

    Examples
    --------
    >>> codes = np.zeros(4, np.int32), np.array([0, 1, 0, 1], np.int32)
    >>> [float(bits[0]) for _, bits in entropies_over_time(*codes, 1, np.array([1, 2, 4]))]
    [0.0, 1.0, 1.0]
    """
    codes = group.astype(np.int64) * (int(item.max(initial=0)) + 1) + item
    before = occurrence(codes)
    growth = (before + 1) * np.log2(before + 1) - before * np.log2(np.maximum(before, 1))
    total, weight, first = np.zeros(groups, np.int64), np.zeros(groups), 0
    for last in cuts:
        part = slice(first, int(last))
        total += np.bincount(group[part], minlength=groups)
        weight += np.bincount(group[part], weights=growth[part], minlength=groups)
        first = int(last)
        filled = np.maximum(total, 1)
        yield total.copy(), np.maximum(np.log2(filled) - weight / filled, 0.0)


def entropy_against_database(run: SearchRun, cuts: IntArray | None = None) -> FloatArray:
    """Return H(Y_i): one row for each cut (all queries where none are given), one column a peer.

    Examples
    --------
    >>> from tacita.games.search.community import community_of_sample
    >>> from tacita.games.search.play import play_search
    >>> run = play_search(community_of_sample(50, 1000, seed=1), seed=1)
    >>> entropy_against_database(run).shape
    (1, 50)
    """
    at = np.array([len(run.community)]) if cuts is None else cuts
    found = entropies_over_time(run.submitter, run.community.query, run.community.peers, at)
    return np.stack([bits for _, bits in found])


def entropy_against_peers(run: SearchRun) -> Forwarded:
    """Return H(F_i(x)) for each pair of owner and query that was forwarded.

    What an owner herself sends counts; on the way of ``crowds`` the others do not know whose query it is.
    """
    pair, pairs = run.community.pair
    owner = np.zeros(pairs, np.int64)
    owner[pair] = run.community.owner
    sent, receiver = pair[run.line[run.by_owner]], run.receiver[run.by_owner]
    times, bits = next(entropies_over_time(sent, receiver, pairs, np.array([len(sent)])))
    some = times > 0
    return Forwarded(owner[some], times[some], bits[some])
