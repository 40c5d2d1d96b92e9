"""Combination rules: frequencies in all small tables of some keys.

A table is a set of keys; its cells are the combinations of their values. A combination that occurs, but less often than the
threshold of its dimension, is unsafe. Everything is counted on the distinct patterns of all keys, so a table costs O(m) for m
patterns however many records there are. A combination with a missing value is none: it is neither counted nor unsafe.

Identification levels choose the tables. Level 1 is for keys that identify most (the place), 2 for keys that identify much (sex,
age), 3 and more for others (occupation), 0 for keys that do not identify. A table takes one key for each level in turn, and a key
of a lower level can stand in for a higher one: with the levels of its keys in order, l_1 <= 1, l_2 <= 2, ..., l_d <= d. In three
dimensions that is the rule "most identifying x much identifying x identifying".

References
----------
Willenborg, L. and de Waal, T. (2001), Elements of statistical disclosure control; Hundepool, A. et al. (2012), Statistical
disclosure control, section 3.3.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from tacita.core.arrays import IntArray
from tacita.numeric.keys.frequencies import Patterns, fold_codes, number_words

__all__ = ["UnsafeCombinations", "level_tables", "table_count", "unsafe_combinations"]


@dataclass(frozen=True, eq=False)
class UnsafeCombinations:
    """Unsafe combinations of a file.

    Parameters
    ----------
    per_pattern
        (m,): number of tables in which the pattern's combination is unsafe.
    per_column
        (d,): unsafe combinations of tables with a key in it.
    per_dimension
        (D,): unsafe combinations of tables with 1, 2, ..., D keys.
    tables
        Number of tables.
    """

    per_pattern: IntArray = field(repr=False)
    per_column: IntArray = field(repr=False)
    per_dimension: IntArray = field(repr=False)
    tables: int


def level_tables(levels: Sequence[int], dimension: int) -> Iterable[tuple[int, ...]]:
    """Yield the tables of up to ``dimension`` keys that identification levels allow; all levels 1: every table.

    Examples
    --------
    >>> list(level_tables([1, 2, 3, 0], 3))
    [(0,), (0, 1), (0, 1, 2)]
    >>> list(level_tables([1, 1], 2))
    [(0,), (1,), (0, 1)]
    """
    named = [j for j, level in enumerate(levels) if level > 0]
    for size in range(1, min(dimension, len(named)) + 1):
        for table in itertools.combinations(named, size):
            if all(level <= place for place, level in enumerate(sorted(levels[j] for j in table), start=1)):
                yield table


def table_count(keys: int, dimension: int) -> int:
    """Return how many tables of up to ``dimension`` keys there are at most."""
    return sum(math.comb(keys, size) for size in range(1, min(dimension, keys) + 1))


def unsafe_combinations(
    patterns: Patterns, tables: Iterable[tuple[int, ...]], thresholds: Sequence[int]
) -> UnsafeCombinations:
    """Count the unsafe combinations of some tables. O(m) a table.

    Parameters
    ----------
    patterns
        The distinct patterns of all keys.
    tables
        Sets of columns.
    thresholds
        Smallest safe frequency for tables of 1, 2, ... keys; the last one for larger tables too.
    """
    codes, d = patterns.codes, patterns.codes.shape[1]
    sizes = codes.max(axis=0, initial=-1) + 1
    per_pattern = np.zeros(len(codes), dtype=np.int64)
    per_column, per_dimension = np.zeros(d, dtype=np.int64), np.zeros(d, dtype=np.int64)
    count = 0
    for table in tables:
        threshold = thresholds[min(len(table), len(thresholds)) - 1]
        rows, unsafe = _rare(codes[:, table], sizes[list(table)], patterns.counts, threshold)
        per_pattern[rows] += 1
        per_column[list(table)] += unsafe
        per_dimension[len(table) - 1] += unsafe
        count += 1
    return UnsafeCombinations(per_pattern=per_pattern, per_column=per_column, per_dimension=per_dimension, tables=count)


def _rare(codes: IntArray, sizes: IntArray, counts: IntArray, threshold: int) -> tuple[IntArray, int]:
    """Return the patterns with a rare combination in one table, and how many such combinations there are."""
    rows = np.flatnonzero((codes >= 0).all(axis=1))
    space = 1
    for size in sizes.tolist():
        space = min(space * (size + 1), 2**62)
    labels, known, _ = number_words(fold_codes(codes[rows], sizes), space)
    total = np.bincount(labels, weights=counts[rows], minlength=len(known))
    rare = total < threshold
    return rows[rare[labels]], int(rare.sum())
