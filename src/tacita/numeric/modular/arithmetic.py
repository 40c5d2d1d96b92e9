"""Exact arithmetic modulo a prime of at most fifty bits, on whole arrays of 64-bit integers.

The product of two residues has a hundred bits. Its remainder is found from two pieces that fit: the quotient in
floating point, and the product without its upper bits,

    q = trunc(a b / p),      r = (a b - q p) mod 2**64.

The factors are below 2**50 and exact as floats; three roundings of relative size 2**-53 leave the quotient, below 2**50, within
3/8 of the true one. So q is off by one at most, r lies in [-p, 2p), and 64 bits hold it whatever was cut off above them.
"""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import FloatArray, IntArray, WordArray

__all__ = ["inverses", "matrix_product", "products", "subtract_outer"]

_BLOCK = 2**14
"""Numbers that are worked on at a time, so that they stay in the cache of the processor."""

_PIECE = 17
"""Bits of the pieces of a matrix product: 2 * 17 + 19 bits are exact in floating point."""


def products(a: IntArray, b: IntArray, prime: int) -> IntArray:
    """Return ``a * b`` modulo the prime, elementwise with the usual stretching of shapes.

    Parameters
    ----------
    a, b
        Residues 0 <= a, b < prime.
    prime
        At most 2**50.

    Examples
    --------
    >>> import numpy as np
    >>> products(np.array([3, 5]), np.array([5, 5]), 7).tolist()
    [1, 4]
    """
    return _from_two_sides(_rough_products(np.atleast_1d(a), np.atleast_1d(b), prime), prime)


def _rough_products(a: IntArray, b: IntArray, prime: int) -> IntArray:
    """Return ``a * b`` less a multiple of the prime, in [-p, 2p)."""
    quotients = (a * (1.0 / prime) * b).astype(np.int64)
    quotients *= prime
    rough: IntArray = a * b
    rough -= quotients
    return rough


def _from_two_sides(rough: IntArray, prime: int) -> IntArray:
    """Bring numbers in [-2p, 2p) to [0, p): as words without a sign, what is below zero is larger than anything else."""
    words: WordArray = rough.view(np.uint64)
    np.minimum(words, words + np.uint64(2 * prime), out=words)
    np.minimum(words, words - np.uint64(prime), out=words)
    return rough


def subtract_outer(target: IntArray, rows: IntArray, column: IntArray, row: IntArray, prime: int) -> None:
    """Take ``column[i] * row`` from each of some rows of a matrix, modulo the prime and in place.

    Parameters
    ----------
    target
        (n, d): residues, changed.
    rows
        Rows that are changed.
    column
        One factor for each of them.
    row
        (d,): what is taken away.

    Notes
    -----
    O(len(rows) d) time, about 2 ns a number; blocks of rows keep what is worked on in the cache.
    """
    step = max(1, _BLOCK // max(1, len(row)))
    for start in range(0, len(rows), step):
        chosen = rows[start : start + step]
        left = target[chosen] - _rough_products(column[start : start + step, None], row[None, :], prime)
        target[chosen] = _from_two_sides(left, prime)


def inverses(values: IntArray, prime: int) -> IntArray:
    """Return the inverses of residues that are not zero, by one inversion and 3 n products (Montgomery's trick in a tree).

    Examples
    --------
    >>> import numpy as np
    >>> inverses(np.array([1, 2, 3]), 7).tolist()
    [1, 4, 5]
    """
    if len(values) <= 1:
        return np.array([pow(int(value), -1, prime) for value in values], dtype=np.int64)
    even, odd = values[0 : len(values) // 2 * 2 : 2], values[1::2]
    of_pairs = inverses(products(even, odd, prime), prime)
    found = np.empty_like(values)
    found[0 : len(values) // 2 * 2 : 2] = products(of_pairs, odd, prime)
    found[1::2] = products(of_pairs, even, prime)
    if len(values) % 2:
        found[-1] = pow(int(values[-1]), -1, prime)
    return found


def matrix_product(a: IntArray, b: IntArray, prime: int) -> IntArray:
    """Return the matrix product ``a @ b`` modulo the prime.

    Every residue is cut into three pieces of 17 bits. Products of pieces have 34 bits and sums of fewer than 2**19 of
    them are exact as floats, in whatever order they are added up, so the fast product of matrices of floats can be
    used.

    Parameters
    ----------
    a
        (n, d): residues.
    b
        (d, t): residues, d < 2**19.

    Notes
    -----
    O(9 n d t) operations of floating point.
    """
    found = np.zeros((len(a), b.shape[1]), dtype=np.int64)
    pieces_b = np.concatenate([_piece(b, number) for number in range(3)], axis=1)
    step = max(1, 16 * _BLOCK // max(1, a.shape[1]))
    for start in range(0, len(a), step):
        block = a[start : start + step]
        total = np.zeros((len(block), b.shape[1]), dtype=np.int64)
        for number in range(3):
            sums = (_piece(block, number) @ pieces_b).astype(np.int64).reshape(len(block), 3, -1)
            for other in range(3):
                scale = np.array(pow(2, _PIECE * (number + other), prime))
                total += products(sums[:, other] % prime, scale, prime)
        found[start : start + step] = total % prime
    return found


def _piece(values: IntArray, number: int) -> FloatArray:
    return np.asarray((values >> (_PIECE * number)) & (2**_PIECE - 1), dtype=np.float64)
