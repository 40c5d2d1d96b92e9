"""Whole numbers in given proportions: as near to them as whole numbers can be, with chance in what is left over."""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import FloatArray, IntArray

__all__ = ["drawn_codes", "whole_shares"]


def whole_shares(shares: FloatArray, n: int, rng: np.random.Generator) -> IntArray:
    """Return whole numbers that add up to n: each share rounded down or up, up with chances that grow with what was cut off.

    Parameters
    ----------
    shares
        Not negative; they need not add up to one. Where all are 0 they count as equal.
    n
        How many to share out.

    Notes
    -----
    Who is rounded up is drawn without replacement, one after another in proportion to the cut-off parts. O(k log k).

    Examples
    --------
    >>> whole_shares(np.array([2.0, 6.0]), 4, np.random.default_rng(1)).tolist()
    [1, 3]
    """
    total = float(shares.sum())
    if not len(shares) or n <= 0:
        return np.zeros(len(shares), dtype=np.int64)
    exact = shares * (n / total) if total > 0 else np.full(len(shares), n / len(shares))
    counts: IntArray = np.floor(exact + 1e-9).astype(np.int64)
    rest = n - int(counts.sum())
    if rest > 0:
        cut = np.maximum(exact - counts, 0.0)
        with np.errstate(divide="ignore"):
            keys = np.log(cut) + rng.gumbel(size=len(cut))
        counts[np.argsort(-keys, kind="stable")[:rest]] += 1
    return counts


def drawn_codes(shares: FloatArray, n: int, rng: np.random.Generator) -> IntArray:
    """Return n codes 0, 1, 2, ... in these shares, in random order."""
    return rng.permutation(np.repeat(np.arange(len(shares)), whole_shares(shares, n, rng)))
