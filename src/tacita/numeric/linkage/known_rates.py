"""Linking categories when it is known how often each column kept its value."""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import FloatArray, IntArray

__all__ = ["agreement_bits", "own_agrees_most"]


_MOST_BITS = 60.0
"""What agreement in a column that was never changed is worth: more than all others together, and finite."""
_CELLS = 4_000_000
_TIE = 1e-9


def agreement_bits(stays: float, often: FloatArray) -> FloatArray:
    """Return how many bits each category of a column says for a pair that agrees on it. O(categories).

    A column keeps its value with probability ``stays + (1 - stays) f`` where it is otherwise drawn by the frequencies f; a
    pair that does not belong together agrees on a value with its frequency. Disagreement is the zero point, so the bits are
    ``log2((stays + (1 - stays) f) / ((1 - stays) f))``.
    """
    left = (1 - stays) * np.maximum(often, 0.0)
    with np.errstate(divide="ignore"):
        return np.minimum(np.log2(stays + left) - np.log2(left), _MOST_BITS) if stays > 0 else np.zeros(len(often))


def own_agrees_most(originals: IntArray, masked: IntArray, own: IntArray, bits: FloatArray) -> FloatArray:
    """Return for each masked record the chance that the original with most agreement is its own. O(q p d), O(q + p) memory.

    Parameters
    ----------
    originals
        Codes of all original records, one column each; equal patterns are looked at once.
    masked
        Codes of the q masked records.
    own
        For each masked record the row of its original.
    bits
        What agreement of each masked record is worth in each column.
    """
    patterns, place, counts = np.unique(originals, axis=0, return_inverse=True, return_counts=True)
    place = place.ravel()
    chance = np.empty(len(masked))
    step = max(1, _CELLS // max(1, len(patterns)))
    for a in range(0, len(masked), step):
        part = slice(a, min(a + step, len(masked)))
        total = np.zeros((part.stop - part.start, len(patterns)))
        for j in range(patterns.shape[1]):
            total += bits[part, j, None] * (masked[part, j, None] == patterns[:, j])
        best = total.max(axis=1, keepdims=True) - _TIE
        mine = total[np.arange(len(total)), place[own[part]]]
        chance[part] = (mine >= best[:, 0]) / ((total >= best) @ counts)
    return chance
