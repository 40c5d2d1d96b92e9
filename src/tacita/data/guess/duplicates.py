"""Exact duplicates among records, found by a fingerprint of 64 bits for each record and counted among the suspects only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from tacita.core.arrays import IntArray
from tacita.data.guess.facts import ValueFacts, encoded_column

__all__ = ["count_duplicates"]

_BLOCK = 1 << 16
_PRIME = np.uint64(0x9E3779B97F4A7C15)


def count_duplicates(columns: Sequence[ValueFacts]) -> int:
    """Return how many records are left over when each different record is kept once.

    Notes
    -----
    Equal records have equal fingerprints, so only records that share theirs with another are compared value by value: the
    count is exact whatever the fingerprints are. O(n d) time, 16 bytes for each record.

    Examples
    --------
    >>> from tacita.data.schema import Column
    >>> sex, age = pa.array(["f", "m", "f"]), pa.array([31, 47, 31])
    >>> facts = [ValueFacts.of(Column(name=n, scale="nominal"), a) for n, a in (("sex", sex), ("age", age))]
    >>> count_duplicates(facts)
    1
    """
    if not columns or any(facts.distinct == facts.n for facts in columns):
        return 0
    marks = _fingerprints(columns)
    ordered = np.sort(marks)
    twice = np.unique(ordered[1:][ordered[1:] == ordered[:-1]])
    if not len(twice):
        return 0
    rows = np.flatnonzero(np.isin(marks, twice))
    return _count_exactly([facts.array.take(pa.array(rows)) for facts in columns], len(rows))


def _fingerprints(columns: Sequence[ValueFacts]) -> npt.NDArray[np.uint64]:
    n = columns[0].n
    marks = np.zeros(n, dtype=np.uint64)
    for facts in columns:
        start = 0
        for bits in _blocks(facts):
            part = slice(start, start + len(bits))
            mixed = (marks[part] ^ bits.view(np.uint64)) * _PRIME
            marks[part] = mixed ^ (mixed >> np.uint64(29))
            start += len(bits)
    return marks


def _blocks(facts: ValueFacts) -> Iterator[IntArray]:
    """Give the values as 64 bits each, in blocks that stay in the processor's cache."""
    if facts.codes is not None:
        for start in range(0, facts.n, _BLOCK):
            yield facts.codes[start : start + _BLOCK].astype(np.int64)
        return
    for chunk in facts.array.chunks if isinstance(facts.array, pa.ChunkedArray) else [facts.array]:
        for start in range(0, len(chunk), _BLOCK):
            yield _bits(chunk.slice(start, _BLOCK))


def _bits(array: pa.Array) -> IntArray:
    """Return numbers as 64 bits that are equal for equal numbers."""
    is_float = pa.types.is_floating(array.type)
    if is_float:
        raw = (array.fill_null(float("nan")) if array.null_count else array).to_numpy(zero_copy_only=False)
        raw = raw.astype(np.float64) + 0.0  # minus zero becomes zero
    else:
        raw = (array.fill_null(0) if array.null_count else array).to_numpy(zero_copy_only=False).astype(np.int64)
    bits: IntArray = raw.view(np.int64)
    if array.null_count:
        bits = np.where(np.asarray(array.is_null()), np.int64(-(2**62) + 12345), bits)
    return bits


def _count_exactly(arrays: Sequence[pa.ChunkedArray | pa.Array], n: int) -> int:
    labels, size = np.zeros(n, dtype=np.int64), 1
    for array in arrays:
        numbers, values = encoded_column(array)
        codes = numbers.astype(np.int64)
        if size * (len(values) + 1) >= 2**62:  # renumber before the numbers overflow
            renumbered, different = encoded_column(pa.array(labels))
            labels = renumbered.astype(np.int64)
            size = len(different)
        labels, size = labels * (len(values) + 1) + codes + 1, size * (len(values) + 1)
    return n - len(pc.unique(pa.array(labels)))
