"""Small groups of records whose total follows from published totals: linear algebra on plain arrays.

Published figures are totals over sets of records. Records that are in the same sets form an atom. What can be computed by
adding and subtracting totals is the row space of the matrix that says which atom is in which set. A small group is disclosed
when its 0/1 vector is in that space; all its atoms are small then. Eliminating the large atoms first leaves the rows of the
space that touch small atoms alone, and a search with bounds goes through the 0/1 vectors among them.

Arithmetic is modulo a prime of 31 bits, so nothing is lost by rounding. A vector could be in the space modulo the prime and not
otherwise only if the prime divided a determinant of the matrix.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from tacita.core.arrays import BoolArray, IntArray

__all__ = ["MOST_WORK", "SmallSets", "find_small_sets", "rows_on_small"]

PRIME = 2**31 - 1
MOST_WORK = 600_000_000
"""Entries that elimination may change before it gives up."""


@dataclass(frozen=True, eq=False)
class SmallSets:
    """Small groups that were found.

    Parameters
    ----------
    sets
        The atoms of each group.
    complete
        Whether everything was searched.
    """

    sets: tuple[IntArray, ...] = field(repr=False)
    complete: bool = True


def rows_on_small(matrix: IntArray, small: BoolArray, weight: IntArray) -> IntArray | None:
    """Return the echelon form of the row space on small atoms alone; None where it would take too long.

    Parameters
    ----------
    matrix
        (r, a): 1 where an atom is in a set.
    small
        (a,): small atoms.
    weight
        (a,): sizes of the atoms; the largest small ones become pivots, so that few of them fit into a small group.

    Notes
    -----
    O(r a min(r, a)) time.

    Examples
    --------
    >>> rows_on_small(np.array([[1, 1, 0], [1, 0, 1]]), np.array([False, True, True]), np.array([9, 1, 1])).tolist()
    [[0, 1, 2147483646]]
    """
    rows = np.asarray(matrix, np.int64) % PRIME
    work = 0
    for column in np.flatnonzero(~small).tolist():
        hit = np.flatnonzero(rows[:, column])
        if not len(hit):
            continue
        first, others = hit[np.count_nonzero(rows[hit], axis=1).argmin()], hit
        others = hit[hit != first]
        work += len(others) * rows.shape[1]
        if work > MOST_WORK:
            return None
        rows[others] = _eliminated(rows[others], rows[first], column)
        rows = np.delete(rows, first, axis=0)
    rows = rows[rows.any(axis=1)]
    place = 0
    for column in sorted(np.flatnonzero(small).tolist(), key=lambda one: -int(weight[one])):
        hit = np.flatnonzero(rows[place:, column])
        if not len(hit):
            continue
        rows[[place, place + hit[0]]] = rows[[place + hit[0], place]]
        rows[place] = rows[place] * pow(int(rows[place, column]), -1, PRIME) % PRIME
        others = np.flatnonzero(rows[:, column])
        others = others[others != place]
        work += len(others) * rows.shape[1]
        if work > MOST_WORK:
            return None
        rows[others] = _eliminated(rows[others], rows[place], column)
        place += 1
        if place == len(rows):
            break
    return np.asarray(rows[:place], np.int64)


def _eliminated(rows: IntArray, pivot: IntArray, column: int) -> IntArray:
    factor = rows[:, column] * pow(int(pivot[column]), -1, PRIME) % PRIME
    return np.asarray((rows - factor[:, None] * pivot[None, :] % PRIME) % PRIME, np.int64)


def find_small_sets(
    rows: IntArray,
    is_small: Callable[[IntArray], bool],
    *,
    effort: int,
    known: Callable[[IntArray], bool],
    most: int = 5,
) -> SmallSets:
    """Search for 0/1 vectors of a row space in echelon form whose atoms together are small.

    Parameters
    ----------
    rows
        (w, a): the space, every pivot alone in its column.
    is_small
        Whether some atoms together are a small group; it must stay false when atoms are added.
    effort
        Nodes of the search before it gives up.
    known
        Whether a group is disclosed on purpose, so that it is passed over.
    most
        How many groups to look for.

    Examples
    --------
    >>> rows = np.array([[1, 0, 1], [0, 1, 0]])
    >>> find_small_sets(rows, lambda atoms: len(atoms) < 2, effort=100, known=lambda atoms: False).sets
    (array([1]),)
    """
    found: list[IntArray] = []
    seen: set[bytes] = set()
    used = np.flatnonzero(rows.any(axis=0))
    kept = rows[:, used]
    there = kept != 0
    nodes = 0
    for first in range(len(kept)):
        open_ = np.ones(len(kept), bool)
        open_[: first + 1] = False
        todo = [(kept[first], open_)]
        while todo:
            nodes += 1
            if nodes > effort:
                return SmallSets(tuple(found), complete=False)
            vector, free = todo.pop()
            ones, bad = vector == 1, vector > 1
            settled = ~there[free].any(axis=0)
            if bool((bad & settled).any()) or not is_small(used[ones & settled]):
                continue
            if not bad.any() and is_small(used[ones]):
                atoms = used[ones]
                if not known(atoms) and atoms.tobytes() not in seen:
                    seen.add(atoms.tobytes())
                    found.append(atoms)
                    if len(found) >= most:
                        return SmallSets(tuple(found), complete=False)
                if not (ones & ~settled).any():
                    continue
            loose = np.flatnonzero((bad | ones) & ~settled)
            if not len(loose):
                continue
            choices = (there[free][:, loose]).sum(axis=0) - len(kept) * bad[loose]
            pivot = np.flatnonzero(free)[there[free][:, loose[choices.argmin()]].argmax()]
            less = free.copy()
            less[pivot] = False
            todo += [(vector, less), ((vector + kept[pivot]) % PRIME, less)]
    return SmallSets(tuple(found))
