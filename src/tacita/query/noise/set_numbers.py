"""Keyed numbers for sets of records: the same set gets the same number for ever, wherever and however it was asked for.

A set is known by the exact sums of two keyed hashes over its members and by how many they are. Sums are whole numbers, so
they do not depend on the order of adding, on threads or on the engine, and they add up over disjoint sets.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.errors import ParameterError
from tacita.core.keyed import Key

__all__ = ["MemberHash", "checked_sets", "keyed_uniforms", "member_hashes", "set_uniforms"]

MemberHash: TypeAlias = tuple[int, int, int]
"""The two sums of a set and the number of its members."""


def member_hashes(sums: IntArray, counts: IntArray) -> list[MemberHash]:
    """Return each set as three whole numbers of Python, fit to be looked up."""
    return list(zip(sums[:, 0].tolist(), sums[:, 1].tolist(), counts.tolist(), strict=True))


def checked_sets(sums: IntArray, counts: IntArray, *, owner: str) -> None:
    """Check that there is a pair of whole sums and a number of members for each set.

    Raises
    ------
    ParameterError
        When shapes do not fit, sums are not whole numbers, or a number of members is negative.
    """
    if sums.shape != (len(counts), 2) or not np.issubdtype(sums.dtype, np.integer):
        raise ParameterError(
            f"{owner}: 'sums' must be ({len(counts)}, 2) whole numbers, got {sums.shape} {sums.dtype}."
        )
    if not np.issubdtype(counts.dtype, np.integer) or (len(counts) and int(counts.min()) < 0):
        raise ParameterError(f"{owner}: 'counts' must be whole numbers from 0, the members of each set.")


def set_uniforms(key: Key, sums: IntArray, counts: IntArray, *labels: str) -> FloatArray:
    """Return a number in [0, 1) for each set, of 53 bits, for one purpose.

    The number is a cipher chained over two blocks, ``E2(E1(sum1, sum2), n)``, under keys derived for the labels: whoever
    lacks the key cannot tell it from a random one, and two sets share it only by chance.

    Parameters
    ----------
    key
        The secret key of the noise.
    sums, counts
        (m, 2) and (m,): the sums of the members' record keys, and how many they are.
    labels
        What the number is for: the statistic and its variable. Different labels give unrelated numbers.

    Notes
    -----
    HMAC of the same parts would do as well; two blocks of AES give a million sets in a fraction of a second. Complexity: O(m).

    Examples
    --------
    >>> u = set_uniforms(Key(b"0123456789abcdef"), np.array([[3, 5], [3, 5], [4, 5]]), np.array([1, 1, 1]), "count")
    >>> bool(u[0] == u[1]), bool(u[0] == u[2])
    (True, False)
    """
    checked_sets(sums, counts, owner="set_uniforms")
    first = _hashed(key.derive("set", "sums", *labels), sums.astype(np.uint64))
    return _unit(_hashed(key.derive("set", "members", *labels), np.stack([first, counts.astype(np.uint64)], axis=1)))


def keyed_uniforms(key: Key, ids: npt.NDArray[np.uint64]) -> FloatArray:
    """Return a number in [0, 1) for each record, of 53 bits; ``ids`` are (n,) or (n, 2) words of 64 bits."""
    return _unit(_hashed(key, np.asarray(ids, dtype=np.uint64)))


def _hashed(key: Key, words: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Return a keyed word of 62 bits for each row: two hashes of 31 bits side by side."""
    if not len(words):
        return np.zeros(0, dtype=np.uint64)
    two = key.record_keys(words).astype(np.uint64)
    return (two[:, 0] << np.uint64(31)) | two[:, 1]


def _unit(words: npt.NDArray[np.uint64]) -> FloatArray:
    """Turn words of 62 bits into numbers in [0, 1)."""
    return (words >> np.uint64(9)).astype(np.float64) * 2.0**-53
