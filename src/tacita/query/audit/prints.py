"""What the answered sums determine, seen modulo one secret prime: their row space, and prints of its columns.

The *prints* are a few random vectors that are orthogonal to every answered sum. They say at once what a further sum
would determine: if x_0, x_1, ... are independent and uniform on the null space N, and q is a new sum with q . x_0 other
than zero, then

    y_k = x_k - (q . x_k / q . x_0) x_0

are independent and uniform on the null space of all sums with q, because x -> x - (q . x / q . x_0) x_0 is a linear map
of N onto it. Judging therefore costs a few products for each column, whatever the rank; the row space is needed only to
draw new vectors.
"""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import IntArray
from tacita.core.keyed import Key
from tacita.numeric.modular.arithmetic import products
from tacita.numeric.modular.primes import random_prime
from tacita.numeric.modular.row_space import RowSpace

__all__ = ["Prints", "TrialPrints"]

_STOCK = 8
"""Null vectors that are drawn at a time: together they cost little more than one."""


class Prints:
    """The view of one prime on all answered sums.

    Parameters
    ----------
    key
        Where the prime and all vectors come from.
    needed
        Rows of prints that a judgement needs.

    Notes
    -----
    A column that is split into two gets a uniform number for the one part and what is left for the other. That is again uniform
    on the null space, which has one dimension more, since every sum so far has both parts or neither.
    """

    __slots__ = ("_key", "_space", "_steps", "_vectors", "needed", "prime")

    def __init__(self, key: Key, needed: int) -> None:
        self._key = key
        self.needed = needed
        self.prime = random_prime(key.generator("prime"))
        self._space = RowSpace(1, self.prime)
        self._steps = 0
        self._vectors = self._drawn()

    @property
    def rank(self) -> int:
        """Number of independent sums."""
        return self._space.rank

    def after(self, parents: IntArray, columns: IntArray) -> tuple[IntArray, bool]:
        """Return the prints as they would be after one more sum, and whether it is independent; nothing changes.

        Parameters
        ----------
        parents
            Columns that the sum separates; the new columns come behind all others, and have the parts inside the sum.
        columns
            Columns of the sum, new ones included.

        Returns
        -------
        tuple
            (needed, columns): prints; and whether the sum is outside the row space. If it is not, the prints are the
            old ones.

        Notes
        -----
        O(m) time for m columns. A sum outside the row space seems to be inside with chance p ** -(needed + 1).
        """
        vectors = self.separated(self._vectors[: self.needed + 1], parents)
        left, used = self.projected(vectors, columns)
        return left[: self.needed], used >= 0

    def add(self, parents: IntArray, columns: IntArray, *, is_last: bool = True) -> bool:
        """Add a sum; return whether it is independent of those before.

        Parameters
        ----------
        parents, columns
            As in :meth:`after`.
        is_last
            Whether prints are needed afterwards; without them a long list of sums is added faster.
        """
        vectors = self.separated(self._vectors, parents) if is_last else self._vectors[:, :0]
        self._space.split(parents)
        is_new = self._space.insert(columns)
        self._steps += 1
        if is_last and is_new:
            vectors, _ = self.projected(vectors, columns)
        self._vectors = vectors
        if is_last and len(vectors) <= self.needed:
            self._vectors = np.concatenate([vectors, self._drawn()])
        return is_new

    def trial(self, sums: int) -> TrialPrints:
        """Return prints that so many sums can be tried on, of which nothing is kept.

        Parameters
        ----------
        sums
            Most sums that are tried.
        """
        count = self.needed + sums + 1
        vectors = self._vectors
        if len(vectors) < count:
            vectors = self._space.null_vectors(count, self._key.generator("trial", self._steps))
        return TrialPrints(self, vectors[:count])

    def refresh(self) -> None:
        """Draw all prints anew, after sums were added without."""
        self._vectors = self._drawn()

    def _drawn(self) -> IntArray:
        rng = self._key.generator("null vectors", self._steps)
        return self._space.null_vectors(self.needed + _STOCK, rng)

    def separated(self, vectors: IntArray, parents: IntArray, turn: int = 0) -> IntArray:
        """Split columns: the parts inside get uniform numbers, the parts outside keep the rest.

        Parameters
        ----------
        vectors
            (t, m): null vectors.
        parents
            Columns that are split.
        turn
            Which of several sums it is that are tried one after the other.
        """
        rng = self._key.generator("parts", self._steps, *([turn] if turn else []))
        inside = rng.integers(0, self.prime, size=(len(parents), len(vectors))).T
        found = np.concatenate([vectors, inside], axis=1)
        found[:, parents] = (found[:, parents] - inside) % self.prime
        return found

    def projected(self, vectors: IntArray, columns: IntArray) -> tuple[IntArray, int]:
        """Make the vectors orthogonal to a sum, at the cost of one of them; return them and the number of that one, or -1."""
        dots = np.array([_sum(vector[columns], self.prime) for vector in vectors], dtype=np.int64)
        usable = np.flatnonzero(dots)
        if not len(usable):
            return vectors, -1
        used = int(usable[0])
        inverse = np.array(pow(int(dots[used]), -1, self.prime))
        others = np.delete(np.arange(len(vectors)), used)
        factors = products(dots[others], inverse, self.prime)
        left = vectors[others] - products(factors[:, None], vectors[used][None, :], self.prime)
        return left % self.prime, used


class TrialPrints:
    """Prints that several sums are tried on, one after the other, without the row space being touched.

    Parameters
    ----------
    prints
        The prints as they are.
    vectors
        (t, m): null vectors of all sums so far; every sum that is independent costs one.
    """

    __slots__ = ("_prints", "_turn", "added", "vectors")

    def __init__(self, prints: Prints, vectors: IntArray) -> None:
        self._prints, self.vectors = prints, vectors
        self.added, self._turn = 0, 0

    def add(self, parents: IntArray, columns: IntArray) -> None:
        """Try one more sum; ``added`` counts those that were independent of all before."""
        self._turn += 1
        vectors = self._prints.separated(self.vectors, parents, self._turn)
        self.vectors, used = self._prints.projected(vectors, columns)
        self.added += used >= 0


def _sum(values: IntArray, prime: int) -> int:
    """Add up residues exactly: upper and lower halves on their own, so that 64 bits hold the sums."""
    return ((int((values >> 25).sum()) << 25) + int((values & (2**25 - 1)).sum())) % prime
