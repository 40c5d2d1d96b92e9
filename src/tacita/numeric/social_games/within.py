"""For every user of a network the sum of what the users exactly 1, 2, ..., l links away show to those at that distance.

From each user a search goes out breadth first and ends at l links. A stamp says by whom a user was met last, so that nothing is
wiped between two searches.

References
----------
Domingo-Ferrer, J. (2011). Coprivacy: an introduction to the theory and applications of co-operative privacy. SORT special issue:
Privacy in statistical databases, section 5: I(j, j', k) in the numerator of PRF.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tacita.core.arrays import Bool1, BoolArray, Float1, Float2, FloatArray, Int1, Place1, PlaceArray
from tacita.core.kernel import entry, kernel
from tacita.core.progress import task
from tacita.numeric.compiled.threads import in_blocks

__all__ = ["Adjacency", "is_one_told", "sums_within", "told_within"]

_BLOCK = 2048
"""Users that a thread looks from at a time; each block needs a stamp and a queue for all users."""


class Adjacency(NamedTuple):
    """Neighbours of every user: those of user j stand at start[j] to start[j + 1]."""

    start: Int1  # (users + 1,)
    neighbour: Place1  # (2 links,)


def sums_within(links: Adjacency, worth: FloatArray) -> FloatArray:
    """Return (N,): sum over j' != j of worth[j', d - 1], d the links from j to j', for d = 1, ..., l.

    Parameters
    ----------
    links
        The network; every link stands at both of its ends.
    worth
        (N, l): what user j' shows to those exactly d links away, weighted by its sensitivity.

    Notes
    -----
    O(sum over users of the links of those less than l links away) time, O(N) memory for each core. Nothing is subtracted: a sum
    of zeros is exactly zero.

    Examples
    --------
    >>> path = Adjacency(np.array([0, 1, 3, 4]), np.array([1, 0, 2, 1], np.int32))
    >>> sums_within(path, np.array([[1.0, 10.0], [2.0, 20.0], [4.0, 40.0]])).tolist()
    [42.0, 5.0, 12.0]
    """
    n = len(links.start) - 1
    sums, shown = np.zeros(n), np.ascontiguousarray(worth, np.float64)
    with task("Looking through the network", n) as running:

        def look(begin: int, end: int) -> None:
            _sums_of_block(links, shown, begin, end, sums)

        in_blocks(look, n, block=_BLOCK, done=running.advance)
    return sums


def told_within(links: Adjacency, worth: FloatArray) -> BoolArray:
    """Return (N,): whether the sum of :func:`sums_within` is above 0; a search ends at the first user who shows something.

    O(users) time where most users are shown something by a neighbour, and that of the sums where nobody is.

    Examples
    --------
    >>> path = Adjacency(np.array([0, 1, 3, 4]), np.array([1, 0, 2, 1], np.int32))
    >>> told_within(path, np.array([[1.0, 0.0], [0.0, 0.0], [0.0, 0.0]])).tolist()
    [False, True, False]
    """
    n = len(links.start) - 1
    told, shown = np.zeros(n, np.bool_), np.ascontiguousarray(worth, np.float64)
    # Distances at which nobody shows anything need no search.
    levels = np.flatnonzero((shown > 0).sum(axis=0))
    if len(levels) == 0:
        return told
    shown = np.ascontiguousarray(shown[:, : levels[-1] + 1])
    with task("Looking through the network", n) as running:

        def look(begin: int, end: int) -> None:
            _told_of_block(links, shown, begin, end, told)

        in_blocks(look, n, block=_BLOCK, done=running.advance)
    return told


@entry
def _told_of_block(links: Adjacency, worth: Float2, begin: int, end: int, told: Bool1) -> None:
    """Fill whether the users from `begin` to `end` are shown something."""
    n = len(links.start) - 1
    stamp = np.full(n, -1, np.int32)
    queue = np.empty(n, np.int32)
    for user in range(begin, end):
        told[user] = is_one_told(links, worth, user, stamp, queue)


@kernel
def is_one_told(links: Adjacency, worth: FloatArray, user: int, stamp: PlaceArray, queue: PlaceArray) -> bool:
    """Whether anybody shows one user anything; `stamp` must hold no `user` yet, `queue` has room for all users."""
    stamp[user] = user
    queue[0] = user
    first, last = 0, 1
    for distance in range(worth.shape[1]):
        reached = last
        for place in range(first, last):
            at = queue[place]
            for link in range(links.start[at], links.start[at + 1]):
                other = links.neighbour[link]
                if stamp[other] != user:
                    if worth[other, distance] > 0:
                        return True
                    stamp[other] = user
                    queue[reached] = other
                    reached += 1
        first, last = last, reached
    return False


@entry
def _sums_of_block(links: Adjacency, worth: Float2, begin: int, end: int, sums: Float1) -> None:
    """Fill the sums of the users from `begin` to `end`."""
    n = len(links.start) - 1
    stamp = np.full(n, -1, np.int32)
    queue = np.empty(n, np.int32)
    for user in range(begin, end):
        sums[user] = _shown_to_one(links, worth, user, stamp, queue)


@kernel
def _shown_to_one(links: Adjacency, worth: FloatArray, user: int, stamp: PlaceArray, queue: PlaceArray) -> float:
    """Add up what is shown to one user; `stamp` must hold no `user` yet, `queue` has room for all users."""
    total = 0.0
    stamp[user] = user
    queue[0] = user
    first, last = 0, 1
    for distance in range(worth.shape[1]):
        reached = last
        for place in range(first, last):
            at = queue[place]
            for link in range(links.start[at], links.start[at + 1]):
                other = links.neighbour[link]
                if stamp[other] != user:
                    stamp[other] = user
                    queue[reached] = other
                    reached += 1
                    total += worth[other, distance]
        first, last = last, reached
    return total
