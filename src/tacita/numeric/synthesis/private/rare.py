"""Rare classes: those whose noisy count is lost in its noise become one class, and come out again in their noisy shares."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.numeric.synthesis.private.shares import drawn_codes

__all__ = ["MergedClasses", "merge_rare"]

_CLEAR = 3.0
"""Standard deviations of noise from which on a count is taken for one."""
MOST_KEPT = 1000
"""Classes of a column that stay by themselves, so that a two-way table fits into memory."""


@dataclass(frozen=True)
class MergedClasses:
    """The classes of a column, the rare ones merged.

    Parameters
    ----------
    code
        (classes,): the new code of each class.
    rare
        The classes that were merged into the last code; empty where none were.
    shares
        In which shares these are drawn.
    counts
        Noisy counts of the new codes.
    variances
        Of the noise of each.
    """

    code: IntArray
    rare: IntArray
    shares: FloatArray
    counts: FloatArray
    variances: FloatArray

    @property
    def size(self) -> int:
        """How many codes there are."""
        return len(self.counts)

    def drawn(self, codes: IntArray, rng: np.random.Generator) -> IntArray:
        """Return classes for new codes; the rare ones in their shares."""
        first = np.zeros(self.size, dtype=np.int64)
        first[self.code[::-1]] = np.arange(len(self.code))[::-1]
        found = first[codes]
        if len(self.rare):
            rows = np.flatnonzero(codes == self.size - 1)
            found[rows] = self.rare[drawn_codes(self.shares, len(rows), rng)]
        return found


def merge_rare(noisy: FloatArray, variance: float) -> MergedClasses:
    """Merge the classes of a column whose noisy count is below three standard deviations of the noise.

    Parameters
    ----------
    noisy
        Noisy counts.
    variance
        Of the noise.

    References
    ----------
    McKenna, R., Miklau, G. and Sheldon, D. (2021), Winning the NIST contest: a scalable and general approach to differentially
    private synthetic data, section 3.2. There rare classes are drawn alike; here in proportion to their noisy counts above 0.

    Examples
    --------
    >>> merged = merge_rare(np.array([50.0, 2.0, 70.0, 1.0]), 4.0)
    >>> merged.code.tolist(), merged.counts.tolist(), merged.variances.tolist()
    ([0, 2, 1, 2], [50.0, 70.0, 3.0], [4.0, 4.0, 8.0])
    """
    is_rare = noisy < _CLEAR * variance**0.5
    if (~is_rare).sum() > MOST_KEPT:
        is_rare = np.ones(len(noisy), dtype=bool)
        is_rare[np.argsort(-noisy, kind="stable")[:MOST_KEPT]] = False
    rare = np.flatnonzero(is_rare)
    if len(rare) < 2:
        every = np.arange(len(noisy))
        return MergedClasses(every, rare[:0], np.zeros(0), noisy, np.full(len(noisy), variance))
    kept = np.flatnonzero(~is_rare)
    code = np.full(len(noisy), len(kept), dtype=np.int64)
    code[kept] = np.arange(len(kept))
    return MergedClasses(
        code=code,
        rare=rare,
        shares=np.maximum(noisy[rare], 0.0),
        counts=np.append(noisy[kept], noisy[rare].sum()),
        variances=np.append(np.full(len(kept), variance), variance * len(rare)),
    )
