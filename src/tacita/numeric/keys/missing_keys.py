"""Frequencies when key values are missing: three readings of what a missing value can match.

Let r be a record, A the keys that it lacks, and s another record that lacks B. How many records does r hide among?

``own category``   missing is one more value: s counts when it has the same values and lacks the same keys.
                   Holds against an intruder who sees that a value is missing and knows whose it would be.
``wildcard``       missing fits everything, on both sides: s counts when the two agree wherever both have a value.
                   Holds against an intruder who takes every release record that his knowledge does not contradict.
                   It is the largest of the three.
``conservative``   s counts when it shows the values that r shows: it agrees with r outside A and lacks none of these
                   keys (B is a part of A). Others' missing values protect nobody; a value that r itself lacks cannot
                   be used against it. Never above ``wildcard``.

All work is done on distinct patterns. For two sets A, B of missing keys the patterns that lack A and those that lack B
are compared on the other keys by sorting: O((number of sets) m log m) for m patterns.
"""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.vocabulary import MISSING_KEYS, MissingKeys
from tacita.numeric.keys.frequencies import Patterns, fold_codes

__all__ = ["pattern_frequencies"]


def pattern_frequencies(patterns: Patterns, amounts: FloatArray | IntArray, missing: MissingKeys) -> FloatArray:
    """Return for each pattern the sum of the amounts of all patterns that it matches, its own included.

    Parameters
    ----------
    patterns
        The distinct key patterns.
    amounts
        (m,): records of each pattern (for fk) or their weights (for Fk).
    missing
        What a missing value matches.

    Examples
    --------
    >>> from tacita.numeric.keys.frequencies import find_patterns
    >>> found = find_patterns([(np.array([0, 0, 0]), 1), (np.array([0, 1, -1]), 2)])
    >>> pattern_frequencies(found, found.counts, "wildcard")[found.labels].tolist()
    [2.0, 2.0, 3.0]
    >>> pattern_frequencies(found, found.counts, "conservative")[found.labels].tolist()
    [1.0, 1.0, 3.0]
    """
    if missing not in MISSING_KEYS:
        raise ValueError(f"'missing' must be one of {', '.join(MISSING_KEYS)}, got {missing!r}.")
    lacking, amounts = patterns.missing, np.asarray(amounts, dtype=np.float64)
    if missing == "own category" or not lacking.any():
        return amounts
    sizes = patterns.codes.max(axis=0, initial=-1) + 1
    sets = np.unique(lacking)
    rows = {int(a): np.flatnonzero(lacking == a) for a in sets}
    found = np.zeros(len(amounts))
    for a, targets in rows.items():
        for b, sources in rows.items():
            if missing == "conservative" and b & ~a:
                continue
            shown = [j for j in range(patterns.codes.shape[1]) if not ((a | b) >> j) & 1]
            found[targets] += _matched(patterns.codes, targets, sources, amounts, shown, sizes)
    return found


def _matched(
    codes: IntArray, targets: IntArray, sources: IntArray, amounts: FloatArray, shown: list[int], sizes: IntArray
) -> FloatArray:
    """Return for each target the amounts of the sources that agree with it on the shown columns."""
    if not shown:
        return np.full(len(targets), float(amounts[sources].sum()))
    both = fold_codes(codes[np.concatenate((targets, sources))][:, shown], sizes[shown])
    wanted, there = both[: len(targets)], both[len(targets) :]
    known, label = np.unique(there, return_inverse=True)
    sums = np.bincount(label.ravel(), weights=amounts[sources], minlength=len(known))
    place = np.minimum(np.searchsorted(known, wanted), len(known) - 1)
    return np.asarray(np.where(known[place] == wanted, sums[place], 0.0))
