"""Keyed numbers for sets of records: the same set gets the same number for ever, wherever and however it was made.

A set is known by the exact sums of two keyed hashes of 31 bits over its members and by how many they are. Sums are whole numbers,
so they do not depend on the order of adding, on threads or on the engine, and they add up over disjoint sets.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.errors import DataError, ParameterError
from tacita.core.keyed import Key
from tacita.numeric.statistics.cell_sums import add_records

__all__ = ["MOST_MEMBERS", "check_members", "checked_sets", "key_sums", "keyed_uniforms", "keyed_words", "set_uniforms"]

MOST_MEMBERS = 1 << 32
"""So many keyed hashes of 31 bits have a sum below 2**63, whatever they are."""


def check_members(records: int) -> None:
    """Refuse to add up more keyed hashes than 64 bits hold.

    Raises
    ------
    DataError
        When there are more than 2**32 records.
    """
    if records > MOST_MEMBERS:
        raise DataError(
            f"Sums of record keys are exact in 64 bits up to {MOST_MEMBERS} records, got {records}; make tables of parts."
        )


def key_sums(cells: npt.NDArray[np.integer[Any]], keys: npt.NDArray[np.integer[Any]], count: int) -> IntArray:
    """Return (count, 3): how many records each cell has, and the exact sums of their two keyed hashes.

    Parameters
    ----------
    cells
        (n,): the cell of each record, from 0.
    keys
        (n, 2): keyed hashes of 31 bits.
    count
        Number of cells, below 2**31.

    Notes
    -----
    O(n) time; 4 bytes a record beside what comes in.

    Examples
    --------
    >>> key_sums(np.array([0, 2, 0]), np.array([[1, 5], [2, 6], [3, 7]]), 3).tolist()
    [[2, 4, 12], [0, 0, 0], [1, 2, 6]]
    """
    check_members(len(cells))
    table = np.zeros((count, 3), dtype=np.int64)
    width = 1 if count <= 1 << 8 else 2 if count <= 1 << 16 else 4
    octets = np.asarray(cells, dtype=f"<u{width}").view(np.uint8).reshape(-1, width)
    # The kernel reads the number of a cell byte by byte, a row for each.
    which = np.arange(width, dtype=np.int64)
    add_records(np.ascontiguousarray(octets.T), which, 1 << (8 * which), np.ascontiguousarray(keys, np.int32), table)
    return table


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
    first = keyed_words(key.derive("set", "sums", *labels), sums.astype(np.uint64))
    return _unit(
        keyed_words(key.derive("set", "members", *labels), np.stack([first, counts.astype(np.uint64)], axis=1))
    )


def keyed_uniforms(key: Key, ids: npt.NDArray[np.uint64]) -> FloatArray:
    """Return a number in [0, 1) for each record, of 53 bits; ``ids`` are (n,) or (n, 2) words of 64 bits."""
    return _unit(keyed_words(key, np.asarray(ids, dtype=np.uint64)))


def keyed_words(key: Key, words: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Return a keyed word of 62 bits for each row: two hashes of 31 bits side by side."""
    if not len(words):
        return np.zeros(0, dtype=np.uint64)
    two = key.record_keys(words).astype(np.uint64)
    return (two[:, 0] << np.uint64(31)) | two[:, 1]


def _unit(words: npt.NDArray[np.uint64]) -> FloatArray:
    """Turn words of 62 bits into numbers in [0, 1)."""
    return (words >> np.uint64(9)).astype(np.float64) * 2.0**-53
