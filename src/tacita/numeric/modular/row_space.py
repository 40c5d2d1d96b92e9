"""The row space of 0/1 vectors modulo a prime, kept in reduced row-echelon form while vectors and columns are added.

Of the form ``[I | F]`` only F is stored, r by m - r for rank r and m columns: at most a quarter of m squared numbers,
whatever the rank. Its dual is at hand: the vectors orthogonal to every row are those with free part z and pivot part
``-F z``, so random z give random null vectors, and a vector lies in the row space if all of them are orthogonal to it.
"""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import IntArray
from tacita.numeric.modular.arithmetic import matrix_product, products, subtract_outer

__all__ = ["RowSpace"]

_SAFE_SUM = 4096
"""Residues below 2**50 that add up to less than 2**62."""


class RowSpace:
    """Row space of 0/1 vectors over m columns, modulo a prime.

    Parameters
    ----------
    columns
        Number of columns at the beginning.
    prime
        At most 2**50.

    Notes
    -----
    Which error is possible, and which is not. Let the rows have rank r over the rationals. A prime is *lucky* for
    them when it leaves the rank at r. For a lucky prime whatever lies in the row space over the rationals lies in it
    modulo the prime as well, because the larger matrix has rank r at most. What does not lie in it over the rationals
    may seem to for a prime that is unlucky for the larger matrix.
    :func:`~tacita.numeric.modular.primes.unlucky_chance` bounds both; a fixed prime would have no such bound against
    somebody who chooses the vectors for it.

    Examples
    --------
    >>> import numpy as np
    >>> space = RowSpace(4, prime=1_000_003)
    >>> [space.insert(np.array(row)) for row in ([0, 1], [1, 2], [2, 3], [0, 3])]
    [True, True, True, False]
    >>> space.contains(np.array([0, 3])), space.contains(np.array([0]))
    (True, False)
    """

    __slots__ = ("_free", "_place", "_table", "prime", "rank")

    def __init__(self, columns: int, prime: int) -> None:
        self.prime = prime
        self.rank = 0
        self._place: IntArray = np.arange(columns, dtype=np.int64)
        """Of each column: number of its free column, or -1 - row of its pivot."""
        self._free = columns
        self._table: IntArray = np.zeros((0, columns), dtype=np.int64)

    @property
    def columns(self) -> int:
        """Number of columns."""
        return len(self._place)

    def split(self, parents: IntArray) -> None:
        """Add columns at the end, each with the same entries in every row as its parent.

        The column of a pivot has a single 1, so the copy of it is a free column with a 1 in that row.

        Parameters
        ----------
        parents
            Columns that are copied.

        Notes
        -----
        O(r len(parents)) time, with the cost of a larger table now and then.
        """
        added = len(parents)
        self._make_room(self.rank, self._free + added)
        places = self._place[parents]
        for number, place in enumerate(places):  # a loop over columns that one query separates, vectorised over rows
            target = self._table[: self.rank, self._free + number]
            if place >= 0:
                target[:] = self._table[: self.rank, place]
            else:
                target[:] = 0
                target[-1 - place] = 1
        self._place = np.concatenate([self._place, self._free + np.arange(added)])
        self._free += added

    def residual(self, columns: IntArray) -> IntArray:
        """Return what is left of the 0/1 vector with ones in some columns, over the free columns; zero if it is in the space.

        O(r (m - r)) time.
        """
        places = self._place[columns]
        left = np.zeros(self._free, dtype=np.int64)
        left[places[places >= 0]] = 1
        rows = -1 - places[places < 0]
        for start in range(0, len(rows), _SAFE_SUM):
            left -= self._table[rows[start : start + _SAFE_SUM], : self._free].sum(axis=0) % self.prime
        return np.asarray(left % self.prime, dtype=np.int64)

    def contains(self, columns: IntArray) -> bool:
        """Say whether the 0/1 vector with ones in some columns is in the row space."""
        return not self.residual(columns).any()

    def insert(self, columns: IntArray) -> bool:
        """Add the 0/1 vector with ones in some columns; return whether the rank grew.

        O(r (m - r)) time: the new pivot is the first free column that is left, and is taken out of every other row.
        """
        left = self.residual(columns)
        candidates = np.flatnonzero(left)
        if not len(candidates):
            return False
        pivot, last = int(candidates[0]), self._free - 1
        new = products(left, np.array(pow(int(left[pivot]), -1, self.prime)), self.prime)
        self._make_room(self.rank + 1, self._free)
        table = self._table[: self.rank]
        factors = table[:, pivot].copy()
        table[:, pivot] = table[:, last]  # the last free column takes the place of the one that is free no more
        new[pivot] = new[last]
        rows = np.flatnonzero(factors)
        subtract_outer(self._table[:, :last], rows, factors[rows], new[:last], self.prime)
        self._table[self.rank, :last] = new[:last]
        holder, moved = np.flatnonzero(self._place == pivot), np.flatnonzero(self._place == last)
        self._place[moved] = pivot
        self._place[holder] = -1 - self.rank
        self.rank += 1
        self._free = last
        return True

    def null_vectors(self, count: int, rng: np.random.Generator) -> IntArray:
        """Return random vectors that are orthogonal to every row, uniform and independent: (count, m).

        O(count r (m - r)) time.

        Parameters
        ----------
        count
            How many.
        rng
            Where their free parts come from.
        """
        free = rng.integers(0, self.prime, size=(self._free, count))
        bound = matrix_product(self._table[: self.rank, : self._free], free, self.prime)
        found = np.empty((count, self.columns), dtype=np.int64)
        is_free = self._place >= 0
        found[:, is_free] = free[self._place[is_free]].T
        found[:, ~is_free] = (-bound[-1 - self._place[~is_free]] % self.prime).T
        return found

    def _make_room(self, rows: int, columns: int) -> None:
        """Enlarge the table by a part more than is needed, so that copying it stays rare; columns free no more are dropped."""
        height, width = self._table.shape
        if rows <= height and columns <= width:
            return
        larger = np.zeros((rows + rows // 4 + 8, columns + columns // 8 + 8), dtype=np.int64)
        larger[: self.rank, : self._free] = self._table[: self.rank, : self._free]
        self._table = larger
