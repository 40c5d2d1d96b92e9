"""Special uniques: the small sets of keys that single a record out.

A set of key columns in which a record is unique, while it is unique in none of its proper subsets, is a **minimal sample
unique** (MSU). The smaller and the more numerous its MSUs, the riskier the record. With d keys and MSUs up to size M an MSU
of size k scores

    prod_{i=k}^{M-1} (d - i)        (M = d: (d - k)! times a constant; 1 for k = M),

and a record's SUDA score is the sum over its MSUs. Another score in use is the share of the lattice above the MSU,
``(2^(d-k) - 1) k! (d-k)! / d!``.

A record can be unique in a subset only if its whole pattern is, and being unique is inherited by larger sets. So all sets
are visited by size on the distinct patterns, and a set is minimal for a record when it is unique there and in no set with
one column less.

References
----------
Elliot, M. J., Manning, A. M. and Ford, R. W. (2002), A computational algorithm for handling the special uniques problem;
Manning, A. M., Haglin, D. J. and Keane, J. A. (2008), A recursive search algorithm for statistical disclosure assessment
(SUDA2); Elliot, M. J., Manning, A., Mayes, K., Gurd, J. and Bane, M. (2005), SUDA: a program for detecting special uniques.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.numeric.keys.frequencies import Patterns, fold_columns, is_single_word

__all__ = ["Scoring", "SpecialUniques", "msu_score", "odds_scores", "special_totals", "special_uniques"]

Scoring = Literal["factorial", "subsets"]


@dataclass(frozen=True, eq=False)
class SpecialUniques:
    """What makes records unique.

    Parameters
    ----------
    scores
        (m,): SUDA score of each pattern; 0 for one that is shared.
    counts
        (m, M): minimal sample uniques of each pattern by size.
    contributions
        (m, d): part of each pattern's score that comes from MSUs with a column in it.
    """

    scores: FloatArray = field(repr=False)
    counts: IntArray = field(repr=False)
    contributions: FloatArray = field(repr=False)


def msu_score(size: int, columns: int, largest: int, scoring: Scoring = "factorial") -> float:
    """Return the score of one minimal sample unique.

    Examples
    --------
    >>> [msu_score(k, 4, 3) for k in (1, 2, 3)]
    [6.0, 2.0, 1.0]
    >>> [msu_score(k, 4, 3, "subsets") for k in (1, 2, 3)]
    [1.75, 0.5, 0.25]
    """
    if scoring == "subsets":
        return float(2 ** (columns - size) - 1) / math.comb(columns, size)
    score = 1.0
    for i in range(size, largest):
        score *= columns - i  # prod_{i=k}^{M-1} (d - i)
    return score


def odds_scores(scores: FloatArray, *, dis: float, uniques: int, columns: int) -> FloatArray:
    """Return DIS-SUDA scores whose odds are in proportion to a power of the SUDA scores. O(m).

    ``1 / (1 + (U/DIS - U) / (S^Q sum S^-Q))`` with ``Q = 1 + (8 - d) / 20``, the sum over all scores above 0. In other words
    the odds of a record are those of DIS, times S^Q over the harmonic mean of all S^Q (where every unique has a score).

    Parameters
    ----------
    scores
        SUDA scores; 0 stays 0.
    dis
        The chance that a unique match is right, above 0 where there is a score.
    uniques
        Number of sample uniques U.
    columns
        Number of keys d.

    Examples
    --------
    >>> odds_scores(np.array([0.0, 2.0, 4.0]), dis=0.5, uniques=2, columns=8).round(3).tolist()
    [0.0, 0.429, 0.6]
    """
    made = np.zeros(len(scores))
    special = scores > 0
    if special.any():
        power = scores[special] ** (1 + (8 - columns) / 20)
        made[special] = 1 / (1 + (uniques / dis - uniques) / (power * (1 / power).sum()))
    return made


def special_uniques(patterns: Patterns, largest: int, scoring: Scoring = "factorial") -> SpecialUniques:
    """Find all minimal sample uniques of up to `largest` columns. O(2^d m d) for d columns and m patterns.

    A missing value singles nobody out: a set that contains one is no MSU.
    """
    m, d = patterns.codes.shape
    largest = min(largest, d)
    scores, counts, contributions = np.zeros(m), np.zeros((m, largest), dtype=np.int64), np.zeros((m, d))
    for columns, rows in _minimal_uniques(patterns, largest):
        score = msu_score(len(columns), d, largest, scoring)
        scores[rows] += score
        counts[rows, len(columns) - 1] += 1
        contributions[np.ix_(rows, np.array(columns))] += score
    return SpecialUniques(scores, counts, contributions)


def special_totals(patterns: Patterns, largest: int) -> tuple[float, IntArray, FloatArray]:
    """Return the sums of :func:`special_uniques` over all patterns: scores, MSUs by size, contributions by column.

    O(2^d m d) time as well, but nothing is kept for each pattern beside whether it is unique.

    Examples
    --------
    >>> from tacita.numeric.keys.frequencies import find_patterns
    >>> found = find_patterns([(np.array([0, 0, 1]), 2), (np.array([0, 1, 1]), 2)])
    >>> [part.tolist() for part in map(np.asarray, special_totals(found, 2))]
    [3.0, [2, 1], [2.0, 2.0]]
    """
    d = patterns.codes.shape[1]
    largest = min(largest, d)
    total, counts, contributions = 0.0, np.zeros(largest, dtype=np.int64), np.zeros(d)
    for columns, rows in _minimal_uniques(patterns, largest):
        amount = msu_score(len(columns), d, largest) * len(rows)
        total += amount
        counts[len(columns) - 1] += len(rows)
        contributions[list(columns)] += amount
    return total, counts, contributions


def _minimal_uniques(patterns: Patterns, largest: int) -> Iterator[tuple[tuple[int, ...], IntArray]]:
    """Give each set of columns, smaller ones first, with the patterns that it is minimal for."""
    codes, d = patterns.codes, patterns.codes.shape[1]
    is_alone = patterns.counts == 1
    sizes = codes.max(axis=0, initial=-1) + 1
    smaller: dict[tuple[int, ...], BoolArray] = {(): np.zeros(len(codes), dtype=bool)}
    for size in range(1, largest + 1):
        found: dict[tuple[int, ...], BoolArray] = {}
        for columns in itertools.combinations(range(d), size):
            unique = np.logical_or.reduce([smaller[columns[:i] + columns[i + 1 :]] for i in range(size)])
            # Who is unique in a part of the set has no double in the set, so the others are compared among themselves.
            others = np.flatnonzero(~unique)
            new = others[_are_unique([codes[others, j] for j in columns], sizes[list(columns)], is_alone[others])]
            if len(new):
                unique[new] = True
                yield columns, new
            found[columns] = unique
        smaller = found


def _are_unique(codes: list[IntArray], sizes: IntArray, is_alone: BoolArray) -> BoolArray:
    """Return where exactly one record has a pattern's values in some columns, all of them known."""
    space = 1
    for size in sizes.tolist():
        space = min(space * (size + 1), 2**62)
    unique = is_alone & is_single_word(fold_columns(codes, sizes), space)
    for column in codes:
        unique &= column >= 0
    return unique
