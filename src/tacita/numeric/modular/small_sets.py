"""Small sets of columns that a row space determines, found from the columns of a few random null vectors.

Let x be a random vector of the null space of a row space, modulo a prime p. A combination ``sum c_a e_a`` lies in the
row space if ``sum c_a x_a = 0`` for every x; if it does not, this holds for one random x with chance 1 / p. So a
column needs to be known only by its *print*, its entries in a few random null vectors, and

- a set of columns has its sum determined if its prints add up to zero;
- some combination of a set of columns is determined if its prints are linearly dependent.

Each column has a size, and sets count by the sum of their sizes. The search is exact for the prints: it finds
something if and only if there is something. When it would take more work than allowed it says ``unknown``, never
``none``.
"""

from __future__ import annotations

import math
from typing import Literal, TypeAlias

import numpy as np

from tacita.core.arrays import IntArray
from tacita.numeric.modular.arithmetic import inverses, products

__all__ = ["Found", "small_relation", "small_sum"]

Found: TypeAlias = Literal["none", "some", "unknown"]
"""Whether there is such a set."""

_MARK_BITS = 26
"""Most of the last bits of prints that are marked, 64 MB."""

_BLOCK = 2**17
"""Pairs of columns that are worked on at a time."""


# --- sums ------------------------------------------------------------------------------------------------------------------


def small_sum(prints: IntArray, sizes: IntArray, *, room: int, prime: int, most_work: int) -> Found:
    """Say whether a set of columns of total size at most ``room`` has prints that add up to zero.

    A set of k columns in order is its first h = ceil(room / 2) columns and the at most ``room - h`` others. All sets
    of up to h columns are listed with the sums of their prints; a long one and a short one that cancel are found by
    sorting.

    Parameters
    ----------
    prints
        (s,): one number modulo the prime for each column.
    sizes
        (s,): size of each column, at least 1.
    room
        Largest total size of a set.
    prime
        Modulus.
    most_work
        Sets that may be listed.

    Returns
    -------
    Found
        ``unknown`` where more than ``most_work`` sets would have to be listed and none of those listed decided it.

    Notes
    -----
    O(s^h log s) time and memory: s for room 2, s^2 for room 3 and 4, s^3 for 5 and 6. A set whose sum is not
    determined has prints that cancel with chance 1 / p.

    Examples
    --------
    >>> import numpy as np
    >>> small_sum(np.array([5, 90, 6, 3]), np.array([1, 1, 1, 1]), room=3, prime=101, most_work=100)
    'some'
    >>> small_sum(np.array([5, 90, 6, 3]), np.array([1, 1, 2, 1]), room=3, prime=101, most_work=100)
    'none'
    """
    listed = _Sets.single(prints, sizes, room)
    if (listed.prints == 0).any():
        return "some"
    half = (room + 1) // 2
    ones, work, known = listed, len(listed.prints), [listed]
    for _ in range(1, half):
        work += listed.count_longer(ones)
        if work > most_work:
            return "unknown"
        listed = listed.longer(ones, room, prime)
        if (listed.prints == 0).any():
            return "some"
        known.append(listed)
    return "some" if any(_cancel(listed, short, room, prime) for short in known[: room - half]) else "none"


class _Sets:
    """Sets of equally many columns: sum of prints, size, first and last column of each."""

    __slots__ = ("first", "last", "prints", "sizes")

    def __init__(self, prints: IntArray, sizes: IntArray, first: IntArray, last: IntArray) -> None:
        self.prints, self.sizes, self.first, self.last = prints, sizes, first, last

    @classmethod
    def single(cls, prints: IntArray, sizes: IntArray, room: int) -> _Sets:
        fits = sizes <= room
        numbers = np.arange(int(fits.sum()), dtype=np.int64)
        return cls(prints[fits], sizes[fits], numbers, numbers)

    def count_longer(self, ones: _Sets) -> int:
        """Return how many sets have one column more, behind the last."""
        return int((len(ones.prints) - 1 - self.last).sum())

    def longer(self, ones: _Sets, room: int, prime: int) -> _Sets:
        """Return all sets with one column more, behind the last, that fit."""
        behind = len(ones.prints) - 1 - self.last
        which = np.repeat(np.arange(len(behind)), behind)
        added = np.arange(len(which)) - np.repeat(np.cumsum(behind) - behind, behind) + self.last[which] + 1
        sizes = self.sizes[which] + ones.sizes[added]
        fits = sizes <= room
        which, added = which[fits], added[fits]
        sums = self.prints[which] + ones.prints[added]
        sums[sums >= prime] -= prime
        return _Sets(sums, sizes[fits], self.first[which], added)


def _cancel(longer: _Sets, shorter: _Sets, room: int, prime: int) -> bool:
    """Say whether a set of the one list and a later one of the other cancel and fit together."""
    wanted = np.where(longer.prints == 0, 0, prime - longer.prints)
    last = 2 ** min(_MARK_BITS, len(shorter.prints).bit_length() + 4) - 1
    near = np.zeros(last + 1, dtype=np.bool_)
    near[shorter.prints & last] = True  # the last bits of prints are random: most sets are ruled out by them
    hits = np.flatnonzero(near[wanted & last])
    order = np.argsort(shorter.prints, kind="stable")
    values = shorter.prints[order]
    start, end = np.searchsorted(values, wanted[hits], "left"), np.searchsorted(values, wanted[hits], "right")
    while len(hits):
        is_there = start < end
        hits, start, end = hits[is_there], start[is_there], end[is_there]
        other = order[start]
        if ((longer.last[hits] < shorter.first[other]) & (longer.sizes[hits] + shorter.sizes[other] <= room)).any():
            return True
        start = start + 1
    return False


# --- any combination -------------------------------------------------------------------------------------------------------


def small_relation(prints: IntArray, sizes: IntArray, *, room: int, prime: int, most_work: int) -> Found:
    """Say whether a set of columns of total size at most ``room`` has linearly dependent prints.

    A single print that is zero is dependent; two are if their ratios agree, which sorting finds. Larger sets are
    found by taking each column in turn out of those behind it (modulo its print), and looking for a set of less room
    among the rest.

    Parameters
    ----------
    prints
        (room, s) or more rows: numbers modulo the prime for each column.
    sizes
        (s,): size of each column, at least 1.
    room
        Largest total size of a set.
    prime
        Modulus.
    most_work
        Products of numbers that may be taken.

    Returns
    -------
    Found
        ``unknown`` where the search among sets of three and more would take more work.

    Notes
    -----
    O(s log s) time for room up to 2, O(s^(room - 1) log s) above. Sets of k columns that are independent seem dependent with
    chance below 2 k / p.

    Examples
    --------
    >>> import numpy as np
    >>> prints = np.array([[1, 2, 7], [3, 6, 9]])
    >>> small_relation(prints, np.array([1, 1, 1]), room=2, prime=101, most_work=100)
    'some'
    >>> small_relation(prints, np.array([1, 2, 1]), room=2, prime=101, most_work=100)
    'none'
    """
    fits = sizes <= room
    prints, sizes = prints[:, fits], sizes[fits]
    if not len(sizes):
        return "none"
    if (prints[0] == 0).any() or (room >= 2 and _same_ratio(prints, sizes, room, prime)):
        return "some"
    if room < 3:
        return "none"
    count = int((sizes <= room - 1).sum())
    if math.comb(count, 2) * count ** (room - 3) > most_work:
        return "unknown"
    return _larger_relation(prints, sizes, room, prime)


def _same_ratio(prints: IntArray, sizes: IntArray, room: int, prime: int) -> bool:
    """Say whether two columns that fit together have proportional prints."""
    small = sizes < room
    if np.count_nonzero(small) < 2:
        return False
    sizes = sizes[small]
    ratios = products(prints[1, small], inverses(prints[0, small], prime), prime)
    order = np.lexsort((sizes, ratios))  # the two smallest of equal ratio stand side by side
    ratios, sizes = ratios[order], sizes[order]
    return bool(((ratios[1:] == ratios[:-1]) & (sizes[1:] + sizes[:-1] <= room)).any())


def _larger_relation(prints: IntArray, sizes: IntArray, room: int, prime: int) -> Found:
    """Look for three and more: take each column out of those behind it, and look for a smaller set there."""
    if room == 3:
        return "some" if _on_a_line(prints[:3, sizes == 1], prime) else "none"
    for number in np.flatnonzero(sizes <= room - 2):
        behind = np.flatnonzero(sizes[number + 1 :] <= room - sizes[number] - 1) + number + 1
        if len(behind) < 2:
            continue
        inverse = np.array(pow(int(prints[0, number]), -1, prime))
        factors = products(prints[0, behind], inverse, prime)
        left = prints[1:, behind] - products(prints[1:, number, None], factors[None, :], prime)
        rest = int(room - sizes[number])
        found = small_relation(left % prime, sizes[behind], room=rest, prime=prime, most_work=2**62)
        if found != "none":
            return found
    return "none"


def _on_a_line(prints: IntArray, prime: int) -> bool:
    """Say whether three of the prints (x, y, z) are dependent, when no two are proportional.

    They are if the points (y / x, z / x) of the plane lie on a line: if from one of them two others have the same slope.
    """
    count = prints.shape[1]
    if count < 3:
        return False
    scale = inverses(prints[0], prime)
    u, v = products(prints[1], scale, prime), products(prints[2], scale, prime)
    start = 0
    while start < count - 2:
        end = min(count - 2, start + max(1, _BLOCK // (count - start)))
        rows, behind = np.arange(start, end)[:, None], np.arange(start + 1, count)[None, :]
        is_pair = behind > rows
        across = np.where(is_pair, (u[behind] - u[rows]) % prime, 1)
        up = (v[behind] - v[rows]) % prime
        slopes = products(up, inverses(across.ravel(), prime).reshape(across.shape), prime)
        slopes = np.where(is_pair, slopes, -behind)  # what is no pair gets a number of its own
        slopes.sort(axis=1)
        if (slopes[:, 1:] == slopes[:, :-1]).any():
            return True
        start = end
    return False
